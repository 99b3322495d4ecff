"""A new game in words, for whoever made it: its rules, the next step, what to send to whom. Also a
new ruleset."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from engine.counts_and_lists_in_prose import join_words
from pbem.files.game_folder import SharedFolder
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import invite_to
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.records.charter import Charter, SeatPlan
from pbem.records.read_and_sign_record import Record
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import shell_quote, way_to
from pbem.text.names_and_email_addresses import is_name_of_host
from pbem.wording.co_dealing import CO_DEALERS_STEP, EXPERIMENTAL_SENTENCE, ONE_BY_ONE_COST
from pbem.wording.deadlines_and_absences import deadline_line, silence_lines
from pbem.wording.deputy import deputy_lines
from pbem.wording.game_to_join import rules_lines
from pbem.wording.next_step import say_step_after_new
from pbem.wording.who_sees_hands import dealers_of, hand_lines

if TYPE_CHECKING:
    from pbem.files.host_answer_about_new_game import NewGameAnswer


SEND_INVITES: Final = "send each player their own invite, privately"
TOGETHER: Final = "together"
"""The option of a ruleset by which all play their cards at the same time."""

_AS_PRINTED: Final = (
    " (this change of the rules saves days; to play the printed rules: --as-printed)"
)
_MADE_GAME: Final = "made {path} ({ruleset}, {count} seats)"
_REFEREE_AND_PLAYER: Final = "you are the referee, and you also play, as {name} in seat {seat}"
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
_SHARE_STORE: Final = f"give the players access to the store, and {SEND_INVITES}:"
_KEEP_ADDRESS: Final = (
    f"whoever has the address can read the game, so keep the address secret; {SEND_INVITES}:"
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
    lines += [*silence_lines(charter.policies), *deputy_lines(charter)]
    return [*lines, *hand_lines(dealers_of(charter)), *co_dealing_lines(charter)]


def co_dealing_lines(charter: Charter) -> list[str]:
    """Return the lines on what co-dealers mean for a game that was made; none without them."""
    if not charter.dealers:
        return []
    names = [clean(d.name) for d in charter.dealers if not is_name_of_host(d.name)]
    costs = [ONE_BY_ONE_COST] if _is_one_by_one(charter) else []
    steps = [CO_DEALERS_STEP.format(names=join_words(names))] if names else []
    return [EXPERIMENTAL_SENTENCE, *costs, *steps]


def _is_one_by_one(charter: Charter) -> bool:
    """Return whether the players answer one by one although the ruleset has an option to let all
    of them answer together."""
    from pbem.judge.game_ruleset import ruleset_of

    may_be_together = any(option.name == TOGETHER for option in ruleset_of(charter).options)
    return may_be_together and charter.options.get(TOGETHER) != "yes"


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
    "made {title}, with the same people; the other players find their invites in the old game: "
    "{names}"
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

_MADE_BY_HOST: Final = "made {title}: {host} deals the cards; the game begins when all have joined"
_SEND_LINES_SENTENCE: Final = (
    "send each player their own line, privately; if you play, one of these lines is yours:"
)
_OWN_LINE_STEP: Final = "next: if you play, type the command beside your own name"
_LINES_AGAIN: Final = "a page that shows these lines, and who has joined: {address}"


def game_on_host_lines(
    game: NewGameAnswer, host: str, policies: Mapping[str, Any], assumptions: Iterable[str]
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


# ---- Invites

_IN_BROWSER: Final = "      or in a browser: {link}"


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


# ---- A new ruleset

_MADE_RULESET: Final = "The ruleset {name}, made from {base}, is in the folder {folder}. Next:"


def new_ruleset_lines(name: str, base: str, folder: str, commands: Sequence[str]) -> Iterator[str]:
    """Yield what was written, and the commands that install, test and study the ruleset."""
    yield _MADE_RULESET.format(name=name, base=base, folder=folder)
    yield from (f"    {command}" for command in commands)
