"""Words for the mail that the referee must still send."""

from __future__ import annotations

from collections.abc import Callable

from pbem.person.due_mail import DueMail
from pbem.terminal.terminal import clean


def describe_due_mail(due_mail: DueMail, name_of: Callable[[str], str]) -> list[str]:
    """Return a line for each player who plays by mail or gets plain emails: what to type."""
    lines = [f"seat {seat} plays by mail: pbem send --to {seat}" for seat in due_mail.bundle_seats]
    return lines + describe_due_letters(due_mail, name_of)


def describe_due_letters(due_mail: DueMail, name_of: Callable[[str], str]) -> list[str]:
    """Return a line for each player whose plain email about the last turn is not written yet."""
    command = "pbem run sends it" if due_mail.is_run_sending else "pbem send"
    return [
        f"the email to {clean(name_of(seat))} about turn {due_mail.turn} has not been written yet: "
        f"{command}"
        for seat in due_mail.letter_seats
    ]
