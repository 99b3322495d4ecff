// Copy and share the links on the host's own pages.
for (const button of document.querySelectorAll("[data-copy]")) {
  const said = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch { // no permission, or a page without encryption
      const field = button.parentElement.querySelector("input");
      field?.select();
      button.textContent = field ? "Press Ctrl-C" : "Cannot copy here";
    }
    setTimeout(() => { button.textContent = said; }, 3000);
  });
}
for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => {
    const { share: url, title } = button.dataset;
    navigator.share({ title, text: `${title}: your seat`, url }).catch(() => {}); // they changed their mind
  });
}
for (const field of document.querySelectorAll("input[readonly]")) field.addEventListener("focus", () => field.select());

// Who has joined: the page is loaded again when that has changed, unless somebody uses it just now.
const seats = (page) => [...page.querySelectorAll("[data-renew] .who")].map((one) => one.textContent).join();
async function look() {
  const busy = document.querySelector("main details[open], input:focus");
  if (document.hidden || busy) return;
  const found = await fetch(location.href).then((answer) => (answer.ok ? answer.text() : ""), () => "");
  if (found && seats(new DOMParser().parseFromString(found, "text/html")) !== seats(document)) location.replace(location.href);
}
if (document.querySelector("[data-renew]")) {
  setInterval(look, 10000);
  document.addEventListener("visibilitychange", look);
}
