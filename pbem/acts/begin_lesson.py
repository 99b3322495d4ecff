"""Begin a lesson: a game against a bot, which is dealt alike for everybody.

The cards follow from the charter and the referee's key, so both are the same for all learners.
Whoever reads this can know every card of the lesson's game.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from pbem.acts.new_game import NewGame
from pbem.errors import CliError
from pbem.files.file_errors import TakenError
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.game_ruleset import ruleset_called
from pbem.person.keyring import Keyring
from pbem.person.session import Session
from pbem.text.terminal_and_page_wording import TerminalText, to_type

PLAYER: Final = "Ann"
"""The learner's name, which the cards follow from too."""
TITLE: Final = "First game"


def begin(home: Home, name: str, *, from_start: bool = False) -> Session:
    """Return the lesson of the ruleset with this name, and begin the lesson if it has not begun.
    `from_start` first removes the lesson's game. Raises CliError, StorageError."""
    ruleset = ruleset_called(name)
    if (lesson := ruleset.lesson()) is None:
        raise CliError(
            f"{ruleset.name} has no lesson", to_type(f"pbem explain rules --game {ruleset.name}")
        )
    lesson_home = home.lesson(ruleset.name)
    if from_start:
        lesson_home.remove()
    if not lesson_home.profiles():
        key = SigningKey(sha256(b"pbem learn").digest())  # of every lesson, so it is no secret
        lesson_home.write_key("default", write_key(key))
    session = Session(lesson_home.place, keyring=Keyring(lesson_home))
    new_game = NewGame(
        session, folder=lesson_home.place, players=PLAYER, game=ruleset.name, title=TITLE,
        referee_plays=True, bots=f"greedy:{ruleset.players[0] - 1}", deadline="never",
        table=lesson.table,
    )  # fmt: skip
    try:
        new_game.run()  # what is there already stays as it is
    except TakenError:
        problem = (
            "you began this lesson with another version of pbem, and since then the cards of the "
            "lesson have changed"
        )
        raise CliError(
            problem,
            TerminalText("begin the lesson again[[: pbem learn --game {name} --again]]").format(
                name=ruleset.name
            ),
        ) from None
    return session
