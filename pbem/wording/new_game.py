"""A new game in words: its charter, who deals, what to send to each player; and a new join."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from pbem.files.folder_addresses import Place
from pbem.files.game_folder import SharedFolder
from pbem.format.keys import SigningKey
from pbem.format.record_error import RecordError
from pbem.judge.deputy_line import DeputyLine
from pbem.judge.signing import invite_to
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.records.charter import Charter, SeatPlan
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record
from pbem.terminal.commands_to_type import at_address, way_to
from pbem.terminal.terminal import clean, shell_quote
from pbem.text.numbers_and_lists import join_words
from pbem.text.shared_phrases import SEND_INVITES
from pbem.wording.deadlines_and_absences import deadline_line, silence_lines
from pbem.wording.joins import join_words_line
from pbem.wording.next_step import next_line_after_signing, say_step_after_new

if TYPE_CHECKING:
    from pbem.files.host_store import DealtGame
    from pbem.person.next_step import Step

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
    from pbem.judge.game_ruleset import ruleset_of
    from pbem.terminal.table import rules_chosen

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


# ---- Before and after `join`

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


# ---- After `new`

_AS_PRINTED: Final = (
    " (this change of the rules saves days; to play the printed rules: --as-printed)"
)
_MADE_GAME: Final = "made {path} ({ruleset}, {count} seats)"
_REFEREE_AND_PLAYER: Final = "you are the referee, and {name} in seat {seat}"
_REFEREE_ONLY: Final = "you are the referee: you deal the cards and do not play"
_REFEREE_WHO_MAY_PLAY: Final = (
    "you are the referee: you deal the cards and do not play (to play too, in seat a: "
    "--referee-plays)"
)
_ONE_BY_MAIL: Final = (
    "{people} answers by plain email: you have the key and sign the orders (game.toml and the "
    "audit tell this to everybody)"
)
_SEVERAL_BY_MAIL: Final = (
    "{people} answer by plain email: you have the keys and sign the orders (game.toml and the "
    "audit tell this to everybody)"
)
_SHARE_FOLDER: Final = f"share the folder, and {SEND_INVITES}:"
_SHARE_STORE: Final = f"let the players use the store, and {SEND_INVITES}:"
_KEEP_ADDRESS: Final = (
    f"keep the address secret, because whoever has the address can read the game, and "
    f"{SEND_INVITES}:"
)
_SHARE_SENTENCES: Final = {
    "folder": _SHARE_FOLDER, "store": _SHARE_STORE, "host": _KEEP_ADDRESS
}  # fmt: skip
_MAIL_RUN_SENTENCE: Final = (
    "or: pbem run, which sends and reads the emails (before the first time: pbem post setup)"
)


def new_game_lines(
    charter: Charter,
    path: object,
    assumptions: Iterable[str],
    *,
    may_play: bool,
    has_mail_options: bool,
) -> list[str]:
    """Return the lines on a game that was made: who deals, by which rules, what silence does.

    `path` is the place of the game as it was typed, and `assumptions` are sentences on how its
    deadlines were read. `may_play` says that the referee could have taken a seat,
    `has_mail_options` that rules were chosen which save time by mail.
    """
    own_plans = [p for p in charter.seats if p.seat in charter.plays and not p.bot]
    lines = [
        _MADE_GAME.format(path=path, ruleset=charter.ruleset, count=len(charter.seats)),
        *([clean(charter.notes)] if charter.notes else []),
        _referee_line(own_plans[0] if own_plans else None, may_play=may_play),
    ]
    if mailed := _mail_seats_line(plan for plan in charter.seats if plan.mail):
        lines.append(mailed)
    remark = _AS_PRINTED if has_mail_options else ""
    lines += [f"{line}{remark}" for line in rules_lines(charter)]
    lines += [deadline_line(charter.policies), *assumptions]
    return [*lines, *silence_lines(charter.policies), *deputy_lines(charter)]


def invites_to_share(session: Session) -> list[str]:
    """Return the invites of a game that was made, with how the players get at it; none if there is
    no seat for another person."""
    charter = session.game_folder.charter
    seats = [plan.seat for plan in charter.content.seats]
    open_seats = [seat for seat in seats if seat not in charter.content.held_seats]
    if not open_seats:
        return []
    share_line, key = _SHARE_SENTENCES[session.place.sharing_kind], session.refereeing.key()
    return [share_line, *invite_lines(charter, key, open_seats, session.folder)]


def next_lines_after_new(session: Session, path: object) -> list[str]:
    """Return the lines on the next step in a game that was made at `path`."""
    has_mail_seats = any(plan.mail for plan in session.charter.seats)
    step = next_step(situation_of(session))
    command = say_step_after_new(step, has_mail_seats=has_mail_seats)
    start, _, send_clause = command.partition(",")  # a second command may follow, in words
    start = (
        f"{start} -C {path}" if session.place.is_remote else f"cd {shell_quote(path)} && {start}"
    )
    line = f"next: {start},{send_clause}" if send_clause else f"next: {start}"
    return [line, _MAIL_RUN_SENTENCE] if has_mail_seats else [line]


def _referee_line(own_plan: SeatPlan | None, *, may_play: bool) -> str:
    """Return the line on the referee's part; `own_plan` is the seat that they play in person."""
    if own_plan:
        return _REFEREE_AND_PLAYER.format(name=clean(own_plan.name), seat=own_plan.seat)
    return _REFEREE_WHO_MAY_PLAY if may_play else _REFEREE_ONLY


def _mail_seats_line(plans: Iterable[SeatPlan]) -> str:
    """Return the line on the seats whose players answer by plain email; empty if there are
    none."""
    people = [f"{clean(plan.name)} (seat {plan.seat})" for plan in plans]
    template = _ONE_BY_MAIL if len(people) == 1 else _SEVERAL_BY_MAIL
    return template.format(people=join_words(people)) if people else ""


_REMATCH_MADE: Final = (
    "made {title}, with the same people; each has an invite in the old game: {names}"
)
_REMATCH_ALONE: Final = "made {title}, with the same people; nobody else needs an invite"
_OWN_INVITE: Final = "your own seat: {command}"


def rematch_lines(names: Collection[str], title: str, own_invitation: str) -> list[str]:
    """Return the report on a game with the people of an old one, who were invited to it.
    `own_invitation` is the link or the command that takes the user's seat, if they have none."""
    template = _REMATCH_MADE if names else _REMATCH_ALONE
    lines = [template.format(title=clean(title), names=join_words(map(clean, names)))]
    if own_invitation:
        is_command = own_invitation.startswith("pbem ")
        command = own_invitation if is_command else f"pbem join {shell_quote(own_invitation)}"
        lines.append(_OWN_INVITE.format(command=command))
    return lines


# ---- A game that a host deals

_MADE_BY_HOST: Final = "made {title}: {host} deals the cards, and begins when all have joined"
_SEND_LINES_SENTENCE: Final = "send each player their own line, privately; one of them is yours:"
_OWN_LINE_STEP: Final = "next: type your own line, if you play"
_LINES_AGAIN: Final = "a page that shows these lines, and who has joined: {address}"


def game_on_host_lines(
    game: DealtGame, host: str, policies: Mapping[str, Any], assumptions: Iterable[str]
) -> list[str]:
    """Return the lines on a game that a host has made and deals: the line of each player, and its
    page, which has these lines too."""
    invites = [lines_of_invite(seat.name, seat.command, seat.link) for seat in game.seats]
    return [
        _MADE_BY_HOST.format(title=clean(game.title), host=host),
        deadline_line(policies),
        *assumptions,
        _SEND_LINES_SENTENCE,
        *(line for lines in invites for line in lines),
        _LINES_AGAIN.format(address=f"{host}{game.page}"),
        _OWN_LINE_STEP,
    ]


# ---- Invites, and the words of the deputy

_IN_BROWSER: Final = "      or in a browser: {link}"
_ASK_DEPUTY: Final = (
    "before the first turn, phone {name}, and ask for the words that pbem keys deputy prints "
    "there; the right words: {words}"
)


def invite_lines(
    charter: Record[Charter], key: SigningKey, seats: Collection[str], folder: SharedFolder
) -> list[str]:
    """Return for each of these seats the player's name, the command that takes the seat, and the
    link that joins in a browser if there is one."""
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
