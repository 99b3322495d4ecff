"""The names of unusual characters, for errors about them."""

from __future__ import annotations

import unicodedata

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
