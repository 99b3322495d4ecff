"""The next step in words: after `next:`, in the list of games, on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from engine.counts_and_lists_in_prose import join_words
from pbem.files.game_folder_places import Place
from pbem.person.next_step import next_step
from pbem.records.press_message import REFEREE
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import at_address, shell_quote, way_to
from pbem.text.dates import local_date
from pbem.text.names_and_email_addresses import UNNAMED_REFEREE
from pbem.text.terminal_and_page_wording import TerminalText, to_type

if TYPE_CHECKING:
    from pbem.person.next_step import Act, Step
    from pbem.person.situation import Situation

ANSWER_COMMAND: Final = "pbem submit --edit, or pbem play"
_PLAY_COMMAND: Final = "pbem play"
_CONTINUE_STEP: Final = "pbem play (it continues with your draft)"
JOIN_COMMAND: Final = "pbem join --invite …"
_OPEN_SECRET_STEP: Final = (
    "pbem advance, which opens your secret as a co-dealer: then everybody can check how you dealt"
)
_OPEN_SECRET_LATER_STEP: Final = (
    "pbem advance, after {moment}, to open your secret as a co-dealer: then everybody can check "
    "how you dealt"
)
_PERHAPS_ANSWERED: Final = "{uncertain_names}, unless their earlier orders are enough"
_OTHERS_PERHAPS_ANSWERED: Final = (
    "{names}, and also for {uncertain_names}, unless the earlier orders of {uncertain_names} are "
    "enough"
)
"""Templates about players whose earlier orders may answer: you cannot know this."""
_COMMANDS: Final[Mapping[Act, str]] = {
    "": "",
    "join": JOIN_COMMAND,
    "join again": f"{JOIN_COMMAND}, with the same invite, to put your join back",
    "check draft": "pbem check, then pbem submit (or pbem orders --edit)",
    "answer": ANSWER_COMMAND,
    "send": "pbem send, then mail the referee the file that it wrote",
    "run post": "pbem run --once, which sends your file to the referee; if pbem run is already "
    "running, you need to do nothing",
    "accept": "pbem advance --accept DIGITS, with the digits of the right join",
    "advance": "pbem advance",
    "write final": "pbem advance (writes final.toml)",
    "audit": "pbem audit",
    "see status": "pbem status",
    "deal": "pbem advance, which deals your part as a co-dealer",
}
"""The command for each act that needs no more facts, perhaps with a remark."""


def say_step(
    step: Step, situation: Situation, locate: Callable[[str], str] = lambda command: command
) -> str:
    """Return the step as one clause: whom to wait for, then the command.

    `locate` completes the command, so that it works where its reader is.
    """
    command = name_command(step, situation)
    if command and step.act != "get turns":  # then others type it
        command = locate(command)
    return ", then ".join(filter(None, (name_wait(step, situation), command)))


def next_line(situation: Situation, place: Place) -> str:
    """Return the line that says what to do next in the game at this place."""
    step = next_step(situation)
    line = f"next: {say_step(step, situation, partial(at_address, place))}"
    return to_type(line) if name_command(step, situation) else line


def say_step_after_mail(step: Step, situation: Situation, locate: Callable[[str], str]) -> str:
    """Return the step for somebody who has just read mail: a spectator, who only waits, can look
    at what came."""
    if step.act == "join":
        return f"{locate(JOIN_COMMAND)} (the invite you were sent), then pbem send"
    is_spectator = not (step.act or situation.has_role)
    return locate("pbem show") if is_spectator else say_step(step, situation, locate)


def next_line_after_signing(step: Step, place: Place) -> str:
    """Return the line that says what to do next after something else than orders was signed; empty
    if that is only to wait."""
    return f"next: {at_address(place, _COMMANDS[step.act])}" if step.act else ""


def say_step_in_terminal(step: Step, situation: Situation) -> str:
    """Return the step for somebody who answers in a terminal, where `pbem play` asks."""
    return _PLAY_COMMAND if step.act in ("answer", "check draft") else say_step(step, situation)


def say_step_after_stopping(step: Step, situation: Situation) -> str:
    """Return the step for somebody who has just stopped `pbem play`; empty if they only wait, or
    have nothing to go on with."""
    if step.act == "check draft":
        return _CONTINUE_STEP
    return "" if step.act == "answer" else name_command(step, situation)


def say_step_after_new(step: Step, *, has_mail_seats: bool) -> str:
    """Return the step as `pbem new` says it: the command that starts the game."""
    if step.act == "answer":
        command = _PLAY_COMMAND
    else:
        command = "pbem advance" if has_mail_seats else "pbem advance --watch"
    return f"{command}, then pbem send" if has_mail_seats else command


def name_command(step: Step, situation: Situation) -> str:
    """Return the command to type, perhaps with a remark; empty if the step is only to wait."""
    if step.act == "cancel":
        from pbem.wording.announced_acts import say_cancel  # it knows all kinds of notices

        return say_cancel(situation.losses[0])
    if step.act == "import key":
        option = f" --profile {situation.import_profile}" if situation.import_profile else ""
        return f"pbem keys import FILE{option} (FILE is your copy of the key file)"
    if step.act == "get turns":
        sender = "a player" if situation.is_referee else clean(situation.referee_name)
        request = f"ask {sender} for the bundle"
        return f"{request} that `pbem send --all` writes, and read it with `pbem receive`"
    if step.act == "deal" and situation.stage == "over":
        if step.earliest_at:
            return _OPEN_SECRET_LATER_STEP.format(moment=local_date(step.earliest_at))
        return _OPEN_SECRET_STEP
    condition = f", after {local_date(step.earliest_at)}" if step.earliest_at else ""
    return _COMMANDS[step.act] + condition


def name_wait(step: Step, situation: Situation) -> str:
    """Return whom to wait for first, as `wait for Bo`; empty if there is nothing to wait for."""
    if step.awaited_seats == (REFEREE,):
        if situation.stage == "joining":
            return "wait for the referee to begin"
        referee = _name_referee(situation)
        may_go_on = ", who can make the next turn now" if situation.is_past_deadline else ""
        return f"wait for {referee}{may_go_on}"
    names = name_seats(situation, step.awaited_seats, step.uncertain_seats)
    to_join = " to join" if situation.stage == "joining" else ""
    waits = [f"for {names}{to_join}"] if names else []
    if step.awaits_dealers:
        waits.append(f"for {name_awaited_dealers(situation)} to deal")
    return f"wait {', and '.join(waits)}" if waits else ""


def name_awaited_dealers(situation: Situation) -> str:
    """Return the names of the co-dealers that the game waits for; empty if there are none."""
    return join_words(map(clean, situation.awaited_dealers))


def describe_referee(situation: Situation) -> str:
    """Return what to call the person who makes turns: their role, because they may also have a
    seat; and their name, unless `pbem new` was given none."""
    name = _name_referee(situation)
    return name if situation.referee_name == UNNAMED_REFEREE else f"{name},"


def _name_referee(situation: Situation) -> str:
    name = clean(situation.referee_name)
    return name if name == UNNAMED_REFEREE else f"the referee, {name}"


def name_seats(situation: Situation, seats: Iterable[str], uncertain: Iterable[str] = ()) -> str:
    """Return the names of players, and of others whose earlier orders may answer."""
    names, uncertain_names = (
        join_words(clean(situation.names[seat]) for seat in group) for group in (seats, uncertain)
    )
    if not uncertain_names:
        return names
    template = _OTHERS_PERHAPS_ANSWERED if names else _PERHAPS_ANSWERED
    return template.format(names=names, uncertain_names=uncertain_names)


def name_awaited_people(situation: Situation) -> str:
    """Return the names of the players, or of the co-dealers, that the game waits for; empty if
    everyone has answered."""
    if situation.stage == "joining" and situation.empty_seats:
        return name_seats(situation, situation.empty_seats)
    if situation.awaited_dealers:
        return name_awaited_dealers(situation)
    seats = (*situation.pending_seats, *situation.unheard_seats)
    return name_seats(situation, seats, situation.uncertain_seats)


# ---- Above the table of a page


_MISSING_TURN: Final = "Turn {turn} is missing here"
_CAN_CANCEL_SENTENCE: Final = "You can still cancel what others announced"
_YOUR_MOVE: Final = {
    (False, False): "Your move",
    (True, False): "Your move; the game is also waiting for {names}",
    (False, True): "Your move; perhaps the game is also waiting for {uncertain_names}",
    (True, True): (
        "Your move; the game is also waiting for {names}, and perhaps for {uncertain_names}"
    ),
}
_WAITING_HEADINGS: Final = {
    (True, False): "Waiting for {names}",
    (False, True): "Perhaps waiting for {uncertain_names}",
    (True, True): "Waiting for {names}, and perhaps for {uncertain_names}",
}
"""Templates by whether players are surely awaited, and whether others are perhaps."""
_PAST_DEADLINE: Final = "The deadline has passed: {referee} can make the next turn now"
_TURN_READY: Final = "You can make turn {turn} now; until you do, nobody else sees it"
_YOU_DEAL: Final = "Waiting for you to deal"
_WAITING_FOR_DEALERS: Final = "Waiting for {names} to deal"
_DEALERS_DONE: Final = "The co-dealers have dealt: {referee} makes the next turn"
_ORDERS_HERE: Final = "All orders are here: {referee} makes the next turn"


def describe_move(situation: Situation) -> str:
    """Return whose move it is, for the heading of a page; empty if the game is over."""
    view = situation.view
    if view is None or situation.stage == "over":
        return ""
    awaited_seats = (*situation.pending_seats, *situation.unheard_seats)
    names = name_seats(situation, [seat for seat in awaited_seats if seat != situation.seat])
    uncertain_names = name_seats(situation, situation.uncertain_seats)
    key = bool(names), bool(uncertain_names)
    if situation.missing_turn:
        return _MISSING_TURN.format(turn=situation.missing_turn)
    if situation.losses:
        return _CAN_CANCEL_SENTENCE
    if situation.is_your_move:
        return _YOUR_MOVE[key].format(names=names, uncertain_names=uncertain_names)
    if situation.owes_deal:
        return _YOU_DEAL
    if situation.awaited_dealers:
        return _WAITING_FOR_DEALERS.format(names=name_awaited_dealers(situation))
    if any(key) and not situation.is_past_deadline:
        return _WAITING_HEADINGS[key].format(names=names, uncertain_names=uncertain_names)
    template = _DEALERS_DONE if view.owed else _ORDERS_HERE
    template = _TURN_READY if view.preview else template
    template = _PAST_DEADLINE if any(key) else template
    return template.format(turn=view.turn, referee=clean(situation.referee_name))


# ---- After `advance`

_WATCH: Final = "or now: pbem advance --watch"


def say_step_after_advance(step: Step, situation: Situation) -> str:
    """Return the step as `pbem advance` says it: its report has named whom to wait for."""
    command = name_command(step, situation)
    if step.act != "advance":
        return command
    if situation.stage == "joining":
        whether = f"the game needs at least {situation.fewest_players} players"
        whether = (
            "or pbem advance --start, to begin without these players"
            if situation.may_start
            else whether
        )
        return f"{command}, when they have joined; {whether}"
    if step.awaits_dealers:
        return f"{command}, when they have dealt ({_WATCH})"
    if situation.unheard_seats:
        return f"{command}, when they have sent orders; or, without them: pbem advance --no-wait"
    if step.earliest_at:
        return f"{command} ({_WATCH})"
    return f"{command}, when they have sent orders ({_WATCH})" if step.awaited_seats else command


# ---- In the list of games

_NEXT: Final = "next: {step}"
_WAITING: Final = "the game is waiting for {names}"
_WAITING_TO_JOIN: Final = "the game is waiting for {names} to join"
_EVERYONE_SEALED: Final = "everyone has sealed orders"
_LACKING: Final = "pbem advance says what is missing"


def say_wait_in_list(step: Step, situation: Situation) -> str:
    """Return whom the game of a referee waits for who cannot make a turn yet, without a command;
    empty for anybody else."""
    if step.act != "advance" or situation.is_ready or step.earliest_at:
        return ""
    is_joining, names = situation.stage == "joining", name_awaited_people(situation)
    if names:
        template = _WAITING_TO_JOIN if is_joining and situation.empty_seats else _WAITING
        return template.format(names=names)
    return "" if is_joining else _EVERYONE_SEALED


def say_step_in_list(step: Step, situation: Situation) -> str:
    """Return the step as `pbem list` says it: for a referee who cannot make a turn yet, whom the
    game waits for."""
    if step.act != "advance" or situation.is_ready or step.earliest_at:
        return _NEXT.format(step=say_step(step, situation))
    wait = say_wait_in_list(step, situation)
    if name_awaited_people(situation):
        return wait
    return f"{wait}; {_LACKING}" if wait else _LACKING


_PLAY_AGAIN: Final = TerminalText(
    "[[to play again with the same people, in other seats: {step}pbem new NAME --like {path}]]"
)


def play_again(place: Place) -> str:
    """Return what to type to play again with the same people; `place` is the game's folder."""
    location = way_to(place).location
    if location == ".":  # a game is not put into another one
        return _PLAY_AGAIN.format(step="cd .. && ", path=shell_quote(place.name))
    return _PLAY_AGAIN.format(step="", path=shell_quote(location))
