// What only a browser tab needs: links that lead to other games, and your own way back.

import { here, json, sent } from "./net.js";

// The page around this one reads links: it starts again with what follows the #.
function follow(text) {
  const said = text.trim();
  const link = /#((?:join|game|back)=.+)$/s.exec(said);
  window.parent.location.hash = link ? link[1] : `join=${encodeURIComponent(said)}`;
}

function listenForLinks() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-follow]");
    if (!form) return;
    event.preventDefault();
    follow(form.querySelector("input").value);
  });
}

function listenForWayBack() {
  const place = document.querySelector("[data-way-back]");
  if (!place) return;
  const link = place.dataset.wayBack;
  const told = place.querySelector("[role=status]");
  place.querySelector("[data-back=share]").hidden = !navigator.share;
  place.addEventListener("click", async (event) => {
    const how = event.target.closest("[data-back]")?.dataset.back;
    if (!how) return;
    try {
      if (how === "copy") {
        await navigator.clipboard.writeText(link);
        told.textContent = "Copied. Paste it where you keep passwords, or into a message to yourself.";
      } else if (how === "share") {
        await navigator.share({ title: document.title, text: link });
        told.textContent = "Shared.";
      } else if (how === "save") {
        const one = document.createElement("a");
        one.href = URL.createObjectURL(new Blob([`${link}\n`], { type: "text/plain" }));
        one.download = place.dataset.file;
        one.click();
        setTimeout(() => URL.revokeObjectURL(one.href), 60000);
        told.textContent = "Saved.";
      } else told.textContent = "Good.";
    } catch {
      told.textContent = "That did not work here. Select the link above, and copy it.";
      return;
    }
    await json(here("/back"), sent({ kept: true }));
  });
}

export function listenInTab() {
  if (!document.body.dataset.tab) return;
  listenForLinks();
  listenForWayBack();
}
