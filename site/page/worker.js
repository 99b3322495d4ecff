// Runs the program. What a request changes is kept in one transaction before anything leaves.
import { loadPyodide } from "./pyodide.mjs";
import * as memory from "./memory.mjs";
const ciphers = import("./crypto.mjs"); // while the interpreter comes

const BASE = new URL("./", self.location).pathname;
const HOME = "/home/web";
const channel = new BroadcastChannel(`pbem:${BASE}`);
const times = {};
const busyWith = new Map(); // requests that are being answered, by id
let isChanged = true; // games may wait for other people now
let db, epoch, py, program, stopped = "";
let turn = Promise.resolve();
const tell = (message) => self.postMessage(message);
const asked = (request) => new Promise((go, fail) => { request.onsuccess = () => go(request.result); request.onerror = () => fail(request.error); });
const ended = (tx) => new Promise((go, fail) => { tx.oncomplete = go; tx.onabort = () => fail(tx.error || Error("refused")); });

// One thing at a time: the program's files must not change between a change and its keeping.
function alone(act) {
  const mine = turn.then(act);
  turn = mine.catch(() => {});
  return mine;
}

// ------------------------------------------------------------------ what this browser keeps
const MOST_ANSWERS = 64;
let answered = []; // ids of the requests whose answers are kept, the oldest first

async function openStorage() {
  const request = indexedDB.open(`pbem:${BASE}`, 1); // refused below, if it is
  request.onupgradeneeded = () => { for (const name of ["files", "answers", "meta"]) request.result.createObjectStore(name); };
  try {
    db = await asked(request);
  } catch {
    throw Error("This browser keeps nothing for this page: it is a private window, or storage is switched off. A seat would be lost, so open the link in a normal window.");
  }
  const tx = db.transaction("meta", "readwrite", { durability: "strict" });
  epoch = ((await asked(tx.objectStore("meta").get("epoch"))) || 0) + 1;
  tx.objectStore("meta").put(epoch, "epoch"); // a worker that had the program before can write no more
  await ended(tx);
}

async function readAll() {
  const tx = db.transaction(["files", "answers"]);
  const [paths, files, ids] = await Promise.all([asked(tx.objectStore("files").getAllKeys()), asked(tx.objectStore("files").getAll()), asked(tx.objectStore("answers").getAllKeys())]);
  answered = ids;
  return paths.map((path, at) => [path, files[at]]);
}

function place(files) {
  const made = new Set();
  py.FS.mkdirTree(HOME);
  for (const [path, { kind, data }] of files) {
    if (kind === "d") { py.FS.mkdirTree(path); continue; }
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) py.FS.mkdirTree(folder);
    made.add(folder);
    py.FS.writeFile(path, data, { canOwn: true });
  }
}

// All files that changed, and the answer to the request that changed them: all or nothing, and only
// while no other worker has the program.
async function keep(id, answer) {
  const found = program.changes();
  const rows = found.toJs();
  found.destroy();
  if (!rows.length && !id) return;
  const tx = db.transaction(["files", "answers", "meta"], "readwrite", { durability: "strict" });
  const done = ended(tx);
  done.catch(() => {});
  try {
    if ((await asked(tx.objectStore("meta").get("epoch"))) !== epoch) {
      tx.abort();
      throw Error("Another tab has the program now. Reload this one.");
    }
    for (const [path, kind, data] of rows) {
      if (kind === "-") tx.objectStore("files").delete(path);
      else tx.objectStore("files").put({ kind, data }, path);
    }
    if (id) {
      tx.objectStore("answers").put(answer, id);
      for (const old of answered.splice(0, Math.max(0, answered.length + 1 - MOST_ANSWERS))) tx.objectStore("answers").delete(old);
      answered.push(id);
    }
    await done;
  } catch (error) { // what is in memory is not what is kept, and must not go on
    stopped = error.name === "QuotaExceededError" ? "This browser has no room left, so nothing was kept and nothing was sent. Make room, and reload the page." : String(error.message || error);
    tell({ failed: stopped });
    throw error;
  }
}

// ------------------------------------------------------------------ requests of the pages
const latin = new TextDecoder("latin1");

async function answer({ id, method, url, headers, body }) {
  const changes = method !== "GET" && method !== "HEAD";
  if (changes) {
    const before = await asked(db.transaction("answers").objectStore("answers").get(id));
    if (before) return before; // the same request again: it acts once
  }
  const { pathname, search } = new URL(url);
  const found = await program.answer(method, decodeURI(pathname), search.slice(1), py.toPy(headers), py.toPy(new Uint8Array(body || 0)).tobytes());
  const [status, heads, bytes] = found.toJs({ create_pyproxies: false });
  found.destroy();
  const said = { status, headers: heads.map(([name, value]) => [latin.decode(name), latin.decode(value)]), body: bytes };
  await keep(changes && id, said); // before the page hears of it
  isChanged ||= changes;
  return said;
}

channel.addEventListener("message", ({ data }) => {
  if (data.to !== "worker" || data.ping || !program || stopped || busyWith.has(data.id)) return;
  busyWith.set(data.id, true);
  const mine = data.follow ? follow(data) : alone(() => answer(data));
  mine.then(
    (said) => channel.postMessage(data.follow ? { to: "shell", id: data.id, found: said } : { to: "pages", id: data.id, ...said }),
    (error) => {
      const words = sentence(error);
      if (error.pyodide_fatal_error) { memory.drop(); stopped = "The program has stopped. Nothing that was confirmed is lost: reload the page."; tell({ failed: stopped }); }
      if (data.follow) channel.postMessage({ to: "shell", id: data.id, error: words });
      else channel.postMessage({ to: "pages", id: data.id, status: 500, headers: [["content-type", "text/plain"]], body: new TextEncoder().encode(words) });
    },
  ).finally(() => {
    setTimeout(() => busyWith.delete(data.id), 5000); // the same message may still be on its way
    const game = /\/game\/([0-9a-f]{12})/.exec(data.url || "");
    if (game) watched = game[1];
    if (data.method === "POST") hurry();
  });
});

// The last line of a Python error is its sentence.
function sentence(error) {
  const text = String(error.message || error).trim().split("\n").pop();
  return text.replace(/^[\w.]+(?:Error|Exception): /, "");
}

// ------------------------------------------------------------------ hosts
// Nothing that a host sends is trusted: each answer has a limit of bytes and of time.
const MOST_LIST = 8 << 20;
const WAIT = 25; // seconds for which a host may hold a list back until there is news
const BEGIN = 20, WHOLE = 60; // seconds until an answer begins, and until all of it is there
const known = new Map(); // the last list of each game: { etag }
let watched = ""; // the game whose page is open
let hurried = () => {};
let idle = null; // ends the wait for a list

// A host refuses a network that asks 1,200 times a minute, and others may share this one: some requests
// at once, then ten a second. Whoever is refused all the same waits as long as the host says.
const BURST = 300, EACH = 100;
const MOST_REFUSED = 2;
let room = BURST, counted = 0, paused = 0;
const sleep = (time) => new Promise((go) => setTimeout(go, time));

async function inTurn() {
  for (;;) {
    const now = Date.now();
    room = Math.min(BURST, room + Math.max(0, now - counted) / EACH);
    counted = now;
    if (now >= paused && room >= 1) { room -= 1; return; }
    await sleep(Math.min(60000, Math.max(EACH, paused - now)));
  }
}

async function call(method, url, how) {
  for (let refused = 0; ; refused++) {
    await inTurn();
    const found = await callOnce(method, url, how);
    if (found.status !== 429 || refused === MOST_REFUSED) return found;
    paused = Date.now() + 1000 * Math.min(60, Math.max(1, Number(found.pause) || 5));
  }
}

async function callOnce(method, url, { headers = {}, body, most = 1 << 16, wait = 0 } = {}) {
  const control = new AbortController();
  const within = (seconds) => setTimeout(() => control.abort(Error("The host does not answer.")), seconds * 1000);
  let timer = within(wait + BEGIN);
  if (headers.prefer) idle = control;
  try {
    const answer = await fetch(url, { method, headers, body, signal: control.signal, credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" });
    clearTimeout(timer);
    timer = within(WHOLE);
    const parts = [];
    let size = 0;
    for (const reader = answer.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > most) { control.abort(); throw Error("The host sends more than it was asked for."); }
      parts.push(value);
    }
    const data = new Uint8Array(await new Blob(parts).arrayBuffer());
    return { status: answer.status, kind: answer.headers.get("content-type") || "", etag: answer.headers.get("etag") || "", pause: answer.headers.get("retry-after"), data };
  } finally {
    clearTimeout(timer);
    if (idle === control) idle = null;
  }
}

// Send what waits, fetch what is new, and let the program take it. Returns whether all went well.
async function exchange(address, wait = 0) {
  await alone(() => program.release_due_orders(address));
  const news = await alone(() => py.globals.get("News")(program, address));
  const answers = [];
  let trouble = null, status = 0, fresh = "";
  try {
    const waiting = await alone(() => rows(news.waiting_files()));
    for (const [path, data] of waiting) {
      const found = await call("PUT", `${address}/${path}`, { body: data, headers: { "if-none-match": "*", "content-type": "application/toml" } });
      answers.push(["PUT", `/${path}`, found.status, found.kind, found.data]);
      if (found.status === 412 || found.status === 200) { // is it this very file?
        const there = await call("GET", `${address}/${path}`, { most: 1 << 21 });
        answers.push(["GET", `/${path}`, there.status, there.kind, there.data]);
      }
    }
    const headers = {};
    const etag = !(await alone(() => news.needs_list())) && known.get(address);
    if (etag) headers["if-none-match"] = etag;
    if (etag && wait && !waiting.length) headers.prefer = `wait=${wait}`;
    const list = await call("GET", `${address}/`, { headers, most: MOST_LIST, wait });
    status = list.status;
    if (status !== 304) {
      const files = list.status === 200 ? await alone(() => rows(news.missing_files(py.toPy(list.data).tobytes()))) : [];
      const queue = [...files];
      const fetchOne = async () => {
        for (let next; (next = queue.shift()); ) {
          const [path, size] = next;
          if (files.length > 50) tell({ step: `Fetching the game: ${files.length - queue.length} of ${files.length} files…`, done: 100 - (100 * queue.length) / files.length });
          const one = await call("GET", `${address}/${path}`, { most: size + 1024 });
          answers.push(["GET", `/${path}`, one.status, one.kind, one.data]);
        }
      };
      await Promise.all(Array.from({ length: 6 }, fetchOne));
      answers.push(["GET", "/", list.status, list.kind, list.data]);
      known.delete(address);
      fresh = list.status === 200 ? list.etag : "";
    }
  } catch (error) { trouble = error; }
  if (answers.length) {
    isChanged = true;
    const lines = await alone(async () => {
      const found = news.take(py.toPy(answers.map(([m, p, s, k, d]) => [m, p, s, k, py.toPy(d).tobytes()])));
      await keep();
      return rows(found);
    });
    // with a file that was written meanwhile, the program takes no list: it is asked for once more
    if (fresh && !(await alone(() => program.has_waiting(address)))) known.set(address, fresh);
    if (lines.length) tell({ lines });
    channel.postMessage({ to: "watchers" }); // a page of this game need not wait until it asks again
  }
  news.destroy();
  if (trouble && trouble.name !== "AbortError") throw trouble;
  return status;
}

function rows(proxy) {
  const found = proxy.toJs({ create_pyproxies: false });
  proxy.destroy();
  return found;
}

async function follow({ follow, text, path: bookmarked }) {
  const kind = follow === "bookmark" ? "game" : follow;
  const [address, secret] = await alone(() => rows(program.read_link(kind, text)));
  const isHere = async () => (await alone(() => rows(program.games()))).some(([, one]) => one === address);
  if (bookmarked && (await isHere())) return bookmarked;
  let status = 0;
  try { status = await exchange(address); } catch { /* said below */ }
  const here = await isHere();
  if (status === 404) throw Error("There is no game at this address: the link is not whole, or the game was removed.");
  if (!status && !here) throw Error("The host of this game cannot be reached now. Check your network, and open the link again.");
  if (status >= 400 && !here) throw Error(`The host of this game does not answer as it should (${status}). Try again later.`);
  const path = await alone(async () => { const at = program.meet(kind, address, secret); await keep(); return at; });
  hurry();
  return path;
}

function hurry() { hurried(); idle?.abort(); }

// What the line above the pages says: what is wrong with a host, and what waits.
function state(words, trouble) {
  if (!trouble) return words && `Sending: ${words}…`;
  return words ? `${trouble} Kept here, and sent later: ${words}.` : `${trouble} You see the game as it was when this browser last reached the host.`;
}

// A browser tells nobody why it reached no host.
function troubleOf(error) {
  if (error instanceof TypeError || error.name === "AbortError") return "No network.";
  const text = sentence(error).replace(/^https?:\S+ /, "");
  return `${text[0].toUpperCase()}${text.slice(1)}`.replace(/[^.]$/, "$&.");
}

// The game whose page is open waits for news; the others are asked now and then.
async function keepUp() {
  let others = 0, trouble = "";
  for (;;) {
    if (stopped) return;
    const wait = trouble ? 0 : WAIT; // whether a host can be reached again must be known at once
    trouble = "";
    const games = await alone(() => rows(program.games()));
    const late = Date.now() - others > 120000;
    for (const [name, address] of games) {
      await alone(() => program.release_due_orders(address));
      if (name !== watched && !late && !(await alone(() => program.has_waiting(address)))) continue;
      try {
        const status = await exchange(address, name === watched ? wait : 0);
        if (status === 404) trouble = "The host no longer has this game.";
        else if (status === 429) trouble = "The host has too many requests from your network. This page tries again later.";
        else if (status >= 400) trouble = `The host does not answer as it should (${status}).`;
      } catch (error) { trouble = troubleOf(error); }
    }
    if (late) others = Date.now();
    const words = await alone(() => program.waiting_words());
    tell({ news: { words: state(words, trouble) } });
    if (isChanged) await tellMoves();
    // news of a game that is watched comes at once; without network or games, wait
    const pause = !trouble && games.some(([name]) => name === watched) ? 200 : 4000;
    await new Promise((go) => { hurried = go; setTimeout(go, pause); });
  }
}

// Which games wait for this person: the page around the pages shows their number on its icon.
async function tellMoves() {
  isChanged = false;
  const moves = await alone(async () => { const found = rows(program.moves()); await keep(); return found; });
  tell({ moves });
}

// ------------------------------------------------------------------ start
const since = (from) => Math.round(performance.now() - from);

// Straight from the cache: the way through the service worker costs a copy and a wait.
async function bytes(name) {
  const url = new URL(name, self.location).href;
  const found = (await caches.match(url)) || (await fetch(url));
  if (!found.ok) throw Error(found.status === 503 ? await found.text() : `The file ${name} of this page is missing (${found.status}).`);
  return new Uint8Array(await found.arrayBuffer());
}

// Each file is a part of the pack. To write a thousand of them by their paths would take ten times as long.
function unpack(pack) {
  const { MEMFS } = py.FS.filesystems;
  const length = new DataView(pack.buffer).getUint32(0, true);
  let at = 4 + length, last = "", folder;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(pack.subarray(4, at)))) {
    const path = `/app/${name}`, cut = path.lastIndexOf("/");
    if (path.slice(0, cut) !== last) {
      py.FS.mkdirTree((last = path.slice(0, cut)));
      folder = py.FS.lookupPath(last).node;
    }
    const file = MEMFS.createNode(folder, path.slice(cut + 1), 0o100644, 0);
    file.contents = pack.subarray(at, at + size);
    file.usedBytes = size;
    at += size;
  }
}

// Python with the program in it: from the memory that an earlier start kept, or from the beginning.
async function wake(pack) {
  const kept = await memory.find();
  if (kept) {
    const snapshot = memory.read(kept);
    snapshot.catch(() => {}); // `load` waits for them later
    try {
      return await load(pack, snapshot);
    } catch {
      await memory.drop(); // whatever is wrong with it: the long way always goes
    }
  }
  return load(pack);
}

async function load(pack, kept) {
  const { noble } = await ciphers;
  py = await loadPyodide({
    indexURL: new URL("./", self.location).href,
    stdLibURL: new URL("stdlib.zip", self.location).href,
    stdout: () => {}, // what it would say on a terminal is on the pages, or in the line above them
    stderr: () => {},
    env: { HOME, PBEM_HOME: `${HOME}/pbem` },
    ...memory.options(kept, { noble }),
  });
  unpack(await pack);
  if (!kept) {
    py.registerJsModule("noble", noble);
    py.runPython(`
import sys
sys.path.insert(0, "/app")
from pbem.web.browser_program import News, Program, note_start
`);
  }
  const copy = kept ? undefined : memory.copy(py, { noble });
  py.globals.get("note_start")(Intl.DateTimeFormat().resolvedOptions().timeZone);
  times.kept = Boolean(kept);
  return copy;
}

async function start() {
  const begun = performance.now();
  tell({ step: "Fetching the program…", done: 10 });
  const pack = bytes("app.pack");
  const files = openStorage().then(readAll);
  for (const one of [pack, files]) one.catch(() => {}); // said below
  const copy = await wake(pack);
  times.python = since(begun);
  tell({ step: "Opening your games…", done: 60 });
  place(await files);
  times.files = since(begun);
  program = py.globals.get("Program")(new URL("./", self.location).href);
  await keep();
  times.program = since(begun);
  tell({ ready: true, times, step: "Ready", done: 100 });
  await Promise.race([seen, new Promise((go) => setTimeout(go, 5000))]);
  keepUp();
  await new Promise((go) => setTimeout(go, 1500));
  if (copy) memory.keep(copy);
}
const seen = new Promise((go) => self.addEventListener("message", go)); // a page stands in the tab

// One worker at a time, in all tabs. When its tab ends, the next one goes on. If it does not answer for
// a while, because the browser froze its tab, the next one takes its place, and the epoch keeps the
// old one from writing.
const PATIENCE = 20000;
let heard = 0, isMine = false;
const failed = (error) => { stopped = String(error.message || error); tell({ failed: sentence(error) }); };
const mine = async () => { isMine = true; await start(); await new Promise(() => {}); };
const lost = () => { stopped = "Another tab has the program now. Reload this one."; tell({ failed: stopped }); };

function wait() {
  heard = Date.now();
  const control = new AbortController();
  const asking = setInterval(() => {
    channel.postMessage({ to: "worker", ping: true });
    if (Date.now() - heard < PATIENCE) return;
    clearInterval(asking);
    control.abort();
    navigator.locks.request(`pbem:${BASE}`, { steal: true }, mine).catch((error) => (error.name === "AbortError" ? lost() : failed(error)));
  }, 3000);
  navigator.locks.request(`pbem:${BASE}`, { signal: control.signal }, () => { clearInterval(asking); return mine(); }).catch((error) => {
    if (!control.signal.aborted) (error.name === "AbortError" ? lost() : failed(error));
  });
}

channel.addEventListener("message", ({ data }) => {
  if (data.ping && isMine && !stopped) channel.postMessage({ to: "waiting" });
  if (data.to === "waiting") heard = Date.now();
});

navigator.locks.request(`pbem:${BASE}`, { ifAvailable: true }, (lock) => {
  if (lock) return mine();
  tell({ elsewhere: true });
  wait();
}).catch((error) => (error.name === "AbortError" ? lost() : failed(error)));
