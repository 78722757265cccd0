// The slider of a game told again: while it is moved, the table follows; the slider itself stays under the finger.
const PARTS = [".told", "main.table", ".tally"];
const APART_MS = 900; // between two moves of a game that runs by itself
let latest = 0;
let running = null;

const slider = () => document.getElementById("at");

async function show(at) {
  const mine = ++latest;
  const address = new URL(location.href);
  address.searchParams.set("at", at);
  const answer = await fetch(address, { headers: { "X-Fragment": "1" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (mine !== latest) return;
  PARTS.forEach((part) => {
    const [old, now] = [document.querySelector(part), fresh.querySelector(part)];
    if (old && now) old.replaceWith(document.adoptNode(now));
  });
  const moment = fresh.querySelector(".moment");
  document.querySelector(".moment")?.setAttribute("d", moment.getAttribute("d"));
  document.querySelector("[data-at]").textContent = at;
  history.replaceState(history.state, "", address);
  document.dispatchEvent(new Event("page:fresh"));
}

function go(at) {
  const to = Math.max(0, Math.min(Number(slider().max), at));
  slider().value = to;
  return show(to);
}

function run(on) {
  clearInterval(running);
  running = on ? setInterval(() => {
    if (slider().valueAsNumber >= Number(slider().max)) run(false);
    else go(slider().valueAsNumber + 1);
  }, APART_MS) : null;
  document.querySelector("[data-play]").setAttribute("aria-pressed", String(on));
}

document.addEventListener("input", (event) => {
  if (event.target === slider()) {
    run(false);
    show(slider().valueAsNumber);
  }
});

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) {
    event.preventDefault();
    event.stopImmediatePropagation();
    run(false);
    go(step.dataset.step === "0" ? 0 : slider().valueAsNumber + Number(step.dataset.step));
  } else if (event.target.closest("[data-play]")) {
    if (!running && slider().valueAsNumber >= Number(slider().max)) go(0);
    run(!running);
  }
}, true);

document.querySelector("[data-play]").hidden = false;
