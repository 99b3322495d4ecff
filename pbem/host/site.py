"""The page that plays in a browser (`make site`): its files, their types and policies, its hash."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response

from pbem.errors import CliError

_TYPES: Final = {
    ".css": "text/css", ".html": "text/html; charset=utf-8", ".js": "text/javascript",
    ".json": "application/json", ".mjs": "text/javascript", ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}  # fmt: skip
_PACKED: Final = {".br": "br", ".gz": "gzip"}
"""Endings of compressed copies, the smallest first, and what they are called in headers."""
PAGE: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'self'"
)
"""What the page may do: load from this host only, and run no script that stands in a page."""
WORKER: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src {}; base-uri 'none'"
)
"""The same for the worker, which also compiles WebAssembly, and asks hosts."""


class Site:
    """The files of one folder, as they are when the host starts."""

    def __init__(self, folder: Path) -> None:
        """Raises CliError if the folder has no such page."""
        if not (folder / "index.html").is_file() or not (folder / "site.json").is_file():
            raise CliError(f"{folder} has no page to play in", "`make site` builds one")
        self.folder = folder
        self.index_html = (folder / "index.html").read_text("utf-8")
        hosts = json.loads((folder / "site.json").read_bytes())["hosts"]
        self._worker = WORKER.format(" ".join(["'self'", *hosts]))
        files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in _PACKED)
        self._hashes = {
            p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
            for p in files
        }
        lines = "".join(f"{digest}  {name}\n" for name, digest in self._hashes.items())
        self.hash = hashlib.sha256(lines.encode()).hexdigest()
        """The hash of the whole: that of what `sha256sum` prints for all files, by name."""

    def answer(self, path: str, headers: Headers) -> Response | None:
        """Return the file at this path, compressed if the browser takes it; None if there is
        none."""
        name = path or "index.html"
        digest = self._hashes.get(name)
        if digest is None:
            return None
        # the name is the same in the next version, so the browser asks each time whether it changed
        sent = {"etag": f'"{digest[:32]}"', "cache-control": "no-cache", "vary": "accept-encoding"}
        sent["content-security-policy"] = self._worker if name == "worker.js" else PAGE
        sent["x-frame-options"] = "SAMEORIGIN"
        sent["x-pbem-host"] = "1"  # a plain web server does not say that
        if headers.get("if-none-match") == sent["etag"]:
            return Response(status_code=304, headers=sent)
        file = self.folder / name
        takes = [
            one.partition(";")[0].strip() for one in headers.get("accept-encoding", "").split(",")
        ]
        for ending, coding in _PACKED.items():
            packed = Path(f"{file}{ending}")
            if coding in takes and packed.is_file():
                file, sent["content-encoding"] = packed, coding
                break
        kind = _TYPES.get(Path(name).suffix, "application/octet-stream")
        return Response(file.read_bytes(), headers=sent, media_type=kind)
