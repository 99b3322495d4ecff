"""What `advance` prints: what it made, and who the next turn waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.deadlines.due import Due
    from pbem.cli.session.session import Session
    from pbem.play.making.outcome import Outcome
    from pbem.records.charter_join_orders import Join
    from pbem.records.read_record import Record

MOST_DOUBTS = 8
"""Joins that do not count, named one by one."""


def tell(session: Session, outcome: Outcome, notes: Sequence[str]) -> None:
    """Say what `advance` did, or who it waits for."""
    from pbem.cli.failure import say
    from pbem.cli.mail.mail_hints import mail_hint

    for note in notes:
        say(note)
    for name, record in outcome.write:
        what = "final.toml: now everybody can audit the game" if name.kind == "final" else name.path
        print(f"made {what} ({record.id.hex()[:6]})")
    if outcome.write:
        mail_hint(session)
    if outcome.first:
        seats = ", ".join(outcome.first)
        answer = f"seats {seats}" if len(outcome.first) > 1 else f"seat {seats}"
        say(f"you first: {answer} must answer before the others see the next turn")
        say("next: pbem orders --edit, then pbem submit, then pbem advance")
    elif ("join",) in outcome.waiting.values():
        _tell_empty(session, outcome)
    elif outcome.held:
        held = ", ".join(_name(session, seat) for seat in outcome.held)
        say(f"waiting for orders for the whole round, as the charter says: {held}")
        say("next: pbem advance, when they have sent orders; or pbem advance --no-wait")
    elif outcome.over:
        say("the game is over")
        say("next: pbem audit")
    else:
        _tell_waiting(session, outcome)


def _tell_waiting(session: Session, outcome: Outcome) -> None:
    """Say who the next turn waits for, by name, and whose orders are here."""
    from pbem.cli.failure import say
    from pbem.cli.status.advance_readiness import leaves_open

    here = {
        *outcome.answered,
        *(session.game_folder.charter.content.plays if outcome.write else ()),
    }
    asked = [
        f"{_name(session, seat)} ({', '.join(kinds)})"
        for seat, kinds in sorted(outcome.waiting.items())
        if seat not in here
    ]
    if outcome.held_until:
        _tell_held(outcome)
        return
    if not asked:
        say("all have answered")
        say("next: pbem advance")
        return
    sealed = [_name(session, seat) for seat in outcome.answered]
    say(f"waiting for: {', '.join(asked)}" + (f"; here: {', '.join(sealed)}" if sealed else ""))
    for seat in outcome.left_open:
        say(leaves_open(session.here.name_of(seat), seat))
    if due := _due(session, outcome):
        say(f"deadline: {due.words}")
    for line in reminders(session, outcome):
        say(line)
    say("next: pbem advance, when they have sent orders (or now: pbem advance --watch)")


def _due(session: Session, outcome: Outcome) -> Due | None:
    """The deadline for the seats that the next turn waits for; None if there is none."""
    from pbem.cli.deadlines.due import due

    turn = outcome.turn
    if turn is None or not turn.deadline:
        return None
    return due(outcome.policies, outcome.phase, turn.time, turn.deadline)


def reminders(session: Session, outcome: Outcome) -> list[str]:
    """Lines that say whom to remind, once half of the time is gone."""
    from pbem.cli.deadlines.reminders import reminder

    due, charter = _due(session, outcome), session.game_folder.charter.content
    if due is None or outcome.turn is None or outcome.held_until:
        return []
    here = {*outcome.answered, *outcome.left_open, *charter.plays}
    late = {seat: kinds for seat, kinds in outcome.waiting.items() if seat not in here}
    names = {seat: session.here.name_of(seat) for seat in late}
    return reminder(due, charter.title, outcome.turn.turn, late, names)


def _tell_held(outcome: Outcome) -> None:
    """Say until when the players may change their minds."""
    from pbem.cli.clock import now
    from pbem.cli.failure import say
    from pbem.text.dates import local_date, moment

    until = outcome.held_until
    say(f"all have answered; until {moment(until, now())}, they may change their orders")
    say(f"next: pbem advance, after {local_date(until)} (or now: pbem advance --watch)")


def _name(session: Session, seat: str) -> str:
    """`b Bo`."""
    return f"{seat} {clean(session.here.name_of(seat))}"


def _tell_empty(session: Session, outcome: Outcome) -> None:
    """Say which seats nobody has taken, and print each player's invite."""
    from pbem.cli.failure import say
    from pbem.cli.starting.make_game import invite_lines
    from pbem.play.checking.charter_rules import ruleset_of

    for record, why in outcome.doubtful[:MOST_DOUBTS]:
        seat, digits = record.content.seat, record.id.hex()[:6]
        say(f"note: seats/{seat}-{digits}.toml ({clean(record.content.name)}): {clean(why)}")
    if (more := len(outcome.doubtful) - MOST_DOUBTS) > 0:
        say(f"note: {more} more files in seats/ do not count; remove those of strangers")
    if outcome.contested:
        _tell_contested(session, outcome)
        return
    empty = ", ".join(_name(session, seat) for seat in sorted(outcome.waiting))
    say(f"waiting for players to join: {empty}")
    say("send each player their own invite, privately:")
    for line in invite_lines(session.game_folder.charter, session.referee_key(), outcome.waiting):
        say(line)
    charter = session.game_folder.charter
    players = ruleset_of(charter.content).players
    if len(charter.content.seats) - len(outcome.waiting) in players:
        say("next: pbem advance, when they have joined; or pbem advance --start, without them")
    else:
        say(f"next: pbem advance, when they have joined; at least {players[0]} must play")


def _tell_contested(session: Session, outcome: Outcome) -> None:
    """Say which seats several people took with one invite: only a phone call can settle this."""
    from pbem.cli.failure import say
    from pbem.cli.session.start_wishes import wishes_of

    by_word = " or by your --accept" if wishes_of(session.mine, None).accept else ""
    for seat, records in outcome.contested.items():
        name = _name(session, seat)
        people = [f"{clean(r.content.name)} ({r.id.hex()[:6]})" for r in records[:MOST_DOUBTS]]
        told = f"seat {name} was claimed {len(records)} times, each time with its invite{by_word}"
        say(f"{told}: {', '.join(people)}")
        say(f"phone {name[2:]}: their `pbem status` shows the six digits of the right join")
        say("next: pbem advance --accept DIGITS, with the digits of the right join")


def print_outcome(session: Session, outcome: Outcome, notes: Sequence[str]) -> None:
    """Print as JSON what `advance` did, or who it waits for."""
    from pbem.cli.json_output import print_data

    print_data(
        "advance",
        {
            "game": session.game_folder.game.hex(),
            "made": [{"file": n.path, "id": r.id.hex()} for n, r in outcome.write],
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
            "notes": list(notes),
        },
    )


def _join(record: Record[Join]) -> dict[str, str]:
    join = record.content
    return {"seat": join.seat, "name": join.name, "id": record.id.hex()}
