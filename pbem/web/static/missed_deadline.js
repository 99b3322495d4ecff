// What was chosen for a seat whose player missed a deadline: shown once, before the question.

import { fetchPart, gamePath, postOf } from "./table_requests.js";

const sheet = () => document.getElementById("missed");

// Show the sheet if there is one that was not shown yet, and nothing else is open.
export function showMissed() {
  if (!sheet() || sheet().open || document.querySelector("dialog[open], #showing")) return;
  sheet().showModal();
  sheet().querySelector(".close").focus();
}

export function listenForMissed() {
  const main = document.getElementById("main");
  main.addEventListener("click", (event) => {
    if (event.target === sheet() || event.target.closest("#missed .close")) sheet().close();
    if (!event.target.closest("#missed-show")) return;
    sheet().close();
    document.getElementById("show-me").click();
  });
  main.addEventListener("close", async (event) => {
    if (event.target !== sheet()) return;
    const turn = Number(sheet().dataset.turn);
    sheet().remove();
    document.getElementById("main").focus({ preventScroll: true });
    await fetchPart(gamePath("/missed"), { ...postOf({ turn }), keepalive: true });
  }, true); // this event does not bubble
  showMissed();
}
