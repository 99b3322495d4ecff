"""The calls of a host in words: its letters to players, and its log of calls."""

from __future__ import annotations

from typing import Final

CALL_LOG: Final = "%s calls seat %s: %s"
"""A template of a log: the first digits of a game's name, a seat, and what came of the call."""
LETTER_TROUBLE_LOG: Final = (
    "%s calls: pbem could not send the email that asks somebody to confirm an address"
)
"""A template of a log: the first digits of a game's name."""
UNSENT_LETTER_CLAUSE: Final = "the letter could not be sent"
_SENT_LETTER_CLAUSE: Final = "a letter was sent"
_REFUSED_LETTER_CLAUSE: Final = "the mail server does not accept email to this address"
_PUSH_ANSWER: Final = "the push service answers {status}"


def push_answer_clause(status: int) -> str:
    """Say how a push service has answered a call."""
    return _PUSH_ANSWER.format(status=status)


def letter_clause(is_taken: bool) -> str:
    """Say whether a mail server has taken a letter."""
    return _SENT_LETTER_CLAUSE if is_taken else _REFUSED_LETTER_CLAUSE


CONFIRMATION_SUBJECT: Final = "Do you want emails from this host of games?"
CALL_SUBJECT: Final = "It is your move"
_ASKED: Final = (
    "Somebody asked a host of pbem games to write to this address when it is their move in a game. "
    "If it was you, open this page, and say yes:"
)
_NOT_YOU: Final = "If it was not you, do nothing: the host will not write to you again."
_CALL: Final = (
    "It is your move in a game. Open the game in the browser in which you play it, or here:"
)
_STOP: Final = "To stop these emails, open:"
_LINK: Final = "    {link}"


def confirmation_paragraphs(link: str) -> list[str]:
    """Return the letter that asks somebody whether the host may write to them."""
    return [_ASKED, _LINK.format(link=link), _NOT_YOU]


def call_paragraphs(page: str, link: str) -> list[str]:
    """Return the letter that tells somebody that it is their move; `link` stops the letters."""
    return [_CALL, _LINK.format(link=page), _STOP, _LINK.format(link=link)]
