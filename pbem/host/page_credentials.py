"""Credentials that open pages of a host: the one that a request has, and the owner's password.

A credential is a password or a token.
"""

from __future__ import annotations

import base64
import contextlib
import secrets
from collections.abc import Sequence
from hmac import compare_digest
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response

from pbem.files.disk import create, make_folder, read_if_there
from pbem.files.home import Home


def find_known_credential(
    headers: Headers, known_credentials: Sequence[str], form_credential: str = ""
) -> str:
    """Return the one of the `known_credentials` that a request has; empty if it has none.

    It may be in a form (`form_credential`), a token (RFC 6750), or a browser's password with any
    name (RFC 7617).
    """
    scheme, _, credential = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        with contextlib.suppress(ValueError):
            credential = base64.b64decode(credential, validate=True).decode("utf-8", "replace")
        credential = credential.partition(":")[2]
    sent_bytes = (form_credential or credential).strip().encode()
    matches = (c for c in known_credentials if c and compare_digest(sent_bytes, c.encode()))
    return next(matches, "")


def ask_for_password(reader: str) -> Response:
    """Return an answer with which the browser asks for a password. `reader` says whose page it
    is."""
    headers = {"www-authenticate": f'Basic realm="{reader}"'}
    return PlainTextResponse(f"this page is for {reader}\n", 401, headers=headers)


def password_file(home: Home) -> Path:
    """Return the path of the file with the password of the owner's page."""
    return home.root / "host-password"


def owners_password(home: Home) -> str:
    """Return the password of the owner's page; the first call makes it and keeps it in the home.
    Raises StorageError."""
    file = password_file(home)
    if not (data := read_if_there(file)):
        make_folder(home.root, private=True)
        create(file, secrets.token_urlsafe(18).encode() + b"\n", private=True)
        data = read_if_there(file) or b""
    return data.decode().strip()
