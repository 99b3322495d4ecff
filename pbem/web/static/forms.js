// Forms: what they have is sent to the table, and its answer is shown below them.

import { pageAddress, part, sent, showTimes } from "./net.js";

function fields(form) {
  const said = Object.fromEntries(new FormData(form));
  for (const box of form.querySelectorAll("input[type=checkbox]")) said[box.name] = box.checked;
  return said;
}

// The page's parts that may have changed, as the table shows them now.
export async function renew() {
  const found = await part(pageAddress());
  if (!found?.ok) return;
  const now = new DOMParser().parseFromString(found.html, "text/html");
  for (const old of document.querySelectorAll("[data-renew]")) {
    const fresh = now.getElementById(old.id);
    if (fresh) old.replaceWith(fresh);
  }
  showTimes();
  document.body.dataset.stamp = now.body.dataset.stamp || "";
}

export function listenForForms() {
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-send]");
    if (!form) return;
    event.preventDefault();
    const button = form.querySelector("button[type=submit]");
    if (button.disabled) return; // Enter, pressed twice
    button.disabled = true;
    const told = form.querySelector("[role=status]");
    const found = await part(form.dataset.send, sent(fields(form)));
    button.disabled = false;
    if (!found) return;
    told.innerHTML = found.html; // made by the table, with every text escaped
    told.scrollIntoView({ block: "nearest" });
    if (!found.ok) return;
    const go = told.querySelector("[data-go]");
    if (go) return go.click(); // without a service worker, only a click reaches the program
    form.reset();
    if ("once" in form.dataset) for (const one of form.children) one.hidden = one !== told;
    await renew();
  });
}
