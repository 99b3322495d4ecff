"""Read the card file of a ruleset, which has the values of somebody's box."""

from __future__ import annotations

from pathlib import Path

from games.new_ruleset_files import STARTING_POINTS
from pbem.errors import FINDINGS, KEY, CliError
from pbem.files.disk import read_file
from pbem.judge.game_ruleset import NO_CARD_FILE, ruleset_with
from pbem.text.handwritten_toml_within_limits import MAX_TEXT, Overlong
from pbem.text.terminal_and_page_wording import to_type


def read_card_file(path: Path, game: str) -> str:
    """Return the text of a card file that fits the ruleset called `game`. Raises CliError."""
    if ruleset_with(game).card_file is None:
        command = f"pbem games new myhouse --from {game}"
        own_ruleset_hint = to_type(
            f"to change the cards of {game}, make a ruleset of your own: {command}"
        )
        hint = own_ruleset_hint if game in STARTING_POINTS else ""
        raise CliError(NO_CARD_FILE.format(name=game), hint, FINDINGS)
    try:
        data = read_file(path.absolute(), MAX_TEXT)
        text = data.decode("ascii").replace("\r\n", "\n")
        if not text:
            raise ValueError("the file is empty")
        ruleset_with(game, text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"{path}:{line}: a character here is not ASCII"
        ascii_hint = "write only digits, letters without accents, and the signs of a US keyboard"
        raise CliError(problem, ascii_hint, FINDINGS) from None
    except Overlong as error:
        raise CliError(f"{path}: {error}", "", KEY) from None
    except ValueError as error:
        template = to_type(f"pbem explain --game {game} --cards-template")
        template_hint = f"{template} prints a card file to start from"
        raise CliError(f"{path}: {str(error)[:300]}", template_hint, FINDINGS) from None
    return text
