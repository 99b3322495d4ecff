// The page of a game as the table has it now, merged into the page that is shown: what has the focus,
// is open or scrolled stays as it is.

import morphdom from "./morphdom.js";
import { here, part, showTimes } from "./net.js";

const REGIONS = ["top", "notes", "main"];
let afterwards = () => {};
let countChanges = () => 0;

// What must be done once a new page is in place, and how often the plan was changed so far.
export function whenRenewed(act, changesOfPlan) {
  afterwards = act;
  countChanges = changesOfPlan;
}

// Whether somebody is in the middle of something that a new page would disturb.
const isOccupied = () =>
  document.querySelector("dialog[open], #showing, .ghost") !== null ||
  document.activeElement?.matches("input, textarea, select");

// The same, or the plan is being changed or sent.
export const isBusy = () => isOccupied() || document.querySelector(".plan[aria-busy=true]") !== null;

const keyOf = (node) => node.id || node.dataset?.keep || node.dataset?.fold;

function keep(shown, fresh) {
  if (shown.isEqualNode(fresh)) return false;
  if (shown.id === "forecast") return false; // it is filled when the plan is there
  if (shown.matches("details")) fresh.open = shown.open;
  return true;
}

// A card or a piece may lie elsewhere now: the focus goes with it.
function refocus(thing, element) {
  if (thing && document.activeElement.dataset.thing !== thing) {
    document.querySelector(`#board [data-thing="${CSS.escape(thing)}"]`)?.focus({ preventScroll: true });
  }
  if (!element.isConnected && document.activeElement === document.body) {
    document.getElementById("main").focus({ preventScroll: true });
  }
}

// Returns whether the page is new now. A page that was asked for before the plan was changed shows
// the plan as it was then, so it is not merged; nor is one that comes after a sheet was opened.
export async function renewPage() {
  const changesBefore = countChanges();
  const found = await part(here(""));
  if (!found?.ok || countChanges() !== changesBefore || isOccupied()) return false;
  const fresh = new DOMParser().parseFromString(found.html, "text/html");
  if (fresh.body.dataset.page !== "table" || !fresh.getElementById("board") || !document.getElementById("board")) {
    location.reload(); // the game begins, or a passphrase is asked
    return false;
  }
  showTimes(fresh);
  fresh.getElementById("main").inert = false;
  const { activeElement } = document;
  const { thing } = activeElement.dataset;
  for (const id of REGIONS) morphdom(document.getElementById(id), fresh.getElementById(id), { getNodeKey: keyOf, onBeforeElUpdated: keep });
  document.title = fresh.title;
  Object.assign(document.body.dataset, { stamp: fresh.body.dataset.stamp, turn: fresh.body.dataset.turn });
  afterwards();
  refocus(thing, activeElement);
  return true;
}
