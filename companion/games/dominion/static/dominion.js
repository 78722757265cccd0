// A finger that stays on a pile opens what the small sign on it opens: its card, with what puts the pile right.
// Without scripts that sign does the same.

const HOLD_MS = 500;
const STILL = 12; // how far a finger may slip, in pixels
let waiting = null;
let start = null;
let held = false; // the tap that ends a hold buys nothing

const frontOf = (event) => event.target.closest?.(".supply .pile .front");

function leave() {
  clearTimeout(waiting);
  start = null;
}

document.addEventListener("pointerdown", (event) => {
  leave();
  held = false;
  const about = frontOf(event)?.closest(".pile").querySelector(".about");
  if (!about || !event.isPrimary || event.button) return;
  start = [event.clientX, event.clientY];
  waiting = setTimeout(() => {
    about.click();
    held = true;
  }, HOLD_MS);
});

document.addEventListener("pointermove", (event) => {
  if (start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > STILL) leave();
});

["pointerup", "pointercancel"].forEach((end) => document.addEventListener(end, leave));

document.addEventListener("click", (event) => {
  if (!held || !frontOf(event)) return;
  held = false;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("contextmenu", (event) => {
  if (frontOf(event) && (held || start)) event.preventDefault();
});
