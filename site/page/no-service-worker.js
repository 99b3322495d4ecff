// Pages without a service worker: in a private window, or in the browser inside a chat program. This
// module asks the program for a page, and writes it into the frame; what the page asks goes the same
// way. Each page begins in an empty document of its own, which has the policy of all pages.
const BASE = new URL("./", import.meta.url).pathname;
const BODILESS_STATUSES = new Set([204, 205, 304]);
const MAX_REDIRECTS = 10;

// The answer to a request, and the address that it comes from.
async function fetchFromProgram(ask, address, options) {
  let request = new Request(address, options);
  for (let n = 0; n < MAX_REDIRECTS; n++) {
    const url = new URL(request.url);
    const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
    const programAnswer = await ask({ method: request.method, url: request.url, headers: [...request.headers], body });
    const response = new Response(BODILESS_STATUSES.has(programAnswer.status) ? null : programAnswer.body, { status: programAnswer.status, headers: programAnswer.headers });
    const redirectTarget = response.headers.get("location");
    if (!redirectTarget || response.status < 300 || response.status > 399) return [url, response];
    request = new Request(new URL(redirectTarget, url));
  }
  throw Error("This page only leads back to itself.");
}

// Takes the frame over. Returns what shows an address in it; `afterShown` is then called with the address.
export function takeOverFrame(frame, ask, afterShown) {
  const page = frame.contentWindow;
  let step = "shown"; // before that, the frame loads the empty document, and then what is written into it
  let currentUrl, currentHtml, lastRequestNumber = 0;

  async function show(address) {
    const requestNumber = ++lastRequestNumber;
    currentUrl = new URL(address);
    const [url, response] = await fetchFromProgram(ask, currentUrl);
    const html = await response.text();
    if (requestNumber !== lastRequestNumber) return; // another page was asked for since
    [currentUrl, currentHtml, step] = [url, html, "blank"];
    page.location.replace(`${BASE}blank.html`);
  }

  function write() {
    step = "written";
    page.document.open();
    page.pageAddress = currentUrl.pathname + currentUrl.search;
    page.fetch = async (path, options) => (await fetchFromProgram(ask, new URL(path, currentUrl), options))[1];
    page.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      if (!link || link.download || event.defaultPrevented || event.button) return;
      const target = new URL(link.href);
      if (target.origin !== location.origin || link.getAttribute("href").startsWith("#")) return;
      event.preventDefault();
      show(target);
    });
    page.addEventListener("submit", (event) => {
      if (event.defaultPrevented || event.target.method !== "get") return;
      event.preventDefault();
      const target = new URL(event.target.action);
      target.search = new URLSearchParams(new FormData(event.target, event.submitter));
      show(target);
    });
    page.document.write(currentHtml);
    page.document.close();
  }

  frame.addEventListener("load", () => {
    if (step === "blank") setTimeout(write); // written during this event, it would have none of its own
    else if (step === "written") { step = "shown"; afterShown(currentUrl); }
    else if (currentUrl) show(currentUrl); // the page, or the browser's Back, loaded the empty document again
  });
  return show;
}
