// The sheet of a card or a piece: what it does, and one row for each thing that it can be used for,
// with a button for each target. It knows no rule: the choices stand in the page (.offer).

import { fetchPart, gamePath, noteUncovered } from "./table_requests.js";

const sheet = document.getElementById("sheet");

function element(tag, className, ...content) {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...content);
  return node;
}

const spaced = (name) => name.replaceAll("_", " ");
const breakable = (name) => name.replaceAll("/", "/\u200b"); // a card with two traits: between them
const upper = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

// What one choice is called in its row: its target, else whatever it names besides the thing.
function targetOf(offer, name) {
  const { target, use } = offer.button.dataset;
  if (target) return target;
  const otherThings = offer.things.filter((thing) => thing !== name).map(spaced);
  if (otherThings.length) return otherThings.join(" and ");
  return use ? "Choose" : upper(offer.button.textContent.trim());
}

function button(offer, name, choose) {
  const { use, effect } = offer.button.dataset;
  const node = element("button", "target");
  node.type = "button";
  const { kind, text } = offer.button.dataset;
  Object.assign(node.dataset, { kind, text });
  if (use) node.append(element("span", "sr", `${use}: `));
  node.append(targetOf(offer, name));
  if (effect?.includes("→")) node.append(" ", element("small", "", effect));
  node.addEventListener("click", () => {
    sheet.close();
    choose(offer.button);
  });
  return node;
}

// A row for each use; choices without one have a row each, with their sentence.
function rows(offers, name, choose) {
  const uses = Map.groupBy(offers, ({ button: { dataset } }) => dataset.use || dataset.text);
  const makesPiece = ([, [{ things }]]) => things.length < 2; // it names no other piece: last
  return [...uses].sort((first, second) => makesPiece(first) - makesPiece(second)).map(([use, rowOffers]) => {
    const { effect = "" } = rowOffers[0].button.dataset;
    const targets = element("span", "targets", ...rowOffers.map((offer) => button(offer, name, choose)));
    const row = element("li", rowOffers.length > 3 ? "use many" : "use");
    if (rowOffers[0].button.dataset.use) {
      const label = element("span", "label", use);
      if (effect && !effect.includes("→")) label.append(" ", element("small", "", effect));
      row.append(label);
    }
    row.append(targets);
    return row;
  });
}

function list(offers, name, choose) {
  return element("ul", "uses", ...rows(offers, name, choose));
}

// The choices for questions that may come later in the round are one fold below.
function folds(later, name, choose, open) {
  const kinds = Map.groupBy(later, ({ kind }) => kind.dataset.asks);
  return [...kinds].map(([asks, kindOffers]) => {
    const fold = element("details", "ahead", element("summary", "", `Plan ahead: ${asks}`));
    fold.append(list(kindOffers, name, choose));
    fold.open = open;
    return fold;
  });
}

// Say what the thing does, below its name.
async function tell(name, place) {
  const response = await fetchPart(gamePath("/about", `thing=${encodeURIComponent(name)}`));
  if (!response?.ok || !place.isConnected) return;
  const text = element("div", "");
  text.innerHTML = response.html; // every text is escaped
  place.append(text);
}

// Open the sheet of a card or a piece of the table. `offers` are the choices that name it; `choose`
// is called with the button of the one that was tapped.
export function openSheet(thing, offers, choose) {
  const name = thing.dataset.thing;
  const picture = thing.querySelector(".pb-one")?.cloneNode(true);
  const textBox = element("div", "sheet-text", element("h2", "", breakable(upper(spaced(name)))));
  textBox.tabIndex = 0; // a long text scrolls
  const head = element("div", "sheet-head", ...(picture ? [element("span", thing.matches(".piece") ? "picture wide" : "picture", picture)] : []), textBox);
  const close = element("button", "close", "Back");
  close.type = "button";
  close.addEventListener("click", () => sheet.close());
  const [asked, later] = [true, false].map((isAsked) => offers.filter(({ kind }) => kind.matches(".asked") === isAsked));
  const foot = element("div", "sheet-foot", close);
  sheet.replaceChildren(head, list(asked, name, choose), ...folds(later, name, choose, !asked.length), foot);
  sheet.setAttribute("aria-label", `${upper(spaced(name))}: ${offers.length ? "what to do with it" : "what it does"}`);
  tell(name, textBox);
  sheet.showModal();
  (sheet.querySelector(".target") || close).focus();
}

export const sheetIsOpen = () => sheet?.open;

export function listenForSheet() {
  sheet?.addEventListener("click", (event) => event.target === sheet && sheet.close());
  sheet?.addEventListener("close", noteUncovered);
}
