// The token comes after the # of the address, which browsers never send; it is sent once, here. The
// answer has the path below which the table is. This browser keeps it, so that the address that was
// printed, opened a second time here, leads to the table again. No other port can read it.

import { showBanner } from "./table_requests.js";

const KEPT = "pbem-table";
const NO_TOKEN = "Open the whole address that pbem table printed, also the part after the #.";
const NO_COOKIES =
  "The table needs a cookie, and this browser blocks it. Allow cookies for 127.0.0.1, and reload this page.";

async function tried(token) {
  if (!token) return { ok: false, told: NO_TOKEN };
  const answer = await fetch("/enter", { method: "POST", body: token });
  const result = await answer.json();
  if (result.ok) localStorage.setItem(KEPT, result.address);
  else result.told += ". Stop pbem table with Ctrl-C and start it again.";
  return result;
}

// Where this browser entered before, if the table is still the same.
async function before() {
  const address = localStorage.getItem(KEPT);
  if (address && (await fetch(address)).ok) return address;
  localStorage.removeItem(KEPT);
  return "";
}

export async function enter() {
  const status = document.getElementById("enter-told");
  if (!navigator.cookieEnabled) {
    status.textContent = NO_COOKIES;
    return;
  }
  const token = location.hash.slice(1);
  history.replaceState(null, "", "/");
  try {
    const result = await tried(token);
    const address = result.ok ? result.address : await before();
    if (address) location.replace(address);
    else status.textContent = result.told;
  } catch {
    showBanner("The table does not answer: pbem table has stopped. Start it again.");
  }
}
