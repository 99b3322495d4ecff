// One dialog for all pages: `?` opens an explanation in it.

import { renewPage } from "./page_renewal.js";
import { fetchPart, tablePath } from "./table_requests.js";

const dialog = document.getElementById("dialog");

export function open(html) {
  dialog.innerHTML = html; // made by the table, with every text escaped
  if (!dialog.open) dialog.showModal();
}

export function close() {
  dialog.close();
}

export async function explain(word) {
  const { game = "", rules = "" } = document.body.dataset;
  const found = await fetchPart(tablePath(`/explain?word=${encodeURIComponent(word)}&game=${game}&rules=${rules}`));
  if (found) open(found.ok || found.status === 409 ? found.html : "");
}

export function listenForDialogs() {
  document.addEventListener("click", (event) => {
    const why = event.target.closest(".why, .cite");
    if (why) {
      event.preventDefault();
      explain(why.dataset.word);
      return;
    }
    const end = event.target.closest("[data-close]");
    if (end) {
      close();
      if ("renew" in end.dataset) renewPage();
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.target.matches("input, textarea")) return;
    const thing = document.activeElement.closest?.("[data-thing]");
    const kind = document.activeElement.closest?.("section.kind");
    const word = thing ? thing.dataset.thing : kind ? kind.dataset.word : "";
    if (word) {
      event.preventDefault();
      explain(word);
    }
  });
}
