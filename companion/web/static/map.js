// The table as something to move about in: fingers, a wheel and three buttons pan and zoom one layer.
// While something moves, only that layer's transform changes; its size follows once all is calm, and it is sharp again.

const TILE = 450; // units of a tile, where a map says nothing else
const CALM_MS = 140; // after the last turn of a wheel
const MOVED = 8; // pixels by which a finger may tremble and still tap
const LARGEST = 260; // pixels of a tile
const FIRST_LARGEST = 170; // of a table with few tiles that is shown whole
const NEAR = 112; // from here on initials are large enough to read
const STEP = 1.5;
const NARROW = 600;
const BUTTONS = 60;
const WHOLE = { size: 0 }; // what is remembered where people want all of the table, however far it grows

const key = () => `looking at ${location.pathname.match(/^\/s\/\w+/)?.[0]}`;
const remembered = new Map(); // what people look at; a browser that keeps nothing has it until the page goes

function recall() {
  try { return remembered.get(key()) ?? JSON.parse(sessionStorage.getItem(key())); } catch { return null; }
}

function remember(look) {
  remembered.set(key(), look);
  try { sessionStorage.setItem(key(), JSON.stringify(look)); } catch { /* then it lasts as long as the page */ }
}

class World {
  constructor(frame) {
    this.frame = frame;
    this.board = frame.querySelector("svg.board");
    const { x, y, width, height } = this.board.viewBox.baseVal;
    const unit = Number(this.board.dataset.map) || TILE;
    Object.assign(this, { left: x / unit, top: y / unit, columns: width / unit, rows: height / unit });
    this.least = Number(this.board.dataset.least) || 0; // pixels of a tile that can still be read; a larger table is not shown whole at first
    this.fingers = new Map();
    this.moved = false;
    frame.classList.add("moving");
    frame.addEventListener("pointerdown", (event) => this.down(event));
    frame.addEventListener("pointermove", (event) => this.move(event));
    ["pointerup", "pointercancel"].forEach((end) => frame.addEventListener(end, (event) => this.up(event)));
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    frame.addEventListener("click", (event) => this.click(event), true);
    frame.addEventListener("dragstart", (event) => event.preventDefault());
    this.watcher = new ResizeObserver(() => this.settle());
    this.watcher.observe(frame);
    this.settle();
    this.follow();
  }

  // ---- what is looked at: a point of the table in the middle, and how large a tile is; null for the whole table

  whole() {
    const { width, height } = this.size();
    const fitting = (aside, below) => Math.min((width - aside) / this.columns, (height - below) / this.rows, FIRST_LARGEST);
    // On phones the button has a strip of its own, at the side or below, wherever the table loses less by it.
    const strip = width < NARROW ? BUTTONS : 0;
    const [aside, below] = fitting(strip, 0) > fitting(0, strip) ? [strip, 0] : [0, strip];
    const size = fitting(aside, below);
    return { x: this.left + this.columns / 2 + aside / 2 / size, y: this.top + this.rows / 2 + below / 2 / size, size };
  }

  // Before anybody has moved: the whole table, or as much of it as can be read, with what was laid last.
  first() {
    const whole = this.whole();
    if (whole.size >= this.least) return whole;
    return { ...this.showing({ x: this.left + this.columns / 2, y: this.top + this.rows / 2, size: this.least }), size: this.least };
  }

  // The middle that shows what was laid last, as near to that one as can be, and nothing beside the table.
  showing({ x, y, size }) {
    const { width, height } = this.size();
    const into = (centre, at, room) => Math.max(at - room, Math.min(at + room, centre));
    const across = width / size / 2, down = height / size / 2;
    const last = this.last();
    if (last) [x, y] = [into(x, last[0], Math.max(0, across - 1)), into(y, last[1], Math.max(0, down - 1))];
    const inside = (centre, from, length, half) => into(centre, from + length / 2, Math.max(0, length / 2 - half));
    return { x: inside(x, this.left, this.columns, across), y: inside(y, this.top, this.rows, down) };
  }

  last() {
    const last = [...this.board.querySelectorAll("[data-last]")].pop()?.dataset.last;
    return last?.split(",").map((part) => Number(part) + 0.5);
  }

  look() {
    const seen = this.now ?? recall();
    return seen?.size === 0 ? this.whole() : seen ?? this.first();
  }

  size() {
    if (!this.box || !this.fingers.size) this.box = this.frame.getBoundingClientRect();
    return this.box;
  }

  set({ x, y, size }) {
    const least = this.whole().size;
    size = Math.max(least, Math.min(Math.max(LARGEST, least), size));
    const within = (value, from, length) => Math.max(from, Math.min(from + length, value));
    this.now = { x: within(x, this.left, this.columns), y: within(y, this.top, this.rows), size };
    if (!this.asked) this.asked = requestAnimationFrame(() => { this.asked = 0; this.place(); });
  }

  // Where the layer lies, in whole pixels of the screen: between them everything would be blurred.
  place() {
    const { x, y, size } = this.look();
    const { width, height } = this.box;
    const to = (middle, at) => Math.round((middle - at * size) * devicePixelRatio) / devicePixelRatio;
    this.board.style.transform = `translate(${to(width / 2, x - this.left)}px, ${to(height / 2, y - this.top)}px) scale(${size / this.drawn})`;
  }

  settle() {
    if (!this.frame.isConnected) { this.watcher.disconnect(); return; }
    this.box = this.frame.getBoundingClientRect();
    if (!this.box.width) return;
    const { size } = this.look();
    if (size !== this.drawn) {
      this.drawn = size;
      this.board.style.width = `${this.columns * size}px`;
      this.board.style.height = `${this.rows * size}px`;
      this.board.style.setProperty("--tile", size);
    }
    this.frame.classList.toggle("near", size >= NEAR);
    this.place();
    this.frame.classList.toggle("whole", size <= this.whole().size * 1.01);
    if (this.now) remember(this.now.size > this.whole().size * 1.01 ? this.now : WHOLE);
    if (!recall()?.size) this.now = null;
  }

  // The tile that was laid last, or is held, comes into the picture.
  follow() {
    const last = this.last();
    const same = String(last) === followed;
    followed = String(last);
    if (!last || !recall()?.size || same) return;
    const [x, y] = last;
    const { size, x: cx, y: cy } = this.look();
    const across = this.box.width / size / 2 - 0.5, down = this.box.height / size / 2 - 0.5;
    const into = (centre, at, room) => Math.max(at - room, Math.min(at + room, centre));
    this.set({ x: into(cx, x, Math.max(0, across)), y: into(cy, y, Math.max(0, down)), size });
    this.place();
    this.settle();
  }

  // Larger or smaller, while the point of the table under those pixels stays there.
  zoom(factor, px = this.box.width / 2, py = this.box.height / 2) {
    const { x, y, size } = this.look();
    const least = this.whole().size;
    const next = Math.max(least, Math.min(Math.max(LARGEST, least), size * factor));
    const aside = 1 / size - 1 / next;
    this.set({ x: x + (px - this.box.width / 2) * aside, y: y + (py - this.box.height / 2) * aside, size: next });
  }

  pan(dx, dy) {
    const { x, y, size } = this.look();
    this.set({ x: x - dx / size, y: y - dy / size, size });
  }

  // ---- fingers, wheel and buttons

  down(event) {
    if (event.button || event.target.closest(".zoom")) return;
    this.size();
    if (!this.fingers.size) this.moved = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY] });
  }

  move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const before = this.hands();
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    if (!this.moved) {
      if (Math.hypot(finger.x - finger.from[0], finger.y - finger.from[1]) < MOVED) return;
      this.moved = true;
      this.frame.setPointerCapture(event.pointerId);
    }
    const after = this.hands();
    this.pan(after.x - before.x, after.y - before.y);
    if (before.apart && after.apart) this.zoom(after.apart / before.apart, after.x - this.box.left, after.y - this.box.top);
  }

  hands() {
    const [one, two] = [...this.fingers.values()];
    if (!two) return { x: one.x, y: one.y, apart: 0 };
    return { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2, apart: Math.hypot(one.x - two.x, one.y - two.y) };
  }

  up(event) {
    if (this.fingers.delete(event.pointerId) && !this.fingers.size && this.moved) this.settle();
  }

  wheel(event) {
    event.preventDefault();
    this.size();
    const lines = event.deltaMode ? 30 : 1;
    this.zoom(Math.exp(-event.deltaY * lines / 400), event.clientX - this.box.left, event.clientY - this.box.top);
    this.calm();
  }

  calm() {
    clearTimeout(this.calming);
    this.calming = setTimeout(() => this.settle(), CALM_MS);
  }

  button(what) {
    this.size();
    if (what === "whole") { this.now = null; remember(WHOLE); }
    else this.zoom(what === "in" ? STEP : 1 / STEP);
    this.settle();
  }

  // A tap after a drag is none. Where places are too small for a finger, the first tap brings them closer.
  click(event) {
    const zoom = event.target.closest("[data-zoom]");
    if (zoom) { this.button(zoom.dataset.zoom); return; }
    if (this.moved) { event.preventDefault(); event.stopPropagation(); this.moved = false; return; }
    const link = event.target.closest("a.target, a.claim");
    const least = matchMedia("(max-width: 600px)").matches ? 44 : 48;
    const room = Number(link?.dataset.room) || (link?.matches(".claim") ? 3 : 1.1); // how many fingers a tile is wide
    if (link && event.detail && this.look().size < room * least) {
      event.preventDefault();
      event.stopPropagation();
      this.closer(event, Math.max(room, 2) * least);
      return;
    }
    if (event.target === this.frame) { // beside the table is elsewhere, too
      this.board.querySelector(".elsewhere")?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
    const part = event.target.closest("a[data-about] [data-place]");
    if (part) part.closest("a").setAttribute("href", asking(part));
  }

  closer({ clientX, clientY }, size) {
    this.size();
    this.zoom(size / this.look().size, clientX - this.box.left, clientY - this.box.top);
    this.settle();
  }
}

// Somebody asks about the very tile that was tapped, not about the first one of its feature.
function asking(part) {
  const wishes = new URLSearchParams(part.closest("a").getAttribute("href"));
  wishes.set("about", part.dataset.place);
  return `?${wishes}`;
}

let followed;
function prepare() {
  document.querySelectorAll(".world:has(> svg.board[data-map])").forEach((frame) => new World(frame));
}
document.addEventListener("page:fresh", prepare);
prepare();
