// Requests to the table, and what the page says when it does not answer.

import { endOfPress } from "./press.js";

const body = document.body;

const root = body.dataset.root;
const gameAddress = body.dataset.address || "";
const seatQuery = body.dataset.seatQuery || "";

// The address of a page of the game, for the seat whose page this is.
export function gamePath(path, parameters = "") {
  const query = [seatQuery.slice(1), parameters].filter(Boolean).join("&");
  return `${gameAddress}${path}${query ? `?${query}` : ""}`;
}

// What the reader must know, at the top of the page; with a link {label, href} to where it is.
export function showBanner(text, link) {
  const bannerElement = document.getElementById("banner");
  bannerElement.replaceChildren();
  if (!text) return;
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  bannerElement.append(paragraph);
  if (link) {
    const element = document.createElement("a");
    element.className = "button";
    element.href = link.href;
    element.textContent = link.label;
    bannerElement.append(element);
  }
}

const TAB_GONE_SENTENCE =
  "The program does not answer. Nothing is lost: your plan is kept in this browser. Reload the page.";
const TABLE_GONE_SENTENCE =
  "The table does not answer: pbem table has stopped. Nothing is lost: your plan is kept as a " +
  "draft. Type pbem table again, and open the address that it prints.";

// The address of a page of this table that is not a page of the game.
export const tablePath = (path) => `${root}${path}`;

// The address of this page. Where it was written into a frame (site/page/no-service-worker.js), location has another.
export const pageAddress = () => window.pageAddress ?? location.pathname + location.search;

export function changeAddress(path) {
  if (window.pageAddress) window.pageAddress = path;
  else history.replaceState(null, "", path);
}

// An answer and its whole content, read by `read`; null if the table does not answer, or stops halfway.
// Whatever comes changes the page, so it waits while somebody presses something.
// In a browser tab no request leaves the browser: the service worker (site/page/sw.js), or without one
// site/page/no-service-worker.js, lets the program in the tab answer it.
async function request(path, options, read) {
  try {
    const answer = await fetch(path, { cache: "no-store", ...options });
    const content = await read(answer);
    await endOfPress();
    if (answer.status === 401) {
      showBanner("This page belongs to a pbem table that has stopped. Open the address that pbem table printed.");
      return null;
    }
    if (document.getElementById("banner").dataset.gone) {
      delete document.getElementById("banner").dataset.gone;
      showBanner("");
    }
    return { answer, content };
  } catch {
    await endOfPress();
    document.getElementById("banner").dataset.gone = "1";
    showBanner(body.dataset.tab ? TAB_GONE_SENTENCE : TABLE_GONE_SENTENCE);
    return null;
  }
}

const asText = (answer) => answer.text();

function askForPart(path, options) {
  return request(path, { ...options, headers: { "x-pbem-part": "1", ...options.headers } }, asText);
}

// A file that the table makes: {ok, data, name}; null if nothing answered.
export async function fetchFile(path) {
  const exchange = await request(path, {}, (answer) => answer.blob());
  if (!exchange) return null;
  const name = /filename="([^"]+)"/.exec(exchange.answer.headers.get("content-disposition") || "");
  return { ok: exchange.answer.ok, data: exchange.content, name: name?.[1] };
}

// A part of a page: {ok, status, html}; null if nothing answered.
export async function fetchPart(path, options = {}) {
  const exchange = await askForPart(path, options);
  return exchange && { ok: exchange.answer.ok, status: exchange.answer.status, html: exchange.content };
}

export async function fetchJson(path, options = {}) {
  const exchange = await askForPart(path, options);
  try {
    return exchange && JSON.parse(exchange.content);
  } catch {
    return null;
  }
}

// In a browser tab, the worker says when something has come from a host.
export function whenNewsComes(act) {
  if (!body.dataset.tab) return;
  const channel = new BroadcastChannel(`pbem:${root}/`);
  channel.addEventListener("message", ({ data }) => data.to === "watchers" && act());
}

// Moments on the page, in the reader's time zone; without one, they stay in the zone of the game.
export function showTimes(element = document) {
  for (const moment of element.querySelectorAll("time[datetime]")) {
    const year = moment.dateTime.startsWith(String(new Date().getFullYear())) ? {} : { year: "numeric" };
    const date = new Date(moment.dateTime);
    moment.title = moment.textContent;
    moment.textContent = date.toLocaleString("en-GB", {
      weekday: "short", day: "numeric", month: "short", ...year, hour: "2-digit", minute: "2-digit", timeZoneName: "short",
    });
  }
}

// The options of a request that posts these fields.
export function postOf(data) {
  return { method: "POST", body: JSON.stringify(data) };
}

// What covered the foot of a narrow screen is gone: for a moment the buttons there take no tap, because
// one that comes now was meant for what lay over them (table.css).
const UNCOVERED_MS = 500;
let uncoveredTimer = 0;
export function noteUncovered() {
  clearTimeout(uncoveredTimer);
  body.dataset.uncovered = "";
  uncoveredTimer = setTimeout(() => delete body.dataset.uncovered, UNCOVERED_MS);
}

// Tell `act` whether the page is wider than this, now and when that changes: a frame has no width at first.
export function whenWide(width, act) {
  const narrow = matchMedia(`(max-width: ${width})`);
  act(!narrow.matches);
  narrow.addEventListener("change", () => act(!narrow.matches));
}
