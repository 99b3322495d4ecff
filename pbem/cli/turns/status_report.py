"""What `status` says: the turn, each seat's readiness in one word, and the next command."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbem.cli.clock import now
from pbem.cli.mail.mail_hints import unsent
from pbem.cli.orders.open_questions import answered_inside
from pbem.cli.session.seen_here import check_damage, look
from pbem.cli.turns.late_orders import passed_over
from pbem.cli.turns.next_advance import Readiness, leaves_open
from pbem.screen.terminal import clean
from pbem.text.dates import date

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.view import View
    from pbem.records.charter_join_orders import Join
    from pbem.records.read_record import Record


MOST_JOINS = 4
"""Joins of one seat that are named."""


class Standing:
    """The standing of a game for whoever asks."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.listing = session.listing
        self.began = bool(self.listing.turns or self._held_preview())
        self.view: View | None = session.view() if self.began else None
        if self.view is None:
            check_damage(session.mine, session.game_folder)
        self.sealed = session.sealed(self.view) if self.view else set[str]()
        if self.view is None or not self.view.preview:
            look(session.mine, self.view.times if self.view else [])

    def _held_preview(self) -> bool:
        """Whether a seat that the referee holds is asked in a turn that is not published yet."""
        from pbem.storage.folder import Listing

        assert isinstance(self.listing, Listing)
        if self.listing.charter is None:
            self.session.game_folder  # noqa: B018 - raises with what to type next
        roles = self.session.roles
        return bool(roles.held) and self.session.seat != "" and self._preview() is not None

    def _preview(self) -> Any:
        return self.session.outlook.preview

    # -------------------------------------------------------------- words
    def lines(self) -> list[str]:
        """For people."""
        view = self.view
        if view is None:
            return self._before()
        lines = [f"{clean(view.title)} ({view.ruleset}), turn {view.turn}" + self._over(view)]
        if view.published:
            words = " ".join(self._words(view))
            lines.append(f"head {view.published}:{view.published_head[:6]}  {words}")
        for seat, name in sorted(view.names.items()) if not view.over else ():
            asked = f", asked for {', '.join(view.awaited[seat])}" if seat in view.awaited else ""
            me = " (you)" if seat == view.seat else ""
            lines.append(f"  {seat} {clean(name)}{me}: {self.ready(view, seat)}{asked}")
        lines += [*self._result(view), *self.warnings(view), *self._mine(view)]
        lines += [*self._ahead(view), *self._deadline(view)]
        lines += [leaves_open(view.names[seat], seat) for seat in self._left_open]
        lines.append(f"next: {self.next(view)}")
        return lines

    def warnings(self, view: View | None) -> list[str]:
        """What is amiss, in sentences."""
        if view is None:
            return self._lost
        lines = [
            f"your orders {order[:6]} were refused: {clean(line)}: {clean(why)}"
            for order, line, why in view.refused
        ]
        lines += passed_over(self.session, view)
        lines += [*self._opened_early(view), *self._odd_times(view)]
        return [*lines, *(self._not_taken() or self._no_key(view))]

    def _result(self, view: View) -> list[str]:
        """Who has won, once the game is over."""
        from pbem.cli.viewing.scores import score_lines

        return [f"  {line}" for line in score_lines(view)] if view.over else []

    def _final(self) -> Any:
        """The final record, if it is here and the referee signed it."""
        from pbem.format.errors import RecordError

        if self.listing.final is None:
            return None
        try:
            return self.session.game_folder.final()
        except RecordError:
            return None

    def _opened_early(self, view: View) -> list[str]:
        """The secrets lie open though the game goes on."""
        final = None if view.over else self._final()
        if final is None:
            return []
        if final.content.turn > view.turn + 1:  # the folder is half synced
            return [f"final.toml is here, and turn {view.turn + 1} is not: let the folder sync"]
        told = "is here, and the game is not over: every hand and every order lies open"
        return [f"final.toml {told}; telephone {clean(view.referee)}, and see pbem audit"]

    def _odd_times(self, view: View) -> list[str]:
        """What the clock of this machine says against the dates of the last two turns."""
        from pbem.text.dates import odd_time

        times = self.session.mine.sightings.odd() if view.deadline or view.silent else []
        referee = clean(view.referee)
        return [
            odd_time(one.turn, one.seconds, one.when, referee)
            for one in times
            if one.turn >= view.turn - 1
        ]

    def _not_taken(self) -> list[str]:
        """My joins that turn 1 does not name: somebody else sits there, or nobody."""
        if self.session.roles.referee:
            return []
        game_folder, lines = self.session.game_folder, []
        mine = set(self.session.publics.values())
        referee = clean(game_folder.charter.content.referee)
        played = self.view and self.view.seat in self.view.accepted  # he knows by now
        for record in game_folder.joins().values():
            seat, digits = record.content.seat, record.id.hex()[:6]
            if record.content.key in mine and seat not in self.session.roles.seats and not played:
                name = self.session.name_of(seat) if self.view and seat in self.view.names else ""
                who = f"{clean(name)} sits there" if name else "the game began without that seat"
                who = self._sits_already(record.content.key) or who
                told = f"your join for seat {seat} ({digits}) was not taken: {who}"
                ask = "" if self.session.roles.seats else f"; telephone {referee} and ask why"
                lines.append(f"{told}{ask}")
        return lines

    def _sits_already(self, key: bytes) -> str:
        """That a key sits in another seat: it can have one only."""
        roles, publics = self.session.roles, self.session.publics
        seats = [seat for seat, profile in roles.seats.items() if publics[profile] == key]
        return f"its key sits in seat {seats[0]}, and a key has one seat" if seats else ""

    def _no_key(self, view: View) -> list[str]:
        """That my key is missing, or that I only watch."""
        from pbem.cli.session.lost_keys import watching

        if view.over or view.seat or self.session.roles.seats or self.session.roles.referee:
            return self._lost
        return self._lost or [watching(self.session)]

    @cached_property
    def readiness(self) -> Readiness:
        """What `advance` would do; for the referee."""
        return Readiness(self.session, self.view, self.sealed)

    @cached_property
    def _lost(self) -> list[str]:
        from pbem.cli.session.lost_keys import lost_lines

        return lost_lines(self.session)

    def _mine(self, view: View) -> list[str]:
        """What I am asked, and what I may say besides."""
        from pbem.drafts.write.rest_of_round import may_come

        kinds = view.play.ruleset.kinds
        asked = view.awaited.get(view.seat, [])
        if not asked:
            return []
        if told := answered_inside(self.session, view):
            return [told]
        told = ", ".join(f"{kind} ({kinds[kind].question})" for kind in asked)
        more = [kind for kind in kinds if kind not in asked and may_come(view, kind)]
        lines = [
            f"you are asked for: {told}" + (f"; you may add: {', '.join(more)}" if more else "")
        ]
        if left := self._open(view):
            lines.append(f"your sealed orders do not answer {', '.join(left)}: you are still asked")
        return lines

    def _ahead(self, view: View) -> list[str]:
        """That orders of a seat that I hold wait for a turn that is not published yet."""
        from pbem.cli.orders.receipt import newest

        if view.seat not in self.session.roles.held or view.preview or view.over:
            return []
        record = newest(self.session, view)
        if record is None or record.content.turn <= view.turn:
            return []
        turn = record.content.turn
        return [f"your orders for turn {turn} are sealed; {self._publishes(turn)}"]

    def _publishes(self, turn: int) -> str:
        """What becomes of orders that wait for this turn."""
        if self.readiness.ready:
            return "pbem advance publishes that turn"
        return f"they wait for turn {turn}, which cannot be made yet"

    def _open(self, view: View) -> list[str]:
        """What my own orders, sealed here, leave open."""
        from pbem.cli.orders.open_questions import open_now

        if view.seat not in self.sealed:
            return []
        if view.seat in view.first:  # the turn was made anew since, or they were no answer
            return view.awaited.get(view.seat, [])
        return open_now(self.session, view)

    def _deadline(self, view: View) -> list[str]:
        """What happens if nothing changes."""
        from pbem.screen.tell_entries import listed

        late = self._late(view)
        if view.over or not view.awaited:
            return []
        if view.preview:
            return [self._unpublished(view, late)]
        if not late:
            return self._sealed_only(view)
        who = listed(clean(view.names[seat]) for seat in late)
        if not view.deadline:
            return [f"no deadline: the game waits for {who}"]
        mine = self._default(view) if view.seat in late else ""
        least = "the choice of least harm is"
        when = f"deadline: {date(view.deadline)}; if nothing changes, {least} then made for {who}"
        if view.deadline <= now():
            when = f"the deadline is over since {date(view.deadline)}: {least} made for {who} when"
            when += f" {clean(view.referee)} makes the next turn"
        return [when + (f" (for you: {mine})" if mine else "")]

    def _sealed_only(self, view: View) -> list[str]:
        """What may still hold the game up when all who are asked have sealed something."""
        if self.session.roles.referee and self.readiness.sure:
            told = "all orders are here: pbem advance makes the next turn"
        else:
            you = bool(self.session.roles.referee)
            makes = "you make" if you else f"{self._referee(view)}, makes"
            told = f"all orders are here: {makes} the next turn, if they answer everything"
        return [f"deadline: {date(view.deadline)}; {told}" if view.deadline else told]

    def _referee(self, view: View) -> str:
        """Who makes turns; named as such, for he may sit in a seat that nobody waits for."""
        return f"the referee, {clean(view.referee)}"

    def _unpublished(self, view: View, late: list[str]) -> str:
        """Whom a turn waits for that only the referee sees yet."""
        from pbem.screen.tell_entries import listed

        if not late and view.seat in self.sealed:
            return f"your orders for turn {view.turn} are sealed; pbem advance publishes that turn"
        if not late:
            return f"turn {view.turn} waits for nobody: pbem advance publishes it"
        who = listed(clean(view.names[seat]) for seat in late)
        return f"turn {view.turn} is published once {who} has answered; nobody else sees it yet"

    def _late(self, view: View) -> list[str]:
        """The seats that are waited for: asked, and nothing here that answers, as far as I know."""
        if view.preview:
            return [seat for seat in view.first if seat not in view.bots]
        mine = {view.seat} if self._open(view) else set[str]()
        open_ = mine | {*self._left_open}
        return [s for s in sorted(view.awaited) if s not in self.sealed or s in open_]

    @cached_property
    def _left_open(self) -> list[str]:
        """For the referee: seats whose sealed orders do not answer what they are asked."""
        return self.readiness.left_open if self.session.roles.referee else []

    def _default(self, view: View) -> str:
        """What my own silence would do, as far as one question tells it."""
        from pbem.screen.tell_entries import Teller

        teller = Teller(view.play.ruleset, view.names)
        mine = [d for _, d in view.table.pending if d.seat == view.seat and d.default]
        return "; ".join(teller.order(d.default()) for d in mine if d.default)

    def _before(self) -> list[str]:
        charter = self.session.game_folder.charter.content
        lines = [f"{clean(charter.title)} ({charter.ruleset}): not begun"]
        lines += [f"  {p.seat} {clean(p.name)}: {self._joined(p.seat)}" for p in charter.seats]
        lines += self._lost
        mine = self.session.roles
        if self._lost and not (mine.seats or mine.referee):
            return [*lines, f"next: {self._bring_back()}"]
        waits = "wait for the referee to begin" if mine.seats else "pbem join --invite …"
        waits = next((hint for seat in mine.seats if (hint := unsent(self.session, seat))), waits)
        lines.append(f"next: {'pbem advance' if mine.referee else waits}")
        return lines

    def _joins(self, seat: str) -> list[Record[Join]]:
        joins = sorted(self.session.game_folder.joins().values(), key=lambda record: record.id)
        return [record for record in joins if record.content.seat == seat]

    def _joined(self, seat: str) -> str:
        """Whether the seat is taken, and by whom if more than one would have it."""
        found = self._joins(seat)
        if not found:
            plays = seat in self.session.game_folder.charter.content.plays
            return "the referee plays it" if plays else "empty"
        mine = set(self.session.publics.values())
        people = [
            f"{clean(r.content.name)} ({'yours, ' * (r.content.key in mine)}{r.id.hex()[:6]})"
            for r in found[:MOST_JOINS]
        ]
        more = f" and {len(found) - MOST_JOINS} more" if len(found) > MOST_JOINS else ""
        if len(found) == 1:
            return f"joined by {people[0]}; the referee checks the invite"
        told = "if several have the invite, the referee asks whose is the right one"
        return f"joined by {', '.join(people)}{more}; {told}"

    def _over(self, view: View) -> str:
        if view.over:
            return ": the game is over"
        return ": not published yet" if view.preview else ""

    def _words(self, view: View) -> list[str]:
        from pbem.records.chain import words_of

        return words_of(bytes.fromhex(view.published_head))

    def ready(self, view: View, seat: str) -> str:
        """MISSING, DRAFT, SEALED, ACCEPTED, DEFAULTED, or - for who is not asked."""
        if seat in view.silent and seat not in view.awaited:
            return "DEFAULTED"
        if seat in self.sealed:
            return "SEALED"
        if seat not in view.awaited:
            return "ACCEPTED" if view.accepted.get(seat) == view.turn else "-"
        mine = (
            seat == view.seat and self.session.home.game(view.game).draft(view.turn, seat).exists()
        )
        return "DRAFT" if mine else "MISSING"

    def next(self, view: View) -> str:
        """The next command to type."""
        referee = bool(self.session.roles.referee)
        if view.over:
            there = self._final() is not None
            return "pbem audit" if there or not referee else "pbem advance (writes final.toml)"
        if self._lost and not view.seat:
            return self._bring_back()
        ready = self.ready(view, view.seat) if view.seat in view.awaited else "-"
        if ready == "DRAFT":
            return "pbem check, then pbem submit (or pbem orders --edit)"
        if ready == "MISSING" or self._open(view):
            return "pbem orders --edit, then pbem submit"
        if hint := unsent(self.session, view.seat):
            return hint
        if not referee:
            return f"wait for {self._people(view)}"
        if self._late(view) and not self.readiness.ready:
            return f"wait for {self._people(view)}, then pbem advance"
        return "pbem advance"

    @property
    def step(self) -> str:
        """The next command to type, after `submit`."""
        return self.next(self.view) if self.view else "pbem advance"

    def _bring_back(self) -> str:
        from pbem.cli.session.lost_keys import COPY, cure

        return f"{cure(self.session)}, {COPY}"

    def _people(self, view: View) -> str:
        """Whom the game waits for, by name."""
        from pbem.screen.tell_entries import listed

        late = listed(clean(view.names[seat]) for seat in self._late(view))
        return late or self._referee(view)

    def data(self) -> dict[str, Any]:
        """For programs."""
        from pbem.cli.session.file_notes import notes

        view = self.view
        told = self._not_begun() if view is None else self._begun(view)
        return told | {"warnings": self.warnings(view), "notes": notes(self.session)}

    def _not_begun(self) -> dict[str, Any]:
        game_folder, mine = self.session.game_folder, set(self.session.publics.values())
        charter = game_folder.charter.content
        seats = {
            plan.seat: {
                "name": plan.name,
                "joins": [
                    {"name": r.content.name, "id": r.id.hex(), "yours": r.content.key in mine}
                    for r in self._joins(plan.seat)
                ],
            }
            for plan in charter.seats
        }
        return {"game": game_folder.game.hex(), "title": charter.title, "turn": 0, "seats": seats}

    def _begun(self, view: View) -> dict[str, Any]:
        return {
            "game": view.game,
            "title": view.title,
            "ruleset": view.ruleset,
            "turn": view.turn,
            "published": view.published,
            "head": view.published_head,
            "words": self._words(view),
            "seat": view.seat,
            "over": view.over,
            "deadline": view.deadline,
            "seats": {
                seat: {
                    "name": name,
                    "ready": self.ready(view, seat),
                    "asked": view.awaited.get(seat, []),
                }
                for seat, name in sorted(view.names.items())
            },
            "next": self.next(view),
        }
