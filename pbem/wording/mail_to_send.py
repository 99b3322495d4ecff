"""Words for the mail that the referee must still send."""

from __future__ import annotations

from typing import Final

from pbem.person.mail_to_send import DueMail
from pbem.person.session import Session
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_to_type import at_address
from pbem.terminal.paths_to_type import shell_quote
from pbem.text.terminal_and_page_wording import TerminalText

_BUNDLE: Final = "seat {seat} plays by mail; to write the next email: {command}"
_CO_DEALER: Final = "{name} deals by mail; to write the next email: {command}"
_LETTER: Final = "the email to {name} about turn {turn} is not written yet; to write it: {command}"
_LETTER_BY_RUN: Final = TerminalText(
    "the email to {name} about turn {turn} is not sent yet[[; pbem run sends it]]"
)


def due_mail_lines(due_mail: DueMail, session: Session) -> list[str]:
    """Return a line for each player and co-dealer to whom mail is due: what to type, or that `pbem
    run` sends it."""
    lines = [
        _BUNDLE.format(seat=seat, command=at_address(session.place, f"pbem send --to {seat}"))
        for seat in due_mail.bundle_seats
    ]
    lines += [
        _CO_DEALER.format(
            name=clean(name),
            command=at_address(session.place, f"pbem send --to {shell_quote(clean(name))}"),
        )
        for name in due_mail.bundle_co_dealers
    ]
    return lines + due_letter_lines(due_mail, session)


def due_letter_lines(due_mail: DueMail, session: Session) -> list[str]:
    """Return a line for each player whose plain email about the last turn is not written yet: what
    to type, or that `pbem run` sends it."""
    template = _LETTER_BY_RUN if due_mail.is_run_sending else _LETTER
    command = at_address(session.place, "pbem send")
    return [
        template.format(name=clean(session.name_of(seat)), turn=due_mail.turn, command=command)
        for seat in due_mail.letter_seats
    ]
