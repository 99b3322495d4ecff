// Copy and share the links on the host's own pages. A button is shown once it does something.
const copyButtons = [...document.querySelectorAll("[data-copy]")];
const labels = new Map(copyButtons.map((button) => [button, button.textContent]));
for (const button of copyButtons) {
  button.addEventListener("click", async () => {
    for (const [other, label] of labels) other.textContent = label;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch { // no permission, or a page without encryption
      const field = button.parentElement.querySelector("input");
      field?.select();
      button.textContent = field ? "Press Ctrl-C" : "Cannot copy here";
    }
  });
  button.hidden = false;
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
  const openField = document.querySelector("main details[open], input:focus");
  if (document.hidden || openField) return;
  const html = await fetch(location.href).then((answer) => (answer.ok ? answer.text() : ""), () => "");
  if (html && seats(new DOMParser().parseFromString(html, "text/html")) !== seats(document)) location.replace(location.href);
}
if (document.querySelector("[data-renew]")) {
  setInterval(look, 10000);
  document.addEventListener("visibilitychange", look);
}
