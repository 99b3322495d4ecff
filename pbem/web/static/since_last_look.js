// Since you last looked: the steps are fetched when they are asked for, and shown in place of the board.

import { fetchJson, gamePath } from "./table_requests.js";

export function listenForShowMe() {
  document.getElementById("main").addEventListener("click", (event) => {
    const button = event.target.closest("#show-me");
    if (button) show(button, document.getElementById("board"));
  });
}

async function show(button, board) {
  const place = document.createElement("section");
  place.id = "showing";
  place.setAttribute("aria-label", "Since you last looked");

  function close() {
    place.remove();
    board.hidden = false;
    button.disabled = false;
    delete document.body.dataset.showing;
    button.focus();
  }

  button.disabled = true;
  const [news, { player }] = await Promise.all([
    fetchJson(gamePath("/news", `since=${button.dataset.since}`)), import("./player.js"),
  ]);
  if (!news?.steps) {
    button.disabled = false;
    return;
  }
  document.body.dataset.showing = "1";
  place.innerHTML = news.bar; // a file of pbem
  const table = document.createElement("div");
  table.className = "board";
  place.append(table);
  board.hidden = true;
  board.after(place);
  const { show: showStep, play, still } = player(table, news, { close });
  showStep(0);
  place.scrollIntoView({ block: "start" });
  document.getElementById("play").focus({ preventScroll: true });
  if (!still) play(); // whoever wants no motion steps by hand
}
