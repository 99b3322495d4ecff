"""The state of a game that has not begun: who has joined each seat, and what comes next."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbem.cli.session.lost_keys import bring_back, lost_lines
from pbem.cli.session.mail_hints import unsent
from pbem.cli.session.own_joins import (
    gone_joins,
    join_warnings,
    keep_joins,
    let_in,
    own_joins,
    words_line,
)
from pbem.cli.status.advance_readiness import Readiness
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.records.charter_join_orders import Join
    from pbem.records.read_record import Record

MOST_JOINS = 4
"""The most joins that are named for one seat."""


class BeforeTurnOne:
    """The state of a game that waits for its first turn."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.charter = session.game_folder.charter.content
        self.readiness = Readiness(session)
        if session.roles.referee:
            keep_joins(session.here)

    @cached_property
    def lost(self) -> list[str]:
        """Sentences on keys that are missing on this computer."""
        return lost_lines(self.session.here)

    @cached_property
    def warnings(self) -> list[str]:
        """A sentence for each thing that is wrong with your keys and joins."""
        return [*self.lost, *join_warnings(self.session.here)]

    @property
    def next(self) -> str:
        """The next command to type."""
        mine = self.session.roles
        if self.lost and not (mine.seats or mine.referee):
            return bring_back(self.session.here)
        if mine.referee:
            return "pbem advance"
        waits = "wait for the referee to begin" if mine.seats else "pbem join --invite …"
        if gone_joins(self.session.here):
            waits = "pbem join --invite …, with the same invite: this puts your join back"
        return next((hint for seat in mine.seats if (hint := unsent(self.session, seat))), waits)

    def lines(self) -> list[str]:
        """Return the lines that `status` prints."""
        charter = self.charter
        lines = [f"{clean(charter.title)} ({charter.ruleset}): not begun yet"]
        for plan in charter.seats:
            lines.append(f"  {plan.seat} {clean(plan.name)}: {self._joined(plan.seat)}")
            lines += [f"    {words_line(record)}" for record in self._to_compare(plan.seat)]
        if self.session.roles.referee:
            from pbem.cli.starting.make_game import deputy_lines

            lines += deputy_lines(charter)
        return [*lines, *self.warnings, f"next: {self.next}"]

    def _to_compare(self, seat: str) -> list[Record[Join]]:
        """Return the joins of a seat that you may want to compare by phone: as the referee those of
        the players, else your own."""
        if self.session.roles.referee:
            held = seat in self.charter.plays or seat in self.charter.by_mail
            return [] if held else let_in(self.session.here, seat)[:MOST_JOINS]
        mine = own_joins(self.session.here).values()
        return [record for record in mine if record.content.seat == seat]

    def data(self) -> dict[str, Any]:
        """Return the data that `status --json` prints."""
        from pbem.records.chain import words_of

        mine = set(self.session.keyring.publics.values())
        seats = {
            plan.seat: {
                "name": plan.name,
                "joins": [
                    {
                        "name": r.content.name,
                        "id": r.id.hex(),
                        "words": words_of(r.id),
                        "yours": r.content.key in mine,
                    }
                    for r in let_in(self.session.here, plan.seat)
                ],
            }
            for plan in self.charter.seats
        }
        game = self.session.game_folder.game.hex()
        return {"game": game, "title": self.charter.title, "turn": 0, "seats": seats}

    def _joined(self, seat: str) -> str:
        """Say whether the seat is taken, and who joined for it."""
        found = let_in(self.session.here, seat)
        if not found:
            return "the referee plays it" if seat in self.charter.plays else "empty"
        mine = set(self.session.keyring.publics.values())
        people = [
            f"{clean(r.content.name)} ({'yours, ' * (r.content.key in mine)}{r.id.hex()[:6]})"
            for r in found[:MOST_JOINS]
        ]
        more = f" and {len(found) - MOST_JOINS} more" if len(found) > MOST_JOINS else ""
        if seat in self.charter.by_mail:
            return "answers by plain email; the referee has the key and signs the orders"
        if len(found) == 1:
            return f"joined by {people[0]} with the invite"
        told = "if several people have the invite, the referee asks which join is right"
        return f"joined by {', '.join(people)}{more}; {told}"
