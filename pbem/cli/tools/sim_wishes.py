"""Find out which games `sim` must play, from its options and from saved results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem.cli.failure import CliError

if TYPE_CHECKING:
    from pbem.simulation.play_games import Setup
    from pbem.simulation.study import Study

GAMES = 100
MOST = 10**12
"""The most games of a study."""


class Wishes(NamedTuple):
    """The options of `sim`; those that were not typed are None, 0 or empty."""

    words: Sequence[str]
    players: int
    number: int | None
    seed: int | None
    bots: str | None
    options: Sequence[str] | None
    first: int | None
    begun: Path | None
    orders: str | None = None

    def besides_files(self) -> bool:
        """Return whether any option was typed; the ruleset and the files do not count as
        options."""
        return any(wish not in (None, 0, []) for wish in self[1:])

    def study(self) -> Study:
        """Return the study to play. Raises CliError, or StudyError if the saved study has other
        games."""
        from pbem.simulation.read_study import read_study
        from pbem.simulation.study import Study, StudyError, check_same

        base = read_study(self.begun) if self.begun else None
        setup = self._setup(base.setup if base else None)
        first = self.first if self.first is not None else base.asked.start if base else 0
        games = self.number or (len(base.asked) if base else GAMES)
        asked = range(first, first + games)
        if asked.stop > MOST:
            raise CliError(f"a study has at most {MOST} games")
        if base is None:
            return Study(setup, asked)
        try:
            check_same(base.setup, setup)
            return base.asking(asked)
        except StudyError as error:
            raise StudyError(f"{self.begun} does not match this study: {error}") from None

    def _setup(self, base: Setup | None) -> Setup:
        from games.registry import UnknownGame, ruleset
        from pbem.cli.starting.make_game import read_options
        from pbem.simulation.play_games import setup_of

        name = self._game(base)
        players = self.players or (base.players if base else 0)
        same = base is not None and players == base.players
        chosen = read_options(self.options) if self.options else None
        try:
            found = ruleset(name)
            return setup_of(
                found,
                players or found.players[0],
                self.seed if self.seed is not None else base.seed if base else 1,
                self.bots.split(",") if self.bots else base.bots if base and same else ["random"],
                chosen if chosen else base.options if base else {},
                self.orders if self.orders is not None else base.orders if base else "",
            )
        except (UnknownGame, ValueError) as error:
            raise CliError(str(error)) from None

    def _game(self, base: Setup | None) -> str:
        if len(self.words) > 1:
            raise CliError(f"name only one game, not {len(self.words)}", "pbem sim -h")
        if not self.words and base is None:
            raise CliError("name the game to play, or give saved results with --from", "pbem games")
        if self.words and base and self.words[0] != base.game:
            told = f"the game differs: {base.game} and {self.words[0]}"
            raise CliError(f"{self.begun} does not match this study: {told}")
        return self.words[0] if self.words else base.game if base else ""


def merged_files(files: Sequence[str]) -> Study:
    """Add saved studies together. Raises CliError, or StudyError if they do not fit together."""
    from pbem.simulation.read_study import read_study
    from pbem.simulation.study import StudyError, merged

    if not files:
        raise CliError("give the files to merge", "pbem sim --merge ONE.json OTHER.json")
    whole = read_study(Path(files[0]))
    for file in files[1:]:
        try:
            whole = merged([whole, read_study(Path(file))])
        except StudyError as error:
            raise StudyError(f"{file} cannot be merged with the others: {error}") from None
    return whole
