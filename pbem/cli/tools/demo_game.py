"""Play a game for `demo`; every bot has a separate home and submits orders as a person does."""

from __future__ import annotations

import hashlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.failure import CliError
from pbem.cli.orders.seal_orders import send
from pbem.cli.session.session import Session
from pbem.cli.starting.make_game import NewGame
from pbem.cli.starting.take_seat import take_seat
from pbem.cli.turns.bot_players import bot_texts
from pbem.cli.turns.make_turns import step
from pbem.storage.folder import Folder
from pbem.storage.private.home import Home
from pbem.storage.syscalls import temporary_folder

if TYPE_CHECKING:
    from pbem.play.auditing.report import Report
    from pbem.play.view import View

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
FIRST_TIME = 1_700_000_000
"""The time at which a demo with a seed begins; each turn is a minute later."""


class Demo:
    """One run of `demo`."""

    def __init__(
        self, game: str, players: int, bot: str, seed: int | None, folder: Path | None, json: bool,
        ask: bool = False,
    ) -> None:  # fmt: skip
        """Prepare a demo.

        With `ask`, bots answer only what they are asked; otherwise they send the orders for a whole
        round.
        """
        from games.registry import first

        self.ask = ask
        self.said: set[tuple[str, int]] = set()
        """Pairs of a seat and the number of a round for which it has sent orders."""
        self.game, self.players = game or first(), players
        self.bot, self.seed, self.json = bot, seed, json
        self.base = folder.absolute() if folder else temporary_folder("pbem-demo-")
        self.root = self.base / "savannah"
        self.now = FIRST_TIME
        self.turns = 0

    def run(self) -> int:
        """Play and audit the game; print table, certificate and folder; return the audit's exit
        code."""
        referee = self._referee()
        seats = {seat: self._player(referee, seat) for seat in self._letters()}
        self._play(referee, seats)
        return self._end(referee)

    # -------------------------------------------------------------- people
    def _letters(self) -> list[str]:
        from engine.bots import factories
        from games.registry import UnknownGame, ruleset

        try:
            players = ruleset(self.game).players
        except UnknownGame as error:
            raise CliError(str(error)) from None
        if self.players not in players:
            most = players[-1]
            raise CliError(f"{self.game} is for {players[0]} to {most} players")
        if self.bot not in (bots := sorted(factories(ruleset(self.game)))):
            raise CliError(f"{self.bot!r} is not a bot", f"the bots are {', '.join(bots)}")
        return [chr(ord("a") + n) for n in range(self.players)]

    def _home(self, name: str) -> Home:
        """Make a home with a key; the key follows from the seed, if there is one."""
        from pbem.format.keys import SigningKey, write_key

        home = Home(self.base / "homes" / name)
        if self.seed is not None:
            key = SigningKey(hashlib.sha256(f"pbem demo {self.seed} {name}".encode()).digest())
            home.write_key("default", write_key(key))
        return home

    def _referee(self) -> Session:
        self._letters()
        home = self._home("referee")
        table = (
            "" if self.seed is None else hashlib.sha256(f"{self.seed}".encode()).hexdigest()[:32]
        )
        wishes = NewGame(
            folder=self.root, players=",".join(NAMES[: self.players]), game=self.game,
            title="savannah", referee="Rhea", table=table, quiet=True, home=home,
            as_printed=self.ask,
        )  # fmt: skip
        wishes.run()
        return Session(self.root, home=home)

    def _player(self, referee: Session, seat: str) -> Session:
        from pbem.play.making.sign import invite_to

        invite = invite_to(referee.game_folder.charter, referee.referee_key(), seat)
        session = Session(self.root, home=self._home(seat))
        take_seat(session, invite.line(), "", "", "default", quiet=True)
        return session

    # -------------------------------------------------------------- play
    def _play(self, referee: Session, seats: dict[str, Session]) -> None:
        with _progress(self.json) as progress:
            while True:
                outcome = step(referee, now=self._clock()).outcome
                if outcome.over:
                    return
                self.turns += 1
                number = self._round(referee)
                progress(self.turns, number)
                for seat in self._speaking(sorted(outcome.waiting), seats, number):
                    seats[seat].refresh()
                    reader = seats[seat].reader(seat)
                    send(seats[seat], reader, seat, bot_texts(reader, self.bot, not self.ask))

    def _speaking(self, asked: list[str], seats: dict[str, Session], number: int) -> list[str]:
        """Return the seats that send orders now: those that are asked and, at the start of a round,
        all others."""
        if self.ask:
            return asked
        speaking = [seat for seat in seats if seat in asked or (seat, number) not in self.said]
        self.said |= {(seat, number) for seat in speaking}
        return speaking

    def _clock(self) -> int:
        if self.seed is None:
            return int(time.time())
        self.now += 60
        return self.now

    def _round(self, referee: Session) -> int:
        return int(referee.reading.table_reader().public.state.round)

    # -------------------------------------------------------------- the end
    def _end(self, referee: Session) -> int:
        from pbem.cli.viewing.audit_report import print_report
        from pbem.play.auditing.audit import audit
        from pbem.screen.draw_table import picture
        from pbem.screen.scores import score_lines
        from pbem.screen.terminal import stdout_style

        view = referee.reading.fresh_view("")
        report = audit(Folder(self.root))
        page = self._replay(view, report)
        if self.json:
            from pbem.cli.json_output import print_data

            told = {"folder": str(self.root), "replay": str(page), "audit": report.to_json()}
            print_data("demo", told)
            return report.exit
        scene = view.table.game.ruleset.scene(view.table.state)
        print("\n".join(picture(scene, view.names, "", stdout_style())))
        print()
        print("\n".join(score_lines(view)))
        print()
        print_report(report)
        print(f"To step through the game, open this page: {page}")
        print(f"The folder of the game, for pbem audit, pbem show and pbem log: {self.root}")
        return report.exit

    def _replay(self, view: View, report: Report) -> Path:
        """Write the replay page of the game, with all hands, beside its folder."""
        from pbem.cli.pictures.replay import write_replay
        from pbem.replay.steps import all_hands

        page = self.base / f"{self.root.name}.html"
        write_replay(all_hands(view, report.log), range(1, view.turn + 1), page, Folder(self.root))
        return page


class _progress:  # noqa: N801 - used like a function
    """Shows progress: a bar on a terminal, a few words elsewhere, nothing with `--json`."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.live = sys.stderr.isatty()

    def __enter__(self) -> Any:
        return self._show

    def __exit__(self, *_: object) -> None:
        if not self.quiet and self.live:
            print(file=sys.stderr)

    def _show(self, turns: int, round_: int) -> None:
        if self.quiet:
            return
        if self.live:
            print(f"\rround {round_:2}  {'#' * (turns // 2)} turn {turns}", end="", file=sys.stderr)
        elif turns % 20 == 0:
            print(f"round {round_}, turn {turns}", file=sys.stderr)
