// The page that stays: it starts the worker that runs the program, and holds the pages in a frame.
const statusText = document.getElementById("told");
const progressBar = document.getElementById("bar");
const frame = document.getElementById("page");
const noticeLine = document.getElementById("line");
const BASE = new URL("./", import.meta.url).pathname;
const GAME_PAGE_PATTERN = /^g\/([0-9a-f]{32})\/play$/; // the page of a game, which a host answers with what it knows
const digits = GAME_PAGE_PATTERN.exec(location.pathname.slice(BASE.length))?.[1] ?? "";
let worker;
let requestCount = 0;
const times = (window.times = { begun: performance.now() });

async function main() {
  offerSeat(location.hash);
  await registerServiceWorker();
  start();
  navigator.storage?.persist?.(); // a browser that says no may clear the storage: the pages ask people to keep their seat
  await ready;
  await follow(location.hash.slice(1));
}

// A page in the frame has a link that somebody pasted. Returns what is wrong with it, else nothing.
window.followLink = (hash) => follow(hash, "").then(() => "", (error) => error.message);

// A page in the frame asks this host for the next game. Returns the status, what the host says, and the charter
// of the game that it has made: the program checks both.
window.startGame = async (form) => {
  const answer = await fetch(`${BASE}new`, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(form) });
  const text = await answer.text();
  const madeDigits = answer.status === 201 && /\/g\/([0-9a-f]{32})"/.exec(text)?.[1];
  const charter = madeDigits ? await fetch(`${BASE}g/${madeDigits}/game.toml`).then((file) => file.text()) : "";
  return { status: answer.status, text, charter };
};

// ------------------------------------------------------------------ a seat, before the program is there
// The page of the host has a form for each invite. Which seat the invite is for stands behind the #. Nothing
// is sent until the program is there: it has checked the game by then, and its own form joins.
const earlyForm = document.getElementById("arrival-join"); // on the page of a game that has not begun
let isSeatWanted = false;

function offerSeat(hash) {
  const seat = /^#join=[^:/]+:([a-z]):/.exec(decodeURIComponent(hash))?.[1];
  const line = seat && document.querySelector(`#arrival [data-seat="${seat}"]`);
  if (!earlyForm || !line || CHAT_PROGRAM_PATTERN.test(navigator.userAgent)) return;
  line.hidden = earlyForm.hidden = false;
  earlyForm.elements.name.value = line.dataset.name;
  earlyForm.addEventListener("submit", (event) => {
    event.preventDefault();
    isSeatWanted = true;
    earlyForm.querySelector("button").disabled = true;
    earlyForm.querySelector("[role=status]").textContent = "You get your seat as soon as the program is here. Until then, read how to play.";
  });
}

// Somebody who is typing on the page of the host goes on typing there; a tap on the button ends the typing, too.
async function endTyping() {
  const isTyping = () => !isSeatWanted && earlyForm?.contains(document.activeElement);
  if (!isTyping()) return;
  while (isTyping()) await sleep(300);
  await sleep(500);
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const oneLine = (text) => text.replace(/\s+/g, " ").trim();

// The program's page of an invitation takes the place of the host's: it shows the same place of the rules, and
// has the same name in its form. If the host's page said anything else than the game, nobody's seat is taken.
async function takeOverInvitation(heading, headingTop, isScrolled) {
  const { contentDocument, contentWindow } = frame;
  if (!contentDocument.querySelector("h1.invites")) return; // the game has begun, or the seat is here already
  const sameHeading = [...contentDocument.querySelectorAll("h1, h2")].find((one) => one.textContent === heading?.textContent);
  if (sameHeading && isScrolled) contentWindow.scrollBy(0, sameHeading.getBoundingClientRect().top - headingTop);
  const form = contentDocument.querySelector("form[data-send*='/join']");
  if (form && !earlyForm.hidden) form.elements.name.value = earlyForm.elements.name.value;
  const checkedText = oneLine(contentDocument.getElementById("main").textContent);
  earlyForm.remove();
  const walker = document.createTreeWalker(document.getElementById("arrival"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = oneLine(walker.currentNode.data);
    if (text && !walker.currentNode.parentElement.closest(".seat[hidden]") && !checkedText.includes(text)) return noteLie(text);
  }
  if (!isSeatWanted || openDirectly || !form?.offsetParent) return; // a browser that may forget says so first
  while (contentDocument.querySelector("main[inert]")) await sleep(20);
  form.requestSubmit();
}

function noteLie(text) {
  refusedSentences.push(`The first page of this host said “${text.slice(0, 80)}”. The game’s own records do not say so. This page shows what they say.`);
  showNotice("");
}

// ------------------------------------------------------------------ the service worker
let openDirectly = null; // shows a page, in a browser without a service worker

async function registerServiceWorker() {
  if (!isSecureContext) throw Error("This page came without encryption, so browsers do not let it keep a key. Ask for a link that begins with https.");
  let registration;
  try {
    registration = await navigator.serviceWorker.register(`${BASE}sw.js`, { scope: BASE, updateViaCache: "none" });
  } catch { // there is none in a private window, or inside a chat program
    const { takeOverFrame } = await import("./no-service-worker.js");
    openDirectly = takeOverFrame(frame, ask, noteShownPage);
    return;
  }
  if (!navigator.serviceWorker.controller) {
    // a page that was loaded past the service worker (Shift and reload) is not taken over by itself
    await new Promise((resolve) => {
      const reloadTimer = registration.active && setTimeout(() => location.reload(), 3000);
      navigator.serviceWorker.addEventListener("controllerchange", () => { clearTimeout(reloadTimer); resolve(); }, { once: true });
    });
  }
  times.serviceWorker = performance.now();
}

// ------------------------------------------------------------------ the worker
let readiness;
const homeLink = document.getElementById("home"); // the way on when a link leads nowhere
let isStarted = false;
const ready = new Promise((resolve, reject) => { readiness = { resolve, reject }; });

function start() {
  const noteFailure = (reason) => document.documentElement.dataset.failed || stop(reason); // what is wrong with a file is said already
  worker = new Worker(`${BASE}worker.js`, { type: "module", name: "pbem" });
  worker.addEventListener("message", ({ data }) => {
    if (data.step) { statusText.textContent = data.step; progressBar.value = data.done; }
    if (data.ready) { isStarted = true; times.worker = performance.now(); Object.assign(times, data.times); readiness.resolve(); }
    if (data.elsewhere) { isStarted = true; readiness.resolve(); } // another tab runs the program, and answers this one too
    if (data.failed) noteFailure(data.failed);
    if (data.lines) refusedSentences.push(...data.lines);
    if ("news" in data) showNotice(data.news.words);
    if ("work" in data) showWork(data.work);
    if (data.moves) showMoves(data.moves);
  });
  worker.addEventListener("error", (event) => noteFailure(event.message || "The program did not start."));
}

window.killWorker = () => worker.terminate(); // for tests

function stop(reason) {
  readiness.reject(Error(reason));
  statusText.textContent = reason;
  progressBar.hidden = true;
  frame.hidden = true;
  document.getElementById("wait").hidden = false;
  document.documentElement.dataset.failed = reason;
}

// Ask the worker of whichever tab runs the program.
const channel = new BroadcastChannel(`pbem:${BASE}`);
channel.addEventListener("message", ({ data }) => {
  if (data.to !== "shell" || times.page) return;
  if (data.failed) stop(data.failed);
  if (data.share && !isStarted && !document.documentElement.dataset.failed) {
    statusText.textContent = `Fetching the program: ${(data.share * data.megabytes).toFixed(1)} of ${data.megabytes} MB…`;
    progressBar.value = 10 + 50 * data.share;
  }
});
function ask(message) {
  const id = `shell-${++requestCount}-${Math.random()}`;
  return new Promise((resolve, reject) => {
    const retryTimer = setInterval(() => channel.postMessage({ to: "worker", id, ...message }), 700);
    channel.addEventListener("message", function listenForAnswer({ data }) {
      if (data.to === "worker" || data.id !== id) return;
      clearInterval(retryTimer);
      channel.removeEventListener("message", listenForAnswer);
      if (data.error) reject(Error(data.error));
      else resolve(data);
    });
    channel.postMessage({ to: "worker", id, ...message });
  });
}

// ------------------------------------------------------------------ what the address says
// g/DIGITS/play: a game on this host; …#join=INVITE: a seat in it; …#back=KEY: the link to your
// seat. #join=ADDRESS/INVITE, #back=ADDRESS/KEY, #game=ADDRESS: the same for a game on any host. #/path:
// a page; #/path#at=ADDRESS: a page of a game on a host. ADDRESS is the DIGITS of a game on this host,
// or a whole address on another one.
async function follow(hash, game = digits) {
  const link = /^(join|game|back)=(.+)$/s.exec(hash) ?? (game && !hash && ["", "game", game]);
  let [path, gameAddress] = splitHash(hash);
  if (gameAddress) {
    statusText.textContent = "Fetching the game…"; // unless it is here
    path = (await ask({ follow: "bookmark", text: gameAddress, path })).found;
  }
  if (link) {
    history.replaceState(null, "", location.pathname); // the link may hold a secret: it need not stay
    statusText.textContent = "Fetching the game…";
    const text = decodeURIComponent(link[2]);
    const isSecret = game && link[1] !== "game" && !text.includes("/");
    path = (await ask({ follow: link[1], text: isSecret ? `${game}/${text}` : text })).found;
  }
  await endTyping();
  show(path);
}

// The path in what follows the #, and the address of its game on a host.
function splitHash(hash) {
  const [path, gameAddress = digits] = hash.split("#at=");
  return path.startsWith("/") ? [path, gameAddress && decodeURIComponent(gameAddress)] : ["/", ""];
}

function show(path) {
  const url = new URL(`${BASE}${path.slice(1)}`, location.origin);
  if (url.origin !== location.origin || !url.pathname.startsWith(BASE)) return;
  if (openDirectly) openDirectly(url);
  else frame.src = url.href;
}

frame.addEventListener("load", () => openDirectly || noteShownPage());

function noteShownPage(pageAddress = frame.contentWindow.location) {
  if (pageAddress.href === "about:blank") return;
  const headings = [...document.querySelectorAll("#arrival h1, #arrival h2")];
  const lastHeading = headings.findLast((one) => one.getBoundingClientRect().top < innerHeight / 2);
  const headingTop = lastHeading?.getBoundingClientRect().top, isScrolled = scrollY > 0;
  document.getElementById("wait").hidden = true;
  frame.hidden = false;
  frame.contentWindow.focus(); // keys belong to the page
  if (earlyForm && !times.page) takeOverInvitation(lastHeading, headingTop, isScrolled);
  if (!times.page) { // somebody looks at a page: there is time for the rest
    worker.postMessage("");
    setTimeout(() => navigator.serviceWorker?.controller?.postMessage(""), 1500);
  }
  times.page ??= performance.now();
  document.title = frame.contentDocument.title;
  const copyTitle = () => { document.title = frame.contentDocument.title; };
  new MutationObserver(copyTitle).observe(frame.contentDocument.head, { childList: true, subtree: true, characterData: true });
  showHostParts();
  const address = frame.contentDocument.body.dataset.at ?? ""; // so that a bookmark finds the game again
  const isHere = GAME_PAGE_PATTERN.test(`g/${address}/play`);
  const path = `#/${pageAddress.pathname.slice(BASE.length)}${pageAddress.search}${address && !isHere ? `#at=${encodeURIComponent(address)}` : ""}`;
  const shellPath = `${isHere ? `g/${address}/play` : ""}${path}`;
  // without a service worker, the frame's own history has one page only
  if (openDirectly && document.documentElement.dataset.shown && location.hash !== path) history.pushState(null, "", `${BASE}${shellPath}`);
  else history.replaceState(null, "", `${BASE}${shellPath}`);
  document.documentElement.dataset.shown = pageAddress.pathname;
}

// Where a host of games serves this page, games are started on its own page.
let isHost;
async function showHostParts() {
  const hostParts = frame.contentDocument.querySelectorAll("[data-with-host]");
  if (!hostParts.length) return;
  isHost ??= await fetch(`${BASE}site.json`, { cache: "no-store" }).then((answer) => answer.headers.has("x-pbem-host"), () => undefined);
  for (const part of hostParts) part.hidden = !isHost;
}

window.addEventListener("hashchange", () => {
  if (openDirectly && location.hash.startsWith("#/")) show(splitHash(location.hash.slice(1))[0]); // back or forward
  else location.reload();
});

// ------------------------------------------------------------------ what waits, what was refused
// Chat programs open links in a browser of their own, which shares nothing with the real one.
const CHAT_PROGRAM_PATTERN = /FBAN|FBAV|Instagram|Line\/|MicroMessenger|WhatsApp|Telegram|Snapchat|; wv\)/;
const adviceToJoin = () => {
  const joinButton = frame.contentDocument?.querySelector("form[data-send*='/join'] button");
  if (!joinButton?.offsetParent) return "";
  if (CHAT_PROGRAM_PATTERN.test(navigator.userAgent)) return "This is the browser inside a chat program, which soon forgets. Before you join, open the link in your own browser.";
  return openDirectly ? "This browser may soon forget what it keeps here: it may be a private window. Before you join, open the link in a normal window, or keep your seat at once." : "";
};
const refusedSentences = [];
let workText = "", lastWaitingText = "";

// What keeps the program busy: until it is done, pages wait for their answers.
function showWork(text) {
  workText = text;
  if (text && !times.page) statusText.textContent = text;
  showNotice(lastWaitingText);
}

function showNotice(waitingText) {
  lastWaitingText = waitingText;
  // what a host refused stays in this browser, and in sight until the page is opened again
  const lastRefusal = refusedSentences.at(-1);
  noticeLine.textContent = lastRefusal || workText || waitingText || adviceToJoin();
  noticeLine.hidden = !noticeLine.textContent;
  noticeLine.className = lastRefusal ? "bad" : "";
}

// How many games wait for you, on the icon of an installed page. Other browsers have no such icon.
// The service worker takes the titles from here when the host calls (sw.js).
async function showMoves(moves) {
  navigator.setAppBadge?.(moves.filter((one) => one.at(-1)).length).catch(() => {});
  const cache = await caches.open(`calls-${BASE}`);
  await cache.put(new URL("moves", import.meta.url), new Response(JSON.stringify(moves))).catch(() => {}); // a full browser
}

main().catch((error) => {
  stop(String(error.message || error));
  homeLink.hidden = !isStarted;
});
