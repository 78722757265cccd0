// The virtual table under fingers: pieces are dragged, or tapped and then put where somebody taps.
import { send, tell } from "./page.js";

const LOOK_MS = 1000; // how often to ask whether somebody else moved a piece
const MOVED_PX = 8; // a finger that moved less has tapped
const NEAR_PX = 30; // how far beside a small piece a tap still means it
let drag = null;
let dragged = false; // whether the click that follows belongs to a drag

const felt = () => document.getElementById("felt");
const held = () => document.querySelector(".piece.held, [data-box].held");

// Where something of the screen lies on the table, in millimetres.
function onTable(event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(felt().getScreenCTM().inverse());
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

document.addEventListener("pointerdown", (event) => {
  const piece = event.target.closest?.(".piece");
  dragged = false;
  if (!piece || event.button) return;
  drag = { piece, id: event.pointerId, from: onTable(event), at: [event.clientX, event.clientY], by: null };
});

document.addEventListener("pointermove", (event) => {
  if (drag?.id !== event.pointerId) return;
  const far = Math.hypot(event.clientX - drag.at[0], event.clientY - drag.at[1]);
  if (!drag.by && far < MOVED_PX) return;
  const to = onTable(event);
  drag.by = { x: to.x - drag.from.x, y: to.y - drag.from.y };
  drag.piece.classList.add("dragged");
  drag.piece.setAttribute("transform", `translate(${drag.by.x * 10} ${drag.by.y * 10})`);
});

document.addEventListener("pointerup", (event) => {
  if (drag?.id !== event.pointerId) return;
  const { piece, by } = drag;
  drag = null;
  if (!by) return;
  dragged = true;
  const { piece: name, x, y, angle } = piece.dataset;
  put(name, { x: Number(x) + by.x, y: Number(y) + by.y }, angle);
});

// A finger that drags a piece does not push the table.
document.addEventListener("touchmove", (event) => {
  if (drag) event.preventDefault();
}, { passive: false });

document.addEventListener("pointercancel", () => {
  drag?.piece.removeAttribute("transform");
  drag = null;
});

// Before the links are followed: a tap on the table puts down what is in the hand.
document.addEventListener("click", (event) => {
  if (!event.target.closest("#felt")) return;
  const piece = event.target.closest(".piece");
  const hand = held();
  const stop = () => { event.preventDefault(); event.stopPropagation(); };
  if (dragged) {
    stop();
  } else if (hand && (hand.dataset.box || !piece)) {
    stop();
    put(hand.dataset.box ?? hand.dataset.piece, onTable(event), hand.dataset.angle);
  } else if (!piece) {
    nearest(event)?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
}, true);

document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("#felt")) event.preventDefault(); // links want to be dragged, too
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
  if (document.getElementById("page").dataset.faces !== drawn) location.reload();
});

async function look() {
  const address = document.getElementById("page").dataset.version;
  if (document.visibilityState === "visible" && !drag && address) {
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
  setTimeout(look, LOOK_MS);
}
setTimeout(look, LOOK_MS);
