// The end of a game: whether it was fair is asked for once the page is there, and the replay is shared
// as a file where the browser can, else saved.

import { fetchFile, fetchPart, showBanner } from "./table_requests.js";
import { save } from "./save_file.js";

let isAsking = false;

async function askForProof() {
  const place = document.querySelector("[data-proof]");
  if (!place || isAsking) return;
  isAsking = true;
  const proof = await fetchPart(place.dataset.proof);
  isAsking = false;
  const shown = document.getElementById("proof");
  if (proof?.ok && shown?.dataset.proof) shown.outerHTML = proof.html; // made by the table
  else if (proof && shown?.dataset.proof) {
    delete shown.dataset.proof;
    shown.textContent = "pbem could not check whether the game was fair. The page “Audit” says why.";
  }
}

const canShareFiles = () => {
  const example = new File([""], "replay.html", { type: "text/html" });
  return Boolean(navigator.canShare?.({ files: [example] }));
};

function showShareButton() {
  for (const button of document.querySelectorAll("[data-share-file]")) {
    if (button.hidden && canShareFiles()) button.hidden = false;
  }
}

// The program may need some seconds for the file, after which a browser wants another tap.
let replayFile = null;

async function share(button) {
  const status = button.parentElement.querySelector("[role=status]");
  if (!replayFile) {
    button.disabled = true;
    status.textContent = "Making the replay…";
    const replay = await fetchFile(button.dataset.shareFile);
    button.disabled = false;
    status.textContent = "";
    if (!replay?.ok) {
      if (replay) showBanner("This file could not be made. Reload the page, and try again.");
      return;
    }
    replayFile = new File([replay.data], replay.name || "replay.html", { type: "text/html" });
  }
  try {
    await navigator.share({ files: [replayFile], title: document.title });
    status.textContent = "Shared.";
  } catch (error) {
    if (error.name === "AbortError") return; // they changed their mind
    if (error.name === "NotAllowedError" && !navigator.userActivation?.isActive) {
      status.textContent = "The replay is ready: tap once more.";
      return;
    }
    save([replayFile], replayFile.name, "text/html");
    status.textContent = "Saved as a file: this browser could not share it.";
  }
}

export function listenForGameEnd() {
  const heading = document.getElementById("heading");
  if (!heading) return;
  const look = () => {
    askForProof();
    showShareButton();
  };
  new MutationObserver(look).observe(heading, { childList: true, subtree: true });
  look();
  heading.addEventListener("click", (event) => {
    const button = event.target.closest("[data-share-file]");
    if (button) share(button);
  });
}
