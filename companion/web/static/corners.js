// The camera's page: its picture stays fresh, and the corners of the table are dragged, tapped or nudged into place.
import { swap } from "./picture.js";

const PICTURE_MS = 250;
const WORDS_MS = 700;
const SOON_MS = 300; // what was just sent is done by then
const NEAR_PX = 44; // how far beside a handle a finger still takes hold of it
const RING_PX = 24;
const FINE = 5; // the loupe shows that many times as much
const SQUARE_MM = 100;
const LEAST = 0.04; // part of the picture that a table fills at least

const by = (id) => document.getElementById(id);
const sight = by("sight");
const layer = by("handles");
const form = by("showing");
const corners = [];
let chosen = 0;
let drag = null;
let size = [0, 0];

const open = () => !form.hidden;
const within = (value, most) => Math.min(Math.max(value, 0), most);

function make(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  parent?.append(made);
  return made;
}

// ---- what the camera sees ----

async function look() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(sight.dataset.picture, { cache: "no-cache" });
      if (answer.ok) await show(await answer.blob());
    } catch {
      // The companion is away: it will be asked again.
    }
  }
  setTimeout(look, PICTURE_MS);
}

async function show(blob) {
  await swap(by("seen"), blob);
  by("close").setAttribute("href", by("seen").src);
}

async function read() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(sight.dataset.now, { headers: { "X-Fragment": "1" } });
      if (answer.ok) replace(await answer.text());
    } catch {
      // As above.
    }
  }
  setTimeout(read, WORDS_MS);
}

function replace(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  ["drawn", "now", "ways", "measures", "known", "empty", "keeping"].forEach((id) => {
    const [old, part] = [by(id), fresh.getElementById(id)];
    if (part && old.outerHTML !== part.outerHTML && !old.contains(document.activeElement)) old.replaceWith(document.adoptNode(part));
  });
  by("drawn").toggleAttribute("hidden", open());
}

// ---- the corners ----

// Where the table's corners make its places be seen: both run from 0 to 1.
function projection([a, b, c, d]) {
  const [dx1, dx2, dx3] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]];
  const [dy1, dy2, dy3] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]];
  const all = dx1 * dy2 - dx2 * dy1;
  const [g, h] = [(dx3 * dy2 - dx2 * dy3) / all, (dx1 * dy3 - dx3 * dy1) / all];
  return (u, v) => [0, 1].map((k) => ((b[k] - a[k] + g * b[k]) * u + (d[k] - a[k] + h * d[k]) * v + a[k]) / (g * u + h * v + 1));
}

function sound() {
  const turns = corners.map((p, i) => {
    const [q, r] = [corners[(i + 1) % 4], corners[(i + 2) % 4]];
    return (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]);
  });
  const area = corners.reduce((sum, p, i) => sum + p[0] * corners[(i + 1) % 4][1] - p[1] * corners[(i + 1) % 4][0], 0) / 2;
  return turns.every((turn) => turn > 0) && area > LEAST * size[0] * size[1];
}

function grid() {
  const [width, height] = by("drawn").dataset.table.split(",").map(Number);
  const at = projection(corners);
  const lines = [];
  for (let x = SQUARE_MM; x < width; x += SQUARE_MM) lines.push([at(x / width, 0), at(x / width, 1)]);
  for (let y = SQUARE_MM; y < height; y += SQUARE_MM) lines.push([at(0, y / height), at(1, y / height)]);
  return lines.map(([from, to]) => `M${from.map((v) => v.toFixed(1))}L${to.map((v) => v.toFixed(1))}`).join("");
}

// Pixels of the camera for one of the screen.
const scale = () => size[0] / layer.getBoundingClientRect().width;

function draw() {
  const good = sound();
  const k = scale();
  layer.classList.toggle("crossed", !good);
  layer.querySelector("polygon").setAttribute("points", corners.map((p) => p.join(",")).join(" "));
  layer.querySelector(".line").setAttribute("d", good ? grid() : "");
  corners.forEach(([x, y], i) => {
    const handle = layer.querySelector(`[data-handle="${i}"]`);
    handle.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
    handle.classList.toggle("chosen", i === chosen);
    handle.querySelector(".name").setAttribute("transform", `translate(${x < size[0] / 2 ? 36 : -36} ${y < size[1] / 2 ? 30 : -30})`);
    const button = form.querySelector(`[data-corner="${i}"]`);
    button.setAttribute("aria-pressed", i === chosen);
    handle.setAttribute("aria-label", `${i + 1} ${button.dataset.name}: ${Math.round(x)}, ${Math.round(y)}`);
    form.elements[`x${i}`].value = x.toFixed(1);
    form.elements[`y${i}`].value = y.toFixed(1);
  });
  [form.elements.width.value, form.elements.height.value] = size;
  by("save").disabled = !good;
  by("hint").textContent = good ? form.dataset.hint : form.dataset.crossed;
  const { width, height } = by("loupe").getBoundingClientRect();
  const [w, h] = [(width * k) / FINE, (height * k) / FINE];
  const [x, y] = corners[chosen];
  by("loupe").setAttribute("viewBox", `${x - w / 2} ${y - h / 2} ${w} ${h}`);
  by("cross").setAttribute("d", `M${x - w / 2} ${y}h${w}M${x} ${y - h / 2}v${h}`);
}

function begin() {
  size = by("drawn").getAttribute("viewBox").split(" ").slice(2).map(Number);
  const known = by("drawn").dataset.corners.trim();
  const inset = [[0.12, 0.12], [0.88, 0.12], [0.88, 0.88], [0.12, 0.88]].map(([u, v]) => [u * size[0], v * size[1]]);
  const found = known ? known.split(/\s+/).map((pair) => pair.split(",").map(Number)) : inset;
  corners.splice(0, 4, ...found.map(([x, y]) => [within(x, size[0]), within(y, size[1])]));
  chosen = 0;
  layer.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  layer.replaceChildren();
  make("path", { class: "line" }, layer);
  make("polygon", {}, layer);
  corners.forEach((_corner, i) => {
    const handle = make("g", { tabindex: 0, role: "button", "data-handle": i }, layer);
    make("circle", { class: "dark", r: RING_PX }, handle);
    make("circle", { class: "ring", r: RING_PX }, handle);
    make("path", { class: "plus", d: "M-9 0H9M0-9V9" }, handle);
    const name = make("g", { class: "name", "aria-hidden": "true" });
    handle.append(name);
    make("circle", { class: "badge", r: 14 }, name);
    make("text", { transform: "scale(18)" }, name).textContent = i + 1;
    handle.addEventListener("focus", () => choose(i));
  });
  ["width", "height"].forEach((side, i) => by("close").setAttribute(side, size[i]));
  switchTo(true);
  draw();
}

function switchTo(placing) {
  form.hidden = !placing;
  by("deeds").hidden = placing;
  layer.toggleAttribute("hidden", !placing);
  by("drawn").toggleAttribute("hidden", placing);
  by("page").classList.toggle("placing", placing);
}

function choose(i) {
  chosen = i;
  draw();
}

function put(i, [x, y]) {
  corners[i] = [within(x, size[0]), within(y, size[1])];
  draw();
}

function onPicture(event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
  return [x, y];
}

layer.addEventListener("pointerdown", (event) => {
  if (event.button) return;
  event.preventDefault();
  const at = onPicture(event);
  const far = corners.map(([x, y]) => Math.hypot(x - at[0], y - at[1]));
  const nearest = far.indexOf(Math.min(...far));
  if (far[nearest] > NEAR_PX * scale()) {
    put(chosen, at); // tapped: the corner chosen comes here, and the next one is chosen
    choose((chosen + 1) % 4);
    return;
  }
  layer.setPointerCapture(event.pointerId);
  drag = { id: event.pointerId, corner: nearest, by: [corners[nearest][0] - at[0], corners[nearest][1] - at[1]] };
  choose(nearest);
});

layer.addEventListener("pointermove", (event) => {
  if (drag?.id !== event.pointerId) return;
  const at = onPicture(event);
  put(drag.corner, [at[0] + drag.by[0], at[1] + drag.by[1]]);
});

["pointerup", "pointercancel"].forEach((end) => layer.addEventListener(end, () => { drag = null; }));

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

layer.addEventListener("keydown", (event) => {
  const way = ARROWS[event.key];
  if (!way) return;
  event.preventDefault();
  nudge(way, event.shiftKey ? 10 : 1);
});

const nudge = ([dx, dy], step) => put(chosen, [corners[chosen][0] + dx * step, corners[chosen][1] + dy * step]);

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.corner) choose(Number(button.dataset.corner));
  if (button?.dataset.x) nudge([Number(button.dataset.x), Number(button.dataset.y)], 1);
});

form.dataset.hint = by("hint").textContent;
by("begin").disabled = false;
by("begin").addEventListener("click", begin);
by("leave").addEventListener("click", () => switchTo(false));
addEventListener("resize", () => { if (open()) draw(); });
look();
setTimeout(read, SOON_MS);
