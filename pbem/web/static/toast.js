// A short answer at the foot of the screen, which goes by itself unless it leads to the next step.
// Orders that end the turn are delivered from here: after a wait, or at once if the note is closed. Not
// when the page goes (`pagehide`): the same happens at a reload and on the way to another page of the
// game, where the wait and its Undo go on; in a browser tab the program goes with the page.

import { renewPage } from "./page_renewal.js";
import { fetchPart, gamePath, postOf } from "./table_requests.js";

const SECONDS = 4;
let timer = 0;
const place = document.getElementById("toast");

function close() {
  clearTimeout(timer);
  const isWaiting = place.querySelector("[data-deliver]");
  place.replaceChildren();
  if (isWaiting) answer("/deliver");
}

// Deliver the orders, or take them back, and show what has become of them.
async function answer(path) {
  clearTimeout(timer);
  const found = await fetchPart(gamePath(path), postOf({ turn: Number(document.body.dataset.turn) }));
  if (!found) return;
  toast(found.html);
  if (document.getElementById("board")) await renewPage();
}

export function toast(html) {
  clearTimeout(timer);
  place.innerHTML = html; // made by the table, with every text escaped
  const button = document.createElement("button");
  button.type = "button";
  button.className = "close";
  button.setAttribute("aria-label", "Close this note");
  button.textContent = "✕";
  place.append(button);
  const waiting = place.querySelector("[data-deliver]");
  if (waiting) timer = setTimeout(() => answer("/deliver"), 1000 * waiting.dataset.deliver);
  else if (!place.querySelector("a.primary")) closeLater();
}

// In a browser tab, a note stays for a while after the host has what it is about.
function closeLater() {
  const isOnItsWay = place.querySelector("[data-sending]");
  timer = setTimeout(isOnItsWay ? closeLater : close, SECONDS * 1000);
}

// Take back what waits to be delivered; return whether anything did.
export function takeBackWaiting() {
  const isWaiting = place.querySelector("[data-deliver]") !== null;
  if (isWaiting) answer("/take-back");
  return isWaiting;
}

// A new turn is here, so what the note offers to take back is part of it.
export function forgetUndo() {
  if (place.querySelector(".take-back")) place.replaceChildren();
}

export function listenForToast() {
  place.addEventListener("click", (event) => {
    if (event.target.closest(".take-back")) answer("/take-back");
    else if (event.target.closest(".close")) close();
  });
  if (place.querySelector("[data-deliver]")) toast(place.innerHTML); // the page came anew during the wait
}
