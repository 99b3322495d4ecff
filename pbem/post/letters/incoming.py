"""Read the header of a message that arrived: who sent it, and whether a program did.

Only a few fields are read, and not too much of each, because anyone can send us mail
(see `pbem.mail.opening.header`). Nothing in a header is proof; it only decides what we answer.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from pbem.frozen import frozen
from pbem.mail.opening.header import (
    fields_in,
    header_of,
    is_bounce,
    sender_in,
    written_by_program,
)
from pbem.mail.opening.mime import MAX_HEADER

_MAX_BOUNCE: Final = 1 << 16
_END = re.compile(rb"\n\r?\n")
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
"""Printable ASCII: an answer repeats it in its header."""
_STATUS = re.compile(rb"^(?:Action|Status|Diagnostic-Code):[ \t]*([^\r\n]{1,200})", re.I | re.M)


@frozen
class Incoming:
    """A message that arrived: its bytes, and its number (UID) in the mailbox."""

    data: bytes
    uid: int = 0

    @cached_property
    def fields(self) -> dict[str, str]:
        """The header fields that matter, by their names in lower case.

        If a field occurs twice, only the first counts.
        """
        return fields_in(header_of(self.data))

    @property
    def sender(self) -> str:
        """The address in the field From, which proves nothing."""
        return sender_in(self.fields)

    @property
    def message_id(self) -> str:
        """The Message-ID, with its angle brackets; empty if there is none."""
        found = _ID.search(self.fields.get("message-id", ""))
        return found[0] if found else ""

    @property
    def answers(self) -> list[str]:
        """The ids of the messages that this one answers."""
        return _ID.findall(
            f"{self.fields.get('in-reply-to', '')} {self.fields.get('references', '')}"
        )

    @property
    def is_bounce(self) -> bool:
        """Whether a mail server reports that a message was not delivered (RFC 3464)."""
        return is_bounce(self.fields)

    @property
    def is_automatic(self) -> bool:
        """Whether a program or a mailing list sent it (RFC 3834), so that it gets no answer."""
        return bool(written_by_program(self.fields))

    @property
    def failure(self) -> str:
        """Return the reason that a bounce gives, on one line; empty if the bounce only reports a
        delay."""
        told = [m[1].decode("utf-8", "replace").strip() for m in _STATUS.finditer(self._body)]
        if told and told[0].lower() in ("delayed", "delivered", "relayed", "expanded"):
            return ""
        return "; ".join(dict.fromkeys(told[:3])) or "no reason is given"

    @property
    def bounced_ids(self) -> list[str]:
        """Return the ids that a bounce mentions.

        One of them is the id of the message that came back.
        """
        found = re.findall(rb"^Message-ID:[ \t\r\n]*(<[^<>\s]{1,250}>)", self._body, re.I | re.M)
        return [one.decode("ascii", "replace") for one in found] + self.answers

    @property
    def _body(self) -> bytes:
        end = _END.search(self.data, 0, MAX_HEADER)
        start = end.end() if end else 0
        return self.data[start : start + _MAX_BOUNCE]
