// A picture that stays live: the next takes the place of the last one without a moment in which there is none.
export async function swap(image, blob) {
  const address = URL.createObjectURL(blob);
  const next = new Image();
  next.src = address;
  await next.decode();
  const before = image.src;
  if (!image.complete) await image.decode().catch(() => {});
  image.src = address;
  await image.decode().catch(() => {});
  if (before.startsWith("blob:")) URL.revokeObjectURL(before);
}
