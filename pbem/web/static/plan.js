// The plan: what is clicked becomes a line of the draft. Which choices are legal, and what each
// names, stands in the page (.offer); nothing here knows a rule.

import { close as closeDialog, open } from "./dialog.js";
import { fetchPart, gamePath, postOf, showTimes, whenWide } from "./table_requests.js";
import { forgetRegion, isBusy, renewPage, whenRenewed } from "./page_renewal.js";
import { showMissed } from "./missed_deadline.js";
import { endPress } from "./press.js";
import { openSheet } from "./card_sheet.js";
import { takeBackWaiting, toast } from "./toast.js";

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
  const offersHere = held ? offersOf(held) : offers();
  const names = new Set(offersHere.flatMap((offer) => offer.things));
  // what is answered already can be chosen again, but nothing waits for it
  const awaitedNames = new Set(offersHere.filter(isAwaited).flatMap((offer) => offer.things));
  for (const thing of board.querySelectorAll("button.thing")) {
    const name = thing.dataset.thing;
    const isLit = !thing.matches(".used, .gone") && names.has(name) && name !== held;
    thing.classList.toggle("lit", isLit);
    thing.classList.toggle("ahead", isLit && !awaitedNames.has(name));
    thing.classList.toggle("picked", name === held);
  }
  const hint = document.getElementById("hint");
  if (!hint) return;
  const hasNames = names.size > 0;
  hint.textContent = hint.dataset.hint || (hasNames ? "Tap a green frame; hold it to read." : "Choose a line from the lists.");
}

// Choose with a card or a piece. If one choice that is awaited names it, that one is meant; else the
// sheet asks. It also asks before a loss, and for another player, whose letter does not say what is
// chosen. What is used already opens its sheet, which says what it does.
function pick(thing) {
  const matches = offersOf(thing.dataset.thing);
  const [firstAwaited, ...otherAwaited] = matches.filter(isAwaited);
  const isPlain = firstAwaited && !("loss" in firstAwaited.button.dataset) && !thing.matches(".used, .gone, .badge");
  if (isPlain && !otherAwaited.length) return addAndGoOn(firstAwaited.button);
  return openSheet(thing, matches, addAndGoOn);
}

// Choose with a card that was dropped on something.
function drop(card, thing) {
  const matches = offersOf(card.dataset.thing).filter((offer) => offer.things.includes(thing.dataset.thing));
  if (matches.length === 1) return addAndGoOn(matches[0].button);
  return openSheet(card, matches, addAndGoOn);
}

// ------------------------------------------------------------------ changing the draft
// A click while another change is under way waits for it. `request` has the fields to send, or is a
// function that returns them. It is called when its turn has come, because the lines may have moved
// by then; it returns null if there is nothing left to change.
function change(request, focus) {
  waiting += 1;
  changes += 1;
  plan.setAttribute("aria-busy", "true");
  const make = async () => {
    const fields = typeof request === "function" ? request() : request;
    const { mark } = inside().dataset;
    // whoever leaves the page at once loses nothing
    const response = fields && (await fetchPart(gamePath("/plan"), { ...postOf({ mark, ...fields }), keepalive: true }));
    if (response) show(response, focus);
  };
  last = last.then(make).finally(() => {
    waiting -= 1;
    changes += 1; // a page that was asked for meanwhile may be older than this change
    if (!waiting) plan.removeAttribute("aria-busy");
  });
  last = last.catch((error) => console.error(error)); // the next click is made all the same
  return last;
}

// Where a line of a list is now: its place may have changed since it was clicked.
function placeNow(kind, always, item) {
  const list = plan.querySelector(`.lines[data-kind="${kind}"][data-always="${always}"]`);
  const sameLines = [...(list?.children || [])].filter((line) => line.dataset.text === item.dataset.text);
  const oldIndex = Number(item.dataset.index);
  sameLines.sort((line, otherLine) => Math.abs(line.dataset.index - oldIndex) - Math.abs(otherLine.dataset.index - oldIndex));
  return sameLines.length ? Number(sameLines[0].dataset.index) : -1;
}

function show(response, focus) {
  forgetRegion("plan");
  const openFolds = new Map();
  for (const fold of plan.querySelectorAll("details[data-keep]")) openFolds.set(fold.dataset.keep, fold.open);
  const focusMark = focus || remembered(document.activeElement);
  if (!response.html.includes("plan-in")) {
    const problem = document.createElement("div");
    problem.innerHTML = response.html;
    plan.prepend(problem);
    return;
  }
  plan.innerHTML = response.html;
  showTimes(plan);
  for (const fold of plan.querySelectorAll("details[data-keep]")) {
    const { keep } = fold.dataset;
    if (openFolds.has(keep)) fold.open = openFolds.get(keep) || (fold.open && !["orders", "lesson"].includes(keep));
  }
  light();
  refocus(focusMark);
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

function refocus(focusMark) {
  if (!focusMark) return;
  let element = null;
  if (focusMark.id) {
    if (document.querySelector("dialog[open]")) return; // the next thing was picked already
    element = document.querySelector(`#${focusMark.id}:not(:disabled)`);
  } else if (focusMark.lines) {
    const [kind, always] = focusMark.lines.split("/");
    const list = plan.querySelector(`.lines[data-kind="${kind}"][data-always="${always}"]`);
    const item = list?.children[Math.min(focusMark.index, list.children.length - 1)];
    element = item?.querySelector(`[data-do="${focusMark.act || "remove"}"]:not(:disabled)`) ||
      item?.querySelector("[data-do]:not(:disabled)");
  } else if (focusMark.kind) {
    const kind = [...plan.querySelectorAll("section.kind")].find(
      (candidate) => candidate.getAttribute("aria-label") === focusMark.kind,
    );
    element = [...(kind?.querySelectorAll(".offer") || [])].find(
      (candidate) => candidate.dataset.text === focusMark.text && candidate.checkVisibility(),
    ) || kind?.querySelector("summary");
  }
  element ||= plan.querySelector("h2");
  if (element && !element.matches("button, summary, input")) element.tabIndex = -1;
  element?.focus({ preventScroll: true });
}

// While orders wait to be delivered, Undo takes back all of them; otherwise the last change of the draft.
const undo = () => takeBackWaiting() || change({ do: "undo" });

// A line that also counts on later turns goes by one tap.
function dropLine({ dataset: { kind, drop: text } }) {
  return change(() => {
    const lines = [...plan.querySelectorAll(`.lines[data-kind="${kind}"][data-always=""] > li`)];
    const item = lines.find((line) => line.dataset.text === text);
    return item ? { do: "remove", kind, always: false, index: Number(item.dataset.index) } : null;
  });
}

// What was chosen on the table: the focus goes on to Send.
const addAndGoOn = (button) => add(button, { id: "send" });

function add(button, focus) {
  let text = button.dataset.text;
  const numberField = button.parentElement.querySelector("input[type=number]");
  if (numberField && text.includes("{n}")) text = text.replace("{n}", numberField.value);
  change({ do: "add", kind: button.dataset.kind, always: button.dataset.always === "1", text }, focus);
}

// On a narrow screen the lesson stands above the table, so it makes room for what it lights.
function showLit() {
  const lit = board.querySelector("button.thing.lit:not(.ahead)") || board.querySelector("button.thing.lit");
  if (matchMedia(NARROW).matches) plan.querySelector(".lesson").open = false;
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

// Show what the plan does, also on the board. Until then the forecast is busy. Only the last one that was
// asked for is shown, because an older one is about an older plan.
let askedForecasts = 0;
async function foresee() {
  const oldForecast = document.getElementById("forecast");
  if (!oldForecast) return;
  oldForecast.setAttribute("aria-busy", "true");
  askedForecasts += 1;
  const number = askedForecasts;
  const response = await fetchPart(gamePath("/forecast"));
  const forecast = document.getElementById("forecast");
  if (!forecast || number !== askedForecasts) return;
  forecast.removeAttribute("aria-busy");
  if (!response?.ok) return;
  forecast.innerHTML = response.html;
  draw(forecast.querySelector("#planned")?.content);
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
  for (const [selector, currentHtml] of asItIs) {
    const part = mine.querySelector(selector);
    const plannedPart = planned?.querySelector(selector);
    part.innerHTML = plannedPart ? plannedPart.innerHTML : currentHtml;
    for (const key of plannedPart ? changed : []) {
      const element = part.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (element && !("planned" in element.dataset)) element.dataset.changed = "";
    }
  }
  light();
  if (thing) mine.querySelector(`[data-thing="${CSS.escape(thing)}"]`)?.focus({ preventScroll: true });
}

// ------------------------------------------------------------------ sending
// If a question has no answer, the page asks first: one tap more, and only then.
async function send(isMeant = false) {
  await last;
  if (plan.getAttribute("aria-busy")) return; // it is being sent
  const unanswered = document.getElementById("unanswered");
  if (unanswered && !isMeant) return open(unanswered.innerHTML);
  const { mark } = inside().dataset;
  const ends = JSON.parse(document.getElementById("send").dataset.ends || "[]"); // the button says them
  plan.setAttribute("aria-busy", "true"); // what others did meanwhile is shown afterwards
  const response = await fetchPart(gamePath("/seal"), postOf({ mark, ends }));
  if (response?.ok) {
    toast(response.html);
    if (isFootFixed()) plan.querySelector(".orders").open = false;
    await renewPage();
  }
  plan.removeAttribute("aria-busy");
  if (response && !response.ok) open(`<h2 id="dialog-title">Nothing was sent</h2>${response.html}` +
      '<div class="dialog-end"><button type="button" data-close data-renew>Look again</button></div>');
}

// ------------------------------------------------------------------ listening
function clicked(event) {
  const target = event.target;
  const offer = target.closest(".offer");
  if (offer) return add(offer);
  const advised = target.closest("#advised");
  if (advised) return write(Object.entries(JSON.parse(advised.dataset.lists)));
  if (target.closest("#show-lit")) return showLit();
  // what is cut off on a narrow screen is shown whole after a tap
  const text = target.closest(".question, .states");
  if (text && isFootFixed() && !target.closest("button")) return text.classList.toggle("whole");
  const button = target.closest("[data-do]");
  if (button) {
    const item = button.closest("li");
    const place = Number(item.dataset.index);
    if (button.dataset.do === "up") return move(item, place - 1);
    if (button.dataset.do === "down") return move(item, place + 1);
    const { kind, always } = item.closest(".lines").dataset;
    return change(() => {
      const index = placeNow(kind, always, item);
      return index < 0 ? null : { do: "remove", kind, always: always === "1", index };
    });
  }
  const dropped = target.closest("[data-drop]");
  if (dropped) return dropLine(dropped);
  if (target.closest("#send")) return send();
  if (target.closest("#anew")) return change({ do: "new" });
  if (target.closest("#undo")) return undo();
  return null;
}

// The text of a card or a piece that is chosen with one tap can be read first: a finger stays on it, the
// mouse has its other button, and a keyboard its menu key.
const HOLD = 450;
function listenForHolding(main) {
  let timer = 0;
  let start = null;
  let wasHeld = false;
  const read = (thing) => {
    wasHeld = true;
    endPress(); // its text comes while the finger is still there
    if (!document.querySelector("dialog[open]")) openSheet(thing, offersOf(thing.dataset.thing), addAndGoOn);
  };
  main.addEventListener("pointerdown", (event) => {
    const thing = event.target.closest("#board button.thing");
    if (!thing || event.pointerType === "mouse" || !event.isPrimary) return;
    start = [event.clientX, event.clientY];
    timer = setTimeout(() => read(thing), HOLD);
  });
  const leave = () => clearTimeout(timer);
  document.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 8) leave();
  });
  for (const end of ["pointerup", "pointercancel", "scroll"]) document.addEventListener(end, leave, true);
  main.addEventListener("contextmenu", (event) => {
    const thing = event.target.closest("#board button.thing");
    if (!thing) return;
    event.preventDefault();
    leave();
    read(thing);
  });
  // Lifting the finger ends the hold and is no tap, wherever the sheet is by then. Keys have no `detail`.
  document.addEventListener("pointerdown", () => {
    wasHeld = false;
  }, true);
  document.addEventListener("click", (event) => {
    if (!wasHeld || !event.detail) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

// A card is dragged onto a piece; on a screen that is touched, a sideways move scrolls the hand.
function listenForCards(main) {
  let held = null;
  let dropped = false;
  const end = () => {
    if (held?.ghost) {
      held.ghost.remove();
      light();
    }
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
    const card = held?.ghost && held.thing;
    const under = card && document.elementFromPoint(event.clientX, event.clientY);
    const target = under?.closest("#board button.thing.lit");
    dropped = Boolean(card);
    end();
    if (target) drop(card, target);
  });
  document.addEventListener("pointercancel", end); // the hand is scrolled
  // the click that follows a drop is not meant; keys have no `detail`
  main.addEventListener("click", (event) => dropped && event.detail && event.stopImmediatePropagation(), true);
}

function listenForDragging(main) {
  let dragged = null;
  main.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.(".lines > li");
    if (dragged) event.dataTransfer.effectAllowed = "move";
  });
  main.addEventListener("dragover", (event) => {
    const line = event.target.closest(".lines > li");
    if (!dragged || !line || line.parentElement !== dragged.parentElement) return;
    event.preventDefault();
    for (const child of line.parentElement.children) child.classList.toggle("over", child === line);
  });
  main.addEventListener("drop", (event) => {
    const line = event.target.closest(".lines > li");
    if (!dragged || !line || line.parentElement !== dragged.parentElement) return;
    event.preventDefault();
    move(dragged, Number(line.dataset.index));
  });
  main.addEventListener("dragend", () => {
    dragged = null;
    for (const child of plan.querySelectorAll(".lines > li.over")) child.classList.remove("over");
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
    undo();
  }
}

// The tray of a narrow screen has room for as many rows of cards as there were in this round (table.css).
let round, rows;
function keepTray() {
  const hand = mine?.querySelector(".hand");
  const columns = hand ? getComputedStyle(hand).gridTemplateColumns.split(" ").length : 1;
  const neededRows = Math.ceil((hand?.children.length || 0) / columns);
  const { round: shownRound } = document.querySelector(".where").dataset;
  rows = shownRound === round ? Math.max(rows, neededRows) : neededRows;
  round = shownRound;
  document.documentElement.style.setProperty("--card-rows", rows);
}

const NARROW = "(max-width: 999px)";
const isFootFixed = () => Boolean(inside()) && matchMedia(NARROW).matches;

// A narrow screen opens with your own pieces right above the foot. They stay there (#away in table.css).
function sitDown() {
  if (!mine || !isFootFixed()) return;
  history.scrollRestoration = "manual"; // or a reload would lead to where the page was
  const distance = mine.getBoundingClientRect().bottom - inside().getBoundingClientRect().top;
  if (distance > 0 || scrollY) scrollBy({ top: distance + 8, behavior: "instant" });
}

// A new turn has played. If the question is about pieces of your own that are out of sight, show them.
function showAskedPieces() {
  const piece = isFootFixed() && mine?.querySelector(".pieces button.thing.lit:not(.ahead)");
  if (!piece) return;
  const { top, bottom } = piece.getBoundingClientRect();
  if (top < 0 || bottom > inside().getBoundingClientRect().top) sitDown();
}

// These regions of the page are new: find what they show, and light it.
function begin(regions) {
  if (regions.includes("board")) find();
  if (!inside()) return;
  keepTray();
  light();
  foresee();
  showMissed();
}

// On a narrow screen your orders are a panel over the table: a tap beside it or Escape closes it.
function closeOrders(event) {
  const orders = plan?.querySelector(".orders[open]");
  if (!orders || !isFootFixed() || document.querySelector("dialog[open]")) return;
  if (event.type === "keydown" ? event.key !== "Escape" : plan.contains(event.target)) return;
  orders.open = false;
  if (event.type === "keydown") orders.querySelector("summary").focus();
}

export function listenForPlan() {
  const main = document.getElementById("main");
  document.addEventListener("turnplayed", showAskedPieces);
  document.addEventListener("click", closeOrders);
  document.addEventListener("keydown", closeOrders);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#send-anyway")) return;
    closeDialog();
    send(true);
  });
  main.addEventListener("click", (event) => {
    const thing = event.target.closest("#board button.thing");
    if (thing) pick(thing);
    else if (event.target.closest("#plan")) clicked(event);
  });
  main.addEventListener("submit", submitted);
  document.addEventListener("keydown", typed);
  listenForDragging(main);
  listenForCards(main);
  listenForHolding(main);
  begin(["board"]);
  sitDown();
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
  const found = await fetchPart(gamePath("/plan"));
  // the click that brought the focus may have made a choice, or asks for one: neither may vanish
  if (found?.ok && !isBusy() && before === changes) show(found, remembered(document.activeElement));
}
