"""Characters of texts from outside: text files as programs on Windows save them, with a mark at the
start or in UTF-16; and the names of unusual characters, for errors about them."""

from __future__ import annotations

import codecs
import unicodedata


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


_CONTROLS = {0: "NULL", 0x1B: "ESCAPE"}


def unusual_name(character: str) -> str:
    """Return the name of an unusual character, as `a no-break space (U+00A0)`; else an empty
    text."""
    if not character or character in "\t\n\r" or " " <= character <= "~":
        return ""
    code = ord(character)
    name = unicodedata.name(character, _CONTROLS.get(code, "control character")).lower()
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name} (U+{code:04X})"


def unusual_names(text: str) -> str:
    """Return the names of the first two unusual characters in the text; empty if there are none."""
    names = [name for character in dict.fromkeys(text) if (name := unusual_name(character))]
    return " and ".join(names[:2])
