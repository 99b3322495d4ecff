// The token comes after the # of the address, which browsers never send; it is sent once, here.

import { banner } from "./net.js";

export async function enter() {
  const told = document.getElementById("enter-told");
  const token = location.hash.slice(1);
  history.replaceState(null, "", "/");
  if (!token) {
    told.textContent = "Open the address that pbem table printed, with everything that comes after the #.";
    return;
  }
  try {
    const answer = await fetch("/enter", { method: "POST", body: token });
    const said = await answer.json();
    if (said.ok) {
      location.replace("/");
      return;
    }
    told.textContent = `${said.told}. Stop pbem table with Ctrl-C and start it again.`;
  } catch {
    banner("The table does not answer: pbem table has stopped. Start it again.");
  }
}
