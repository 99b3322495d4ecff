// The slider of the history: it asks for the table after an entry, and shows it.

import { changeAddress, fetchPart, gamePath, showBanner } from "./table_requests.js";

export function listenForSlider() {
  const slider = document.getElementById("step");
  const turns = document.getElementById("turn");
  const moment = document.getElementById("moment");
  const lastStep = Number(slider.max);
  let nextView = null;
  let isFetching = false;

  async function show(query, remember = true) {
    nextView = { query, remember };
    if (isFetching) return;
    isFetching = true;
    while (nextView) {
      const view = nextView;
      nextView = null;
      const response = await fetchPart(gamePath("/history", view.query));
      if (!response) break;
      if (!response.ok) {
        showBanner(new DOMParser().parseFromString(response.html, "text/html").body.textContent.trim());
        break;
      }
      moment.innerHTML = response.html;
      const momentData = moment.querySelector(".moment").dataset;
      slider.value = momentData.step;
      turns.value = momentData.turn === "0" ? "1" : momentData.turn;
      slider.setAttribute("aria-valuetext", `turn ${momentData.turn}, entry ${momentData.step} of ${lastStep}`);
      if (view.remember) changeAddress(gamePath("/history", view.query));
    }
    isFetching = false;
  }

  slider.addEventListener("input", () => show(`step=${slider.value}`));
  turns.addEventListener("change", () => show(`turn=${turns.value}`));
  document.querySelector(".steps").addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) go(button.dataset.step);
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.matches("input, select, textarea, .story")) return;
    const way = { ArrowLeft: "back", ArrowRight: "on", PageUp: "turn-back", PageDown: "turn-on" };
    if (way[event.key]) {
      event.preventDefault();
      go(way[event.key]);
    }
  });

  function go(way) {
    const step = Number(slider.value);
    const turn = Number(turns.value);
    if (way === "back") show(`step=${Math.max(0, step - 1)}`);
    if (way === "on") show(`step=${Math.min(lastStep, step + 1)}`);
    if (way === "turn-back") show(`turn=${Math.max(1, turn - 1)}`);
    if (way === "turn-on") show(`turn=${Math.min(turns.options.length, turn + 1)}`);
  }
}
