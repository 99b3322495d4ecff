// Mail: files that are dropped or pasted go in; bundles are saved or copied.

import { fetchJson, fetchPart, gamePath, postOf, tablePath } from "./table_requests.js";
import { save } from "./save_file.js";

async function take(data, name) {
  const reports = document.getElementById("came");
  const response = await fetchPart(tablePath("/receive"), {
    method: "POST",
    body: data,
    headers: { "x-name": encodeURIComponent(name) },
  });
  if (!response) return;
  const report = document.createElement("div");
  report.innerHTML = response.html;
  reports.append(report);
}

async function takeAll(files) {
  document.getElementById("came").replaceChildren();
  for (const file of files) await take(file, file.name);
}

export function listenForMail() {
  const area = document.getElementById("drop");
  if (!area) return;
  const showTarget = (event) => {
    if (![...(event.dataTransfer?.types || [])].includes("Files")) return;
    event.preventDefault();
    area.classList.add("over");
  };
  document.addEventListener("dragover", showTarget);
  document.addEventListener("dragleave", () => area.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    area.classList.remove("over");
    takeAll(event.dataTransfer.files);
  });
  const fileInput = document.getElementById("file");
  fileInput.addEventListener("change", () => takeAll(fileInput.files));
  if (fileInput.files.length) takeAll(fileInput.files); // chosen before this script had been loaded
  document.getElementById("take").addEventListener("click", () => {
    const text = document.getElementById("pasted");
    document.getElementById("came").replaceChildren();
    if (text.value.trim()) take(text.value, "");
  });
}

async function copy(text, place) {
  try {
    await navigator.clipboard.writeText(text);
    place.textContent = "Copied.";
  } catch {
    place.textContent = "The browser does not allow copying. Open the text below and copy it there.";
  }
}

// Some browsers can hand a file to another program; of text files, they allow only those named .txt.
const asFile = (text, name) => ({ files: [new File([text], name, { type: "text/plain" })] });

async function share(text, name, place) {
  try {
    await navigator.share(asFile(text, name));
    place.textContent = "Shared.";
    return true;
  } catch {
    place.textContent = "Your browser did not share the file. Save the file, or copy the text.";
    return false;
  }
}

export function listenForParcels() {
  for (const button of document.querySelectorAll("[data-share]")) {
    button.hidden = !navigator.canShare?.(asFile("", button.dataset.share));
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-save], [data-share], [data-copy], [data-copy-text]");
    if (!button) return;
    const status = button.parentElement.querySelector("[role=status]");
    if (button.dataset.copyText) {
      await copy(button.dataset.copyText, status);
      return;
    }
    const parcel = button.closest(".parcel");
    const text = parcel.querySelector("pre").textContent;
    if (button.dataset.save) {
      save([text], button.dataset.save);
      status.textContent = "Saved. Attach the file to an email.";
    } else if (button.dataset.share) {
      if (!(await share(text, button.dataset.share, status))) return;
    } else {
      await copy(text, status);
    }
    await fetchJson(gamePath("/mail/sent"), postOf({ stem: parcel.dataset.stem, to: parcel.dataset.to, all: parcel.dataset.all === "1" }));
  });
}
