// A short answer at the foot of the screen, which goes by itself unless something in it can be pressed.

const SECONDS = 8;
let timer = 0;

export function toast(html) {
  const place = document.getElementById("toast");
  clearTimeout(timer);
  place.innerHTML = html; // made by the table, with every text escaped
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.setAttribute("aria-label", "Close this note");
  close.textContent = "✕";
  close.addEventListener("click", () => place.replaceChildren());
  place.append(close);
  if (!place.querySelector("a, [data-sending]")) timer = setTimeout(() => place.replaceChildren(), SECONDS * 1000);
}
