"""Text files as programs on Windows save them: with a mark at the start, or in UTF-16."""

from __future__ import annotations

import codecs


def as_utf8(data: bytes) -> bytes:
    """Return the bytes of a text file in UTF-8 without a mark at its start.

    UTF-16 is known by its mark, or by a zero in every second byte of the first two characters.
    Bytes that are no text in the encoding that they begin with are returned unchanged.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif len(data) >= 4 and not any(data[1:4:2]) and all(data[0:4:2]):
        encoding = "utf-16-le"
    elif len(data) >= 4 and not any(data[0:4:2]) and all(data[1:4:2]):
        encoding = "utf-16-be"
    else:
        return data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode(encoding).encode()
    except UnicodeError:
        return data
