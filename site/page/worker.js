// Runs the program. What a request changes is kept in one transaction before anything leaves.
import { loadPyodide } from "./pyodide.mjs";
import * as memory from "./memory-snapshot.mjs";
const ciphers = import("./crypto.mjs"); // while the interpreter comes

const BASE = new URL("./", self.location).pathname;
const HOME = "/home/web";
const channel = new BroadcastChannel(`pbem:${BASE}`);
const times = {};
const busyWith = new Map(); // requests that are being answered, by id
let isChanged = true; // games may wait for other people now
let db, epoch, py, program, stopReason = "";
let lastTask = Promise.resolve();
const tellShell = (message) => self.postMessage(message);
const resultOf = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
const endOf = (tx) => new Promise((resolve, reject) => { tx.oncomplete = resolve; tx.onabort = () => reject(tx.error || Error("refused")); });

// One thing at a time: the program's files must not change between a change and its keeping.
function inTurn(act) {
  const task = lastTask.then(act);
  lastTask = task.catch(() => {});
  return task;
}

// ------------------------------------------------------------------ what this browser keeps
const MAX_ANSWERS = 64;
let answeredIds = []; // ids of the requests whose answers are kept, the oldest first

async function openStorage() {
  const request = indexedDB.open(`pbem:${BASE}`, 1); // refused below, if it is
  request.onupgradeneeded = () => { for (const name of ["files", "answers", "meta"]) request.result.createObjectStore(name); };
  try {
    db = await resultOf(request);
  } catch {
    throw Error("This browser keeps nothing for this page: it is a private window, or storage is switched off. A seat would be lost, so open the link in a normal window.");
  }
  const tx = db.transaction("meta", "readwrite", { durability: "strict" });
  epoch = ((await resultOf(tx.objectStore("meta").get("epoch"))) || 0) + 1;
  tx.objectStore("meta").put(epoch, "epoch"); // a worker that had the program before can write no more
  await endOf(tx);
}

async function readAll() {
  const tx = db.transaction(["files", "answers"]);
  const [paths, files, ids] = await Promise.all([resultOf(tx.objectStore("files").getAllKeys()), resultOf(tx.objectStore("files").getAll()), resultOf(tx.objectStore("answers").getAllKeys())]);
  answeredIds = ids;
  return paths.map((path, index) => [path, files[index]]);
}

function writeFiles(files) {
  const folders = new Set();
  py.FS.mkdirTree(HOME);
  for (const [path, { kind, data }] of files) {
    if (kind === "d") { py.FS.mkdirTree(path); continue; }
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) py.FS.mkdirTree(folder);
    folders.add(folder);
    py.FS.writeFile(path, data, { canOwn: true });
  }
}

// All files that changed, and the answer to the request that changed them: all or nothing, and only
// while no other worker has the program.
async function storeChanges(id, answer) {
  const changes = program.changes();
  const rows = changes.toJs();
  changes.destroy();
  if (!rows.length && !id) return;
  const tx = db.transaction(["files", "answers", "meta"], "readwrite", { durability: "strict" });
  const done = endOf(tx);
  done.catch(() => {});
  try {
    if ((await resultOf(tx.objectStore("meta").get("epoch"))) !== epoch) {
      tx.abort();
      throw Error("Another tab has the program now. Reload this one.");
    }
    for (const [path, kind, data] of rows) {
      if (kind === "-") tx.objectStore("files").delete(path);
      else tx.objectStore("files").put({ kind, data }, path);
    }
    if (id) {
      tx.objectStore("answers").put(answer, id);
      for (const old of answeredIds.splice(0, Math.max(0, answeredIds.length + 1 - MAX_ANSWERS))) tx.objectStore("answers").delete(old);
      answeredIds.push(id);
    }
    await done;
  } catch (error) { // what is in memory is not what is kept, and must not go on
    stopReason = error.name === "QuotaExceededError" ? "This browser has no room left, so nothing was kept and nothing was sent. Make room, and reload the page." : String(error.message || error);
    tellShell({ failed: stopReason });
    throw error;
  }
}

// ------------------------------------------------------------------ requests of the pages
const latinDecoder = new TextDecoder("latin1");

async function answer({ id, method, url, headers, body }) {
  const changes = method !== "GET" && method !== "HEAD";
  if (changes) {
    const storedAnswer = await resultOf(db.transaction("answers").objectStore("answers").get(id));
    if (storedAnswer) return storedAnswer; // the same request again: it acts once
  }
  const { pathname, search } = new URL(url);
  const programAnswer = await program.answer(method, decodeURI(pathname), search.slice(1), py.toPy(headers), py.toPy(new Uint8Array(body || 0)).tobytes());
  const [status, heads, bytes] = programAnswer.toJs({ create_pyproxies: false });
  programAnswer.destroy();
  const result = { status, headers: heads.map(([name, value]) => [latinDecoder.decode(name), latinDecoder.decode(value)]), body: bytes };
  await storeChanges(changes && id, result); // before the page hears of it
  isChanged ||= changes;
  return result;
}

channel.addEventListener("message", ({ data }) => {
  if (data.to !== "worker" || data.ping || !program || stopReason || busyWith.has(data.id)) return;
  busyWith.set(data.id, true);
  const reply = data.follow ? follow(data) : inTurn(() => answer(data));
  reply.then(
    (answer) => channel.postMessage(data.follow ? { to: "shell", id: data.id, found: answer } : { to: "pages", id: data.id, ...answer }),
    (error) => {
      const reason = sentence(error);
      if (error.pyodide_fatal_error) { memory.drop(); stopReason = "The program has stopped. Nothing that was confirmed is lost: reload the page."; tellShell({ failed: stopReason }); }
      if (data.follow) channel.postMessage({ to: "shell", id: data.id, error: reason });
      else channel.postMessage({ to: "pages", id: data.id, status: 500, headers: [["content-type", "text/plain"]], body: new TextEncoder().encode(reason) });
    },
  ).finally(() => {
    setTimeout(() => busyWith.delete(data.id), 5000); // the same message may still be on its way
    const game = /\/game\/([0-9a-f]{12})/.exec(data.url || "");
    if (game) watchedGame = game[1];
    if (data.method === "POST") endWaits();
  });
});

// The last line of a Python error is its sentence.
function sentence(error) {
  const text = String(error.message || error).trim().split("\n").pop();
  return text.replace(/^[\w.]+(?:Error|Exception): /, "");
}

// ------------------------------------------------------------------ hosts
// Nothing that a host sends is trusted: each answer has a limit of bytes and of time.
const MAX_LIST_BYTES = 8 << 20;
const NEWS_WAIT_SECONDS = 25; // seconds for which a host may hold a list back until there is news
const FIRST_BYTE_SECONDS = 20, WHOLE_ANSWER_SECONDS = 60; // seconds until an answer begins, and until all of it is there
const etags = new Map(); // the ETag of the last list of each game, by address
let watchedGame = ""; // the game whose page is open
let endPause = () => {};
let waitingRequest = null; // ends the wait for a list

// A host refuses a network that asks 1,200 times a minute, and others may share this one: some requests
// at once, then ten a second. Whoever is refused all the same waits as long as the host says.
const MAX_BURST_REQUESTS = 300, REQUEST_MILLISECONDS = 100;
const MAX_REFUSALS = 2;
let requestsLeft = MAX_BURST_REQUESTS, countedAt = 0, pausedUntil = 0;
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function waitForRoom() {
  for (;;) {
    const now = Date.now();
    requestsLeft = Math.min(MAX_BURST_REQUESTS, requestsLeft + Math.max(0, now - countedAt) / REQUEST_MILLISECONDS);
    countedAt = now;
    if (now >= pausedUntil && requestsLeft >= 1) { requestsLeft -= 1; return; }
    await sleep(Math.min(60000, Math.max(REQUEST_MILLISECONDS, pausedUntil - now)));
  }
}

async function call(method, url, options) {
  for (let refusals = 0; ; refusals++) {
    await waitForRoom();
    const hostAnswer = await callOnce(method, url, options);
    if (hostAnswer.status !== 429 || refusals === MAX_REFUSALS) return hostAnswer;
    pausedUntil = Date.now() + 1000 * Math.min(60, Math.max(1, Number(hostAnswer.pause) || 5));
  }
}

async function callOnce(method, url, { headers = {}, body, maxBytes = 1 << 16, wait = 0 } = {}) {
  const control = new AbortController();
  const within = (seconds) => setTimeout(() => control.abort(Error("The host does not answer.")), seconds * 1000);
  let timer = within(wait + FIRST_BYTE_SECONDS);
  if (headers.prefer) waitingRequest = control;
  try {
    const answer = await fetch(url, { method, headers, body, signal: control.signal, credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" });
    clearTimeout(timer);
    timer = within(WHOLE_ANSWER_SECONDS);
    const parts = [];
    let size = 0;
    for (const reader = answer.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > maxBytes) { control.abort(); throw Error("The host sends more than it was asked for."); }
      parts.push(value);
    }
    const data = new Uint8Array(await new Blob(parts).arrayBuffer());
    return { status: answer.status, kind: answer.headers.get("content-type") || "", etag: answer.headers.get("etag") || "", pause: answer.headers.get("retry-after"), data };
  } finally {
    clearTimeout(timer);
    if (waitingRequest === control) waitingRequest = null;
  }
}

// Send what waits, fetch what is new, and let the program take it. Returns whether all went well.
async function exchange(address, wait = 0) {
  await inTurn(() => program.release_due_orders(address));
  const news = await inTurn(() => program.exchange_with_host(address));
  const answers = [];
  let hostError = null, status = 0, newEtag = "";
  try {
    const waiting = await inTurn(() => rows(news.waiting_files()));
    for (const [path, data] of waiting) {
      const putAnswer = await call("PUT", `${address}/${path}`, { body: data, headers: { "if-none-match": "*", "content-type": "application/toml" } });
      answers.push(["PUT", `/${path}`, putAnswer.status, putAnswer.kind, putAnswer.data]);
      if (putAnswer.status === 412 || putAnswer.status === 200) { // is it this very file?
        const stored = await call("GET", `${address}/${path}`, { maxBytes: 1 << 21 });
        answers.push(["GET", `/${path}`, stored.status, stored.kind, stored.data]);
      }
    }
    const headers = {};
    const etag = !(await inTurn(() => news.needs_list())) && etags.get(address);
    if (etag) headers["if-none-match"] = etag;
    if (etag && wait && !waiting.length) headers.prefer = `wait=${wait}`;
    const list = await call("GET", `${address}/`, { headers, maxBytes: MAX_LIST_BYTES, wait });
    status = list.status;
    if (status !== 304) {
      const files = list.status === 200 ? await inTurn(() => rows(news.missing_files(py.toPy(list.data).tobytes()))) : [];
      const queue = [...files];
      const fetchOne = async () => {
        for (let next; (next = queue.shift()); ) {
          const [path, size] = next;
          if (files.length > 50) tellShell({ step: `Fetching the game: ${files.length - queue.length} of ${files.length} files…`, done: 100 - (100 * queue.length) / files.length });
          const file = await call("GET", `${address}/${path}`, { maxBytes: size + 1024 });
          answers.push(["GET", `/${path}`, file.status, file.kind, file.data]);
        }
      };
      await Promise.all(Array.from({ length: 6 }, fetchOne));
      answers.push(["GET", "/", list.status, list.kind, list.data]);
      etags.delete(address);
      newEtag = list.status === 200 ? list.etag : "";
    }
  } catch (error) { hostError = error; }
  if (answers.length) {
    isChanged = true;
    const lines = await inTurn(async () => {
      const takenLines = news.take(py.toPy(answers.map(([m, p, s, k, d]) => [m, p, s, k, py.toPy(d).tobytes()])));
      await storeChanges();
      return rows(takenLines);
    });
    // with a file that was written meanwhile, the program takes no list: it is asked for once more
    if (newEtag && !(await inTurn(() => program.has_waiting(address)))) etags.set(address, newEtag);
    if (lines.length) tellShell({ lines });
    channel.postMessage({ to: "watchers" }); // a page of this game need not wait until it asks again
  }
  news.destroy();
  if (hostError && hostError.name !== "AbortError") throw hostError;
  return status;
}

function rows(proxy) {
  const values = proxy.toJs({ create_pyproxies: false });
  proxy.destroy();
  return values;
}

async function follow({ follow, text, path: bookmarked }) {
  const kind = follow === "bookmark" ? "game" : follow;
  const [address, secret] = await inTurn(() => rows(program.read_link(kind, text)));
  const isHere = async () => (await inTurn(() => rows(program.games()))).some(([, gameAddress]) => gameAddress === address);
  if (bookmarked && (await isHere())) return bookmarked;
  let status = 0;
  try { status = await exchange(address); } catch { /* said below */ }
  const isStored = await isHere();
  if (status === 404) throw Error("There is no game at this address: the link is not whole, or the game was removed.");
  if (!status && !isStored) throw Error("The host of this game cannot be reached now. Check your network, and open the link again.");
  if (status >= 400 && !isStored) throw Error(`The host of this game does not answer as it should (${status}). Try again later.`);
  const path = await inTurn(async () => { const gamePath = program.open_link(kind, address, secret); await storeChanges(); return gamePath; });
  endWaits();
  return path;
}

function endWaits() { endPause(); waitingRequest?.abort(); }

// What the line above the pages says: what is wrong with a host, and what waits.
function noticeText(words, hostError) {
  if (!hostError) return words && `Sending: ${words}…`;
  return words ? `${hostError} Kept here, and sent later: ${words}.` : `${hostError} You see the game as it was when this browser last reached the host.`;
}

// A browser tells nobody why it reached no host.
function troubleOf(error) {
  if (error instanceof TypeError || error.name === "AbortError") return "No network.";
  const text = sentence(error).replace(/^https?:\S+ /, "");
  return `${text[0].toUpperCase()}${text.slice(1)}`.replace(/[^.]$/, "$&.");
}

// The game whose page is open waits for news; the others are asked now and then.
async function keepUp() {
  let othersAskedAt = 0, hostError = "";
  for (;;) {
    if (stopReason) return;
    const wait = hostError ? 0 : NEWS_WAIT_SECONDS; // whether a host can be reached again must be known at once
    hostError = "";
    const games = await inTurn(() => rows(program.games()));
    const late = Date.now() - othersAskedAt > 120000;
    for (const [name, address] of games) {
      await inTurn(() => program.release_due_orders(address));
      if (name !== watchedGame && !late && !(await inTurn(() => program.has_waiting(address)))) continue;
      try {
        const status = await exchange(address, name === watchedGame ? wait : 0);
        if (status === 404) hostError = "The host no longer has this game.";
        else if (status === 429) hostError = "The host has too many requests from your network. This page tries again later.";
        else if (status >= 400) hostError = `The host does not answer as it should (${status}).`;
      } catch (error) { hostError = troubleOf(error); }
    }
    if (late) othersAskedAt = Date.now();
    const words = await inTurn(() => program.waiting_words());
    tellShell({ news: { words: noticeText(words, hostError) } });
    if (isChanged) await tellMoves();
    // news of a game that is watched comes at once; without network or games, wait
    const pause = !hostError && games.some(([name]) => name === watchedGame) ? 200 : 4000;
    await new Promise((resolve) => { endPause = resolve; setTimeout(resolve, pause); });
  }
}

// Which games wait for this person: the page around the pages shows their number on its icon.
async function tellMoves() {
  isChanged = false;
  const moves = await inTurn(async () => { const gameMoves = rows(program.moves()); await storeChanges(); return gameMoves; });
  tellShell({ moves });
}

// ------------------------------------------------------------------ start
const since = (from) => Math.round(performance.now() - from);

// Straight from the cache: the way through the service worker costs a copy and a wait.
async function bytes(name) {
  const url = new URL(name, self.location).href;
  const response = (await caches.match(url)) || (await fetch(url));
  if (!response.ok) throw Error(response.status === 503 ? await response.text() : `The file ${name} of this page is missing (${response.status}).`);
  return new Uint8Array(await response.arrayBuffer());
}

// Each file is a part of the pack. To write a thousand of them by their paths would take ten times as long.
function unpack(pack) {
  const { MEMFS } = py.FS.filesystems;
  const length = new DataView(pack.buffer).getUint32(0, true);
  let offset = 4 + length, lastFolder = "", folder;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(pack.subarray(4, offset)))) {
    const path = `/app/${name}`, cut = path.lastIndexOf("/");
    if (path.slice(0, cut) !== lastFolder) {
      py.FS.mkdirTree((lastFolder = path.slice(0, cut)));
      folder = py.FS.lookupPath(lastFolder).node;
    }
    const file = MEMFS.createNode(folder, path.slice(cut + 1), 0o100644, 0);
    file.contents = pack.subarray(offset, offset + size);
    file.usedBytes = size;
    offset += size;
  }
}

// Python with the program in it: from the memory that an earlier start kept, or from the beginning.
async function wake(pack) {
  const stored = await memory.find();
  if (stored) {
    const snapshot = memory.read(stored);
    snapshot.catch(() => {}); // `load` waits for them later
    try {
      return await load(pack, snapshot);
    } catch {
      await memory.drop(); // whatever is wrong with it: the long way always goes
    }
  }
  return load(pack);
}

async function load(pack, snapshot) {
  const { noble } = await ciphers;
  py = await loadPyodide({
    indexURL: new URL("./", self.location).href,
    stdLibURL: new URL("stdlib.zip", self.location).href,
    stdout: () => {}, // what it would say on a terminal is on the pages, or in the line above them
    stderr: () => {},
    env: { HOME, PBEM_HOME: `${HOME}/pbem` },
    ...memory.options(snapshot, { noble }),
  });
  unpack(await pack);
  if (!snapshot) {
    py.registerJsModule("noble", noble);
    py.runPython(`
import sys
sys.path.insert(0, "/app")
from pbem.web.program_in_tab import Program, note_start
`);
  }
  const copy = snapshot ? undefined : memory.copy(py, { noble });
  py.globals.get("note_start")(Intl.DateTimeFormat().resolvedOptions().timeZone);
  times.kept = Boolean(snapshot);
  return copy;
}

async function start() {
  const startedAt = performance.now();
  tellShell({ step: "Fetching the program…", done: 10 });
  const pack = bytes("app.pack");
  const files = openStorage().then(readAll);
  for (const promise of [pack, files]) promise.catch(() => {}); // said below
  const copy = await wake(pack);
  times.python = since(startedAt);
  tellShell({ step: "Opening your games…", done: 60 });
  writeFiles(await files);
  times.files = since(startedAt);
  program = py.globals.get("Program")(new URL("./", self.location).href, (work) => tellShell({ work }));
  await storeChanges();
  times.program = since(startedAt);
  tellShell({ ready: true, times, step: "Ready", done: 100 });
  await Promise.race([pageShown, new Promise((resolve) => setTimeout(resolve, 5000))]);
  keepUp();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  if (copy) memory.keep(copy);
}
const pageShown = new Promise((resolve) => self.addEventListener("message", resolve)); // a page stands in the tab

// One worker at a time, in all tabs. When its tab ends, the next one goes on. If it does not answer for
// a while, because the browser froze its tab, the next one takes its place, and the epoch keeps the
// old one from writing.
const PATIENCE_MILLISECONDS = 20000;
let lastPingAt = 0, isMine = false;
const noteFailure = (error) => { stopReason = String(error.message || error); tellShell({ failed: sentence(error) }); };
const startOwn = async () => { isMine = true; await start(); await new Promise(() => {}); };
const noteLoss = () => { stopReason = "Another tab has the program now. Reload this one."; tellShell({ failed: stopReason }); };

function wait() {
  lastPingAt = Date.now();
  const control = new AbortController();
  const asking = setInterval(() => {
    channel.postMessage({ to: "worker", ping: true });
    if (Date.now() - lastPingAt < PATIENCE_MILLISECONDS) return;
    clearInterval(asking);
    control.abort();
    navigator.locks.request(`pbem:${BASE}`, { steal: true }, startOwn).catch((error) => (error.name === "AbortError" ? noteLoss() : noteFailure(error)));
  }, 3000);
  navigator.locks.request(`pbem:${BASE}`, { signal: control.signal }, () => { clearInterval(asking); return startOwn(); }).catch((error) => {
    if (!control.signal.aborted) (error.name === "AbortError" ? noteLoss() : noteFailure(error));
  });
}

channel.addEventListener("message", ({ data }) => {
  if (data.ping && isMine && !stopReason) channel.postMessage({ to: "waiting" });
  if (data.to === "waiting") lastPingAt = Date.now();
});

navigator.locks.request(`pbem:${BASE}`, { ifAvailable: true }, (lock) => {
  if (lock) return startOwn();
  tellShell({ elsewhere: true });
  wait();
}).catch((error) => (error.name === "AbortError" ? noteLoss() : noteFailure(error)));
