// What a card or a piece does: shown when the pointer rests on it, and when it has the focus. A tap opens
// its sheet, which says it too.

import { fetchPart, gamePath } from "./table_requests.js";

const board = document.getElementById("board");
const tip = document.createElement("div");
const known = new Map(); // what the table said, until the plan changes
let mark = "";
let timer = 0;
let shown = null;

function hide() {
  clearTimeout(timer);
  shown?.removeAttribute("aria-describedby");
  shown = null;
  tip.hidden = true;
}

async function show(thing) {
  const newMark = document.querySelector(".plan-in")?.dataset.mark || "";
  if (newMark !== mark) known.clear();
  mark = newMark;
  const name = thing.dataset.thing;
  shown = thing;
  if (!known.has(name)) {
    const response = await fetchPart(gamePath("/about", `thing=${encodeURIComponent(name)}`));
    if (!response?.ok) return;
    known.set(name, response.html);
  }
  if (shown !== thing || !thing.isConnected) return;
  tip.innerHTML = known.get(name); // made by the table, with every text escaped
  tip.hidden = false;
  thing.setAttribute("aria-describedby", "tip");
  place(thing.getBoundingClientRect(), thing.matches(".card"));
}

// A card's text is above it, because below it is what it could be played on.
function place(rect, above) {
  const { innerWidth: pageWidth, innerHeight: pageHeight } = window;
  const { width, height } = tip.getBoundingClientRect();
  const fits = { above: rect.top > height + 12, below: pageHeight - rect.bottom > height + 12 };
  const isAbove = fits.above && (above || !fits.below);
  const top = isAbove ? rect.top - height - 8 : fits.below ? rect.bottom + 8 : pageHeight - height - 8;
  const zoom = tip.currentCSSZoom ?? 1; // on very wide screens (table.css)
  tip.style.top = `${Math.max(8, top) / zoom}px`;
  tip.style.left = `${Math.max(8, Math.min(rect.left, pageWidth - width - 8)) / zoom}px`;
}

function soon(thing, milliseconds) {
  if (thing === shown) return;
  hide();
  if (thing) timer = setTimeout(() => show(thing), milliseconds);
}

const thingAt = (target) => target.closest?.("[data-thing]");

export function listenForTips() {
  if (!board) return;
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.getElementById("main").append(tip);
  // a thing that comes to lie under a resting pointer says nothing: it was not asked
  board.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && !event.buttons) soon(thingAt(event.target), 500);
  });
  board.addEventListener("pointerout", (event) => {
    const to = event.relatedTarget;
    if (event.pointerType === "mouse" && !tip.contains(to) && thingAt(event.target) !== thingAt(to ?? board)) hide();
  });
  tip.addEventListener("pointerleave", (event) => thingAt(event.relatedTarget ?? board) !== shown && hide());
  board.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) soon(thingAt(event.target), 500);
  });
  board.addEventListener("focusout", hide);
  board.addEventListener("pointerdown", hide);
  document.getElementById("sheet")?.addEventListener("close", hide); // it has said the same
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("scroll", hide, { capture: true, passive: true });
}
