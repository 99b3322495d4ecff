// Pages without a service worker: in a private window, or in the browser inside a chat program. This
// module asks the program for a page, and writes it into the frame; what the page asks goes the same
// way. Each page begins in an empty document of its own, which has the policy of all pages.
const BASE = new URL("./", import.meta.url).pathname;
const EMPTY = new Set([204, 205, 304]);
const MOST_REDIRECTS = 10;

// The answer to a request, and the address that it comes from.
async function answer(ask, address, options) {
  let request = new Request(address, options);
  for (let n = 0; n < MOST_REDIRECTS; n++) {
    const url = new URL(request.url);
    const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
    const said = await ask({ method: request.method, url: request.url, headers: [...request.headers], body });
    const found = new Response(EMPTY.has(said.status) ? null : said.body, { status: said.status, headers: said.headers });
    const next = found.headers.get("location");
    if (!next || found.status < 300 || found.status > 399) return [url, found];
    request = new Request(new URL(next, url));
  }
  throw Error("This page only leads back to itself.");
}

// Takes the frame over. Returns what shows an address in it; `shown` is then called with the address.
export function direct(frame, ask, shown) {
  const page = frame.contentWindow;
  let step = "shown"; // before that, the frame loads the empty document, and then what is written into it
  let current, text, number = 0;

  async function show(address) {
    const mine = ++number;
    current = new URL(address);
    const [url, found] = await answer(ask, current);
    const whole = await found.text();
    if (mine !== number) return; // another page was asked for since
    [current, text, step] = [url, whole, "blank"];
    page.location.replace(`${BASE}blank.html`);
  }

  function write() {
    step = "written";
    page.document.open();
    page.pageAddress = current.pathname + current.search;
    page.fetch = async (path, options) => (await answer(ask, new URL(path, current), options))[1];
    page.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      if (!link || link.download || event.defaultPrevented || event.button) return;
      const to = new URL(link.href);
      if (to.origin !== location.origin || link.getAttribute("href").startsWith("#")) return;
      event.preventDefault();
      show(to);
    });
    page.addEventListener("submit", (event) => {
      if (event.defaultPrevented || event.target.method !== "get") return;
      event.preventDefault();
      const to = new URL(event.target.action);
      to.search = new URLSearchParams(new FormData(event.target, event.submitter));
      show(to);
    });
    page.document.write(text);
    page.document.close();
  }

  frame.addEventListener("load", () => {
    if (step === "blank") setTimeout(write); // written during this event, it would have none of its own
    else if (step === "written") { step = "shown"; shown(current); }
    else if (current) show(current); // the page, or the browser's Back, loaded the empty document again
  });
  return show;
}
