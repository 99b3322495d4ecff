"""A game in words for somebody who takes a seat: who deals, by which rules, what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.counts_and_lists_in_prose import join_words
from pbem.files.game_folder_places import Place
from pbem.format.record_error import RecordError
from pbem.records.charter import Charter, SeatPlan
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import at_address
from pbem.wording.deadlines_and_absences import silence_lines
from pbem.wording.joins import join_words_line
from pbem.wording.next_step import next_line_after_signing
from pbem.wording.who_sees_hands import dealers_of, hand_lines

if TYPE_CHECKING:
    from pbem.person.next_step import Step


_DEALT: Final = "{title}: {ruleset}, {count} seats, dealt by {dealers}"
_DEALT_BY_PLAYER: Final = f"{_DEALT}, who also plays and can see every hand"
_DEALT_BY_OWNER_OF_BOTS: Final = f"{_DEALT}, who also runs the bots and can see every hand"
_SEAT_BY_MAIL: Final = (
    "{name} (seat {seat}) answers by plain email: {referee} has the key of this seat and signs its "
    "orders"
)


def rules_lines(charter: Charter) -> list[str]:
    """Return lines on the variants of this game; none if the ruleset is not installed here, because
    you can join without it."""
    from pbem.judge.game_ruleset import ruleset_of
    from pbem.wording.view_headings import rules_chosen

    try:
        return rules_chosen(ruleset_of(charter), charter.options)
    except RecordError:
        return []


_INVITATION: Final = "{referee} invites you to play {title}"
_INVITATION_BY_HOST: Final = "You are invited to play {title}"
_INVITATION_WITH_OTHERS: Final = "You are invited to play {title} with {people}"
_SEAT_OF_INVITE: Final = "you take the seat of {name}"


def invitation_line(charter: Charter, seat: str = "") -> str:
    """Return the heading of an invitation: who invites you, or, if a host deals, with whom you
    play. `seat`: the seat that the invite is for, if it is known."""
    title = clean(charter.title)
    if not charter.automaton:
        line = _INVITATION.format(referee=clean(charter.referee), title=title)
        return line[:1].upper() + line[1:]
    names = [plan.name for plan in charter.seats if plan.seat != seat and not plan.bot]
    if not seat or not names:
        return _INVITATION_BY_HOST.format(title=title)
    return _INVITATION_WITH_OTHERS.format(title=title, people=join_words(map(clean, names)))


def seat_of_invite_line(plan: SeatPlan) -> str:
    """Return a line for somebody who has an invite to this seat: whose seat it is."""
    return _SEAT_OF_INVITE.format(name=clean(plan.name))


def describe_charter(charter: Charter) -> list[str]:
    """Return lines for somebody who takes a seat: who deals, by which rules, what silence does."""
    referee, template = clean(charter.referee), _DEALT
    dealer_names = join_words(map(clean, [*dealers_of(charter).co_dealers, charter.referee]))
    if charter.plays and not charter.dealers:
        in_person = any(plan.seat in charter.plays and not plan.bot for plan in charter.seats)
        template = _DEALT_BY_PLAYER if in_person else _DEALT_BY_OWNER_OF_BOTS
    title, seat_count = clean(charter.title), len(charter.seats)
    lines = [
        template.format(
            title=title, ruleset=charter.ruleset, count=seat_count, dealers=dealer_names
        )
    ]
    lines += [
        _SEAT_BY_MAIL.format(name=clean(plan.name), seat=plan.seat, referee=referee)
        for plan in charter.seats
        if plan.mail
    ]
    lines += hand_lines(dealers_of(charter))
    lines += [*rules_lines(charter), *silence_lines(charter.policies)]
    lines += [HOST_DEALS] if charter.automaton and not charter.dealers else []
    return [*lines, clean(charter.notes)] if charter.notes else lines


PASTE_INVITE_SENTENCE: Final = "paste the invite, then press Enter"
_RIGHT_GAME_SENTENCE: Final = "this is the game that your invite is for"
_YOUR_SEAT: Final = "you are {name}, in seat {seat}"
_HOW_TO_PLAY: Final = "how to play: `pbem explain rules --game {ruleset}`"
_WAIT_FOR_REFEREE: Final = "next: wait for the referee; `{command}` says when it is your move"


def joined_lines(charter: Charter, record: Record[Join]) -> list[str]:
    """Return the lines on the game and the seat for somebody who has signed a join."""
    join = record.content
    return [
        *describe_charter(charter),
        _RIGHT_GAME_SENTENCE,
        _YOUR_SEAT.format(name=clean(join.name), seat=join.seat),
        join_words_line(record),
        _HOW_TO_PLAY.format(ruleset=charter.ruleset),
    ]


def next_line_after_join(step: Step, place: Place) -> str:
    """Return the line on the next step after a join was signed."""
    waiting_line = _WAIT_FOR_REFEREE.format(command=at_address(place, "pbem status"))
    return next_line_after_signing(step, place) or waiting_line


HOST_DEALS: Final = (
    "This host deals the cards and makes the turns, with a key of its own. Whoever runs this host "
    "can see every hand."
)
"""A warning for players of a game that a host deals."""
