// How the host calls you when it is your move: the browser names an address, the program signs a
// request with the key of your seat, and the host takes it.

import { fetchJson, gamePath, postOf, tablePath } from "./table_requests.js";

const shell = window.parent; // the page that stays asks for permission, and sends

async function waysToCall() {
  const answer = await shell.fetch(tablePath("/calls.json")).catch(() => null);
  return answer?.ok ? answer.json() : {};
}

async function subscription(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error; // the host had another key before
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
}

async function request(values) {
  const signed = await fetchJson(gamePath("/calls"), postOf(values));
  if (!signed?.file) throw Error("Your request could not be signed. Reload the page, and try again.");
  const answer = await shell.fetch(signed.path, { method: "PUT", body: signed.file });
  if (!answer.ok) throw Object.assign(Error(`The host says: ${(await answer.text()).trim()}.`), { status: answer.status });
  await fetchJson(gamePath("/calls"), postOf({ ...values, kept: true }));
}

function askForPush({ endpoint, keys }) {
  return request({ way: "push", on: true, address: endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

async function currentSubscription() {
  const { pushManager } = (await navigator.serviceWorker?.getRegistration()) ?? {};
  return pushManager?.getSubscription();
}

// The address of this browser now, for a game that was called at another one; none if somebody chose
// "Tell me no more" on a notification, or forbade this page to tell them anything.
async function nextSubscription(address) {
  const stopped = await caches.match(tablePath("/stopped"));
  if (stopped && (await stopped.json()).includes(address)) return null;
  return currentSubscription();
}

// What the browser has is what counts.
export async function followSubscription(address) {
  const next = await nextSubscription(address);
  if (next?.endpoint === address) return;
  if (next) await askForPush(next.toJSON());
  await request({ way: "push", on: false, address });
}

export function onUnsubscribed(follow) {
  navigator.serviceWorker?.addEventListener("message", ({ data }) => { if (data === "unsubscribed") follow(); });
}

const acts = {
  "push on": async (place, ways) => {
    const reason = whyNot(ways);
    if (reason) throw Error(reason);
    const permission = await shell.Notification.requestPermission();
    if (permission === "default") throw Error("Your browser still needs your yes: press the button again.");
    if (permission !== "granted") {
      throw Error("Your browser does not let this page tell you anything. You can change that in its settings.");
    }
    const found = (await subscription(ways.push)).toJSON();
    await askForPush(found);
    place.dataset.push = found.endpoint;
  },
  "push off": async (place) => {
    await request({ way: "push", on: false, address: place.dataset.push });
    place.dataset.push = "";
  },
  "mail on": async (place) => {
    const address = place.querySelector("[name=mail]").value.trim();
    await request({ way: "mail", on: true, address });
    place.dataset.mail = address;
    place.querySelector("[data-mail-address]").textContent = address;
  },
  "mail off": async (place) => {
    await request({ way: "mail", on: false, address: place.dataset.mail });
    place.dataset.mail = "";
  },
};

// The page on which you join takes an email address too. The host can check the request only once it
// has the join, so the program keeps the wish, and each page of the game tries again.
const RETRY_MILLISECONDS = 1500, MAX_REFUSALS = 15;
const UNKNOWN_KEY = 403;
const wish = (address) => fetchJson(gamePath("/calls"), postOf({ way: "mail", address, wish: true }));

export async function sendWish(address) {
  for (let refusals = 0; refusals < MAX_REFUSALS;) {
    const isSending = (await fetchJson(gamePath("/live")))?.sending !== false; // perhaps the join itself
    try {
      if (!isSending) return await request({ way: "mail", on: true, address });
    } catch ({ status = UNKNOWN_KEY }) {
      if (status !== UNKNOWN_KEY) return wish(""); // it will never be taken; the page Tell me says why
      refusals += 1;
    }
    await new Promise((go) => setTimeout(go, RETRY_MILLISECONDS));
  }
}

export async function offerLetters(field) {
  field.hidden = !(await waysToCall()).mail;
  field.closest("form").addEventListener("accepted", async () => {
    const address = field.querySelector("input").value.trim();
    if (!address || field.hidden) return;
    await wish(address);
    await sendWish(address);
  });
}

function show(place) {
  for (const way of ["push", "mail"]) {
    place.querySelector(`[data-${way}-on]`).hidden = !place.dataset[way];
    place.querySelector(`[data-${way}-off]`).hidden = Boolean(place.dataset[way]);
  }
}

function whyNot(ways) {
  if (navigator.standalone === false) return "On an iPhone or iPad, put pbem on your Home Screen first. The page “Keep my seat” says how.";
  const hasPush = navigator.serviceWorker && "PushManager" in shell && "Notification" in shell;
  if (!hasPush) return "This browser cannot tell you anything while the page is closed.";
  return ways.push ? "" : "The host cannot be reached now, or calls nobody.";
}

export function listen() {
  const place = document.querySelector("[data-calls]");
  const status = place.querySelector("[data-status]");
  const pushButton = place.querySelector("[data-call='push on']");
  const follow = async () => {
    const address = place.dataset.push;
    if (!address) return;
    place.dataset.push = (await nextSubscription(address))?.endpoint ?? "";
    show(place);
    await followSubscription(address).catch(() => {}); // at the next opening
  };
  const showWays = async () => {
    await follow();
    const ways = await waysToCall();
    status.textContent = place.dataset.push ? "" : whyNot(ways);
    if (status.textContent) pushButton.disabled = true;
    place.querySelector("[data-mail-panel]").hidden = !ways.mail && !place.dataset.mail;
    return ways;
  };
  onUnsubscribed(follow);
  const waysPromise = showWays(); // a tap that comes before the host's answer waits for it
  place.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-call]");
    if (!button) return;
    const isMail = button.dataset.call.startsWith("mail");
    const result = isMail ? place.querySelector("[data-status-mail]") : status;
    let ways;
    button.disabled = true;
    result.textContent = "";
    try {
      ways = await waysPromise;
      await acts[button.dataset.call](place, ways);
      show(place);
    } catch (error) {
      result.textContent = error.message;
    }
    button.disabled = button === pushButton && Boolean(ways && whyNot(ways));
  });
}
