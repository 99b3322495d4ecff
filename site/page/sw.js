// Answers what the pages ask: files of the site from a cache, everything else from the program.
const FILES = "FILES"; // the names of all files, the smallest first, each with its SHA-256
const CACHE = `pbem-${"VERSION"}`;
const HOSTS = "HOSTS"; // other hosts whose games this page may use
const BASE = new URL("./", self.location).pathname; // the site works below any path
const line = new BroadcastChannel(`pbem:${BASE}`);
const open = new Map();

const POLICY = {
  page: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
  shell: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  worker: `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ${HOSTS}; base-uri 'none'`,
};
// what the shell needs to show something; the rest is already on its way when the worker asks for it
const FIRST = ["index.html", "shell.js", "shell.css"];

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all(FIRST.map(kept)));
  for (const name in FILES) kept(name).catch(() => {});
});
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("pbem-") && name !== CACHE) await caches.delete(name);
  await self.clients.claim(); // the tab that has just installed this is waiting for it
})()));

// A file of this version.
const coming = new Map();
async function kept(name) {
  const cache = await caches.open(CACHE);
  const key = new URL(name, self.location).href;
  const here = await cache.match(key);
  if (here) return here;
  if (!coming.has(name)) coming.set(name, fetched(name, key, cache).finally(() => coming.delete(name)));
  return (await coming.get(name)).clone();
}

// If the server has another version by now, its files would not fit these.
async function fetched(name, key, cache) {
  const found = await fetch(key, { cache: "no-cache", credentials: "omit" });
  if (!found.ok) return found;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await found.clone().arrayBuffer()));
  const hash = [...digest].map((one) => one.toString(16).padStart(2, "0")).join("");
  if (hash !== FILES[name]) {
    self.registration.update();
    return new Response("This page has just changed on its server. Close all of its tabs, and open it again.", { status: 503 });
  }
  await cache.put(key, found.clone());
  return found;
}

function dressed(answer, policy, body = answer.body) {
  const headers = new Headers(answer.headers);
  for (const name of ["content-length", "content-encoding", "x-frame-options"]) headers.delete(name);
  headers.set("content-security-policy", policy);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  return new Response(body, { status: answer.status, headers });
}

async function file(name) {
  const policy = { "worker.js": POLICY.worker, "index.html": POLICY.shell }[name];
  const found = await kept(name);
  return policy ? dressed(found, policy) : found; // the browser keeps what it has compiled only of answers as they are
}

// What a page asks of the program, in the worker of whichever tab runs it. The message is sent again
// until it is answered, because a worker may start just now; the worker acts on an id only once.
async function ask(request, url) {
  const id = `${Date.now().toString(36).padStart(9, "0")}-${crypto.randomUUID()}`;
  const reads = request.method === "GET" || request.method === "HEAD";
  const body = reads ? null : await request.arrayBuffer();
  const headers = [...request.headers];
  const message = { to: "worker", id, method: request.method, path: decodeURI(url.pathname), query: url.search.slice(1), headers, body };
  const said = await new Promise((resolve) => {
    let again = 0;
    const end = setTimeout(() => resolve(null), 120000);
    open.set(id, (data) => { clearTimeout(end); resolve(data); });
    line.postMessage(message);
    again = setInterval(() => (open.has(id) ? line.postMessage(message) : clearInterval(again)), 700);
  });
  open.delete(id);
  if (!said) return new Response("the program does not answer", { status: 504 });
  return dressed(new Response(said.body, { status: said.status, headers: said.headers }), POLICY.page);
}

line.addEventListener("message", ({ data }) => {
  if (data.to === "pages") open.get(data.id)?.(data);
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(BASE)) return;
  const name = url.pathname.slice(BASE.length);
  if (name.startsWith("g/") || name === "owner" || name === "sw.js" || name === "site.json") return; // the host itself
  const top = event.request.mode === "navigate" && event.request.destination === "document";
  if (name.startsWith("new/") || (top && name === "new")) return; // the host's own pages, on which games are started
  if (top && name && name !== "index.html") event.respondWith(Response.redirect(`${BASE}#/${name}${url.search}`, 302)); // a page opened in a tab of its own
  else if (top) event.respondWith(file("index.html"));
  else if (Object.hasOwn(FILES, name)) event.respondWith(file(name));
  else event.respondWith(ask(event.request, url));
});
