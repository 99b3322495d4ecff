"""Answer only the person who started the table, and only their own pages."""

from __future__ import annotations

import secrets
from hmac import compare_digest

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.web.page_rendering import page

COOKIE_NAME = "pbem"
READING_METHODS = ("GET", "HEAD")
MAX_TOKEN_BYTES = 200
"""The most bytes that anybody may send as a token."""
SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


OTHER_PAGE_SENTENCE = "refused: this request does not come from a page of pbem\n"
PART_HEADER = "x-pbem-part"
"""The header of each request that a script of the pages sends. A form or a link cannot send it, and
a script of another origin, even of another port of this host name, only if this server agrees."""


class ScriptedActs:
    """Passes on requests that only read, and acts of the pages' own scripts.

    A page of another port of this host name is of the same site, so a browser may send cookies with
    its requests, and a service worker may answer its frames. But such a page can only send forms.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it (the interface is ASGI's)."""
        answer = self.app
        if scope["method"] not in READING_METHODS and Headers(scope=scope).get(PART_HEADER) != "1":
            answer = PlainTextResponse(OTHER_PAGE_SENTENCE, 403)
        await answer(scope, receive, send)


class Guard:
    """Passes on only the requests of the person who started the table, from the table's own pages.

    Other programs on the computer can reach the port, and pages of other sites can make the browser
    send requests to it. So each request must name this host, must not come from another site, must
    be for an address below the secret path, and must carry the pass. The browser gets the path, and
    the pass in a cookie, in exchange for the token.

    Browsers send the cookies of 127.0.0.1 to all its ports, but only for addresses below the path
    of the cookie (RFC 6265, 5.1.4). Whoever serves another port does not know this path, so no
    request that they get can carry the pass. It is not in the address that `pbem table` prints
    either, because a list of processes may show that address. A pass in a header instead of a
    cookie would be lost with each link, reload, download and new tab. The path alone would not do,
    because a person may show or copy an address.
    """

    def __init__(self, app: ASGIApp, host: str, first_page: str = "") -> None:
        """`host` is the name and port under which the browser reaches the table. `first_page` is
        the path of the page to show after the token was right; empty for the list of games."""
        self.app, self.host, self.origin = app, host, f"http://{host}"
        self._first_page = first_page
        self.token = secrets.token_urlsafe(32)
        """The secret after the # of the address that is opened first; it works only once."""
        self.root = f"/{secrets.token_urlsafe(32)}"
        """The secret path below which all pages are."""
        self._pass = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it (the interface is ASGI's)."""
        if scope["type"] != "http":
            raise RuntimeError(f"the table does not answer requests of the type {scope['type']}")
        headers, method, path = Headers(scope=scope), scope["method"], scope["path"]
        answer: ASGIApp
        if reason := self._refusal_reason(method, headers):
            answer = PlainTextResponse(f"refused: {reason}\n", 403)
        elif self._has_pass(path, headers):
            scope["root_path"], answer = self.root, self.app
        elif path == "/enter":
            answer = await self._enter(method, receive)
        elif path == "/" and method in READING_METHODS:
            answer = page(Request(scope), "enter.html")
        elif path.startswith("/static/"):
            answer = self.app
        else:
            sentence = "refused: open the address that `pbem table` printed\n"
            answer = PlainTextResponse(sentence, 401)
        await answer(scope, receive, _with_headers(send))

    def _has_pass(self, path: str, headers: Headers) -> bool:
        """Return whether a request carries the pass, and is for a page below the secret path."""
        root_path, expected_cookie = f"{self.root}/", f"{COOKIE_NAME}={self._pass}"
        # other ports may have set more cookies, also of the same name
        lines = headers.getlist("cookie")
        cookies = [cookie.strip() for line in lines for cookie in line.split(";")]
        has_cookie = any(_equals_secret(cookie, expected_cookie) for cookie in cookies)
        return _equals_secret(path[: len(root_path)], root_path) and has_cookie

    def _refusal_reason(self, method: str, headers: Headers) -> str:
        """Return the reason why a request is not from a page of this table; empty if it may be."""
        origins = headers.getlist("origin")
        if headers.getlist("host") != [self.host]:
            return "the request is for a different host name"
        if any(origin != self.origin for origin in origins):
            return "the request comes from a different page"
        if any(site not in ("same-origin", "none") for site in headers.getlist("sec-fetch-site")):
            return "the request comes from a different site"
        if method not in READING_METHODS and origins != [self.origin]:
            return "the request does not say which page it comes from"
        return ""

    async def _enter(self, method: str, receive: Receive) -> ASGIApp:
        """Answer the first page, which sends the token: give the browser the path and the pass."""
        if method != "POST":
            return PlainTextResponse(OTHER_PAGE_SENTENCE, 405)
        token = await read_body(receive, MAX_TOKEN_BYTES)
        if token is None or not self.token or not compare_digest(token, self.token.encode()):
            problem = "is wrong" if self.token else "has already been used"
            return JSONResponse({"ok": False, "told": f"this address {problem}"}, 403)
        self.token = ""
        root_path = f"{self.root}/"
        answer = JSONResponse({"ok": True, "address": f"{root_path}{self._first_page}"})
        answer.set_cookie(COOKIE_NAME, self._pass, path=root_path, httponly=True, samesite="strict")
        return answer


def _equals_secret(text: str, secret: str) -> bool:
    """Compare a text with a secret in a time that does not tell how much of it is right."""
    return compare_digest(text.encode("utf-8", "replace"), secret.encode())


async def read_body(receive: Receive, max_bytes: int) -> bytes | None:
    """Return the body of a request; None if it is longer than `max_bytes`."""
    data = b""
    while True:
        message = await receive()
        data += bytes(message.get("body", b""))
        if len(data) > max_bytes:
            return None
        if not message.get("more_body"):
            return data


def _with_headers(send: Send) -> Send:
    """Return a function that sends an answer with the security headers."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            header_names = {key for key, _ in message["headers"]}
            security_headers = [(k.encode(), v.encode()) for k, v in SECURITY_HEADERS.items()]
            message["headers"] = [
                *message["headers"],
                *(h for h in security_headers if h[0] not in header_names),
            ]
        await send(message)

    return send_with_headers
