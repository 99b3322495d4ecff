"""Characters that people do not see, or take for others: named, so that they can be found."""

from __future__ import annotations

import unicodedata

_CONTROLS = {0: "NULL", 0x1B: "ESCAPE"}


def strange(character: str) -> str:
    """What this character is, if it is none of a plain keyboard: `U+00A0, a no-break space`.

    Nothing for plain ones (ASCII that can be seen, spaces, tabs, the end of a line) and for none.
    """
    if not character or character in "\t\n\r" or " " <= character <= "~":
        return ""
    code = ord(character)
    name = unicodedata.name(character, _CONTROLS.get(code, "control character")).lower()
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name} (U+{code:04X})"


def strangers(text: str) -> str:
    """The first characters of the text that are none of a plain keyboard, named; or nothing."""
    found = [name for character in dict.fromkeys(text) if (name := strange(character))]
    return " and ".join(found[:2])
