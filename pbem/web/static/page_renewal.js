// The page of a game as the table has it now, merged into the page that is shown: what has the focus,
// is open or scrolled stays as it is.

import morphdom from "./morphdom.js";
import { playNewTurn } from "./since_last_look.js";
import { fetchJson, gamePath, showTimes } from "./table_requests.js";

// The mark of each region as the table made it last (game_page.py); not of one that was changed since.
const marks = new Map();

function noteMarks(have) {
  for (const one of have.split(",")) marks.set(...one.split(":"));
}

export const forgetRegion = (id) => marks.delete(id);

let afterwards = () => {};
let countChanges = () => 0;

// What must be done once a new page is in place, and a number that rises when a change of the plan begins
// and when it ends.
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
  if (shown.matches("[role=status]") && !fresh.hasChildNodes()) return false; // a button's answer stays
  if (shown.matches("details")) fresh.open = shown.open;
  if (!shown.matches(".hand")) return true;
  shown.replaceChildren(...fresh.children); // no card becomes another one
  return false;
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

function merge(id, html) {
  const shown = document.getElementById(id);
  const fresh = shown.cloneNode(false);
  fresh.innerHTML = html; // made by the table, with every text escaped
  showTimes(fresh);
  morphdom(shown, fresh, { getNodeKey: keyOf, onBeforeElUpdated: keep });
}

// Ask for what has changed since `stamp`, and merge the regions that differ. Returns whether the page is
// new now. One question after the other: an answer leaves out the regions that the page had when it
// was asked for, so the page must still have them when the answer comes.
export function renewPage(stamp = "") {
  const renewal = lastRenewal.then(() => renew(stamp));
  lastRenewal = renewal.catch(() => {});
  return renewal;
}

let lastRenewal = Promise.resolve();

// An answer from before a change of the plan shows the plan as it was then, so it is not merged; nor is
// one that comes after a sheet was opened.
async function renew(stamp) {
  const { dataset } = document.body;
  if (!marks.size && dataset.have) noteMarks(dataset.have);
  const changesBefore = countChanges();
  const have = [...marks].map((one) => one.join(":")).join() || "none";
  const found = await fetchJson(gamePath("/live", `have=${have}&stamp=${encodeURIComponent(stamp)}`));
  if (!found?.stamp || found.stamp === stamp || countChanges() !== changesBefore || isOccupied()) return false;
  if (!found.regions || !document.getElementById("board")) {
    location.reload(); // the game begins, or begins anew
    return false;
  }
  const { activeElement } = document;
  const { thing } = activeElement.dataset;
  for (const [id, html] of Object.entries(found.regions)) merge(id, html);
  noteMarks(found.have);
  document.title = found.title;
  const shownTurn = Number(dataset.turn);
  Object.assign(dataset, { stamp: found.stamp, turn: found.turn });
  afterwards(Object.keys(found.regions));
  refocus(thing, activeElement);
  if (found.turn > shownTurn && !document.hidden) playNewTurn(shownTurn);
  return true;
}
