// The slider of the history: it asks for the table after an entry, and shows it.

import { banner, changeAddress, here, part } from "./net.js";

export function listen() {
  const slider = document.getElementById("step");
  const turns = document.getElementById("turn");
  const moment = document.getElementById("moment");
  const last = Number(slider.max);
  let wanted = null;
  let busy = false;

  async function show(query, remember = true) {
    wanted = { query, remember };
    if (busy) return;
    busy = true;
    while (wanted) {
      const now = wanted;
      wanted = null;
      const found = await part(here("/history", now.query));
      if (!found) break;
      if (!found.ok) {
        banner(new DOMParser().parseFromString(found.html, "text/html").body.textContent.trim());
        break;
      }
      moment.innerHTML = found.html;
      const at = moment.querySelector(".moment").dataset;
      slider.value = at.step;
      turns.value = at.turn === "0" ? "1" : at.turn;
      slider.setAttribute("aria-valuetext", `turn ${at.turn}, entry ${at.step} of ${last}`);
      if (now.remember) changeAddress(here("/history", now.query));
    }
    busy = false;
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
    if (way === "on") show(`step=${Math.min(last, step + 1)}`);
    if (way === "turn-back") show(`turn=${Math.max(1, turn - 1)}`);
    if (way === "turn-on") show(`turn=${Math.min(turns.options.length, turn + 1)}`);
  }
}
