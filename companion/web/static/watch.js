// Under a camera: the picture stays live, buttons of the panel can be held, what a button did is told for a moment.
import { again, trouble } from "./page.js";
import { swap } from "./picture.js";

const PACE_MS = 250; // between two pictures
const AGAIN_MS = 2000; // after none came
const GONE = "gone"; // what stands for a picture that there is no more
const TOLD_MS = 6000; // how long it is told what a button did
const SHORT_S = 0.1; // how long the virtual button is held for a press, and for one that is meant to be long
const LONG_S = 1;
const HELD_MS = 600; // a finger that stays longer means a long press: the button is held without waiting for its end
const live = new WeakSet(); // pictures that are looked after already
const told = new Map(); // what buttons did, and when we heard of it
let down = null; // the button under a finger, and what happens when it stays there

const rest = (ms) => new Promise((done) => setTimeout(done, ms));

// The next picture is asked for when the last has arrived; one that has not changed is not sent again.
async function refresh(image, last) {
  const answer = await fetch(image.dataset.live, { cache: "no-cache", credentials: "same-origin" });
  if (answer.status === 404) return GONE;
  if (!answer.ok) throw new Error(answer.statusText);
  const mark = answer.headers.get("ETag");
  if (mark !== last) await swap(image, await answer.blob());
  return mark;
}

async function follow(image) {
  let mark = "";
  while (image.isConnected && mark !== GONE) {
    let pause = Number(image.dataset.pace ?? PACE_MS);
    if (document.visibilityState === "visible") {
      try {
        mark = await refresh(image, mark);
      } catch {
        pause = AGAIN_MS;
      }
    }
    await rest(pause);
  }
  live.delete(image);
  if (mark === GONE) again(); // the camera watches another game: the page says so
}

function announced(atOnce) {
  const line = document.querySelector("[data-announcement]");
  if (!line) return;
  const key = `${line.dataset.announcement} ${line.textContent}`;
  line.classList.toggle("still", told.has(key));
  if (!told.has(key)) told.set(key, atOnce ? -Infinity : performance.now());
  const left = told.get(key) + TOLD_MS - performance.now();
  if (left <= 0) line.remove();
  else setTimeout(() => line.remove(), left);
}

function fresh() {
  document.querySelectorAll("img[data-live]").forEach((image) => {
    if (live.has(image)) return;
    live.add(image);
    follow(image);
  });
  announced(false);
  // Lamps keep their beat although the page around them is a new one.
  document.getAnimations().forEach((motion) => {
    if (motion.effect.target?.closest(".lamp, .arcade")) motion.startTime = 0;
  });
}

async function push(button, seconds) {
  const body = new URLSearchParams(new FormData(button.form));
  body.set("seconds", seconds);
  try {
    const answer = await fetch(button.form.action, { method: "POST", body, headers: { "X-Fragment": "1" } });
    if (answer.redirected) location.assign(answer.url); // the PIN is asked for
  } catch {
    trouble();
  }
}

function hold() {
  push(down.button, LONG_S);
  down.held = true;
}

function lift(event) {
  if (down?.id !== event.pointerId) return;
  const { button, timer, held } = down;
  down = null;
  clearTimeout(timer);
  button.classList.remove("down");
  if (event.type === "pointerup" && !held) push(button, SHORT_S);
}

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-push]");
  if (!button || event.button) return;
  button.setPointerCapture(event.pointerId);
  button.classList.add("down");
  down = { button, id: event.pointerId, timer: setTimeout(hold, HELD_MS), held: false };
});
document.addEventListener("pointerup", lift);
document.addEventListener("pointercancel", lift);
document.addEventListener("contextmenu", (event) => {
  if (event.target.closest("[data-push]")) event.preventDefault(); // a long press is one, not a menu
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-push]");
  if (!button) return;
  event.preventDefault();
  if (event.detail === 0) push(button, SHORT_S); // by the keyboard
});
document.addEventListener("page:fresh", fresh);
announced(true);
fresh();
