// Keeps an open page in step with the table: taps are sent without leaving the page, news bring the page up to date.
import { shareImage } from "./share.js";
import { announce } from "./voice.js";

const inside = () => document.getElementById("page");
const playing = () => inside()?.classList.contains("play");
let stream = null;
let newest = 0; // the number of the last entry we have been told of
let latest = 0; // the number of the last request: an older answer never replaces a newer one
let sending = 0; // taps on their way: their answers bring the news themselves
const sent = new WeakMap(); // when each form was sent last
const AGAIN_MS = 2000; // how soon we try again what did not get through

async function load(address, options = {}) {
  const mine = ++latest;
  const answer = await fetch(address, { ...options, headers: { "X-Fragment": "1" }, credentials: "same-origin" });
  const text = await answer.text();
  connected();
  const here = new URL(answer.url);
  if (here.pathname !== location.pathname && !answer.url.includes("/s/")) {
    location.assign(answer.url);
    return;
  }
  if (mine !== latest) return;
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("page");
  if (!fresh?.classList.contains("play")) {
    location.assign(answer.url);
    return;
  }
  if (answer.ok) history.replaceState(null, "", answer.url);
  replace(fresh);
}

function replace(fresh) {
  const old = inside();
  const open = [...old.querySelectorAll("details[id][open]")].map((part) => part.id);
  const ticked = [...old.querySelectorAll("input[type=checkbox]:checked[id]")].map((part) => part.id);
  const focused = document.activeElement?.id;
  const totals = new Map([...old.querySelectorAll("[data-total]")].map((part) => [part.dataset.total, part.textContent]));
  old.replaceWith(fresh);
  open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  ticked.map((id) => document.getElementById(id)).forEach((box) => { if (box && !box.disabled) box.checked = true; });
  if (focused) document.getElementById(focused)?.focus();
  fresh.querySelectorAll("[data-total]").forEach((part) => {
    if (totals.get(part.dataset.total) !== part.textContent) part.classList.add("rolled");
  });
  announce(old, fresh);
  document.dispatchEvent(new Event("page:fresh"));
}

function catchUp() {
  if (sending || !newest || newest === Number(inside().dataset.seq)) return;
  load(location.href).catch(() => {
    trouble();
    setTimeout(catchUp, AGAIN_MS);
  });
}

async function send(form, body) {
  sending += 1;
  try {
    await load(form.action, { method: "POST", body });
  } catch {
    trouble();
    // A tap is not lost: it goes out again, and the entry number in it keeps it from counting twice.
    if (body instanceof URLSearchParams) setTimeout(() => send(form, body), AGAIN_MS);
  } finally {
    sending -= 1;
    catchUp();
  }
}

function trouble() {
  if (document.getElementById("lost")) return;
  const notice = document.createElement("p");
  notice.id = "lost";
  notice.className = "notice";
  notice.role = "status";
  notice.textContent = document.body.dataset.lost;
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
    newest = news.seq;
    catchUp();
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
  if (!playing() || form.method !== "post" || !new URL(form.action).pathname.startsWith("/s/")) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  event.submitter?.classList.add("busy");
  const plain = form.enctype !== "multipart/form-data";
  send(form, plain ? new URLSearchParams(body) : body);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.ctrlKey || event.metaKey) return;
  const to = new URL(link.href.baseVal ?? link.href, location.href);
  if (link.dataset.share) {
    event.preventDefault();
    shareImage(document.getElementById(link.dataset.share), link.dataset.name, to);
  } else if (playing() && to.pathname === location.pathname && to.search) {
    event.preventDefault();
    link.closest(".see")?.closest("details").removeAttribute("open"); // the reasons would hide what is to be seen
    load(to).catch(trouble);
  }
});

document.addEventListener("change", (event) => {
  if (event.target.type === "file") event.target.form.requestSubmit();
});

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
listen();
