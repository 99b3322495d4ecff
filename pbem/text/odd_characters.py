"""Name characters that are invisible or easily confused, so that people can find them."""

from __future__ import annotations

_CONTROLS = {0: "NULL", 0x1B: "ESCAPE"}


def strange(character: str) -> str:
    """Return the name of an unusual character, as `a no-break space (U+00A0)`.

    Empty for a plain character (visible ASCII, space, tab, end of line) and for an empty string.
    """
    if not character or character in "\t\n\r" or " " <= character <= "~":
        return ""
    import unicodedata

    code = ord(character)
    name = unicodedata.name(character, _CONTROLS.get(code, "control character")).lower()
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name} (U+{code:04X})"


def strangers(text: str) -> str:
    """Return the names of the first two unusual characters in the text; empty if there are none."""
    found = [name for character in dict.fromkeys(text) if (name := strange(character))]
    return " and ".join(found[:2])
