"""Get a mailbox's password from the system's keyring, from a command, or from a private file.

A command can also print an access token, for servers that accept no passwords.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.cli.failure import KEY, CliError

if TYPE_CHECKING:
    from pbem.post.account.account import Account

INSTALL: Final = 'pip install "pbem[post]" (with pipx: pipx inject pbem imapclient keyring)'
SERVICE: Final = "pbem post"
SECONDS: Final = 60
"""How long the command that prints the password or the token may take."""
_LONGEST: Final = 1 << 14


def password_of(account: Account) -> str:
    """Return the mailbox's password, or a new access token.

    Raises CliError (exit 4) that says how to provide it.
    """
    if account.secret in ("command", "token"):
        found = _from_command(account.where, account.secret_name)
    elif account.secret == "file":
        found = _from_file(Path(account.where))
    else:
        found = _from_keyring(account)
    if not found:
        raise CliError(
            f"the {account.secret_name} of {account.user} is empty", "pbem post setup", KEY
        )
    return found


def keep_in_keyring(account: Account, password: str) -> None:
    """Store the password in the system's keyring. Raises CliError if there is none."""
    keyring = _library()
    try:
        keyring.set_password(SERVICE, _name(account), password)
    except keyring.errors.KeyringError as error:
        raise _no_keyring(error) from None


def check_file(path: Path) -> None:
    """Raise CliError if a password file does not exist, or if other users can read it."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise CliError(
            f"{path}: {error.strerror}", "give the path of the file with the password", KEY
        ) from None
    if os.name != "nt" and mode & 0o077:
        raise CliError(f"other users of this computer can read {path}", f"chmod 600 {path}", KEY)


def _from_file(path: Path) -> str:
    from pbem.storage.read_file import read_file

    check_file(path)
    return read_file(path, _LONGEST).decode("utf-8", "replace").strip("\r\n")


def _from_command(command: str, name: str) -> str:
    import subprocess

    try:
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, timeout=SECONDS, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        told = f"the command for the {name} took longer than {SECONDS} seconds: {command}"
        raise CliError(
            told, "run the command yourself, and see what it is waiting for", KEY
        ) from None
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        told = f"the command for the {name} failed: {command}: {why[0][:200]}"
        raise CliError(told, "run the command yourself, and see what it says", KEY)
    return done.stdout.split("\n")[0].strip("\r")


def _from_keyring(account: Account) -> str:
    keyring = _library()
    try:
        found = keyring.get_password(SERVICE, _name(account))
    except keyring.errors.KeyringError as error:
        raise _no_keyring(error) from None
    if found is None:
        told = f"the system's keyring has no password for {account.user}"
        raise CliError(told, "pbem post setup", KEY)
    return str(found)


def _name(account: Account) -> str:
    return f"{account.user}@{account.imap.host}"


def _no_keyring(error: Exception) -> CliError:
    told = f"the system's keyring cannot be used: {' '.join(str(error).split())[:200]}"
    return CliError(told, "use --password-command or --password-file instead", KEY)


def _library() -> Any:
    try:
        import keyring
        import keyring.errors
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "keyring":
            raise
        raise CliError("the keyring needs a library that is not installed", INSTALL) from None
    return keyring
