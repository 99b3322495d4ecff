// Since you last looked: the steps are fetched when they are asked for, or when a new turn comes, and
// shown in place of the board. On a narrow screen the words and the buttons take the foot of the page.

import { fetchJson, gamePath, noteUncovered } from "./table_requests.js";

const SECONDS_AT_END = 2;
const MOST_SECONDS = 8; // before that, of a turn that plays by itself

export function listenForShowMe() {
  document.getElementById("main").addEventListener("click", (event) => {
    const button = event.target.closest("#show-me");
    if (button) show(Number(button.dataset.since));
  });
}

// A new turn plays by itself where motion is welcome, and then the page asks its question.
export function playNewTurn(shownTurn) {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!isCalm && !document.querySelector("dialog[open], #showing")) show(shownTurn, { endsByItself: true });
}

let isFetching = false;

async function show(since, { endsByItself = false } = {}) {
  if (isFetching || document.getElementById("showing")) return;
  const board = document.getElementById("board");
  const oldFocus = document.activeElement;
  const oldScroll = scrollY;
  const place = document.createElement("section");
  place.id = "showing";
  place.setAttribute("aria-label", "Since you last looked");
  let timer = 0;

  function close() {
    clearTimeout(timer);
    place.remove();
    board.hidden = false;
    delete document.body.dataset.showing;
    noteUncovered();
    scrollTo({ top: oldScroll, behavior: "instant" });
    if (endsByItself) document.dispatchEvent(new Event("turnplayed"));
    const next = oldFocus.isConnected && oldFocus !== document.body ? oldFocus : document.getElementById("show-me");
    (next || document.getElementById("main")).focus({ preventScroll: true });
  }

  isFetching = true;
  const [news, { player }] = await Promise.all([
    fetchJson(gamePath("/news", `since=${since}${endsByItself ? "&brief=1" : ""}`)), import("./player.js"),
  ]).finally(() => {
    isFetching = false;
  });
  if (!news?.steps || !board.isConnected) return;
  if (endsByItself && document.querySelector("dialog[open]")) return; // something was tapped meanwhile
  document.body.dataset.showing = "1";
  place.innerHTML = news.bar; // a file of pbem
  const table = document.createElement("div");
  table.className = "board";
  place.append(table);
  board.hidden = true;
  board.after(place);
  const closeAtEnd = () => {
    timer = setTimeout(() => document.getElementById("close")?.click(), SECONDS_AT_END * 1000);
  };
  const { show: showStep, play, still } = player(table, news, {
    close, ...(endsByItself ? { ended: closeAtEnd, most: MOST_SECONDS * 1000 } : {}),
  });
  place.addEventListener("pointerdown", () => clearTimeout(timer)); // whoever looks again has time
  const skip = document.getElementById("close");
  skip.textContent = "Skip";
  showStep(0);
  if (!matchMedia("(max-width: 999px)").matches) place.scrollIntoView({ block: "start" });
  (endsByItself ? skip : document.getElementById("play")).focus({ preventScroll: true });
  if (!still) play(); // whoever wants no motion steps by hand
}
