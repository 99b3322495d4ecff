"""The page that plays in a browser (`make site`): its files, their types and policies, its hash."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response

from pbem.errors import CliError

_MEDIA_TYPES: Final = {
    ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript",
    ".json": "application/json", ".mjs": "text/javascript", ".png": "image/png",
    ".svg": "image/svg+xml", ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip
_CODINGS_BY_ENDING: Final = {".br": "br", ".gz": "gzip"}
"""By the ending of a compressed copy, the name of its coding in headers; the smallest first."""
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'self'"
)
"""The policy of the page: it loads from this host only, and runs no script inside a page."""
WORKER_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src {}; base-uri 'none'"
)
"""The policy of the worker, which also compiles WebAssembly, and asks the hosts named for `{}`."""


class Site:
    """The files of one folder, as they are when the host starts."""

    def __init__(self, folder: Path) -> None:
        """Raises CliError if the folder has no such page."""
        if not (folder / "index.html").is_file() or not (folder / "site.json").is_file():
            sentence = f"the folder {folder} does not contain the page that plays in a browser"
            raise CliError(sentence, "build the page: make site")
        self.folder = folder
        self.index_html = (folder / "index.html").read_text("utf-8")
        hosts = json.loads((folder / "site.json").read_bytes())["hosts"]
        self._worker_policy = WORKER_POLICY.format(" ".join(["'self'", *hosts]))
        files = sorted(
            p for p in folder.rglob("*") if p.is_file() and p.suffix not in _CODINGS_BY_ENDING
        )
        self._hashes = {
            p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
            for p in files
        }
        lines = "".join(f"{digest}  {name}\n" for name, digest in self._hashes.items())
        self.hash = hashlib.sha256(lines.encode()).hexdigest()
        """The hash of the lines that `sha256sum` prints for all files, sorted by name."""

    def answer(self, path: str, headers: Headers) -> Response | None:
        """Return the response with the file at a path, compressed if the browser takes it; None if
        there is no such file. `headers` are those of the request."""
        name = path or "index.html"
        digest = self._hashes.get(name)
        if digest is None:
            return None
        etag = f'"{digest[:32]}"'
        answer_headers = {
            "etag": etag,
            # the name is the same in the next version: the browser asks each time for changes
            "cache-control": "no-cache",
            "vary": "accept-encoding",
            "content-security-policy": self._worker_policy if name == "worker.js" else PAGE_POLICY,
            "x-frame-options": "SAMEORIGIN",
            "x-pbem-host": "1",  # a plain web server does not say that
        }
        if headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=answer_headers)
        file = self.folder / name
        codings = headers.get("accept-encoding", "").split(",")
        accepted_codings = {coding.partition(";")[0].strip() for coding in codings}
        for ending, coding in _CODINGS_BY_ENDING.items():
            packed_file = Path(f"{file}{ending}")
            if coding in accepted_codings and packed_file.is_file():
                file, answer_headers["content-encoding"] = packed_file, coding
                break
        kind = _MEDIA_TYPES.get(Path(name).suffix, "application/octet-stream")
        return Response(file.read_bytes(), headers=answer_headers, media_type=kind)
