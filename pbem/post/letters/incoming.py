"""Read the header of a message that arrived: who sent it, and whether a program did.

Only a few fields are read, at most two thousand characters of each, because anyone can send us mail
(see `pbem.mail.opening.mime`). Nothing in a header is proof; it only decides what we answer.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from pbem.frozen import frozen

MAX_HEADER: Final = 1 << 18
_MAX_FIELD: Final = 2048
_MAX_BOUNCE: Final = 1 << 16
_FIELD = re.compile(
    rb"^(from|message-id|in-reply-to|references|auto-submitted|precedence|list-id|list-post"
    rb"|return-path|content-type|x-auto-response-suppress|x-autoreply|x-autorespond|x-loop"
    rb"|x-failed-recipients|subject):([^\n]*+(?:\n[ \t][^\n]*+)*+)",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(rb"\n\r?\n")
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
"""Printable ASCII: an answer repeats it in its header."""
_MACHINES: Final = ("mailer-daemon", "postmaster", "noreply", "no-reply", "do-not-reply")
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
        start = self.data[:MAX_HEADER]
        end = _END.search(start)
        head = start[: end.start() + 1] if end else start
        found: dict[str, str] = {}
        for field in _FIELD.finditer(head):
            value = " ".join(field[2][:_MAX_FIELD].decode("utf-8", "replace").split())
            found.setdefault(field[1].decode().lower(), value)
        return found

    @property
    def sender(self) -> str:
        """The address in the field From, which proves nothing."""
        told = self.fields.get("from", "")
        found = _ADDRESS.findall(told.rpartition("<")[2] if "<" in told else told)
        return str(found[-1]) if found else ""

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
        kind = self.fields.get("content-type", "").lower()
        if "delivery-status" in kind or "x-failed-recipients" in self.fields:
            return True
        return self.fields.get("return-path") == "<>" and self._from_a_machine

    @property
    def is_automatic(self) -> bool:
        """Whether a program or a mailing list sent it (RFC 3834), so that it gets no answer."""
        said = self.fields.get("auto-submitted", "no").split(";")[0].strip().lower()
        if said != "no" or self.is_bounce or self._from_a_machine:
            return True
        if self.fields.get("precedence", "").lower() in ("bulk", "junk", "list", "auto_reply"):
            return True
        marks = ("list-id", "list-post", "x-auto-response-suppress", "x-autoreply", "x-autorespond")
        return self.fields.get("return-path") == "<>" or any(m in self.fields for m in marks)

    @property
    def _from_a_machine(self) -> bool:
        return self.sender.partition("@")[0].lower() in _MACHINES

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
