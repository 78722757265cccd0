// A photo is made smaller before it is sent, says that it is being read, and its corners can be dragged.
const LONGEST = 2400; // pixels: enough for seven squares, and quick over a weak network; a form may ask for more
const QUALITY = 0.9;
const NEAR_PX = 44; // how far beside a handle a finger still takes hold of it
const RING_PX = 26;
const FINE = 3; // the loupe shows that many times as much
const INSET = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]];

const SVG = "http://www.w3.org/2000/svg";
const by = (id) => document.getElementById(id);

// ---- taking ----

async function smaller(file, longest) {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
    return blob ? new File([blob], "photo.jpg", { type: "image/jpeg" }) : file;
  } catch {
    return file; // the companion says what is wrong with it
  }
}

async function take(form, input) {
  const [file] = input.files;
  if (!file) return;
  form.querySelector(".working").hidden = false;
  const sent = await smaller(file, Number(form.dataset.longest ?? LONGEST));
  if (sent.size > Number(form.dataset.limit)) {
    form.querySelector(".working span").textContent = form.dataset.larger;
    form.querySelector("progress").hidden = true;
    return;
  }
  const carried = new DataTransfer();
  carried.items.add(sent);
  input.files = carried.files;
  form.requestSubmit();
}

document.querySelectorAll("form[data-photo]").forEach((form) => {
  form.addEventListener("change", (event) => {
    if (event.target.type === "file") take(form, event.target);
  });
});
document.addEventListener("submit", (event) => {
  const working = event.target.querySelector(".working");
  if (working) working.hidden = false;
});
window.addEventListener("pageshow", (event) => { // somebody who comes back finds nothing going on
  if (event.persisted) document.querySelectorAll(".working").forEach((part) => { part.hidden = true; });
});

// What was typed outlasts a tap on an option.
document.addEventListener("click", (event) => {
  const option = event.target.closest(".chips a");
  if (!option) return;
  const to = new URL(option.href);
  document.querySelectorAll("form.recording input[name^=name_]").forEach((typed) => { to.searchParams.set(typed.name, typed.value); });
  option.href = to.href;
});

// ---- corners ----

function make(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  parent.append(made);
  return made;
}

function begin(layer, form) {
  const [width, height] = layer.getAttribute("viewBox").split(" ").slice(2).map(Number);
  const known = layer.dataset.corners.trim();
  const corners = known ? known.split(/\s+/).map((pair) => pair.split(",").map(Number)) : INSET.map(([u, v]) => [u * width, v * height]);
  const within = (value, most) => Math.min(Math.max(value, 0), most);
  const outline = make("polygon", {}, layer);
  const [glass, loupe] = [by("glass"), by("loupe")];
  let held = -1;
  let apart = [0, 0]; // from the finger to the corner it holds: the finger need not cover it

  const scale = () => { // pixels of the photo for one of the screen
    const box = layer.getBoundingClientRect();
    return Math.max(width / box.width, height / box.height);
  };
  const handles = corners.map((_corner, index) => {
    const handle = make("g", { role: "button", tabindex: 0, "aria-label": index + 1 }, layer);
    make("circle", { r: RING_PX }, handle);
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      move(index, corners[index][0] + step[0] * 4 * scale(), corners[index][1] + step[1] * 4 * scale());
    });
    return handle;
  });

  function draw() {
    outline.setAttribute("points", corners.map((corner) => corner.join(",")).join(" "));
    const turns = corners.map((p, i) => {
      const [q, r] = [corners[(i + 1) % 4], corners[(i + 2) % 4]];
      return (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]);
    });
    const good = turns.every((turn) => turn > 0);
    layer.classList.toggle("crossed", !good);
    form.querySelector("button").disabled = !good;
    corners.forEach(([x, y], index) => {
      handles[index].setAttribute("transform", `translate(${x} ${y}) scale(${scale()})`);
      handles[index].classList.toggle("chosen", index === held);
      form.elements[`x${index}`].value = x.toFixed(1);
      form.elements[`y${index}`].value = y.toFixed(1);
    });
    loupe.toggleAttribute("hidden", held < 0);
    if (held >= 0) look(corners[held]);
  }

  function look([x, y]) {
    const side = (loupe.getBoundingClientRect().width * scale()) / FINE;
    loupe.setAttribute("viewBox", `${x - side / 2} ${y - side / 2} ${side} ${side}`);
    loupe.querySelector("path").setAttribute("d", `M${x - side / 2} ${y}h${side}M${x} ${y - side / 2}v${side}`);
  }

  function move(index, x, y) {
    corners[index] = [within(x, width), within(y, height)];
    draw();
  }

  function place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  glass.addEventListener("pointerdown", (event) => {
    const [x, y] = place(event);
    const away = corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - y));
    held = away.indexOf(Math.min(...away));
    glass.setPointerCapture(event.pointerId);
    const taken = away[held] <= NEAR_PX * scale();
    apart = taken ? [corners[held][0] - x, corners[held][1] - y] : [0, 0];
    if (taken) draw();
    else move(held, x, y); // a tap brings the nearest corner there
  });
  glass.addEventListener("pointermove", (event) => {
    if (held < 0) return;
    const [x, y] = place(event);
    move(held, x + apart[0], y + apart[1]);
  });
  ["pointerup", "pointercancel"].forEach((name) => glass.addEventListener(name, () => { held = -1; draw(); }));
  window.addEventListener("resize", draw);
  draw();
}

if (by("handles")) begin(by("handles"), by("corners"));
