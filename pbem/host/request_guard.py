"""Check a request to a host before the application sees it; make a sentence of every error."""

from __future__ import annotations

import logging
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from games.package_faults import fault_sentence
from pbem.errors import PbemError
from pbem.files.file_errors import AwayError, FileError, StorageError, TakenError
from pbem.host.record_gate import HostRefusal, MissingGame
from pbem.host.request_limits import RequestCounts, asker_of, origin_of, wide_network

SECURITY_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "access-control-allow-origin": "*",  # the addresses are the secret, and no cookie is ever sent
    "access-control-expose-headers": "etag, retry-after",
}
CORS_HEADERS: Final = {
    "access-control-allow-methods": "GET, PUT",
    "access-control-allow-headers": "if-none-match, prefer, content-type, authorization",
    "access-control-max-age": "86400",
}

log = logging.getLogger("pbem.host")


class Guard:
    """Checks requests before the application answers them, and makes a sentence of every error."""

    def __init__(self, app: ASGIApp, counts: RequestCounts) -> None:
        self.app, self.counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the interface is ASGI's)."""
        if scope["type"] != "http":
            return
        asker = asker_of(scope)
        with self.counts.open_requests.hold(wide_network(asker)) as holding:
            app = self._choose_app(scope, asker) if holding.add(1) else BUSY_RESPONSE
            await self._answer_with_sentences(app, scope, receive, send)

    async def _answer_with_sentences(
        self, app: ASGIApp, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Let an application answer, with the security headers. If it raises an error, answer with
        a sentence unless the answer has begun."""
        has_begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if message["type"] == "http.response.start":
                header_names = {key for key, _ in message["headers"]}
                security_headers = [(k.encode(), v.encode()) for k, v in SECURITY_HEADERS.items()]
                message["headers"] = [
                    *message["headers"],
                    *(h for h in security_headers if h[0] not in header_names),
                ]
            await send(message)

        try:
            await app(scope, receive, send_with_headers)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the sender gets a sentence
            status, sentence = _status_and_sentence(error)
            self.counts.refusal_count += status >= 400
            if isinstance(error, MissingGame) and scope["path"].startswith("/g/"):
                self.counts.missing_games.add(asker_of(scope))
            if not has_begun:
                retry_seconds = error.retry_after if isinstance(error, HostRefusal) else 60
                await _sentence_response(status, sentence, retry_seconds)(
                    scope, receive, send_with_headers
                )

    def _choose_app(self, scope: Scope, asker: str) -> ASGIApp:
        """Return the application that answers a request: the host's own, or a refusal."""
        if scope["method"] == "OPTIONS":
            return Response(status_code=204, headers=CORS_HEADERS)
        origin = origin_of(scope)
        if origin.is_foreign and not origin.is_intended:
            return _sentence_response(
                403, "a page of another site sent this request; open the page of the host"
            )
        if not self.counts.requests.add(asker):
            return _sentence_response(429, "too many requests from your network; wait a minute")
        if any(name == b"transfer-encoding" for name, _ in scope["headers"]):
            # a proxy in front and this host could see different ends of such a request
            return _sentence_response(411, "say how long the file is (Content-Length)", close=True)
        return self.app


def _status_and_sentence(error: Exception) -> tuple[int, str]:
    """Return the status and the sentence for an error. Details of this computer go only to the
    log."""
    match error:
        case HostRefusal():
            return error.status, error.sentence
        case TakenError():
            return 412, "this host already has a file with this name and different contents"
        case AwayError():
            log.warning("the store: %s", error)
            return 503, "the host cannot reach its files now; try again later"
        case StorageError() if error.is_disk_full:
            log.error("%s", error)
            return 507, "this host is full: its disk takes no more files; tell its owner"
        case FileError():
            log.error("damaged: %s", error)
            return 500, "a file of this game is damaged on the host; tell its owner"
        case PbemError():
            log.error("%s", error)
            return 500, "the host cannot answer this request now; tell its owner"
        case _ if sentence := fault_sentence(error):
            log.error("%s", sentence)
            return 500, "the rules of this game have a fault; tell the host's owner"
        case _:
            log.error("a bug in pbem: %s", type(error).__name__, exc_info=error)
            return 500, "the host has a bug; tell its owner"


def _sentence_response(
    status: int, sentence: str, retry_after: int = 60, *, close: bool = False
) -> Response:
    """Return a response with a sentence. `retry_after` are the seconds after which a client may try
    again; `close` closes the connection."""
    headers = {"retry-after": str(retry_after)} if status in (429, 503) else {}
    headers |= {"connection": "close"} if close else {}
    return PlainTextResponse(f"{sentence}\n", status, headers=headers)


BUSY_RESPONSE: Final = _sentence_response(
    503, "too many requests of your network are being answered now; try again soon"
)
