"""A new game in words: its charter, who deals, what to send to each player; and a new join."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from pbem.files.folder import SharedFolder
from pbem.files.places import Place
from pbem.format.canonical import RecordError
from pbem.format.keys import SigningKey
from pbem.judge.deputy import DeputyLine
from pbem.judge.sign import invite_to
from pbem.records.charter import Charter, Join, SeatPlan
from pbem.records.read_record import Record
from pbem.terminal.commands import way_to
from pbem.terminal.terminal import clean
from pbem.text.names import join_words
from pbem.text.phrases import SEND_INVITES
from pbem.wording.deadlines import silence_lines

# ---- What somebody should know who takes a seat

HOST_DEALS: Final = (
    "This host deals the cards and makes the turns, with a key of its own. Whoever runs it can see "
    "every hand."
)
"""A warning for players of a game that a host deals."""
_DEALT: Final = "{title}: {ruleset}, {count} seats, dealt by {referee}"
_DEALT_BY_PLAYER: Final = (
    "{title}: {ruleset}, {count} seats, dealt by {referee}, who also plays: the referee can see "
    "every hand"
)
_DEALT_BY_OWNER_OF_BOTS: Final = (
    "{title}: {ruleset}, {count} seats, dealt by {referee}, whose bots play: the referee can see "
    "every hand"
)
_SEAT_BY_MAIL: Final = (
    "{name} (seat {seat}) answers by plain email: {referee} has the key of this seat and signs its "
    "orders"
)


def rules_lines(charter: Charter) -> list[str]:
    """Return lines on the variants of this game; none if the ruleset is not installed here, because
    you can join without it."""
    from pbem.judge.rules import ruleset_of
    from pbem.terminal.table import rules_chosen

    try:
        return rules_chosen(ruleset_of(charter), charter.options)
    except RecordError:
        return []


def describe_charter(charter: Charter) -> list[str]:
    """Return lines for somebody who takes a seat: who deals, by which rules, what silence does."""
    referee, template = clean(charter.referee), _DEALT
    if charter.plays:
        in_person = any(plan.seat in charter.plays and not plan.bot for plan in charter.seats)
        template = _DEALT_BY_PLAYER if in_person else _DEALT_BY_OWNER_OF_BOTS
    title, seat_count = clean(charter.title), len(charter.seats)
    lines = [
        template.format(title=title, ruleset=charter.ruleset, count=seat_count, referee=referee)
    ]
    lines += [
        _SEAT_BY_MAIL.format(name=clean(plan.name), seat=plan.seat, referee=referee)
        for plan in charter.seats
        if plan.mail
    ]
    lines += [*rules_lines(charter), *silence_lines(charter.policies)]
    lines += [HOST_DEALS] if charter.automaton else []
    return [*lines, clean(charter.notes)] if charter.notes else lines


# ---- After `join`

SAME_CHARTER_SENTENCE: Final = "the charter is the one that your invite names"
_YOUR_SEAT: Final = "you are {name}, in seat {seat}"
_HOW_TO_PLAY: Final = "how to play: `pbem explain rules --game {ruleset}`"
_WAIT_FOR_REFEREE: Final = "next: wait for the referee; `{command}` says when it is your move"


def your_seat_line(join: Join) -> str:
    """Return the line that says which seat a join asks for."""
    return _YOUR_SEAT.format(name=clean(join.name), seat=join.seat)


def how_to_play_line(ruleset: str) -> str:
    """Return the line on how to read the rules of a game."""
    return _HOW_TO_PLAY.format(ruleset=ruleset)


def wait_for_referee_line(status_command: str) -> str:
    """Return the next step of somebody who has joined."""
    return _WAIT_FOR_REFEREE.format(command=status_command)


# ---- After `new`

_MADE_GAME: Final = "made {path} ({ruleset}, {count} seats)"
_REFEREE_AND_PLAYER: Final = "you are the referee, and {name} in seat {seat}"
_REFEREE_ONLY: Final = "you are the referee: you deal the cards and do not play"
_REFEREE_WHO_MAY_PLAY: Final = (
    "you are the referee: you deal the cards and do not play (to play too, in seat a: "
    "--referee-plays)"
)
_ONE_BY_MAIL: Final = (
    "{people} answers by plain email: you have the key and sign the orders (the charter and the "
    "audit say so)"
)
_SEVERAL_BY_MAIL: Final = (
    "{people} answer by plain email: you have the key and sign the orders (the charter and the "
    "audit say so)"
)
_SHARE_FOLDER: Final = f"share the folder, and {SEND_INVITES}:"
_SHARE_STORE: Final = f"let the players use the store, and {SEND_INVITES}:"
_KEEP_ADDRESS: Final = (
    f"keep the address to yourselves, because whoever has it can read the game, and {SEND_INVITES}:"
)
_SHARE_SENTENCES: Final = {
    "folder": _SHARE_FOLDER, "store": _SHARE_STORE, "host": _KEEP_ADDRESS
}  # fmt: skip
MAIL_RUN_SENTENCE: Final = (
    "or: pbem run, which sends and reads the emails (once before it: pbem post setup)"
)


def made_line(path: object, charter: Charter) -> str:
    """Return the line that says that a game is made."""
    return _MADE_GAME.format(path=path, ruleset=charter.ruleset, count=len(charter.seats))


def referee_line(own_plan: SeatPlan | None, *, may_play: bool) -> str:
    """Return the line on the referee's part; `own_plan` is the seat that they play in person."""
    if own_plan:
        return _REFEREE_AND_PLAYER.format(name=clean(own_plan.name), seat=own_plan.seat)
    return _REFEREE_WHO_MAY_PLAY if may_play else _REFEREE_ONLY


def mail_seats_line(plans: Iterable[SeatPlan]) -> str:
    """Return the line on the seats whose players answer by plain email; empty if there are
    none."""
    people = [f"{clean(plan.name)} (seat {plan.seat})" for plan in plans]
    template = _ONE_BY_MAIL if len(people) == 1 else _SEVERAL_BY_MAIL
    return template.format(people=join_words(people)) if people else ""


def share_line(place: Place) -> str:
    """Return the line above the invites: how the players get at the game."""
    return _SHARE_SENTENCES[place.shared_as]


# ---- A game that a host deals

_MADE_BY_HOST: Final = "made {title}: {host} deals it, and begins when all have joined"
SEND_LINES_SENTENCE: Final = "send each player their own line, privately; one of them is yours:"
OWN_LINE_STEP: Final = "next: type your own line, if you play"
_LINES_AGAIN: Final = "these lines again, and who has joined: {address}"


def made_on_host_line(title: str, host: str) -> str:
    """Return the line that says that a host has made a game."""
    return _MADE_BY_HOST.format(title=clean(title), host=host)


def lines_again_line(address: str) -> str:
    """Return the line on the page of a game that a host deals."""
    return _LINES_AGAIN.format(address=address)


# ---- Invites, and the words of the deputy

_IN_BROWSER: Final = "      or in a browser: {link}"
_ASK_DEPUTY: Final = (
    "before the first turn, ask {name}, by voice, for the words of their line (pbem keys deputy "
    "prints them): {words}"
)


def invite_lines(
    charter: Record[Charter], key: SigningKey, seats: Collection[str], folder: SharedFolder
) -> list[str]:
    """Return for each of these seats the player's name and the command that they must type, and
    the link that joins in a browser if there is one."""
    join = f"pbem join{way_to(folder.place).option}"
    lines = []
    for plan in charter.content.seats:
        if plan.seat in seats:
            invite = invite_to(charter, key, plan.seat).line()
            command, link = f"{join} --invite {invite}", folder.link("join", invite)
            lines += lines_of_invite(plan.name, command, link)
    return lines


def lines_of_invite(name: str, command: str, link: str) -> list[str]:
    """Return a player's name with the command to type, and the link that joins in a browser if
    there is one."""
    lines = [f"  {clean(name)}:  {command}"]
    return [*lines, _IN_BROWSER.format(link=link)] if link else lines


def deputy_lines(charter: Charter) -> list[str]:
    """Return what the referee asks the deputy, who could otherwise be somebody else."""
    if not charter.deputy_key:
        return []
    words = DeputyLine(charter.deputy_key, charter.deputy_x25519).words()
    return [_ASK_DEPUTY.format(name=clean(charter.deputy), words=words)]
