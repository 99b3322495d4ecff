// The end of a game: whether it was fair is asked for once the page is there, and the replay is shared
// as a file where the browser can, else saved.

import { follow } from "./browser_tab.js";
import { renewPage } from "./page_renewal.js";
import { save } from "./save_file.js";
import { fetchFile, fetchPart, postOf, showBanner } from "./table_requests.js";

let isAsking = false;
let askedStamp = "";

// If the files that prove a game come later, the page asks again when there are new files.
async function askForProof() {
  const { stamp } = document.body.dataset;
  const place = document.querySelector("[data-proof]");
  if (!place || isAsking || ("unproven" in place.dataset && stamp === askedStamp)) return;
  isAsking = true;
  askedStamp = stamp;
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

// In a tab this page asks the host for the next game, because the program has no network while it answers.
async function startRematch(button) {
  const { dataset } = button;
  const status = button.parentElement.querySelector("[role=status]");
  button.disabled = true;
  status.textContent = "Starting the next game…";
  const said = await nextGame(dataset);
  status.textContent = said.problem ?? "";
  button.disabled = false;
  if (said.page) window.top.location.href = said.page;
  if (said.problem || said.page) return;
  const answer = await fetchPart(dataset.rematch, postOf(said.game));
  if (!answer) return;
  if (!answer.ok) status.innerHTML = answer.html; // made by the table
  else if (document.body.dataset.tab) status.textContent = await follow(JSON.parse(answer.html).invitation);
  if (answer.ok || answer.status === 409) await renewPage();
}

async function nextGame({ form, page }) {
  if (!form) return { game: {} };
  try {
    const { status, text, charter } = await window.parent.startGame(JSON.parse(form));
    if (status === 401) return { page }; // its own page asks for a token
    if (status !== 201) return { problem: text.slice(0, 300) };
    return { game: { answer: text, charter } };
  } catch {
    return { problem: "The host could not be reached. Try again later." };
  }
}

async function followInvite(button) {
  button.disabled = true;
  const problem = await follow(button.dataset.followLink);
  button.disabled = false;
  if (problem) showBanner(problem);
}

export function listenForGameEnd() {
  const heading = document.getElementById("heading");
  if (!heading) return;
  const look = () => {
    askForProof();
    showShareButton();
  };
  new MutationObserver(look).observe(heading, { childList: true, subtree: true });
  new MutationObserver(look).observe(document.body, { attributeFilter: ["data-stamp"] });
  look();
  heading.addEventListener("click", (event) => {
    const button = event.target.closest("[data-share-file]");
    if (button) share(button);
    const rematch = event.target.closest("[data-rematch]");
    if (rematch) startRematch(rematch);
    const invite = event.target.closest("[data-follow-link]");
    if (invite) followInvite(invite);
  });
}
