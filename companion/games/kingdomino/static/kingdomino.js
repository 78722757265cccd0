// Tapping in a kingdom: squares answer at once, and the form carries the kingdom in the game's notation.
// A drawing has two signs a square: a terrain's letter and its crowns, ".." for nothing, "##" for the castle.

const LETTERS = { w: "wheat", f: "forest", l: "lake", g: "grassland", s: "swamp", m: "mine" };
const SVG = "http://www.w3.org/2000/svg";

// Kingdoms being tapped in and the terrain in hand: neither news of the table nor another page must wipe them away.
const drafts = new Map();
let brush = "w";

function stored(key) {
  try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; } // the browser may keep nothing
}

function store(key, draft) {
  try { sessionStorage.setItem(key, JSON.stringify(draft)); } catch { /* then it lasts as long as the page */ }
}

function draw(tag, attributes, parent) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  parent?.append(element);
  return element;
}

class Canvas {
  constructor(form) {
    this.form = form;
    this.size = Number(form.dataset.size);
    this.most = JSON.parse(form.dataset.most);
    this.key = `${location.pathname} ${form.dataset.prefix}`;
    const draft = drafts.get(this.key) ?? stored(this.key);
    // What was tapped in on top of another kingdom than the recorded one is done with.
    this.cells = draft?.from === form.dataset.drawing ? draft.cells : this.read(form.dataset.drawing);
    this.brushes = [...form.querySelectorAll("input[name=brush]")];
    this.brushes.forEach((box) => { box.checked = box.value === brush; });
    this.svg = draw("svg", { viewBox: `-4 -4 ${this.size * 100 + 8} ${this.size * 100 + 8}`, class: "board large" });
    form.querySelector(".canvas").replaceChildren(this.svg);
    this.svg.addEventListener("click", (event) => this.tap(event.target.closest("[data-cell]")));
    this.svg.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.tap(event.target);
    });
    this.show();
  }

  read(drawing) {
    const rows = drawing.split("/").map((row) => row.match(/../g));
    const down = Math.floor((this.size - rows.length) / 2);
    const right = Math.floor((this.size - rows[0].length) / 2);
    return Array.from({ length: this.size * this.size }, (_, index) => {
      const x = index % this.size, y = Math.floor(index / this.size);
      return rows[y - down]?.[x - right] ?? "..";
    });
  }

  tap(target) {
    if (!target) return;
    const index = Number(target.dataset.cell);
    brush = this.brushes.find((box) => box.checked).value;
    const was = this.cells[index];
    if (was === "##" && brush !== "#") return; // the castle moves, it never goes
    if (brush === "#") this.cells[this.cells.indexOf("##")] = "..";
    if (brush === "#" || brush === ".") this.cells[index] = brush + brush;
    else this.cells[index] = was[0] === brush ? brush + ((Number(was[1]) + 1) % (this.most[LETTERS[brush]] + 1)) : `${brush}0`;
    this.show();
    this.svg.querySelector(`[data-cell="${index}"]`).focus();
  }

  show() {
    this.svg.replaceChildren();
    this.cells.forEach((text, index) => this.showCell(text, index));
    this.form.elements.event.value = this.form.dataset.prefix + this.drawing();
    const draft = { from: this.form.dataset.drawing, cells: this.cells };
    drafts.set(this.key, draft);
    store(this.key, draft);
  }

  name(text) {
    const box = this.brushes.find((one) => one.value === text[0]);
    return `${box.parentElement.querySelector("[aria-label]").getAttribute("aria-label")} ${Number(text[1]) || ""}`.trim();
  }

  showCell(text, index) {
    const x = (index % this.size) * 100, y = Math.floor(index / this.size) * 100;
    const label = `${(index % this.size) + 1}, ${Math.floor(index / this.size) + 1}: ${this.name(text)}`;
    const cell = draw("g", { "data-cell": index, role: "button", tabindex: 0, "aria-label": label }, this.svg);
    const face = text === "##" ? "castle" : LETTERS[text[0]] ?? "unknown";
    const ink = face === "castle" ? `ink-${this.form.dataset.colour}` : "";
    draw("use", { href: `${this.form.dataset.faces}#${face}`, x, y, width: 100, height: 100, class: ink }, cell);
    for (let crown = 0; crown < Number(text[1]); crown += 1) {
      draw("use", { href: `${this.form.dataset.faces}#crown`, x: x + 70 - 27 * crown, y: y + 70, width: 27, height: 27 }, cell);
    }
    draw("rect", { x, y, width: 100, height: 100, class: "tap" }, cell);
  }

  drawing() {
    const rows = [];
    for (let y = 0; y < this.size; y += 1) rows.push(this.cells.slice(y * this.size, (y + 1) * this.size).join(""));
    return rows.join("/");
  }
}

// A line has a fixed number of dominoes: the one ticked first gives way to one tick too many.
let picked = [];
function notePicked() {
  const ticked = [...document.querySelectorAll("input[name=with]:checked")].map((box) => box.id);
  picked = [...picked.filter((id) => ticked.includes(id)), ...ticked.filter((id) => !picked.includes(id))];
}
function allowWhole(form) {
  form.querySelector("button[name=event]").disabled = picked.length < Number(form.dataset.most);
}
function pick(form) {
  notePicked();
  picked.splice(0, picked.length - Number(form.dataset.most)).forEach((id) => { document.getElementById(id).checked = false; });
  allowWhole(form);
}

function prepare() {
  document.querySelectorAll("form[data-count]").forEach((form) => new Canvas(form));
  notePicked();
  document.querySelectorAll("form.pad").forEach(allowWhole);
}
document.addEventListener("page:fresh", prepare);
document.addEventListener("change", (event) => {
  if (event.target.name === "with") pick(event.target.form);
  if (event.target.name === "brush") brush = event.target.value;
});
prepare();
