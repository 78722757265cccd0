// Keeps an open page in step with the table: taps are sent without leaving the page, news bring the page up to date.
import { shareImage } from "./share.js";
import { announce } from "./voice.js";

const inside = () => document.getElementById("page");
const playing = () => inside()?.classList.contains("play");
let stream = null;
let newest = null; // what we were told last: the number of the last entry, and of what the camera shows
let latest = 0; // the number of the last request: an older answer never replaces a newer one
let sending = 0; // taps on their way: news wait for their answers
const sent = new WeakMap(); // when each form was sent last
let asking = false; // whether news are on their way already
let asked = -Infinity; // when we asked for news last
const AGAIN_MS = 2000; // how soon we try again what did not get through
const CALM_MS = 250; // between two looks at what only the camera shows
const HELD_MS = 6000; // a finger that is down for longer than this was lifted where we could not see it
const TOLD_MS = 6000; // how long it is told what was taken back
const fingers = new Map(); // those on the screen, and since when

const RECORDS = /^\/(s|virtual)\//; // forms whose answers are shown here

// Nothing is replaced under a finger: its tap would be lost.
async function lifted() {
  const down = () => [...fingers.values()].some((since) => performance.now() - since < HELD_MS);
  while (down()) await new Promise((done) => setTimeout(done, 30));
}

async function load(address, options = {}) {
  const mine = ++latest;
  const answer = await fetch(address, { ...options, headers: { "X-Fragment": "1" }, credentials: "same-origin" });
  const text = await answer.text();
  connected();
  const here = new URL(answer.url);
  if (here.pathname !== location.pathname && !RECORDS.test(here.pathname)) {
    location.assign(answer.url);
    return;
  }
  await lifted();
  if (mine !== latest) return;
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("page");
  if (!fresh?.classList.contains("play")) {
    location.assign(answer.url);
    return;
  }
  if (answer.ok) history.replaceState(room(here) ? history.state : null, "", answer.url);
  replace(document.adoptNode(fresh));
}

function replace(fresh) {
  const old = inside();
  const open = [...old.querySelectorAll("details[id][open]")].map((part) => part.id);
  const ticked = [...old.querySelectorAll("input[type=checkbox]:checked[id]")].map((part) => part.id);
  const focused = document.activeElement?.id;
  const scrolled = [...old.querySelectorAll("[data-keep-scroll]")].map((part) => [part.id, part.dataset.keepScroll, part.scrollLeft, part.scrollTop]);
  const totals = new Map([...old.querySelectorAll("[data-total]")].map((part) => [part.dataset.total, part.textContent]));
  old.querySelectorAll("img[id]").forEach((image) => keep(image, fresh.querySelector(`#${image.id}`)));
  old.replaceWith(fresh);
  scrolled.forEach(([id, about, ...place]) => stay(document.getElementById(id), about, place));
  open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  ticked.map((id) => document.getElementById(id)).forEach((box) => { if (box && !box.disabled) box.checked = true; });
  if (focused) document.getElementById(focused)?.focus();
  fresh.querySelectorAll("[data-total]").forEach((part) => {
    if (totals.get(part.dataset.total) !== part.textContent) part.classList.add("rolled");
  });
  sheet();
  announce(old, fresh);
  goOn(fresh);
  document.dispatchEvent(new Event("page:fresh"));
}

// What was taken back is told for a while, however often the page comes anew meanwhile.
let told = {};
function goOn(fresh) {
  const message = fresh.querySelector(".taken-back");
  if (!message) return;
  if (told.seq !== fresh.dataset.seq) told = { seq: fresh.dataset.seq, since: performance.now() };
  message.style.animationDelay = `${told.since + TOLD_MS - performance.now()}ms`;
}

// What is read on stays where it was; what is about something else begins at its beginning.
function stay(part, about, place) {
  if (!part) return;
  if (part.dataset.keepScroll === about) part.scrollTo(...place);
  else if (part.getBoundingClientRect().top < 0) part.scrollIntoView();
}

// The reason somebody asked about stays in sight, however small its sheet is.
function sheet() {
  const asked = document.querySelector(".reasons [aria-current]");
  const reasons = asked?.closest(".reasons");
  if (reasons) reasons.scrollTop += asked.getBoundingClientRect().top - reasons.getBoundingClientRect().top - 4;
}

// A picture stays the same element, so that nothing flickers while the next one is on its way.
function keep(image, place) {
  if (!place) return;
  if (!place.dataset.live && image.src !== place.src) image.src = place.src;
  Object.assign(image.dataset, place.dataset);
  place.replaceWith(image);
}

function behind() {
  const { seq, watch } = inside().dataset;
  return newest && (newest.seq !== Number(seq) || newest.watch !== (watch && Number(watch)));
}

// News wait for somebody who is writing.
const typing = () => document.activeElement?.matches("#page input:not([type=checkbox], [type=radio])");
document.addEventListener("focusout", () => setTimeout(catchUp));

async function catchUp() {
  if (sending || asking || typing() || !behind()) return;
  const told = newest;
  asking = true;
  try {
    const only = newest.seq === Number(inside().dataset.seq);
    const rest = only ? asked + CALM_MS - performance.now() : 0;
    if (rest > 0) await new Promise((done) => setTimeout(done, rest));
    asked = performance.now();
    if (!sending) await load(location.href);
    asking = false;
    if (told !== newest) catchUp();
  } catch {
    asking = false;
    trouble();
    setTimeout(catchUp, AGAIN_MS);
  }
}

export function tell(news) {
  newest = news;
  catchUp();
}

// Taps that did not get through outlive the page, should somebody load it anew.
const TAPS = "taps";
const held = () => JSON.parse(sessionStorage.getItem(TAPS) ?? "[]");
const hold = (taps) => sessionStorage.setItem(TAPS, JSON.stringify(taps));
const others = (address, body) => held().filter(([to, what]) => to !== address || what !== `${body}`);

export async function send(address, body) {
  sending += 1;
  try {
    await load(address, { method: "POST", body });
    hold(others(address, body));
  } catch {
    hold([...others(address, body), [address, `${body}`]]);
    trouble();
    // A tap is not lost: it goes out again, and the entry number in it keeps it from counting twice.
    setTimeout(() => send(address, body), AGAIN_MS);
  } finally {
    sending -= 1;
    catchUp();
  }
}

// What somebody points at goes before news: those would ask for the address of before.
async function point(to) {
  sending += 1;
  await load(to).catch(trouble);
  sending -= 1;
  catchUp();
}

// A page shows the table as it came, or leads on: to the drawn table, to how it works, to why. Back leads out of there again.
function room(address) {
  const wishes = new URLSearchParams(address.search);
  if (wishes.has("how")) return "how";
  if (wishes.has("why") || wishes.has("about")) return "why";
  return wishes.get("view") === "drawn" ? "drawn" : "";
}

function go(to) {
  const [from, into] = [room(location), room(to)];
  const came = history.state?.from === to.search; // who closes a reason goes back; who does something else goes on
  if (from !== into && (from === "why" ? came : !into && "from" in (history.state ?? {}))) {
    history.back();
    return;
  }
  if (into && from !== into && (!from || into === "why")) history.pushState({ from: location.search }, "", to);
  point(to);
}

window.addEventListener("popstate", () => { if (playing()) point(location.href); });

// Something is gone that the page shows: it is asked for as it is now.
export function again() {
  if (playing()) point(location.href);
}

export function trouble() {
  const notice = document.getElementById("lost") ?? document.createElement("p");
  notice.id = "lost";
  notice.className = "notice";
  notice.role = "status";
  notice.textContent = held().length ? document.body.dataset.held : document.body.dataset.lost;
  document.body.append(notice);
}

function connected() {
  document.getElementById("lost")?.remove();
}

function listen() {
  const address = inside()?.dataset.stream;
  if (!address || document.visibilityState === "hidden") return;
  stream?.close();
  stream = new EventSource(address);
  stream.onopen = connected;
  stream.onmessage = (event) => {
    connected();
    const news = JSON.parse(event.data);
    if (news.next) location.assign(`/s/${news.next}`); // a demonstration has begun its next game
    tell({ seq: news.seq, watch: news.watch });
  };
  stream.onerror = () => {
    setTimeout(() => { if (stream.readyState !== EventSource.OPEN && document.visibilityState === "visible") trouble(); }, 1500);
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 3000); // the companion was too busy, or away
  };
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.timeStamp - (sent.get(form) ?? -AGAIN_MS) < AGAIN_MS) {
    event.preventDefault(); // a finger that trembles: what it wanted is on its way
    return;
  }
  if (form.method === "post") sent.set(form, event.timeStamp);
  if (!playing() || form.method !== "post" || !RECORDS.test(new URL(form.action).pathname)) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  event.submitter?.classList.add("busy");
  form.closest(".stop")?.closest("details.menu")?.removeAttribute("open");
  send(form.action, new URLSearchParams(body));
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.ctrlKey || event.metaKey) return;
  const to = new URL(link.href.baseVal ?? link.href, location.href);
  if (link.dataset.share) {
    event.preventDefault();
    shareImage(document.getElementById(link.dataset.share), link.dataset.name, to);
  } else if (playing() && to.pathname === location.pathname && link.getAttribute("href").includes("?")) {
    event.preventDefault();
    link.closest(".see")?.closest("details").removeAttribute("open"); // the reasons would hide what is to be seen
    go(to);
  }
});

document.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, performance.now()), true);
document.addEventListener("pointermove", (event) => {
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, performance.now());
}, { capture: true, passive: true });
["pointerup", "pointercancel"].forEach((end) => document.addEventListener(end, (event) => {
  setTimeout(() => fingers.delete(event.pointerId)); // after the click that follows
}, true));

document.querySelectorAll("[data-print]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => print());
});

// What is told in passing goes with the next tap.
document.addEventListener("pointerup", () => document.querySelectorAll(".passing").forEach((told) => told.remove()));

// An open menu closes when somebody taps beside it.
document.addEventListener("pointerdown", (event) => {
  document.querySelectorAll("details.menu[open]").forEach((menu) => {
    if (!menu.contains(event.target)) menu.removeAttribute("open");
  });
});

// A tablet beside the table should not fall asleep; browsers allow this only on secure pages.
async function stayAwake() {
  if (document.visibilityState === "visible" && playing()) await navigator.wakeLock?.request("screen").catch(() => {});
}

// A page nobody looks at keeps no stream: browsers allow only a few, and the companion has a limit, too.
document.addEventListener("visibilitychange", () => {
  stayAwake();
  if (document.visibilityState === "visible") listen();
  else stream?.close();
});
stayAwake();
sheet();
listen();
held().filter(([to]) => playing() && new URL(to).pathname.startsWith(`${location.pathname}/`))
  .forEach(([to, what]) => send(to, new URLSearchParams(what)));
