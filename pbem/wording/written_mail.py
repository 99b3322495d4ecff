"""Bundles and emails that `send` wrote, in words: what they contain, and what to do with them."""

from __future__ import annotations

from typing import Final

from pbem.terminal.clean_text import clean

_WRITE_AGAIN: Final = "{sentence}; to write it: {command}"
_WROTE_EMAIL: Final = "wrote {path} (an email to {name}; {kilobytes} kB)"
_OPEN_EMAIL: Final = "open this file in your mail program, and send the email to {address}"
_SAVE_REPLY: Final = "save {name}'s reply, and type: pbem receive FILE"
LINKS_TO_NOBODY_SENTENCE: Final = (
    "pbem does not know your email address, so the player must type it into each answer. To "
    "change this, type once: pbem post address referee YOU@EXAMPLE.ORG"
)
_WROTE_BUNDLE: Final = "wrote {path} ({contents}; {kilobytes} kB)"
_SENT_ALREADY_HINT: Final = (
    "you have already sent this bundle to {name}; send the bundle again only if it did not arrive"
)
_ATTACH: Final = (
    "attach this file to an email to {name}, or paste the output of `{command}` into the email"
)
_READ_IT: Final = "to read the bundle, {name} types: pbem receive {file}"
_LATE_ORDERS: Final = "the bundle tells {name}: your {sentence}"
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
