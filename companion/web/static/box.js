// While pieces are laid under the table's camera, the page says how well it sees them.
const EVERY_MS = 900;
const live = document.getElementById("live");

async function look() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(live.dataset.now, { cache: "no-store" });
      if (answer.ok) live.textContent = await answer.text();
    } catch {
      // The companion is away: it will be asked again.
    }
  }
  setTimeout(look, EVERY_MS);
}

if (live) look();
