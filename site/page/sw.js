// Answers what the pages ask: files of the site from a cache, everything else from the program.
const FILES = "FILES"; // the names of all files, those that Python needs first, each with its SHA-256
const LARGE = "LARGE"; // the files that somebody waits for, each with its bytes
const MEGABYTES = "MEGABYTES"; // what travels of them
const CACHE = `pbem-${"VERSION"}`;
const HOSTS = "HOSTS"; // other hosts whose games this page may use
const BASE = new URL("./", self.location).pathname; // the site works below any path
const channel = new BroadcastChannel(`pbem:${BASE}`);
const open = new Map();

const POLICY = {
  page: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
  shell: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  worker: `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ${HOSTS}; base-uri 'none'`,
};
const HOST = /^(g\/.*|owner|new\/.*|games(\.csv)?|sw\.js|site\.json|calls\.json|call\/.*|manifest\.webmanifest|icon-\w+\.png)$/; // addresses that the host itself answers
const PLAY = /^g\/[0-9a-f]{32}\/play$/; // the page of a game, which the host answers with what it knows
const HOST_PATIENCE = 4000; // milliseconds
const address = (name) => new URL(name, self.location).href;

self.addEventListener("install", (event) => {
  // a tab waits for the first version; a later one is whole before it takes the place of the one that runs
  event.waitUntil(self.registration.active ? keepAll() : caches.open(CACHE));
  for (const name in FILES) fetched(name);
});
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await self.clients.claim(); // the tab that has just installed this is waiting for it
  for (const name of await caches.keys()) if (name.startsWith("pbem-") && name !== CACHE) await caches.delete(name);
})()));
// the tab shows its first page, and has time for this now
self.addEventListener("message", (event) => event.waitUntil(keepAll()));

// ------------------------------------------------------------------ files of this version
const coming = new Map(); // those that are on their way, or here and not in the cache yet
const wrong = new Set(); // those that were not as they should be: not from the browser's cache again

function fetched(name) {
  if (coming.has(name)) return coming.get(name);
  const found = fetch(address(name), { cache: wrong.has(name) ? "reload" : "no-cache", credentials: "omit" });
  const right = found.then((answer) => compared(name, answer.clone()));
  right.catch(() => coming.delete(name));
  coming.set(name, { found, right });
  return coming.get(name);
}

// If the server has another version by now, its files would not fit these.
async function compared(name, answer) {
  if (!answer.ok) throw Error(`The file ${name} of this page is missing (${answer.status}).`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()));
  const hash = [...digest].map((one) => one.toString(16).padStart(2, "0")).join("");
  if (hash === FILES[name]) return;
  wrong.add(name);
  self.registration.update();
  throw Error("This page has just changed on its server. Close all of its tabs, and open it again.");
}

async function keepAll() {
  const cache = await caches.open(CACHE);
  for (const name in FILES) {
    if (!(await cache.match(address(name)))) { // each tab that is opened asks for this, also at the same time
      const { found, right } = fetched(name);
      await right;
      await cache.put(address(name), (await found).clone());
    }
    coming.delete(name);
  }
}

// Tell the tab how much of the program is here.
let here = 0, told = 0;
function arrived(bytes) {
  here += bytes;
  const share = Math.min(1, here / Object.values(LARGE).reduce((one, other) => one + other));
  if (share - told < 0.01 && share < 1) return;
  told = share;
  channel.postMessage({ to: "shell", share, megabytes: MEGABYTES });
}

// A file goes on as it comes, but nobody has all of it before it was compared with its hash.
async function kept(name) {
  const copy = await (await caches.open(CACHE)).match(address(name));
  if (copy) return copy; // even if it is on its way again: that may fail
  const { found, right } = fetched(name);
  right.catch((error) => channel.postMessage({ to: "shell", failed: error instanceof TypeError ? "No network, and not all of the program is here yet. Reload the page later." : error.message }));
  const answer = (await found).clone();
  let last;
  const held = new TransformStream({
    transform(part, out) {
      if (name in LARGE) arrived(part.byteLength);
      if (last) out.enqueue(last);
      last = part;
    },
    async flush(out) {
      await right;
      if (last) out.enqueue(last);
    },
  });
  return dressed(answer, null, answer.body.pipeThrough(held));
}

function dressed(answer, policy, body = answer.body) {
  const headers = new Headers(answer.headers);
  for (const name of ["content-length", "content-encoding", "x-frame-options"]) headers.delete(name);
  if (policy) headers.set("content-security-policy", policy);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-opener-policy", "same-origin");
  return new Response(body, { status: answer.status, headers });
}

// The page of a game from the host; if the host is away or slow, the page that is kept here.
async function arrival(request) {
  const late = new Promise((go) => setTimeout(go, HOST_PATIENCE));
  const answer = await Promise.race([fetch(request).catch(() => null), late]);
  if (answer?.ok) return answer;
  const index = await file("index.html");
  const text = await index.text();
  return new Response(text.replace(/\b(href|src)="(?=[a-z])/g, '$1="../../'), { headers: index.headers });
}

async function file(name) {
  const policy = { "worker.js": POLICY.worker, "index.html": POLICY.shell }[name];
  const found = await kept(name);
  return policy ? dressed(found, policy) : found; // the browser keeps what it has compiled only of answers as they are
}

// What a page asks of the program, in the worker of whichever tab runs it. The message is sent again
// until it is answered, because a worker may start just now; the worker acts on an id only once.
async function ask(request) {
  const id = `${Date.now().toString(36).padStart(9, "0")}-${crypto.randomUUID()}`;
  const reads = request.method === "GET" || request.method === "HEAD";
  const body = reads ? null : await request.arrayBuffer();
  const message = { to: "worker", id, method: request.method, url: request.url, headers: [...request.headers], body };
  const said = await new Promise((resolve) => {
    let again = 0;
    const end = setTimeout(() => resolve(null), 120000);
    open.set(id, (data) => { clearTimeout(end); resolve(data); });
    channel.postMessage(message);
    again = setInterval(() => (open.has(id) ? channel.postMessage(message) : clearInterval(again)), 700);
  });
  open.delete(id);
  if (!said) return new Response("the program does not answer", { status: 504 });
  return dressed(new Response(said.body, { status: said.status, headers: said.headers }), POLICY.page);
}

channel.addEventListener("message", ({ data }) => {
  if (data.to === "pages") open.get(data.id)?.(data);
});

// ------------------------------------------------------------------ calls of the host
// A call has the name of a game, and nothing that is shown: the titles are those that the page around
// the pages has kept here (shell.js).
const CALLS = `calls-${BASE}`;
const MOST_STOPPED = 100;

// The browser demands that something is shown for each call, so it is shown whatever else fails.
async function called(text) {
  const name = /"game": "([0-9a-f]{32})"/.exec(text)?.[1];
  const move = await noteCall(name).catch(() => undefined);
  const [, path = "", digits = "", title = "pbem"] = move ?? [];
  const pages = await self.clients.matchAll({ type: "window" });
  const isShown = path && pages.some(({ url, visibilityState }) => visibilityState === "visible" && url.startsWith(address(path)));
  await self.registration.showNotification(title, {
    body: "Your move", tag: move ? name : "unknown", icon: address("icon-192.png"), data: { digits, path }, silent: Boolean(isShown),
    actions: [{ action: "off", title: "Tell me no more" }],
  });
}

// Note that a game waits, and count the games that do; return what is kept about it.
async function noteCall(name) {
  const cache = await caches.open(CALLS);
  const kept = await cache.match(address("moves"));
  const moves = kept ? await kept.json() : [];
  const move = moves.find(([one]) => one === name);
  if (move) {
    move[4] = true;
    await cache.put(address("moves"), new Response(JSON.stringify(moves))).catch(() => {});
    await navigator.setAppBadge?.(moves.filter((one) => one[4]).length)?.catch?.(() => {});
  }
  return move;
}

// A page that shows the game's table stays as it is: something may be chosen there.
async function opened({ digits, path }) {
  const pages = await self.clients.matchAll({ type: "window" });
  const table = pages.find(({ url }) => path && url.split(/[?#]/)[0] === address(path));
  if (table) return table.focus();
  const page = pages.find(({ frameType }) => frameType === "top-level");
  const target = address(digits ? `g/${digits}/play` : "./");
  if (!page) return self.clients.openWindow(target);
  await page.focus();
  return page.navigate(target);
}

// A game that was called there is not called at a later address: yes is said for each game.
async function noteStopped(endpoint) {
  const cache = await caches.open(CALLS);
  const kept = await cache.match(address("stopped"));
  const endpoints = [endpoint, ...(kept ? await kept.json() : [])].slice(0, MOST_STOPPED);
  await cache.put(address("stopped"), new Response(JSON.stringify(endpoints)));
}

// The pages tell the hosts, those that are open now and the others when they are opened. If none is,
// the push service says at the next call that this browser is gone.
async function unsubscribed() {
  const subscription = await self.registration.pushManager.getSubscription();
  if (subscription) await noteStopped(subscription.endpoint).catch(() => {}); // a full browser
  await subscription?.unsubscribe();
  for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage("unsubscribed");
}

self.addEventListener("push", (event) => event.waitUntil(called(event.data?.text() ?? "")));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "off" ? unsubscribed() : opened(event.notification.data));
});
// the page tells the host the new address when it is opened next
self.addEventListener("pushsubscriptionchange", (event) => {
  const { options } = event.oldSubscription ?? {};
  if (options) event.waitUntil(self.registration.pushManager.subscribe(options));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(BASE)) return;
  const name = url.pathname.slice(BASE.length);
  const { mode, method, destination } = event.request;
  const top = mode === "navigate" && destination === "document";
  if (top && PLAY.test(name)) return event.respondWith(arrival(event.request));
  if (HOST.test(name) || (top && name === "new")) return; // in a frame, `new` is a page of the program
  if (name === "new" && event.request.headers.get("accept") === "application/json") return; // the next game of a host
  // acts come from the scripts of the pages: a form could come from a page of another port of this host
  if (mode === "navigate" && method !== "GET") return event.respondWith(new Response("Only the pages of pbem may do this.", { status: 405 }));
  if (top && name && name !== "index.html") event.respondWith(Response.redirect(`${BASE}#/${name}${url.search}`, 302)); // a page opened in a tab of its own
  else if (top) event.respondWith(file("index.html"));
  else if (Object.hasOwn(FILES, name)) event.respondWith(file(name));
  else event.respondWith(ask(event.request));
});
