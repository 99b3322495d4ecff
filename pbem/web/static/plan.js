// The plan: what is clicked becomes a line of the draft. Which choices are legal, and what each
// names, stands in the page (.offer); nothing here knows a rule.

import { open } from "./dialog.js";
import { here, part, sent, showTimes, whenWide } from "./net.js";
import { isBusy, renewPage, whenRenewed } from "./live.js";
import { showMissed } from "./missed.js";
import { openSheet } from "./sheet.js";
import { toast } from "./toast.js";

let plan, board; // as they are on the page now
let waiting = 0; // changes that were clicked and are not shown yet: they are made one after the other
let last = Promise.resolve();
let changes = 0;

const inside = () => plan?.querySelector(".plan-in");
const offers = () =>
  [...(plan?.querySelectorAll(".offers .offer") || [])].map((button) => ({
    button,
    things: JSON.parse(button.dataset.things || "[]"),
    kind: button.closest("section.kind"),
  }));
const offersOf = (name) => offers().filter((one) => one.things.includes(name));
const isAwaited = ({ kind }) => kind.matches(".asked.waits");

// ------------------------------------------------------------------ what is lit
// What a choice names is lit; while a card is dragged (`held`), only what it can be dropped on.
function light(held = "") {
  const fits = held ? offersOf(held) : offers();
  const names = new Set(fits.flatMap((one) => one.things));
  // what is answered already can be chosen again, but nothing waits for it
  const now = new Set(fits.filter(isAwaited).flatMap((one) => one.things));
  for (const thing of board.querySelectorAll("button.thing")) {
    const name = thing.dataset.thing;
    const lit = !thing.matches(".used, .gone") && names.has(name) && name !== held;
    thing.classList.toggle("lit", lit);
    thing.classList.toggle("ahead", lit && !now.has(name));
    thing.classList.toggle("picked", name === held);
  }
  const hint = document.getElementById("hint");
  if (!hint) return;
  const any = names.size > 0;
  hint.textContent = hint.dataset.hint || (any ? "Tap a card or a piece with a green frame." : "Choose a line from the lists.");
}

// Choose with a card or a piece. If one choice that is awaited names it, that one is meant; else the
// sheet asks. What is used already opens its sheet, which says what it does.
function pick(thing) {
  const fits = offersOf(thing.dataset.thing);
  const [only, ...others] = fits.filter(isAwaited);
  if (only && !others.length && !thing.matches(".used, .gone")) return add(only.button);
  return openSheet(thing, fits, add);
}

// Choose with a card that was dropped on something.
function drop(card, thing) {
  const fits = offersOf(card.dataset.thing).filter((one) => one.things.includes(thing.dataset.thing));
  if (fits.length === 1) return add(fits[0].button);
  return openSheet(card, fits, add);
}

// ------------------------------------------------------------------ changing the draft
// A click while another change is under way waits for it. `what` is called when its turn has come,
// because the lines may have moved by then; it returns null if there is nothing left to change.
function change(what, focus) {
  waiting += 1;
  changes += 1;
  plan.setAttribute("aria-busy", "true");
  const make = async () => {
    const now = typeof what === "function" ? what() : what;
    const { mark } = inside().dataset;
    // whoever leaves the page at once loses nothing
    const found = now && (await part(here("/plan"), { ...sent({ mark, ...now }), keepalive: true }));
    if (found) show(found, focus);
  };
  last = last.then(make).finally(() => {
    waiting -= 1;
    if (!waiting) plan.removeAttribute("aria-busy");
  });
  last = last.catch((error) => console.error(error)); // the next click is made all the same
  return last;
}

// Where a line of a list is now: its place may have changed since it was clicked.
function placeNow(kind, always, item) {
  const list = plan.querySelector(`.lines[data-kind="${kind}"][data-always="${always}"]`);
  const same = [...(list?.children || [])].filter((one) => one.dataset.text === item.dataset.text);
  const was = Number(item.dataset.index);
  same.sort((one, two) => Math.abs(one.dataset.index - was) - Math.abs(two.dataset.index - was));
  return same.length ? Number(same[0].dataset.index) : -1;
}

function show(found, focus) {
  const kept = new Map();
  for (const one of plan.querySelectorAll("details[data-keep]")) kept.set(one.dataset.keep, one.open);
  const active = focus || remembered(document.activeElement);
  if (!found.html.includes("plan-in")) {
    const told = document.createElement("div");
    told.innerHTML = found.html;
    plan.prepend(told);
    return;
  }
  plan.innerHTML = found.html;
  showTimes(plan);
  for (const one of plan.querySelectorAll("details[data-keep]")) {
    const { keep } = one.dataset;
    if (kept.has(keep)) one.open = kept.get(keep) || (one.open && !["orders", "lesson"].includes(keep));
  }
  light();
  refocus(active);
  foresee();
}

// What had the focus before the plan was shown anew: a line, a choice, or something on the table.
function remembered(element) {
  if (!element || !plan.contains(element)) return null;
  const lines = element.closest(".lines");
  const item = element.closest(".lines > li");
  if (item) {
    return { lines: `${lines.dataset.kind}/${lines.dataset.always}`, index: Number(item.dataset.index), act: element.dataset.do };
  }
  const kind = element.closest("section.kind");
  return { kind: kind?.getAttribute("aria-label"), text: element.dataset?.text };
}

function refocus(active) {
  if (!active) return;
  let found = null;
  if (active.lines) {
    const [kind, always] = active.lines.split("/");
    const list = plan.querySelector(`.lines[data-kind="${kind}"][data-always="${always}"]`);
    const item = list?.children[Math.min(active.index, list.children.length - 1)];
    found = item?.querySelector(`[data-do="${active.act || "remove"}"]:not(:disabled)`) ||
      item?.querySelector("[data-do]:not(:disabled)");
  } else if (active.kind) {
    const kind = [...plan.querySelectorAll("section.kind")].find(
      (one) => one.getAttribute("aria-label") === active.kind,
    );
    found = [...(kind?.querySelectorAll(".offer") || [])].find(
      (one) => one.dataset.text === active.text && one.checkVisibility(),
    ) || kind?.querySelector("summary");
  }
  found ||= plan.querySelector("h2");
  if (found && !found.matches("button, summary, input")) found.tabIndex = -1;
  found?.focus({ preventScroll: true });
}

function add(button) {
  let text = button.dataset.text;
  const number = button.parentElement.querySelector("input[type=number]");
  if (number && text.includes("{n}")) text = text.replace("{n}", number.value);
  change({ do: "add", kind: button.dataset.kind, always: button.dataset.always === "1", text });
}

// On a narrow screen the lesson stands above the table, so it makes room for what it lights.
function showLit() {
  const lit = board.querySelector("button.thing.lit:not(.ahead)") || board.querySelector("button.thing.lit");
  if (matchMedia("(max-width: 999px)").matches) plan.querySelector(".lesson").open = false;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  lit?.scrollIntoView({ block: "center", inline: "nearest", behavior: calm ? "auto" : "smooth" });
  lit?.focus({ preventScroll: true });
}

// The lines that a lesson advises, one kind of question after the other.
async function write(lists) {
  for (const [kind, lines] of lists) await change({ do: "write", kind, lines });
}

function move(item, to) {
  const lines = item.closest(".lines");
  const { kind, always } = lines.dataset;
  const index = Number(item.dataset.index);
  if (to < 0 || to >= lines.children.length || to === index) return;
  change(
    () => {
      const from = placeNow(kind, always, item);
      return from < 0 ? null : { do: "move", kind, always: always === "1", index: from, to: from + to - index };
    },
    { lines: `${lines.dataset.kind}/${lines.dataset.always}`, index: to, act: to < index ? "up" : "down" },
  );
}

async function foresee() {
  const place = document.getElementById("forecast");
  if (!place) return;
  const found = await part(here("/forecast"));
  const now = document.getElementById("forecast");
  if (!found?.ok || !now) return;
  now.innerHTML = found.html;
  draw(now.querySelector("#planned")?.content);
}

// ------------------------------------------------------------------ the plan on the board
// Your own place as it is; what the table says of the plan takes its place, until it changes again.
let mine, asItIs, changed;

function find() {
  plan = document.getElementById("plan");
  board = document.getElementById("board");
  mine = board?.querySelector(".mine");
  const parts = [".facts", ".hand", ".pieces"].filter((one) => mine?.querySelector(one));
  asItIs = new Map(parts.map((one) => [one, mine.querySelector(one).innerHTML]));
  changed = [...(mine?.querySelectorAll("[data-changed]") || [])].map((one) => one.dataset.key);
}

function draw(planned) {
  const { thing } = document.activeElement.dataset || {};
  for (const [one, asBefore] of asItIs) {
    const there = mine.querySelector(one);
    const drawn = planned?.querySelector(one);
    there.innerHTML = drawn ? drawn.innerHTML : asBefore;
    for (const key of drawn ? changed : []) {
      const marked = there.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (marked && !("planned" in marked.dataset)) marked.dataset.changed = "";
    }
  }
  light();
  if (thing) mine.querySelector(`[data-thing="${CSS.escape(thing)}"]`)?.focus({ preventScroll: true });
}

// ------------------------------------------------------------------ sending
async function send() {
  await last;
  if (plan.getAttribute("aria-busy")) return; // it is being sent
  const { mark } = inside().dataset;
  plan.setAttribute("aria-busy", "true"); // what others did meanwhile is shown afterwards
  const found = await part(here("/seal"), sent({ mark }));
  if (found?.ok) {
    toast(found.html);
    await renewPage();
  }
  plan.removeAttribute("aria-busy");
  if (found && !found.ok) open(`<h2 id="dialog-title">Nothing was sent</h2>${found.html}` +
      '<div class="dialog-end"><button type="button" data-close data-renew>Look again</button></div>');
}

// ------------------------------------------------------------------ listening
function clicked(event) {
  const at = event.target;
  const offer = at.closest(".offer");
  if (offer) return add(offer);
  const advised = at.closest("#advised");
  if (advised) return write(Object.entries(JSON.parse(advised.dataset.lists)));
  if (at.closest("#show-lit")) return showLit();
  const act = at.closest("[data-do]");
  if (act) {
    const item = act.closest("li");
    const place = Number(item.dataset.index);
    if (act.dataset.do === "up") return move(item, place - 1);
    if (act.dataset.do === "down") return move(item, place + 1);
    const { kind, always } = item.closest(".lines").dataset;
    return change(() => {
      const index = placeNow(kind, always, item);
      return index < 0 ? null : { do: "remove", kind, always: always === "1", index };
    });
  }
  if (at.closest("#send")) return send();
  if (at.closest("#anew")) return change({ do: "new" });
  if (at.closest("#undo")) return change({ do: "undo" });
  return null;
}

// A card is dragged onto a piece; on a screen that is touched, a sideways move scrolls the hand.
function listenForCards(main) {
  let held = null;
  let dropped = false;
  const end = () => {
    held?.ghost?.remove();
    held = null;
  };
  main.addEventListener("pointerdown", (event) => {
    const thing = event.target.closest("#board .hand button.thing.lit");
    dropped = false;
    if (thing && event.isPrimary && !event.button) held = { thing, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost) {
      if (Math.hypot(x, y) < 8) return;
      light(held.thing.dataset.thing);
      const { left, top, width } = held.thing.getBoundingClientRect();
      held.ghost = held.thing.querySelector(".pb-one").cloneNode(true);
      held.ghost.classList.add("ghost");
      Object.assign(held.ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
      document.body.append(held.ghost);
    }
    held.ghost.style.transform = `translate(${x}px, ${y}px)`;
  });
  document.addEventListener("pointerup", (event) => {
    if (held?.ghost) {
      dropped = true;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const target = under?.closest("#board button.thing.lit");
      light();
      if (target) drop(held.thing, target);
    }
    end();
  });
  document.addEventListener("pointercancel", end);
  // the click that follows a drop is not meant
  main.addEventListener("click", (event) => dropped && event.stopImmediatePropagation(), true);
}

function listenForDragging(main) {
  let dragged = null;
  main.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.(".lines > li");
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  main.addEventListener("dragover", (event) => {
    const over = event.target.closest(".lines > li");
    if (!dragged || !over || over.parentElement !== dragged.parentElement) return;
    event.preventDefault();
    for (const one of over.parentElement.children) one.classList.toggle("over", one === over);
  });
  main.addEventListener("drop", (event) => {
    const over = event.target.closest(".lines > li");
    if (!dragged || !over || over.parentElement !== dragged.parentElement) return;
    event.preventDefault();
    move(dragged, Number(over.dataset.index));
  });
  main.addEventListener("dragend", () => {
    dragged = null;
    for (const one of plan.querySelectorAll(".lines > li.over")) one.classList.remove("over");
  });
}

function submitted(event) {
  const form = event.target.closest("form.own");
  if (!form) return;
  event.preventDefault();
  const text = form.querySelector("input").value.trim();
  if (text) change({ do: "add", kind: form.dataset.kind, always: form.dataset.always === "1", text });
}

function typed(event) {
  const item = event.target.closest("#plan .lines > li");
  const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (item && event.altKey && way) {
    event.preventDefault();
    move(item, Number(item.dataset.index) + way);
  }
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.target.matches("input, textarea")) {
    if (!document.getElementById("undo")) return;
    event.preventDefault();
    change({ do: "undo" });
  }
}

// The page ends above the foot, which holds the hand and the bar on a narrow screen.
const foot = new ResizeObserver(([{ target }]) => {
  const high = innerHeight - target.getBoundingClientRect().top;
  document.documentElement.style.setProperty("--foot", `${high}px`);
});

// What the page shows now is new: find it, and light it.
function begin() {
  find();
  foot.disconnect();
  if (!inside()) return;
  foot.observe(mine?.querySelector(".hand") || plan.querySelector(".plan-top"));
  light();
  foresee();
  showMissed();
}

export function listen() {
  const main = document.getElementById("main");
  main.addEventListener("click", (event) => {
    const thing = event.target.closest("#board button.thing");
    if (thing) pick(thing);
    else if (event.target.closest("#plan")) clicked(event);
  });
  main.addEventListener("submit", submitted);
  document.addEventListener("keydown", typed);
  listenForDragging(main);
  listenForCards(main);
  begin();
  whenRenewed(begin, () => changes);
  whenWide("999px", (wide) => {
    const orders = plan?.querySelector(".orders");
    if (orders) orders.open = wide;
  });
}

// Another window or program changed the draft: show it.
export async function refresh() {
  if (!inside() || waiting) return;
  const before = changes;
  const found = await part(here("/plan"));
  // the click that brought the focus may have made a choice, or asks for one: neither may vanish
  if (found?.ok && !isBusy() && before === changes) show(found, remembered(document.activeElement));
}
