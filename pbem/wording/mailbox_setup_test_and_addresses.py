"""A mailbox and its test in words, and the addresses of people."""

from __future__ import annotations

from typing import Final

from pbem.terminal.clean_text import clean

# ---- A mailbox

TEST_MAILBOX_STEP: Final = "next: pbem post test"
_TEST_PROFILE_STEP: Final = "next: pbem post test --profile {profile}"
_FOLDERS: Final = "folder: {folder}; new games go to {games}"
WAITING_MAIL: Final = "waiting"
REFUSED_MAIL: Final = "refused by the server"
_SECRETS: Final = {
    "keyring": "{name}: in the system's keyring",
    "command": "{name}: printed by the command {source}",
    "file": "{name}: in the file {source}",
    "token": "{name}: printed by the command {source}",
}
"""Templates by the way in which the secret of an account is kept."""
_UNKNOWN_SECRET: Final = "{name}: "


def mailbox_step(profile: str) -> str:
    """Return the next step after a mailbox is set up; `profile` is empty for the usual one."""
    return _TEST_PROFILE_STEP.format(profile=profile) if profile else TEST_MAILBOX_STEP


def folders_line(folder: str, games: str) -> str:
    """Return the folder of a mailbox, and where new games are made."""
    return _FOLDERS.format(folder=folder, games=games)


def secret_line(name: str, kind: str, source: str) -> str:
    """Return the line on where the password or token of an account is kept."""
    return _SECRETS.get(kind, _UNKNOWN_SECRET).format(name=name, source=clean(source))


# ---- Its test

TEST_SUBJECT: Final = "pbem post test"
TEST_MESSAGE: Final = f"`{TEST_SUBJECT}` sent this message. You can delete it."
_UNENCRYPTED: Final = (
    "{sentence}; the connection is NOT encrypted, which is acceptable only for a server on this "
    "computer"
)
_READING: Final = "reading: {server}, folder {folder}"
_SENDING: Final = "sending: {server}, from {address}"
_ARRIVED_TEST: Final = "the message arrived after {seconds:.0f} s; everything works"
RUN_STEP: Final = "next: pbem run"


def reading_line(server: str, folder: str, *, is_encrypted: bool) -> str:
    """Return the line on the server from which mail is read."""
    sentence = _READING.format(server=server, folder=folder)
    return sentence if is_encrypted else _UNENCRYPTED.format(sentence=sentence)


def sending_line(server: str, address: str, *, is_encrypted: bool) -> str:
    """Return the line on the server that sends mail."""
    sentence = _SENDING.format(server=server, address=address)
    return sentence if is_encrypted else _UNENCRYPTED.format(sentence=sentence)


def arrived_test_line(seconds: float) -> str:
    """Say that the test message has arrived."""
    return _ARRIVED_TEST.format(seconds=seconds)


# ---- Addresses of people

_MAIL_GOES: Final = "mail for {name} goes to {address}"
_NO_ADDRESS: Final = "pbem has no email address for {name} now"


def mail_goes_line(name: str, address: str) -> str:
    """Say to which address a person's mail goes from now on."""
    return _MAIL_GOES.format(name=clean(name), address=address)


def no_address_line(name: str) -> str:
    """Say that the address of a person is removed."""
    return _NO_ADDRESS.format(name=clean(name))
