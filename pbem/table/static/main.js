// What each page needs. Every file here is part of pbem; nothing is loaded from elsewhere.

import { listen as dialogs } from "./dialog.js";
import { enter } from "./enter.js";
import { listen as slider } from "./history.js";
import { listenForMail, listenForParcels } from "./mail.js";
import { banner, here, json, part, sent } from "./net.js";
import { listen as planning, refresh } from "./plan.js";

const page = document.body.dataset.page || "";
const EVERY = 4000;

// ------------------------------------------------------------------ while others play
function watch() {
  let stamp = document.body.dataset.stamp;
  setInterval(async () => {
    if (document.hidden) return;
    const now = await json(here("/now"));
    if (!now?.stamp || now.stamp === stamp) return;
    stamp = now.stamp;
    if (document.body.dataset.sealed) return;
    banner("Something has changed in this game. Your plan is kept.", {
      label: "Show it",
      act: () => location.reload(),
    });
  }, EVERY);
  window.addEventListener("focus", () => page === "table" && refresh());
}

// ------------------------------------------------------------------ referee, keys
function refereeing() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-advance]");
    if (!button) return;
    button.disabled = true;
    const found = await part(here("/referee"), sent(JSON.parse(button.dataset.advance)));
    button.disabled = false;
    if (found) document.getElementById("made").innerHTML = found.html;
  });
}

function unlocking() {
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form.unlock");
    if (!form) return;
    event.preventDefault();
    const field = form.querySelector("input");
    const said = await json("/unlock", sent({ profile: form.dataset.profile, passphrase: field.value }));
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

function joining() {
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form.join");
    if (!form) return;
    event.preventDefault();
    // an invite is often sent as the whole command
    const invite = form.elements.invite.value.trim().split(/\s+/).pop();
    const found = await part(here("/join"), sent({ invite, name: form.elements.name.value }));
    if (!found) return;
    form.querySelector("[role=status]").innerHTML = found.html;
    if (found.ok) form.elements.invite.value = "";
  });
}

if (page === "enter") enter();
else {
  dialogs();
  unlocking();
  listenForMail();
  listenForParcels();
  refereeing();
  joining();
  if (page === "table") planning();
  if (page === "history") slider();
  if (document.body.dataset.game && page !== "history") watch();
}
document.getElementById("main").inert = false; // until now a click or a key would have done nothing
