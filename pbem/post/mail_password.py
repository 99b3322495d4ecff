"""Get the password of a mailbox: from the system's keyring, a command, or a private file."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from pbem.errors import KEY, CliError
from pbem.files.disk import read_file
from pbem.missing_libraries import needing_libraries
from pbem.post.mail_account import SETUP_COMMAND, Account

SERVICE: Final = "pbem post"
MAX_COMMAND_SECONDS: Final = 60
"""The longest time for the command that prints the password or the token."""
_MAX_PASSWORD_BYTES: Final = 1 << 14


def password_of(account: Account) -> str:
    """Return the mailbox's password, or a new access token.

    Raises CliError (exit 4) that says how to provide it.
    """
    if account.secret in ("command", "token"):
        password = _from_command(account.where, account.secret_name)
    elif account.secret == "file":
        check_file(Path(account.where))
        data = read_file(Path(account.where), _MAX_PASSWORD_BYTES)
        password = data.decode("utf-8", "replace").strip("\r\n")
    else:
        with system_keyring() as keyring:
            stored_password = keyring.get_password(SERVICE, keyring_name_of(account))
        if stored_password is None:
            sentence = f"the system's keyring has no password for {account.user}"
            raise CliError(sentence, SETUP_COMMAND, KEY)
        password = str(stored_password)
    if not password:
        raise CliError(f"the {account.secret_name} of {account.user} is empty", SETUP_COMMAND, KEY)
    return password


def check_file(path: Path) -> None:
    """Raise CliError if a password file does not exist, or if other users can read it."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise CliError(
            f"{path}: {error.strerror}", "give the path of the file with the password", KEY
        ) from None
    if os.name != "nt" and mode & 0o077:
        raise CliError(
            f"other users of this computer can read the file {path}", f"chmod 600 {path}", KEY
        )


def _from_command(command: str, secret_name: str) -> str:
    """Return the first line that a command prints. Raises CliError if it fails or takes too
    long."""
    try:
        finished = subprocess.run(
            command, shell=True, capture_output=True, text=True, errors="replace",
            timeout=MAX_COMMAND_SECONDS, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        sentence = (
            f"the command for the {secret_name} took longer than {MAX_COMMAND_SECONDS} seconds: "
            f"{command}"
        )
        hint = "run the command yourself, and see what it is waiting for"
        raise CliError(sentence, hint, KEY) from None
    if finished.returncode:
        last_lines = finished.stderr.strip().splitlines()[-1:] or [
            f"exit code {finished.returncode}"
        ]
        sentence = f"the command for the {secret_name} ({command}) failed: {last_lines[0][:200]}"
        raise CliError(sentence, "run the command yourself, and see what it says", KEY)
    return finished.stdout.split("\n")[0].strip("\r")


def keyring_name_of(account: Account) -> str:
    """Return the name under which the keyring keeps the password of an account."""
    return f"{account.user}@{account.imap.host}"


@contextmanager
def system_keyring() -> Iterator[Any]:
    """Give the module `keyring` to the block; its errors become CliError."""
    with needing_libraries(["keyring"], "the keyring needs a library that is not installed"):
        import keyring
        import keyring.errors
    try:
        yield keyring
    except keyring.errors.KeyringError as error:
        sentence = f"the system's keyring cannot be used: {' '.join(str(error).split())[:200]}"
        hint = "use --password-command or --password-file instead"
        raise CliError(sentence, hint, KEY) from None
