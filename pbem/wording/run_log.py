"""The log of `pbem run` in words: its mailbox, mail that came, went out or cannot be read, and
games in trouble."""

from __future__ import annotations

from typing import Final

from pbem.text.dates import utc_date

UNIT_DESCRIPTION: Final = "pbem looks after games by mail"
"""What systemd says about the service."""
NO_MAILBOX_SENTENCE: Final = (
    "no mailbox is set up, so pbem handles only the game folders; to set up a mailbox: pbem post "
    "setup"
)
STOPPED_SENTENCE: Final = "pbem run has stopped; nothing is lost"
READING_WORKS_SENTENCE: Final = "reading mail works again"
SENDING_WORKS_SENTENCE: Final = "sending mail works again"
NO_READING_SENTENCE: Final = "mail cannot be read"
NO_SENDING_SENTENCE: Final = "mail cannot be sent"
NO_NOTIFICATIONS_SENTENCE: Final = "notifications do not work"
READS_LATER_SENTENCE: Final = "pbem will go on reading mail the next time it checks the mailbox"
SERVER_REFUSES_SENTENCE: Final = "a server refuses a message"
UNPROCESSED_MESSAGE_SENTENCE: Final = "pbem could not handle a message"
SAVE_MESSAGE_HINT: Final = "save the message to a file, and type: pbem receive FILE"
_UNPROCESSED_MAIL: Final = "pbem could not handle the mail from {sender}: {reason}"
_WAITING_MAIL: Final = f"{_UNPROCESSED_MAIL}; pbem will try again each time it checks the mailbox"
_UNPROCESSED_FOR_A_DAY: Final = (
    "pbem could not handle the mail from {sender} for a day, and tries no more: {reason}"
)
DAMAGED_MESSAGE_SENTENCE: Final = "a message to be sent is damaged"
DAMAGED_MESSAGE_HINT: Final = (
    "remove this file; to write everything for a player again: pbem send --all"
)
_DAMAGED_FILE: Final = "{path} is damaged, so it is not sent"
_TOO_LONG_MESSAGE: Final = (
    "pbem left a message of {megabytes} MB in the mailbox, because it is too long"
)
_BOUNCED_MAIL: Final = "the email “{subject}” to {address} came back: {failure}"
_LEARNT_ADDRESS: Final = "mail to {recipient} goes to {address}"
_MAIL_FROM: Final = "the mail from {sender}"
_UNKNOWN_SENDER: Final = "an unknown sender"
_REFUSED_MAIL: Final = "the mail from {sender}: {problems}"
_HOURLY_LIMIT: Final = (
    "{address} got {count} messages in an hour, so pbem will send the others later"
)
_SENT_MAIL: Final = "sent to {address}: {subject}"
_PERHAPS_SENT_MAIL: Final = (
    "perhaps pbem has already sent the email “{subject}” to {address}; before it sends the email "
    "again, it waits for a copy in the mailbox"
)
_BROKEN_GAME: Final = "game {digits} cannot go on"
_READABLE_GAME: Final = "game {digits} can be read again"
_FUTURE_TURN: Final = (
    "turn {turn} is dated {date}, which is in the future: check this computer's clock. No "
    "deadline passes before that date"
)


def damaged_file(path: object) -> str:
    """Say that a letter in the outbox is not sent."""
    return _DAMAGED_FILE.format(path=path)


def too_long_message(size: int) -> str:
    """Say that a message of this many bytes stays in the mailbox."""
    return _TOO_LONG_MESSAGE.format(megabytes=size >> 20)


def bounced_mail(address: str, subject: str, failure: str) -> str:
    """Say that a message was returned."""
    return _BOUNCED_MAIL.format(address=address, subject=subject, failure=failure)


def learnt_address(recipient: str, address: str) -> str:
    """Say to which address a player's mail goes from now on."""
    return _LEARNT_ADDRESS.format(recipient=recipient, address=address)


def mail_from(sender: str) -> str:
    """Return how to call a message; `sender` may be empty."""
    return _MAIL_FROM.format(sender=sender or _UNKNOWN_SENDER)


def unprocessed_mail(sender: str, reason: str) -> str:
    """Say why a message could not be processed."""
    return _UNPROCESSED_MAIL.format(sender=sender or _UNKNOWN_SENDER, reason=reason)


def waiting_mail(sender: str, reason: str) -> str:
    """Say why a message could not be processed yet."""
    return _WAITING_MAIL.format(sender=sender or _UNKNOWN_SENDER, reason=reason)


def unprocessed_for_a_day(sender: str, reason: str) -> str:
    """Say why a message could not be processed, and that pbem tries no more."""
    return _UNPROCESSED_FOR_A_DAY.format(sender=sender or _UNKNOWN_SENDER, reason=reason)


def refused_mail(sender: str, problems: str) -> str:
    """Say what was wrong with a message."""
    return _REFUSED_MAIL.format(sender=sender, problems=problems)


def hourly_limit(address: str, message_count: int) -> str:
    """Say that an address gets no more messages in this hour."""
    return _HOURLY_LIMIT.format(address=address, count=message_count)


def sent_mail(address: str, subject: str) -> str:
    """Say that a message was sent."""
    return _SENT_MAIL.format(address=address, subject=subject)


def perhaps_sent_mail(address: str, subject: str) -> str:
    """Say that nobody knows whether a message was sent."""
    return _PERHAPS_SENT_MAIL.format(address=address, subject=subject)


def broken_game(game_id: str) -> str:
    """Say that a game cannot go on."""
    return _BROKEN_GAME.format(digits=game_id[:6])


def readable_game(game_id: str) -> str:
    """Say that a game can be read again."""
    return _READABLE_GAME.format(digits=game_id[:6])


def future_turn(turn: int, made_at: int) -> str:
    """Say that a turn has a date in the future."""
    return _FUTURE_TURN.format(turn=turn, date=utc_date(made_at))
