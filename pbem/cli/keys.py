"""The commands `keys …`: make, show and import keys, and name a deputy."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.shared_options import JsonOption, ProfileOption
from pbem.errors import STALE, CliError
from pbem.files.disk import read_file
from pbem.files.file_errors import TakenError
from pbem.format.encrypted_box import public_of
from pbem.format.openssh_key_files import public_of_file
from pbem.format.secret_and_public_keys import Secrets, public_line
from pbem.judge.deputy_and_co_dealer_keys_in_charter import (
    DeputyLine,
    make_co_dealer_line,
    parse_deputy_line,
)
from pbem.person.keyring import CO_DEALER_PROFILE
from pbem.person.session import Session
from pbem.terminal.commands_and_paths_to_type import shell_quote
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import say
from pbem.text.encodings_and_unusual_characters import as_utf8
from pbem.wording.co_dealing import co_dealer_key_note, co_dealer_words_note
from pbem.wording.deputy import deputy_words_note
from pbem.wording.key_backup_loss_and_theft import NO_KEYS_SENTENCE

keys = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@keys.command("new")
def keys_new(
    profile: Annotated[str, typer.Option(help="The profile's name.")] = "default",
    json: JsonOption = False,
) -> None:
    """Make a key."""
    session = Session()
    if profile in session.home.profiles():
        key_path = session.home.key_path(profile)
        raise CliError(
            f"the profile {profile} already has a key: {key_path}",
            "choose a different profile: --profile NAME",
        )
    path = session.keyring.path(profile)
    session.keyring.make(profile)
    _print_key(session, profile, str(path), json)


@keys.command("show")
def keys_show(json: JsonOption = False) -> None:
    """Show your profiles, their public keys, and where the secret keys are."""
    session = Session()
    rows = [
        {"profile": name, "public": public_line(public), "file": str(session.home.key_path(name))}
        for name, public in session.keyring.publics.items()
    ]
    if json:
        print_data("keys", rows)
        return
    for row in rows:
        print(f"{row['profile']}: {row['public']}\n  {row['file']}")
    if not rows:
        print(NO_KEYS_SENTENCE)


@keys.command("deputy")
def keys_deputy(profile: ProfileOption = "default", json: JsonOption = False) -> None:
    """Print the line with which a referee names you as the deputy of a game."""
    key = Session().keyring.key_or_new(profile)
    line = DeputyLine(key.public, public_of(Secrets(key.seed).deputy()))
    if json:
        print_data("keys", [{"profile": profile, "deputy": line.line(), "words": line.words()}])
    else:
        print(line.line())
        say(deputy_words_note(line.words()))


@keys.command("co-dealer")
def keys_co_dealer(
    profile: ProfileOption = CO_DEALER_PROFILE,
    deputy: Annotated[
        str,
        typer.Option(
            metavar="LINE",
            help="The line that `pbem keys deputy` prints for your deputy. The deputy gets your "
            "secret, and deals if you are silent.",
        ),
    ] = "",
    json: JsonOption = False,
) -> None:
    """Print the line with which a referee names you as a co-dealer of a game."""
    session = Session()
    keyring = session.keyring
    if profile == CO_DEALER_PROFILE and profile not in keyring.publics:
        keyring.make(profile)
    line = make_co_dealer_line(
        keyring.key_or_new(profile), parse_deputy_line(deputy) if deputy else None
    )
    session.home.keep_co_dealer_line(line.key, line.line())
    if json:
        print_data("keys", [{"profile": profile, "co_dealer": line.line(), "words": line.words()}])
    else:
        print(line.line())
        say(co_dealer_words_note(line.words()))
        say(co_dealer_key_note(keyring.path(profile)))


@keys.command("import")
def keys_import(
    file: Annotated[Path, typer.Argument(help="The file of an OpenSSH private key (Ed25519).")],
    profile: Annotated[str, typer.Option(help="The name of the profile to make.")] = "default",
    json: JsonOption = False,
) -> None:
    """Import a key that you already have; the copy keeps its passphrase."""
    # a profile that has this very key already stays as it is
    session = Session()
    session.keyring.path(profile)  # raises CliError for a name that no profile can have
    if not os.path.isfile(file):  # False for any path that cannot be looked up
        problem = f"{file} is a folder" if os.path.isdir(file) else f"there is no file {file}"
        raise CliError(problem, "give the path of your copy of the key file")
    key_text = as_utf8(read_file(file.absolute()))  # an editor may have changed the encoding
    public_of_file(key_text)  # raises an error for what is no key
    try:
        path = session.home.write_key(profile, key_text)
    except TakenError:
        key_path = session.home.key_path(profile)
        problem = (
            f"the profile {profile} already has a different key: {key_path}; nothing was "
            "overwritten"
        )
        hint = (
            f"choose a different profile: pbem keys import {shell_quote(file)} --profile NAME; "
            "join with the same --profile NAME"
        )
        raise CliError(problem, hint, STALE) from None
    _print_key(session, profile, str(path), json)


def _print_key(session: Session, profile: str, path: str, json: bool) -> None:
    """Print where a new key is; as JSON, also its public half."""
    if json:
        public = public_line(session.keyring.publics[profile])
        print_data("keys", [{"profile": profile, "public": public, "file": path}])
    else:
        print(path)
