// People who have played before sit down, and get up again, with one tap.
const form = document.querySelector("form.setup");
const known = form?.querySelector("[data-known]");

const count = () => Number(form.querySelector("input[name=players]:checked")?.value ?? 0);
const seats = () => [...form.querySelectorAll(".seat")];
const name = (seat) => seat.querySelector("input[list]");
const colours = (seat) => [...seat.querySelectorAll("input[type=radio]")];
const same = (one, other) => one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();
const taken = () => seats().slice(0, count());

function sit(person, colour) {
  let seat = taken().find((one) => !name(one).value.trim());
  const more = form.querySelector(`#players-${count() + 1}`);
  if (!seat && more) {
    more.checked = true;
    seat = taken().at(-1);
  }
  if (!seat) return;
  name(seat).value = person;
  const others = taken().filter((one) => one !== seat);
  const owner = others.find((one) => colours(one).some((dot) => dot.checked && dot.value === colour));
  if (owner && name(owner).value.trim()) return; // somebody who sits here has it: this seat keeps its own
  const before = colours(seat).find((dot) => dot.checked)?.value;
  colours(seat).forEach((dot) => { if (dot.value === colour) dot.checked = true; });
  if (owner) colours(owner).forEach((dot) => { if (dot.value === before) dot.checked = true; });
}

function show() {
  known.querySelectorAll("button").forEach((button) => {
    const there = taken().some((one) => same(name(one).value, button.dataset.person));
    button.setAttribute("aria-pressed", String(there));
  });
}

if (known) {
  known.hidden = false;
  known.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const seat = taken().find((one) => same(name(one).value, button.dataset.person));
    if (seat) name(seat).value = "";
    else sit(button.dataset.person, button.dataset.colour);
    show();
  });
  form.addEventListener("input", show);
  show();
}
