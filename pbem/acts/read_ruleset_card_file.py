"""Read the card file of a ruleset, which has the values of somebody's own box."""

from __future__ import annotations

from pathlib import Path

from games.new_ruleset_files import STARTING_POINTS
from pbem.errors import FINDINGS, KEY, CliError
from pbem.files.disk import read_file
from pbem.judge.game_ruleset import ruleset_with
from pbem.text.handwritten_toml import MAX_TEXT, Overlong
from pbem.text.terminal_and_page_wording import to_type


def read_card_file(path: Path, game: str) -> str:
    """Return the text of a card file that fits the ruleset called `game`. Raises CliError."""
    if ruleset_with(game).card_file is None:
        hint = to_type(f"pbem games new myhouse --from {game}") if game in STARTING_POINTS else ""
        raise CliError(f"{game} cannot use a card file", hint, FINDINGS)
    try:
        text = read_file(path.absolute(), MAX_TEXT).decode("ascii").replace("\r\n", "\n")
        if not text:
            raise ValueError("the file is empty")
        ruleset_with(game, text)
    except UnicodeDecodeError:
        raise CliError(f"{path} has characters that are not ASCII", "", FINDINGS) from None
    except Overlong as error:
        raise CliError(f"{path}: {error}", "", KEY) from None
    except ValueError as error:
        template = to_type(f"pbem explain --game {game} --cards-template")
        hint = f"{template} prints a card file to start from"
        raise CliError(f"{path}: {str(error)[:300]}", hint, FINDINGS) from None
    return text
