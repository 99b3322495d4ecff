"""Answer only the person who started the table; fill the templates, everything escaped."""

from __future__ import annotations

import secrets
from functools import lru_cache
from hmac import compare_digest
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.drawing.table import die_svg
from pbem.terminal.prose import spaced
from pbem.terminal.terminal import clean
from pbem.text.names import join_words
from pbem.web.wording import without_commands, without_digits
from pbem.wording.explain import CITED_PATTERN, RULING_PATTERN
from pbem.wording.how_to_play import in_pieces


@lru_cache(1)
def templates() -> Environment:
    """Return what makes pages: everything in them is escaped."""
    found = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "clean": clean,
        "spaced": spaced,
        "join_words": join_words,
        "in_pieces": in_pieces,
    }
    found.filters |= {"here": _worded, "cited": _cited}
    found.filters["die"] = lambda number: Markup(die_svg(number))
    return found


def _cited(text: str) -> Markup:
    """Make a button of the number of each ruling that a text follows; it opens what it says."""
    button = r'<button type="button" class="link cite" data-word="\g<0>">\g<0></button>'
    return Markup(
        CITED_PATTERN.sub(lambda found: RULING_PATTERN.sub(button, found[0]), str(escape(text)))
    )


@pass_context
def _worded(context: Context, text: str) -> str:
    """Word a sentence for where the page is: in a tab, nobody can type a command."""
    text = without_digits(text)
    return without_commands(text) if context["tab"] else text


def page(request: Request, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """Answer with a page, or a part of one, made from a template.

    Links in templates begin with `root`, the path below which this table serves its pages. `tab`:
    whether this is a browser tab, which has no folders and no terminal.
    """
    values |= {"root": request.scope["root_path"], "tab": in_tab(request)}
    return HTMLResponse(templates().get_template(template).render(values), status)


def in_tab(request: Request) -> bool:
    """Return whether the program itself runs in a browser tab (`tab_program`)."""
    return bool(request.scope.get("pbem_tab"))


COOKIE = "pbem"
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


PART = "x-pbem-part"
"""The header of each request that a script of the pages sends. A form or a link cannot send it, and
a script of another origin, even of another port of this host name, only if this server agrees."""


class OwnActs:
    """Passes on what only reads, and acts that a script of the pages asks for.

    A page of another port of this host name is of the same site, so a browser may send cookies with
    its requests, and a service worker may answer its frames. But such a page can only send forms.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it (the interface is ASGI's)."""
        answer = self.app
        if scope["method"] not in READING and Headers(scope=scope).get(PART) != "1":
            answer = PlainTextResponse("refused: only the pages of pbem may do this\n", 403)
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
        headers, inside = Headers(scope=scope), f"{self.root}/"
        method, path = scope["method"], scope["path"]
        # other ports may have set more cookies, also of the same name
        cookies = [one.strip() for line in headers.getlist("cookie") for one in line.split(";")]
        known = f"{COOKIE}={self._pass}"
        if why := self._why_not(method, headers):
            answer: ASGIApp = PlainTextResponse(f"refused: {why}\n", 403)
        elif _same(path[: len(inside)], inside) and any(_same(one, known) for one in cookies):
            scope["root_path"], answer = self.root, self.app
        elif path == "/enter":
            answer = await self._enter(method, receive)
        elif path == "/" and method in READING:
            answer = page(Request(scope), "enter.html")
        elif path.startswith("/static/"):
            answer = self.app
        else:
            told = "refused: open the address that `pbem table` printed\n"
            answer = PlainTextResponse(told, 401)
        await answer(scope, receive, _with_headers(send))

    def _why_not(self, method: str, headers: Headers) -> str:
        origins = headers.getlist("origin")
        if headers.getlist("host") != [self.host]:
            return "the request is for a different host name"
        if any(origin != self.origin for origin in origins):
            return "the request comes from a different page"
        if any(site not in ("same-origin", "none") for site in headers.getlist("sec-fetch-site")):
            return "the request comes from a different site"
        if method not in READING and origins != [self.origin]:
            return "the request does not say which page it comes from"
        return ""

    async def _enter(self, method: str, receive: Receive) -> ASGIApp:
        if method != "POST":
            told = "refused: only the page of pbem table may use this address\n"
            return PlainTextResponse(told, 405)
        said = await read_body(receive, TOKEN_SIZE)
        if said is None or not self.token or not compare_digest(said, self.token.encode()):
            why = "is wrong" if self.token else "has already been used"
            return JSONResponse({"ok": False, "told": f"this address {why}"}, 403)
        self.token = ""
        inside = f"{self.root}/"
        answer = JSONResponse({"ok": True, "address": f"{inside}{self._first_page}"})
        answer.set_cookie(COOKIE, self._pass, path=inside, httponly=True, samesite="strict")
        return answer


def _same(one: str, two: str) -> bool:
    """Compare a text with a secret in a time that does not tell how much of it is right."""
    return compare_digest(one.encode("utf-8", "replace"), two.encode())


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

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            known = {key for key, _ in message["headers"]}
            more = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
            message["headers"] = [*message["headers"], *(h for h in more if h[0] not in known)]
        await send(message)

    return sending
