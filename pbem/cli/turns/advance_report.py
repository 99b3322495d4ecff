"""Print what `advance` made, and who the next turn waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pbem.cli.deadlines.due import Due
    from pbem.cli.session.session import Session
    from pbem.cli.turns.make_turns import Step
    from pbem.play.making.outcome import Outcome
    from pbem.records.charter_join_orders import Join
    from pbem.records.read_record import Record
    from pbem.storage.file_names import Name

OWN_FIRST = "your own orders come first"
"""The first words of the line about seats that the referee plays."""
YOUR_MOVE = "your move"
"""The first words of that line if all others are bots."""
MOST_DOUBTS = 8
"""The most ignored joins that are named one by one."""


def tell_made(done: Step, before: str = "") -> None:
    """Say what one step of `advance` made; each line begins with `before`."""
    from pbem.cli.failure import say

    for note in done.notes:
        say(f"{before}{note}")
    for line in made_lines(done.outcome):
        print(f"{before}{line}")


def next_lines(session: Session, done: Sequence[Step]) -> list[str]:
    """Return lines that say, after the last step, who the game waits for, and what to type next."""
    from pbem.cli.session.mail_hints import hint_lines

    outcome = done[-1].outcome
    lines = hint_lines(session) if any(one.outcome.write for one in done) else []
    lines += waiting_lines(session, outcome)
    return [*lines, f"next: {_next_step(session, outcome)}"]


class MadeAtOnce:
    """Makes the turns that waited only for the orders that a referee who plays has just sealed."""

    def __init__(self, session: Session, hold: Callable[[], None] | None = None) -> None:
        """`hold` is called before the first turn is written (see make_turns)."""
        self.session, self._hold = session, hold
        self.steps: list[Step] = []
        self.stopped = ""
        """The error that ended it: the orders stay sealed, and the turns can be made later."""

    def __iter__(self) -> Iterator[Step]:
        """Make the turns; yield each step. An error ends it."""
        from pbem.cli.failure import CliError, sentence_of
        from pbem.cli.turns.make_turns import make_turns
        from pbem.format.errors import RecordError
        from pbem.storage.errors import StorageError

        try:
            for one in make_turns(self.session, hold=self._hold):
                self.steps.append(one)
                yield one
        except (CliError, RecordError, StorageError) as error:
            self.stopped = clean(sentence_of(error) or "")

    def tell_made(self) -> None:
        """Make the turns, and say what was made."""
        for one in self:
            tell_made(one)

    def next_lines(self) -> list[str]:
        """Return lines that say what comes after the turns that were made."""
        if self.stopped:
            return [f"the next turn could not be made: {self.stopped}", "next: pbem advance"]
        return next_lines(self.session, self.steps)

    def files(self) -> list[str]:
        """Make the turns; return the paths of the new files."""
        return [name.path for one in self for name, _ in one.outcome.write]

    def lines(self) -> list[str]:
        """Make the turns; return a line for each note and each new file."""
        return [line for one in self for line in (*one.notes, *made_lines(one.outcome))]


def made_lines(outcome: Outcome) -> list[str]:
    """Return a line for each record that was made."""
    return [f"made {_named(name)} ({record.id.hex()[:6]})" for name, record in outcome.write]


def _named(name: Name) -> str:
    return "final.toml: now everybody can audit the game" if name.kind == "final" else name.path


def waiting_lines(session: Session, outcome: Outcome) -> list[str]:
    """Return sentences that say who the next turn waits for, and which seats are contested."""
    return [*_waiting(session, outcome), *_contested(session, outcome)]


def _waiting(session: Session, outcome: Outcome) -> list[str]:
    if outcome.first:
        plans = session.game_folder.charter.content.seats
        if all(plan.bot for plan in plans if plan.seat not in outcome.first):
            kinds = {kind for seat in outcome.first for kind in outcome.waiting.get(seat, ())}
            return [f"{YOUR_MOVE}: you are asked for {', '.join(sorted(kinds))}"]
        seats = ", ".join(outcome.first)
        answer = f"seats {seats}" if len(outcome.first) > 1 else f"seat {seats}"
        return [f"{OWN_FIRST}: {answer} must answer before the others see the next turn"]
    if ("join",) in outcome.waiting.values():
        return _empty_seats(session, outcome)
    if outcome.held:
        held = ", ".join(_name(session, seat) for seat in outcome.held)
        return [f"waiting for orders for the whole round, as the charter says: {held}"]
    if outcome.over:
        from pbem.screen.scores import end_sentence, play_again

        view = session.reading.fresh_view("")
        return [f"the game is over: {end_sentence(view)}", play_again(session.place)]
    if outcome.held_until:
        from pbem.cli.clock import now
        from pbem.text.dates import moment

        until = moment(outcome.held_until, now())
        return [f"all players have answered; until {until}, they may change their orders"]
    return _waited_for(session, outcome)


def _next_step(session: Session, outcome: Outcome) -> str:
    """Return the next command to type."""
    if outcome.contested:
        return "pbem advance --accept DIGITS, with the digits of the right join"
    if outcome.first:
        return "pbem play; or pbem orders --edit, then pbem submit"
    if ("join",) in outcome.waiting.values():
        return _next_before_turn_one(session, outcome)
    if outcome.held:
        return "pbem advance, when they have sent orders; or pbem advance --no-wait"
    if outcome.over:
        return "pbem audit"
    if outcome.held_until:
        from pbem.text.dates import local_date

        after = local_date(outcome.held_until)
        return f"pbem advance, after {after} (or now: pbem advance --watch)"
    if not _asked(session, outcome):
        return "pbem advance"
    return "pbem advance, when they have sent orders (or now: pbem advance --watch)"


def _next_before_turn_one(session: Session, outcome: Outcome) -> str:
    from pbem.play.checking.charter_rules import ruleset_of

    charter = session.game_folder.charter
    players = ruleset_of(charter.content).players
    if len(charter.content.seats) - len(outcome.waiting) in players:
        return "pbem advance, when they have joined; or pbem advance --start, without them"
    return f"pbem advance, when they have joined; at least {players[0]} must play"


def _asked(session: Session, outcome: Outcome) -> list[str]:
    """Return the names of players that the next turn waits for and whose orders are missing."""
    from pbem.cli.turns.make_turns import unanswered

    return [
        f"{_name(session, seat)} ({', '.join(outcome.waiting[seat])})"
        for seat in unanswered(session, outcome)
    ]


def _waited_for(session: Session, outcome: Outcome) -> list[str]:
    """Name the players that the next turn waits for, and say whose orders are here."""
    from pbem.cli.status.advance_readiness import leaves_open

    asked = _asked(session, outcome)
    if not asked:
        return ["all have answered"]
    sealed = [_name(session, seat) for seat in outcome.answered]
    said = [f"waiting for: {', '.join(asked)}" + (f"; here: {', '.join(sealed)}" if sealed else "")]
    said += [leaves_open(session.here.name_of(seat), seat) for seat in outcome.left_open]
    if due := _due(session, outcome):
        said.append(f"deadline: {due.words}")
    return [*said, *reminders(session, outcome)]


def _due(session: Session, outcome: Outcome) -> Due | None:
    """Return the deadline for the seats that the next turn waits for; None if there is none."""
    from pbem.cli.deadlines.due import due

    turn = outcome.turn
    if turn is None or not turn.deadline:
        return None
    return due(outcome.policies, outcome.phase, turn.time, turn.deadline)


def reminders(session: Session, outcome: Outcome) -> list[str]:
    """Return lines that say who to remind, once half of the time is over."""
    from pbem.cli.deadlines.reminders import reminder

    due, charter = _due(session, outcome), session.game_folder.charter.content
    if due is None or outcome.turn is None or outcome.held_until:
        return []
    here = {*outcome.answered, *outcome.left_open, *charter.plays}
    late = {seat: kinds for seat, kinds in outcome.waiting.items() if seat not in here}
    names = {seat: session.here.name_of(seat) for seat in late}
    return reminder(due, charter.title, outcome.turn.turn, late, names)


def _name(session: Session, seat: str) -> str:
    """Return the letter and the name of a seat, as `b Bo`."""
    return f"{seat} {clean(session.here.name_of(seat))}"


def referee_notes(session: Session, outcome: Outcome) -> list[str]:
    """Say what only the referee can put right: `pbem run` prints this, and continues."""
    from pbem.cli.status.advance_readiness import leaves_open

    said = _doubtful(outcome)
    if outcome.contested:
        said += [*_contested(session, outcome), "then type: pbem advance --accept DIGITS"]
    if outcome.first:
        said += waiting_lines(session, outcome)
    return said + [leaves_open(session.here.name_of(seat), seat) for seat in outcome.left_open]


def _doubtful(outcome: Outcome) -> list[str]:
    """Say which joins do not count, and why."""
    said = []
    for record, why in outcome.doubtful[:MOST_DOUBTS]:
        seat, digits = record.content.seat, record.id.hex()[:6]
        said.append(
            f"note: seats/{seat}-{digits}.toml ({clean(record.content.name)}): {clean(why)}"
        )
    if (more := len(outcome.doubtful) - MOST_DOUBTS) > 0:
        said.append(f"note: {more} more files in seats/ do not count; remove those of strangers")
    return said


def _empty_seats(session: Session, outcome: Outcome) -> list[str]:
    """Say which seats nobody has taken, with each player's invite."""
    from pbem.cli.starting.make_game import invite_lines

    said = _doubtful(outcome)
    if outcome.contested:
        return said
    empty = ", ".join(_name(session, seat) for seat in sorted(outcome.waiting))
    said.append(f"waiting for players to join: {empty}")
    said.append("send each player their own invite, privately:")
    charter = session.game_folder.charter
    return [*said, *invite_lines(charter, session.referee_key(), outcome.waiting, session.place)]


def _contested(session: Session, outcome: Outcome) -> list[str]:
    """Name the seats that several people took with one invite; only a phone call can settle
    this."""
    from pbem.cli.session.own_joins import words_line
    from pbem.cli.session.start_wishes import wishes_of

    said = []
    by_word = " or by your --accept" if wishes_of(session.mine, None).accept else ""
    for seat, records in outcome.contested.items():
        name = _name(session, seat)
        people = [f"{clean(r.content.name)} ({r.id.hex()[:6]})" for r in records[:MOST_DOUBTS]]
        told = f"seat {name} was claimed {len(records)} times, each time with its invite{by_word}"
        said.append(f"{told}: {', '.join(people)}")
        said += [f"  {words_line(record)}" for record in records[:MOST_DOUBTS]]
        invited = "the person you invited" if outcome.turn else name[2:]
        told = "their `pbem status` shows the twelve words of the right join"
        said.append(f"phone {invited}: {told}")
    return said


def outcome_data(session: Session, done: Sequence[Step]) -> dict[str, Any]:
    """Return as JSON data what `advance` made in all its steps, and who it waits for now."""
    outcome = done[-1].outcome
    made = [written for one in done for written in one.outcome.write]
    return {
        "game": session.game_folder.game.hex(),
        "made": [{"file": n.path, "id": r.id.hex()} for n, r in made],
        "waiting": {seat: list(kinds) for seat, kinds in outcome.waiting.items()},
        "answered": list(outcome.answered),
        "left_open": list(outcome.left_open),
        "first": list(outcome.first),
        "held": list(outcome.held),
        "over": outcome.over,
        "deadline": outcome.turn.deadline if outcome.turn else 0,
        "held_until": outcome.held_until,
        "contested": {
            seat: [_join(record) for record in records]
            for seat, records in outcome.contested.items()
        },
        "doubtful": [_join(record) | {"why": why} for record, why in outcome.doubtful],
        "notes": [note for one in done for note in one.notes],
    }


def _join(record: Record[Join]) -> dict[str, str]:
    join = record.content
    return {"seat": join.seat, "name": join.name, "id": record.id.hex()}
