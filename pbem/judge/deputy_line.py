"""A deputy's public keys, as the one line that the referee puts into the charter (protocol §5)."""

from __future__ import annotations

import base64
import re
from typing import Final

from engine.value_classes import Value
from pbem.format import protocol_labels
from pbem.format.hashes_and_streams import th
from pbem.format.keys import check_public
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import check_x25519
from pbem.records.twelve_words import words_of
from pbem.text.terminal_and_page_wording import TerminalText

_LINE: Final = re.compile(r"deputy:([0-9a-f]{64}):([0-9a-f]{64}):([A-Z2-7]{8})")


class DeputyLine(Value):
    """A deputy's public keys, as one line: `deputy:4f1c22…:9ac0…:K7Q2…`; it contains no secret."""

    key: bytes
    x25519: bytes

    def line(self) -> str:
        """Return the line; its last part is a checksum."""
        check = base64.b32encode(self._digest()[:5]).decode()
        return f"deputy:{self.key.hex()}:{self.x25519.hex()}:{check}"

    def words(self) -> str:
        """Return twelve words for both keys. People compare them by voice, because whoever carries
        the line can swap it."""
        return " ".join(words_of(self._digest()))

    def _digest(self) -> bytes:
        return th(protocol_labels.DEPUTY_CHECK, self.key, self.x25519)


def parse_deputy_line(line: str) -> DeputyLine:
    """Read a line that `DeputyLine.line` wrote; spaces do not matter. Raises RecordError `grammar`
    for another line, `key` if its keys are none."""
    normalized_line = "".join(line.split())
    match = _LINE.fullmatch(normalized_line)
    if not match:
        raise RecordError(
            "grammar",
            TerminalText(
                "this is not [[a line of `pbem keys deputy`||a deputy's line]], which looks like "
                "deputy:4f1c22…:…"
            ),
        )
    deputy_line = DeputyLine(bytes.fromhex(match[1]), bytes.fromhex(match[2]))
    if deputy_line.line() != normalized_line:
        sentence = TerminalText(
            "a character of the deputy's line is wrong: copy the whole line[[ that pbem keys "
            "deputy prints]]"
        )
        raise RecordError("grammar", sentence)
    check_public(deputy_line.key)
    check_x25519(deputy_line.x25519)
    return deputy_line
