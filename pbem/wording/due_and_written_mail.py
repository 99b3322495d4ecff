"""Mail that the user must still send, and bundles and emails that `send` wrote, in words."""

from __future__ import annotations

from typing import Final

from pbem.person.due_mail import DueMail
from pbem.person.session import Session
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import at_address, shell_quote
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


# ---- What `send` wrote

_WRITE_AGAIN: Final = "{sentence}; to write it: {command}"
_WROTE_EMAIL: Final = "wrote {path} (an email to {name}; {kilobytes} kB)"
_OPEN_EMAIL: Final = "open this file in your mail program, and send the email to {address}"
_SAVE_REPLY: Final = "save {name}'s reply, and type: pbem receive FILE"
LINKS_TO_NOBODY_SENTENCE: Final = (
    "pbem does not know your email address, so the player must type your address into each "
    "answer. To tell pbem your address: pbem post address referee YOU@EXAMPLE.ORG"
)
_WROTE_BUNDLE: Final = "wrote {path} ({contents}; {kilobytes} kB)"
_SENT_ALREADY_HINT: Final = (
    "you have already sent this bundle to {name}; send the bundle again only if it did not arrive"
)
_ATTACH: Final = (
    "attach this file to an email to {name}, or paste the output of `{command}` into the email"
)
_READ_IT: Final = "to read the bundle, {name} types: pbem receive {file}"
_LATE_ORDERS: Final = "the bundle tells {name}: “your {sentence}”"
USE_INVITE_SENTENCE: Final = (
    "send the invite to the player privately; the player then types: pbem join --invite …, and "
    "pbem send"
)


def write_again_line(sentence: str, command: str) -> str:
    """Return the line on somebody who gets no email again; `command` writes it nevertheless."""
    return _WRITE_AGAIN.format(sentence=sentence, command=command)


def wrote_email_line(path: str, name: str, kilobytes: int) -> str:
    """Return the line that says that an email is written."""
    return _WROTE_EMAIL.format(path=path, name=clean(name), kilobytes=kilobytes)


def email_steps(name: str, address: str, *, has_reply_address: bool) -> list[str]:
    """Return what to do with an email to a player, who answers by plain email."""
    lines = [_OPEN_EMAIL.format(address=address), _SAVE_REPLY.format(name=clean(name))]
    return lines if has_reply_address else [*lines, LINKS_TO_NOBODY_SENTENCE]


def wrote_bundle_line(path: str, contents: str, kilobytes: int) -> str:
    """Return the line that says that a bundle is written."""
    return _WROTE_BUNDLE.format(path=path, contents=contents, kilobytes=kilobytes)


def bundle_steps(
    name: str,
    file_name: str,
    command: str,
    late_sentences: list[str],
    *,
    was_sent: bool,
    uses_invite: bool,
) -> list[str]:
    """Return the steps after a bundle is written, and the news that it has for its recipient.

    `command` prints the bundle; `late_sentences` are about the recipient's orders that came late.
    """
    recipient = clean(name)
    lines = [_SENT_ALREADY_HINT.format(name=recipient)] if was_sent else []
    lines.append(_ATTACH.format(name=recipient, command=command))
    lines.append(_READ_IT.format(name=recipient, file=file_name))
    lines += [_LATE_ORDERS.format(name=recipient, sentence=sentence) for sentence in late_sentences]
    return [*lines, USE_INVITE_SENTENCE] if uses_invite else lines
