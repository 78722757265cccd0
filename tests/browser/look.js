// What a page looks like to eyes and fingers, measured: run inside the page, it lists what is wrong, each by its name.
({ touch, text }) => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const name = (element) => {
    const said = element.getAttribute("aria-label") || element.textContent || element.name || "";
    return `${element.tagName.toLowerCase()} “${said.trim().replace(/\s+/g, " ").slice(0, 60)}”`;
  };
  // A box that lies unseen over its label is as large as the label.
  const place = (element) => (element.matches("input") && element.closest("label") || element).getBoundingClientRect();
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowY);
  const scrolledAway = (element, y) => {
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { top, bottom } = box.getBoundingClientRect();
      if (scrolls(box) && (y < top || y > bottom)) return true;
    }
    return y < 0 || y > innerHeight;
  };
  // What a foot that stays in view lies over is scrolled past it.
  const underTheFoot = (hit, mine) => {
    for (let box = hit; box && !box.contains(mine); box = box.parentElement) {
      if (getComputedStyle(box).position === "sticky") return true;
    }
    return false;
  };
  const round = (number) => Math.round(number * 10) / 10;
  const page = document.documentElement;

  const touched = [...document.querySelectorAll("a[href], button, summary, input:not([type=hidden]), [role=button]")]
    // What lies on a map is as large as people bring it.
    .filter((element) => shown(element) && !element.disabled && !element.closest("[data-map]"));
  const small = touched
    .filter((element) => { const { width, height } = place(element); return width < touch - .5 || height < touch - .5; })
    .map((element) => `${name(element)}: ${round(place(element).width)} × ${round(place(element).height)}`);
  const outside = touched
    .filter((element) => { const { left, right } = place(element); return left < -1 || right > innerWidth + 1; })
    .map(name);
  const covered = touched
    .filter((element) => {
      const { left, right, top, bottom } = place(element);
      const middle = (top + bottom) / 2;
      const hit = document.elementFromPoint((left + right) / 2, middle);
      const mine = element.closest("label") ?? element;
      // A domino held over the kingdom lies on squares: a tap there turns it.
      return !scrolledAway(element, middle) && !mine.contains(hit) && !underTheFoot(hit, mine) && !hit?.closest(".ghost");
    })
    .map(name);

  const tiny = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !shown(parent) || parent.closest(".hide, noscript, script")) continue;
    // The cut that hides a text from eyes leaves it to screen readers.
    if (getComputedStyle(parent).clipPath !== "none") continue;
    const drawn = parent instanceof SVGGraphicsElement ? Math.hypot(parent.getScreenCTM().a, parent.getScreenCTM().b) : 1;
    const size = parseFloat(getComputedStyle(parent).fontSize) * drawn;
    if (size < text - .05) tiny.push(`${texts.currentNode.data.trim().slice(0, 40)}: ${round(size)} px`);
  }
  const cut = [...document.querySelectorAll("h1, h1 *, button, a.button, .tracks")]
    .filter((element) => shown(element) && element.clientWidth && element.scrollWidth > element.clientWidth + 1)
    .filter((element) => getComputedStyle(element).textOverflow !== "ellipsis")
    .map((element) => `${name(element)}: ${element.scrollWidth} in ${element.clientWidth}`);
  // Each word stands on one line; addresses and the notation of the log may break.
  const sideways = (element) => {
    for (let box = element; box; box = box.parentElement) {
      if (Math.abs(new DOMMatrix(getComputedStyle(box).transform).b) > .5) return true;
    }
    return false;
  };
  const broken = new Set();
  const read = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (read.nextNode()) {
    const text = read.currentNode, parent = text.parentElement;
    if (!shown(parent) || parent.closest(".hide, .address, .log small, code, pre, svg, noscript, script, style, textarea")) continue;
    if (getComputedStyle(parent).clipPath !== "none") continue;
    for (const { index, 0: word } of text.data.matchAll(/[^\s\/–—-]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].map((box) => Math.round(sideways(parent) ? box.left : box.top));
      if (new Set(lines).size > 1) broken.add(word);
    }
  }
  const scrolling = [...document.querySelectorAll("body *")]
    .filter((element) => shown(element) && element.scrollHeight > element.clientHeight + 1 && scrolls(element))
    .map((element) => `${element.tagName.toLowerCase()}.${element.className}: ${element.scrollHeight} in ${element.clientHeight}`);
  return {
    wide: page.scrollWidth > innerWidth ? [`${page.scrollWidth} in ${innerWidth}`] : [],
    tall: page.scrollHeight > innerHeight ? [`${page.scrollHeight} in ${innerHeight}`] : [],
    small, outside, covered, tiny, cut, broken: [...broken], scrolling,
  };
}
