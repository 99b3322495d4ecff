// What only a browser tab needs: links that lead to other games, the link to your seat, downloads, and
// what has been sent.

import { fetchFile, fetchJson, gamePath, postOf, showBanner, whenNewsComes } from "./table_requests.js";
import { renewPage } from "./page_renewal.js";
import { save } from "./save_file.js";

// The page around this one reads links. A link that is pasted gets into no history.
export async function follow(text) {
  const input = text.trim();
  const [, game, kind, secret] = /^(\S+\/g\/[0-9a-f]{32})\/play(?:#(join|back)=(.+))?$/s.exec(input) ?? [];
  const link = game ? `${kind ?? "game"}=${game}${secret ? `/${secret}` : ""}` : /#((?:join|game|back)=.+)$/s.exec(input)?.[1];
  return window.parent.followLink(link ?? `join=${encodeURIComponent(input)}`);
}

function listenForLinks() {
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-follow]");
    if (!form) return;
    event.preventDefault();
    const [field, button] = [form.querySelector("input"), form.querySelector("button")];
    const status = form.querySelector("[role=status]");
    button.disabled = true;
    status.textContent = "Fetching the game…";
    status.textContent = await follow(field.value); // empty if another page comes
    button.disabled = false;
  });
}

// A download of the browser's own does not ask the program, so the page fetches and saves the file.
function listenForDownloads() {
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[download]");
    if (!link || link.protocol === "blob:") return;
    event.preventDefault();
    const download = await fetchFile(link.href);
    if (download?.ok) save([download.data], download.name || link.download, download.data.type);
    else if (download) showBanner("This file could not be made. Reload the page, and try again.");
  });
}

// What was written is kept here first. It is said to be done when the host has it.
function listenForSending() {
  const look = async () => {
    const lines = document.querySelectorAll("[data-sending]");
    if (!lines.length || (await fetchJson(gamePath("/live")))?.sending !== false) return;
    for (const line of lines) {
      if (line.dataset.sending) line.firstChild.data = line.dataset.sending; // the chip of your seat
      else line.className = "good";
      delete line.dataset.sending;
      line.querySelector(".not-sent")?.remove();
    }
    if (document.getElementById("board")) await renewPage(); // its hint, too, says what has become of orders
  };
  setInterval(look, 700);
  whenNewsComes(look);
}

function listenForKeepSeat() {
  const place = document.querySelector("[data-keep-seat]");
  if (!place) return;
  const link = place.dataset.keepSeat;
  const status = place.querySelector("[role=status]");
  place.querySelector("[data-back=share]").hidden = !navigator.share;
  // only the browsers of iPhone and iPad know this value: false outside an app on the Home Screen
  const advice = place.querySelector("[data-home-screen]");
  if (advice) advice.hidden = navigator.standalone !== false;
  place.addEventListener("click", async (event) => {
    const action = event.target.closest("[data-back]")?.dataset.back;
    if (!action) return;
    try {
      if (action === "copy") {
        await navigator.clipboard.writeText(link);
        status.textContent = "Copied. Paste the link where you keep passwords, or into a message to yourself.";
      } else if (action === "share") {
        await navigator.share({ title: document.title, text: link });
        status.textContent = "Shared.";
      } else if (action === "save") {
        save([`${link}\n`], place.dataset.file);
        status.textContent = "Saved.";
      } else status.textContent = "Good.";
    } catch (error) {
      if (error.name === "AbortError") return; // they closed the share sheet
      status.textContent = "This button does not work in your browser. Select the link above, and copy it.";
      return;
    }
    await fetchJson(gamePath("/back"), postOf({ kept: true }));
  });
}

// Resolves once the page hears what is pressed on it.
export async function listenInTab() {
  if (!document.body.dataset.tab) return;
  listenForLinks();
  listenForKeepSeat();
  listenForDownloads();
  listenForSending();
  const { page, pushed, mailWish } = document.body.dataset;
  const mailField = document.querySelector("[data-mail-field]");
  if (mailField) import("./calls.js").then((calls) => calls.offerLetters(mailField));
  if (mailWish) import("./calls.js").then((calls) => calls.sendWish(mailWish));
  if (page === "calls") (await import("./calls.js")).listen();
  else if (pushed) import("./calls.js").then(({ followSubscription, onUnsubscribed }) => {
    const follow = () => followSubscription(pushed).catch(() => {}); // at the next opening
    onUnsubscribed(follow);
    follow();
  });
}
