// What each page needs. Every file here is part of pbem; nothing is loaded from elsewhere.

import { listenForDialogs } from "./dialog.js";
import { listenForGameEnd } from "./game_end.js";
import { enter } from "./token_entry.js";
import { listenForForms, renew } from "./forms.js";
import { listenForSlider } from "./history_slider.js";
import { listenForMail, listenForParcels } from "./mail.js";
import { fetchJson, fetchPart, gamePath, postOf, showBanner, showTimes, tablePath, whenNewsComes, whenWide } from "./table_requests.js";
import { isBusy, renewPage } from "./page_renewal.js";
import { listenForPlan, refresh } from "./plan.js";
import { listenForSheet } from "./card_sheet.js";
import { listenForShowMe } from "./since_last_look.js";
import { listenInTab } from "./browser_tab.js";
import { listenForTips } from "./tips.js";
import { listenForMissed } from "./missed_deadline.js";
import { forgetUndo, listenForToast } from "./toast.js";

const page = document.body.dataset.page || "";
// in a tab, the worker says when something is new
const EVERY = page === "table" && !document.body.dataset.tab ? 500 : 4000;

// ------------------------------------------------------------------ while others play
const LEAVING_MILLISECONDS = 10_000; // until a page that was pressed for is there, or will not come

function watch() {
  const body = document.body;
  let leavingUntil = 0;
  document.addEventListener("click", (event) => {
    if (event.target.closest("a[href]")) leavingUntil = Date.now() + LEAVING_MILLISECONDS;
  });
  let isLooking = false;
  const renewTable = async () => {
    if (isLooking || isBusy()) return; // look again soon
    isLooking = true;
    const { turn } = body.dataset;
    await renewPage(body.dataset.stamp).finally(() => {
      isLooking = false;
    });
    if (Number(body.dataset.turn) > Number(turn)) forgetUndo();
  };
  let titleStamp = body.dataset.stamp;
  // a page that nobody sees stays as it is, because what it shows counts as seen; but its tab calls
  const renewTitle = async () => {
    const now = await fetchJson(gamePath("/live", `title=1&stamp=${encodeURIComponent(titleStamp)}`));
    titleStamp = now?.stamp ?? titleStamp;
    if (now?.title && document.hidden) document.title = now.title;
  };
  const look = async () => {
    if (document.hidden) return page === "table" ? renewTitle() : undefined;
    if (page === "table" && document.getElementById("board")) return renewTable();
    const now = await fetchJson(gamePath("/live"));
    if (!now?.stamp || now.stamp === body.dataset.stamp) return;
    const mayReload = document.querySelector("[data-waits]") !== null; // nothing was typed here
    if (mayReload && Date.now() < leavingUntil) return; // another page comes: a reload would stop it
    body.dataset.stamp = now.stamp; // it is asked for once
    if (mayReload) return location.reload();
    const isNewTurn = now.turn > body.dataset.turn;
    await renew();
    if (isNewTurn) showBanner(`Turn ${now.turn} is here.`, { label: "Go to the table", href: gamePath("") });
  };
  setInterval(look, EVERY);
  whenNewsComes(look);
  window.addEventListener("focus", () => page === "table" && refresh());
}

// ------------------------------------------------------------------ what folds
function happened() {
  const told = document.getElementById("happened");
  const story = told.querySelector(".story");
  const newest = () => { story.scrollTop = story.scrollHeight; }; // it is at the end
  told.addEventListener("toggle", newest);
  if (!told.open) {
    whenWide("1749px", (wide) => {
      told.open = wide;
    });
  }
  newest();
}

// On a narrow screen the links of the game are a menu.
function menu() {
  const links = document.querySelector(".menu");
  if (!links) return;
  let folds = false;
  whenWide("999px", (wide) => {
    folds = !wide;
    links.open = wide;
  });
  document.addEventListener("click", (event) => {
    if (folds && !links.contains(event.target)) links.open = false;
  });
  links.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !folds) return;
    links.open = false;
    links.querySelector("summary").focus();
  });
}

// Which players are folded is remembered until the window is closed, if the browser allows that.
function folds() {
  const name = (one) => `fold ${document.body.dataset.game} ${one.dataset.fold}`;
  for (const one of document.querySelectorAll("details[data-fold]")) {
    try {
      one.open = sessionStorage.getItem(name(one)) !== "1";
      one.addEventListener("toggle", () => sessionStorage.setItem(name(one), one.open ? "" : "1"));
    } catch {
      return;
    }
  }
}

// ------------------------------------------------------------------ referee, keys
function refereeing() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-advance]");
    if (!button) return;
    button.disabled = true;
    const found = await fetchPart(gamePath("/referee"), postOf(JSON.parse(button.dataset.advance)));
    button.disabled = false;
    if (!found) return;
    document.getElementById("made").innerHTML = found.html;
    if (found.ok) await renew();
  });
}

function unlocking() {
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form.unlock");
    if (!form) return;
    event.preventDefault();
    const field = form.querySelector("input");
    const said = await fetchJson(tablePath("/unlock"), postOf({ profile: form.dataset.profile, passphrase: field.value }));
    field.value = "";
    if (said?.ok) location.reload();
    else if (said) {
      const told = form.querySelector("[role=alert]");
      told.textContent = said.told;
      told.hidden = false;
      field.focus();
    }
  });
}

if (page === "enter") enter();
else {
  showTimes();
  menu();
  listenForDialogs();
  unlocking();
  listenForMail();
  listenForParcels();
  refereeing();
  listenForForms();
  listenForToast();
  if (page === "table") {
    listenForPlan();
    listenForSheet();
    if (document.getElementById("happened")) happened(); // not before the first turn
    folds();
    listenForShowMe();
    listenForTips();
    listenForMissed();
    listenForGameEnd();
  }
  if (page === "history") listenForSlider();
  if (document.body.dataset.game && page !== "history") watch();
  await listenInTab();
}
document.getElementById("main").inert = false; // until now a click or a key would have done nothing
