// On request: a chime when the turn passes on, and the turn spoken by the device's own voice.

const KEY = "companion-voice";
const wanted = () => localStorage.getItem(KEY) === "on";
const told = (page) => page.querySelector(".turn")?.textContent.replace(/\s+/g, " ").trim() ?? "";

function chime() {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const loudness = context.createGain();
  loudness.gain.setValueAtTime(0.15, context.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.5);
  tone.frequency.value = 660;
  tone.connect(loudness).connect(context.destination);
  tone.onended = () => context.close();
  tone.start();
  tone.stop(context.currentTime + 0.5);
}

function speak(text) {
  if (!("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

export function announce(before, now) {
  if (!wanted() || told(before) === told(now)) return;
  chime();
  // The token's initial stands before the name, and is not part of the sentence.
  speak([...now.querySelectorAll(".turn > b, .turn > span")].map((part) => part.textContent).join(": "));
}

function show() {
  document.querySelectorAll("[data-voice]").forEach((button) => button.setAttribute("aria-pressed", wanted()));
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-voice]")) return;
  localStorage.setItem(KEY, wanted() ? "off" : "on");
  show();
  if (wanted()) chime();
});
document.addEventListener("page:fresh", show);
show();
