// Forms: what they have is sent to the table, and its answer is shown below them.

import { fetchPart, pageAddress, postOf, showTimes } from "./table_requests.js";

function fields(form) {
  const values = Object.fromEntries(new FormData(form));
  for (const box of form.querySelectorAll("input[type=checkbox]")) values[box.name] = box.checked;
  return values;
}

// The page's parts that may have changed, as the table shows them now.
export async function renew() {
  const response = await fetchPart(pageAddress());
  if (!response?.ok) return;
  const newPage = new DOMParser().parseFromString(response.html, "text/html");
  for (const oldPart of document.querySelectorAll("[data-renew]")) {
    const newPart = newPage.getElementById(oldPart.id);
    if (newPart) oldPart.replaceWith(newPart);
  }
  showTimes();
  document.body.dataset.stamp = newPage.body.dataset.stamp || "";
}

export function listenForForms() {
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-send]");
    if (!form) return;
    event.preventDefault();
    const button = form.querySelector("button[type=submit]");
    if (button.disabled) return; // Enter, pressed twice
    button.disabled = true;
    const status = form.querySelector("[role=status]");
    const response = await fetchPart(form.dataset.send, postOf(fields(form)));
    button.disabled = false;
    if (!response) return;
    status.innerHTML = response.html; // made by the table, with every text escaped
    status.scrollIntoView({ block: "nearest" });
    if (!response.ok) return;
    form.dispatchEvent(new Event("accepted"));
    const link = status.querySelector("[data-go]");
    if (link) return link.click(); // without a service worker, only a click reaches the program
    form.reset();
    if ("once" in form.dataset) for (const child of form.children) child.hidden = child !== status;
    await renew();
  });
}
