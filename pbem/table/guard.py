"""Answer only the person who started the table, and only the table's own pages.

Other programs on the computer can reach the port, and pages of other sites can make the browser
send requests to it. So each request must name this host, must not come from another site, and must
carry the cookie that the browser got in exchange for the token.
"""

from __future__ import annotations

import secrets
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

OPEN = ("/", "/enter")
"""The addresses that need no cookie, besides the files below `/static/`."""
READING = ("GET", "HEAD")
TOKEN_SIZE = 200
"""The most bytes that anybody may send as a token."""
HEADERS = {
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


class Guard:
    """Passes a request on to the application only if it passes all checks."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app, self.host, self.origin = app, host, f"http://{host}"
        self.token = secrets.token_urlsafe(32)
        """The secret after the # of the address that is opened first; it works only once."""
        self._pass = secrets.token_urlsafe(32)
        # all ports of a host share their cookies, so each table needs a different name
        self._cookie = f"pbem-{host.rpartition(':')[2]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it (the interface is ASGI's)."""
        if scope["type"] != "http":
            raise RuntimeError(f"the table does not answer requests of the type {scope['type']}")
        headers = _Headers(scope)
        scope["pbem_entered"] = entered = self._has_cookie(headers)
        path = scope["path"]
        answer = self.app
        if why := self._why_not(scope["method"], headers):
            answer = PlainTextResponse(f"refused: {why}\n", 403)
        elif path == "/enter":
            answer = await self._enter(scope["method"], receive, entered)
        elif not (entered or path in OPEN or path.startswith("/static/")):
            told = "refused: open the address that `pbem table` printed\n"
            answer = PlainTextResponse(told, 401)
        await answer(scope, receive, _with_headers(send))

    def _why_not(self, method: str, headers: _Headers) -> str:
        """Say why a request must be refused, whoever sent it; empty if there is no reason."""
        if headers.all("host") != [self.host]:
            return "the request is for a different host name"
        if any(origin != self.origin for origin in headers.all("origin")):
            return "the request comes from a different page"
        if any(site not in ("same-origin", "none") for site in headers.all("sec-fetch-site")):
            return "the request comes from a different site"
        if method not in READING and headers.all("origin") != [self.origin]:
            return "the request does not say which page it comes from"
        return ""

    def _has_cookie(self, headers: _Headers) -> bool:
        try:
            found = SimpleCookie("; ".join(headers.all("cookie"))).get(self._cookie)
        except CookieError:
            return False
        return found is not None and compare_digest(found.value.encode(), self._pass.encode())

    async def _enter(self, method: str, receive: Receive, entered: bool) -> ASGIApp:
        """Accept the token, which works only once, and answer with the cookie."""
        if method != "POST":
            return PlainTextResponse(
                "refused: only the page of pbem table may use this address\n", 405
            )
        said = await read_body(receive, TOKEN_SIZE)
        if entered:
            return JSONResponse({"ok": True})
        if said is None or not self.token or not compare_digest(said, self.token.encode()):
            used = (
                "this address has already been used" if not self.token else "this address is wrong"
            )
            return JSONResponse({"ok": False, "told": used}, 403)
        self.token = ""
        answer = JSONResponse({"ok": True})
        answer.set_cookie(self._cookie, self._pass, path="/", httponly=True, samesite="strict")
        return answer


class _Headers:
    def __init__(self, scope: Scope) -> None:
        self._found = [(k.decode("latin-1"), v.decode("latin-1")) for k, v in scope["headers"]]

    def all(self, name: str) -> list[str]:
        return [value for key, value in self._found if key == name]


async def read_body(receive: Receive, most: int) -> bytes | None:
    """Return the body of a request; None if it is longer than this many bytes."""
    data = b""
    while True:
        message = await receive()
        data += bytes(message.get("body", b""))
        if len(data) > most:
            return None
        if not message.get("more_body"):
            return data


def _with_headers(send: Send) -> Send:
    """Return a `send` that adds the headers that every answer has."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            known = {key for key, _ in message["headers"]}
            more = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
            message["headers"] = [*message["headers"], *(h for h in more if h[0] not in known)]
        await send(message)

    return sending
