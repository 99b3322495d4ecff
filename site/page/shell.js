// The page that stays: it starts the worker that runs the program, and holds the pages in a frame.
const told = document.getElementById("told");
const bar = document.getElementById("bar");
const frame = document.getElementById("page");
const line = document.getElementById("line");
const BASE = new URL("./", import.meta.url).pathname;
const PLAY = /^g\/([0-9a-f]{32})\/play$/; // the page of a game, which a host answers with what it knows
const digits = PLAY.exec(location.pathname.slice(BASE.length))?.[1] ?? "";
let worker;
let asked = 0;
const times = (window.times = { begun: performance.now() });

async function main() {
  await registered();
  start();
  navigator.storage?.persist?.(); // a browser that says no may clear the storage: the pages ask people to keep their seat
  await ready;
  await follow(location.hash.slice(1));
}

// A page in the frame has a link that somebody pasted. Returns what is wrong with it, else nothing.
window.followLink = (hash) => follow(hash, "").then(() => "", (error) => error.message);

// A page in the frame asks this host for the next game. Returns the status, and what the host says.
window.startGame = async (form) => {
  const answer = await fetch(`${BASE}new`, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(form) });
  return { status: answer.status, text: await answer.text() };
};

// ------------------------------------------------------------------ the service worker
let open = null; // shows a page, in a browser without a service worker

async function registered() {
  if (!isSecureContext) throw Error("This page came without encryption, so browsers do not let it keep a key. Ask for a link that begins with https.");
  let found;
  try {
    found = await navigator.serviceWorker.register(`${BASE}sw.js`, { scope: BASE, updateViaCache: "none" });
  } catch { // there is none in a private window, or inside a chat program
    const { direct } = await import("./direct.js");
    open = direct(frame, ask, shown);
    return;
  }
  if (!navigator.serviceWorker.controller) {
    // a page that was loaded past the service worker (Shift and reload) is not taken over by itself
    await new Promise((go) => {
      navigator.serviceWorker.addEventListener("controllerchange", go, { once: true });
      if (found.active) setTimeout(() => location.reload(), 3000);
    });
  }
  times.serviceWorker = performance.now();
}

// ------------------------------------------------------------------ the worker
let isReady;
const home = document.getElementById("home"); // the way on when a link leads nowhere
let isStarted = false;
const ready = new Promise((go, fail) => { isReady = { go, fail }; });

function start() {
  const fail = (why) => document.documentElement.dataset.failed || stop(why); // what is wrong with a file is said already
  worker = new Worker(`${BASE}worker.js`, { type: "module", name: "pbem" });
  worker.addEventListener("message", ({ data }) => {
    if (data.step) { told.textContent = data.step; bar.value = data.done; }
    if (data.ready) { isStarted = true; times.worker = performance.now(); Object.assign(times, data.times); isReady.go(); }
    if (data.elsewhere) { isStarted = true; isReady.go(); } // another tab runs the program, and answers this one too
    if (data.failed) fail(data.failed);
    if (data.lines) refused.push(...data.lines.filter((one) => one.startsWith("warning: ")));
    if ("news" in data) news(data.news.words);
    if (data.moves) showMoves(data.moves);
  });
  worker.addEventListener("error", (event) => fail(event.message || "The program did not start."));
}

window.killWorker = () => worker.terminate(); // for tests

function stop(why) {
  isReady.fail(Error(why));
  told.textContent = why;
  bar.hidden = true;
  frame.hidden = true;
  document.getElementById("wait").hidden = false;
  document.documentElement.dataset.failed = why;
}

// Ask the worker of whichever tab runs the program.
const channel = new BroadcastChannel(`pbem:${BASE}`);
channel.addEventListener("message", ({ data }) => {
  if (data.to !== "shell" || times.page) return;
  if (data.failed) stop(data.failed);
  if (data.share && !isStarted && !document.documentElement.dataset.failed) {
    told.textContent = `Fetching the program: ${(data.share * data.megabytes).toFixed(1)} of ${data.megabytes} MB…`;
    bar.value = 10 + 50 * data.share;
  }
});
function ask(message) {
  const id = `shell-${++asked}-${Math.random()}`;
  return new Promise((go, fail) => {
    const again = setInterval(() => channel.postMessage({ to: "worker", id, ...message }), 700);
    channel.addEventListener("message", function hear({ data }) {
      if (data.to === "worker" || data.id !== id) return;
      clearInterval(again);
      channel.removeEventListener("message", hear);
      if (data.error) fail(Error(data.error));
      else go(data);
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
  let [path, at] = parts(hash);
  if (at) {
    told.textContent = "Fetching the game…"; // unless it is here
    path = (await ask({ follow: "bookmark", text: at, path })).found;
  }
  if (link) {
    history.replaceState(null, "", location.pathname); // the link may hold a secret: it need not stay
    told.textContent = "Fetching the game…";
    const text = decodeURIComponent(link[2]);
    const isSecret = game && link[1] !== "game" && !text.includes("/");
    path = (await ask({ follow: link[1], text: isSecret ? `${game}/${text}` : text })).found;
  }
  show(path);
}

// The path in what follows the #, and the address of its game on a host.
function parts(hash) {
  const [path, at = digits] = hash.split("#at=");
  return path.startsWith("/") ? [path, at && decodeURIComponent(at)] : ["/", ""];
}

function show(path) {
  const url = new URL(`${BASE}${path.slice(1)}`, location.origin);
  if (url.origin !== location.origin || !url.pathname.startsWith(BASE)) return;
  if (open) open(url);
  else frame.src = url.href;
}

frame.addEventListener("load", () => open || shown());

function shown(at = frame.contentWindow.location) {
  if (at.href === "about:blank") return;
  document.getElementById("wait").hidden = true;
  frame.hidden = false;
  frame.contentWindow.focus(); // keys belong to the page
  if (!times.page) { // somebody looks at a page: there is time for the rest
    worker.postMessage("");
    setTimeout(() => navigator.serviceWorker?.controller?.postMessage(""), 1500);
  }
  times.page ??= performance.now();
  document.title = frame.contentDocument.title;
  const copyTitle = () => { document.title = frame.contentDocument.title; };
  new MutationObserver(copyTitle).observe(frame.contentDocument.head, { childList: true, subtree: true, characterData: true });
  offer();
  const address = frame.contentDocument.body.dataset.at ?? ""; // so that a bookmark finds the game again
  const isHere = PLAY.test(`g/${address}/play`);
  const path = `#/${at.pathname.slice(BASE.length)}${at.search}${address && !isHere ? `#at=${encodeURIComponent(address)}` : ""}`;
  const here = `${isHere ? `g/${address}/play` : ""}${path}`;
  // without a service worker, the frame's own history has one page only
  if (open && document.documentElement.dataset.shown && location.hash !== path) history.pushState(null, "", `${BASE}${here}`);
  else history.replaceState(null, "", `${BASE}${here}`);
  document.documentElement.dataset.shown = at.pathname;
}

// Where a host of games serves this page, games are started on its own page.
let isHost;
async function offer() {
  const parts = frame.contentDocument.querySelectorAll("[data-with-host]");
  if (!parts.length) return;
  isHost ??= await fetch(`${BASE}site.json`, { cache: "no-store" }).then((found) => found.headers.has("x-pbem-host"), () => undefined);
  for (const one of parts) one.hidden = !isHost;
}

window.addEventListener("hashchange", () => {
  if (open && location.hash.startsWith("#/")) show(parts(location.hash.slice(1))[0]); // back or forward
  else location.reload();
});

// ------------------------------------------------------------------ what waits, what was refused
// Chat programs open links in a browser of their own, which shares nothing with the real one.
const CHAT = /FBAN|FBAV|Instagram|Line\/|MicroMessenger|WhatsApp|Telegram|Snapchat|; wv\)/;
const advice = () => {
  const joining = frame.contentDocument?.querySelector("form[data-send*='/join'] button");
  if (!joining?.offsetParent) return "";
  if (CHAT.test(navigator.userAgent)) return "This is the browser inside a chat program, which soon forgets. Before you join, open the link in your own browser.";
  return open ? "This browser may soon forget what it keeps here: it may be a private window. Before you join, open the link in a normal window, or keep your seat at once." : "";
};
const refused = [];

function news(words) {
  // what a host refused stays in this browser, and in sight until the page is opened again
  const last = refused.at(-1)?.replace(/^warning: /, "").replace(/; it is kept as .*/, ". It is kept in this browser.");
  line.textContent = last || words || advice();
  line.hidden = !line.textContent;
  line.className = last ? "bad" : "";
}

// How many games wait for you, on the icon of an installed page. Other browsers have no such icon.
function showMoves(moves) {
  navigator.setAppBadge?.(moves.filter(([, , isAsked]) => isAsked).length).catch(() => {});
}

main().catch((error) => {
  stop(String(error.message || error));
  home.hidden = !isStarted;
});
