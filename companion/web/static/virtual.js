// The virtual table under fingers: pieces are dragged out of the box, about the table and back, or tapped and put.
import { send, tell, trouble } from "./page.js";

const LOOK_MS = 1000; // how often to ask whether somebody else moved a piece
const MOVED_PX = 8; // a finger that moved less has tapped
const HOLD_MS = 350; // a finger that rests so long on a piece in the box lifts it, whichever way it moves then
const NEAR_PX = 30; // how far beside a small piece a tap still means it
const LIFTED_PX = 44; // how far above a finger a lifted piece floats, so that it can be seen
const TURN = 15; // degrees that a notch of the wheel turns
const QUARTER = 90;
const SETTLED_MS = 250; // after the last notch the turn is told
const READ_MS = 4000; // outlines of what was read stay away for so long, unless it is read again before
const root = document.documentElement;
let drag = null;
let dragged = false; // whether the click that follows belongs to a drag

const page = () => document.getElementById("page");
const felt = () => document.getElementById("felt");
const held = () => document.querySelector(".piece.held, [data-box].held");
const lying = (name) => felt().querySelector(`[data-piece="${CSS.escape(name)}"]`);
const boxed = (name) => document.querySelector(`[data-box="${CSS.escape(name)}"]`);
const inside = (element, { clientX: x, clientY: y }) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
};

// Where something of the screen lies on the table, in millimetres.
function onTable({ clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(felt().getScreenCTM().inverse());
  return { x: x / 10, y: y / 10 };
}

function put(name, { x, y }, angle) {
  const { put: address, width, height, zoom } = felt().dataset;
  const within = (value, most) => Math.min(Math.max(value, 0), Number(most)).toFixed(1);
  const turned = (((Number(angle) % 360) + 360) % 360).toFixed(2);
  send(address, new URLSearchParams({ piece: name, x: within(x, width), y: within(y, height), angle: turned, zoom }));
}

function nearest(event) {
  const away = (piece) => {
    const { left, right, top, bottom } = piece.getBoundingClientRect();
    return Math.hypot((left + right) / 2 - event.clientX, (top + bottom) / 2 - event.clientY);
  };
  const near = [...felt().querySelectorAll(".piece")].filter((piece) => away(piece) < NEAR_PX);
  return near.sort((one, other) => away(one) - away(other))[0];
}

/* ---- dragging ---- */

// What a finger goes down on; a small piece is meant from beside it, too, where the table cannot be pushed.
function touched(event) {
  const piece = event.target.closest?.(".piece, [data-box]");
  const beside = !piece && event.pointerType !== "mouse" && event.target.closest?.("#felt") && !felt().dataset.zoom;
  return beside ? nearest(event) : piece;
}

document.addEventListener("pointerdown", (event) => {
  dragged = false;
  if (drag || event.button || !event.isPrimary) return;
  const piece = touched(event);
  if (!piece) return;
  settle();
  const { piece: name, box, x, y, angle } = piece.dataset;
  drag = { name: name ?? box, fromBox: !name, x: Number(x), y: Number(y), angle: Number(angle), turn: 0,
    id: event.pointerId, touch: event.pointerType !== "mouse", from: onTable(event), at: event, lifted: false };
  if (drag.fromBox) {
    drag.pans = getComputedStyle(piece).touchAction; // the way a finger pushes the box instead
    if (drag.touch) drag.timer = setTimeout(() => lift(event), HOLD_MS);
  }
});

document.addEventListener("pointermove", (event) => {
  if (drag?.id !== event.pointerId) return;
  const [dx, dy] = [event.clientX - drag.at.clientX, event.clientY - drag.at.clientY];
  if (!drag.lifted) {
    if (Math.hypot(dx, dy) < MOVED_PX) return;
    if (drag.touch && drag.pans?.includes(Math.abs(dx) > Math.abs(dy) ? "pan-x" : "pan-y")) {
      clearTimeout(drag.timer);
      drag = null;
      return;
    }
    lift(event);
  }
  drag.now = event;
  show();
});

function lift(event) {
  clearTimeout(drag.timer);
  drag.lifted = true;
  drag.now = event;
  root.classList.add("dragging");
  if (drag.fromBox) carry();
  if (drag.touch) navigator.vibrate?.(15);
  show();
}

// A piece out of the box is carried above the page, as large as it will lie.
function carry() {
  document.querySelector(".carried")?.remove();
  const drawn = boxed(drag.name)?.querySelector("svg").cloneNode(true);
  if (!drawn) return;
  const { width, height } = drawn.viewBox.baseVal;
  const scale = felt().getScreenCTM().a;
  drawn.classList.add("carried");
  drawn.style.width = `${width * scale}px`;
  drawn.style.height = `${height * scale}px`;
  document.body.append(drawn);
}

// Where the middle of a carried piece is on the screen.
function hovering() {
  return { clientX: drag.now.clientX, clientY: drag.now.clientY - (drag.touch ? LIFTED_PX : 0) };
}

function show() {
  document.getElementById("box")?.classList.toggle("taking", !drag.fromBox && overBox());
  if (drag.fromBox) {
    boxed(drag.name)?.classList.add("taken");
    const { clientX, clientY } = hovering();
    const ghost = document.querySelector(".carried");
    if (ghost) ghost.style.transform = `translate(${clientX}px, ${clientY}px) translate(-50%, -50%) rotate(${drag.angle + drag.turn}deg)`;
    return;
  }
  const to = onTable(drag.now);
  drag.by = { x: to.x - drag.from.x, y: to.y - drag.from.y };
  const piece = lying(drag.name);
  if (!piece) return;
  piece.classList.add("dragged");
  turned(piece, drag.turn, drag.by);
}

function turned(piece, turn, by = { x: 0, y: 0 }) {
  const { x, y } = piece.dataset;
  piece.setAttribute("transform", `translate(${by.x * 10} ${by.y * 10}) rotate(${turn} ${x * 10} ${y * 10})`);
}

const overBox = () => inside(document.getElementById("box"), drag.now) && !inside(felt(), drag.now);

document.addEventListener("pointerup", (event) => {
  if (drag?.id !== event.pointerId) return;
  clearTimeout(drag.timer);
  const done = drag;
  if (!done.lifted) {
    drag = null;
    return;
  }
  dragged = true;
  drag.now = event;
  if (done.fromBox) {
    const middle = hovering();
    const onFelt = !overBox() && inside(document.getElementById("tabletop"), middle) && inside(felt(), middle);
    if (onFelt) put(done.name, onTable(middle), done.angle + done.turn);
    else cancel();
  } else if (overBox()) {
    const { remove, zoom } = felt().dataset;
    send(remove, new URLSearchParams({ piece: done.name, zoom }));
  } else {
    show();
    put(done.name, { x: done.x + done.by.x, y: done.y + done.by.y }, done.angle + done.turn);
  }
  drag = null;
  root.classList.remove("dragging");
  unread();
});

// Everything lies where it lay.
function cancel() {
  if (!drag) return;
  clearTimeout(drag.timer);
  lying(drag.name)?.removeAttribute("transform");
  boxed(drag.name)?.classList.remove("taken");
  document.querySelector(".carried")?.remove();
  document.getElementById("box")?.classList.remove("taking");
  root.classList.remove("dragging");
  drag = null;
}

document.addEventListener("pointercancel", (event) => {
  if (drag?.id === event.pointerId) cancel();
});

// A finger that drags a piece pushes neither the table nor the box.
document.addEventListener("touchmove", (event) => {
  if (drag && (drag.lifted || !drag.fromBox) && event.cancelable) event.preventDefault();
}, { passive: false });

// A finger that rests on a piece lifts it: no menu, and links are not dragged by the browser itself.
["contextmenu", "dragstart"].forEach((kind) => document.addEventListener(kind, (event) => {
  if (event.target.closest?.("#felt, #pieces") && (kind === "dragstart" || drag?.touch)) event.preventDefault();
}));

/* ---- turning ---- */

let turning = null; // a piece that the wheel turns, and by how much so far

function settle() {
  if (!turning) return;
  clearTimeout(turning.timer);
  const { name, turn } = turning;
  turning = null;
  const piece = lying(name);
  if (piece) put(name, piece.dataset, Number(piece.dataset.angle) + turn);
}

document.addEventListener("wheel", (event) => {
  const notch = TURN * Math.sign(event.deltaY || event.deltaX);
  if (drag?.lifted) {
    event.preventDefault();
    drag.turn += notch;
    show();
    return;
  }
  const piece = event.target.closest?.("#felt") && felt().querySelector(".piece.held");
  if (!piece || !notch) return;
  event.preventDefault();
  const turn = (turning?.turn ?? 0) + notch;
  clearTimeout(turning?.timer);
  turning = { name: piece.dataset.piece, turn, timer: setTimeout(settle, SETTLED_MS) };
  turned(piece, turn);
}, { passive: false });

/* ---- taps ---- */

// Before the links are followed: a tap on the table puts down what is in the hand, one on the piece itself turns it.
document.addEventListener("click", (event) => {
  const stop = () => { event.preventDefault(); event.stopPropagation(); };
  if (dragged && event.target.closest("#felt, #box")) {
    dragged = false;
    stop();
    return;
  }
  if (!event.target.closest("#felt")) return;
  const piece = event.target.closest(".piece");
  const hand = held();
  if (hand && piece === hand) {
    stop();
    put(hand.dataset.piece, hand.dataset, Number(hand.dataset.angle) + QUARTER);
  } else if (hand && (hand.dataset.box || !piece)) {
    stop();
    put(hand.dataset.box ?? hand.dataset.piece, onTable(event), hand.dataset.angle);
  } else if (!piece) {
    nearest(event)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
}, true);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const sheet = document.getElementById("trouble");
  if (drag) cancel();
  else if (sheet?.open) {
    sheet.open = false;
    sheet.querySelector("summary").focus();
  } else document.getElementById("let-go")?.click();
});

/* ---- the page around ---- */

// What was read is no longer so where a piece was moved: its outlines wait until it has been read again.
let before = null;
let waiting = null;

function unread() {
  before = page().dataset.watch;
  root.classList.add("unread");
  clearTimeout(waiting);
  waiting = setTimeout(() => root.classList.remove("unread"), READ_MS);
}

document.addEventListener("page:fresh", () => {
  if (page().dataset.watch !== before) root.classList.remove("unread");
  if (drag?.lifted) show();
  else document.querySelector(".carried")?.remove();
});

// What has just become larger begins where the hand is.
let zoom = felt().dataset.zoom;
document.addEventListener("page:fresh", () => {
  if (zoom !== felt()?.dataset.zoom) {
    zoom = felt()?.dataset.zoom;
    if (zoom) (held() ?? felt()).scrollIntoView({ block: "center", inline: "center" });
  }
});

// Another game has other pieces, which are drawn beside the page.
document.addEventListener("page:fresh", () => {
  const drawn = document.getElementById("faces").dataset.faces;
  if (page().dataset.faces !== drawn) location.reload();
});

// Answers, confirmations and undo belong to the session's page: here they are sent, and the table stays.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || !new URL(form.action).pathname.startsWith("/s/")) return;
  event.preventDefault();
  event.stopPropagation();
  event.submitter?.classList.add("busy");
  try {
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Fragment": "1" } });
    if (!new URL(answer.url).pathname.startsWith("/s/")) {
      location.assign(answer.url); // the PIN is asked for
      return;
    }
    const why = answer.ok ? null : new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".tray .notice");
    await look();
    if (why) refuse(document.adoptNode(why));
  } catch {
    trouble();
  } finally {
    event.submitter?.classList.remove("busy");
  }
}, true);

// Why a tap was refused is told until the next one, whatever news the page shows meanwhile.
let refusal = null;

function refuse(why) {
  refusal = why;
  refusal.classList.add("passing");
  document.getElementById("told").append(refusal);
}

document.addEventListener("page:fresh", () => { if (refusal) document.getElementById("told")?.append(refusal); });
document.addEventListener("pointerup", () => { refusal = null; });

async function look() {
  const address = page().dataset.version;
  if (drag?.lifted || !address) return;
  try {
    const answer = await fetch(address);
    if (answer.ok) {
      const { seq, watch } = await answer.json();
      tell({ seq, watch });
    }
  } catch {
    // The companion is away: it will be asked again.
  }
}

// Whoever looks at the table counts as looking at its game, and hears at once what happens there.
let news = null;

function listen() {
  const address = page().dataset.news;
  const shown = document.visibilityState === "visible";
  if (news && (!shown || news.address !== address || news.stream.readyState === EventSource.CLOSED)) {
    news.stream.close();
    news = null;
  }
  if (!news && shown && address) {
    news = { address, stream: new EventSource(address) };
    news.stream.onmessage = look;
  }
}

["visibilitychange", "page:fresh"].forEach((kind) => document.addEventListener(kind, listen));
listen();

setInterval(() => {
  if (document.visibilityState === "visible") look();
  if (news?.stream.readyState === EventSource.CLOSED) listen();
}, LOOK_MS);
