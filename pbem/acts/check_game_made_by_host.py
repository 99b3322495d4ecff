"""Check the game that a host has made on somebody's request: is it the one that was asked for?

The host could name other people, take other rules or let somebody else deal. Its charter says what
it has made, and the invites name that charter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.counts_and_lists_in_prose import counted, join_words
from games.registry import ruleset
from pbem.acts.join import split_invite
from pbem.errors import KEY, CliError
from pbem.files.host_answer_about_new_game import NewGameAnswer
from pbem.format.record_error import RecordError
from pbem.records.charter import Charter
from pbem.records.game_id_and_chain_heads import game_id
from pbem.records.invite import parse_invite
from pbem.records.read_and_sign_record import Record, read_as
from pbem.terminal.clean_text import clean

_OTHER_GAME: Final = "the host made a different game from the one that you asked for: "
_OTHER_GAME_HINT: Final = (
    "give nobody a link to this game. Make a new game in which one of you deals, or use another "
    "host"
)
_NOT_BY_HOST: Final = _OTHER_GAME + "its game.toml says that a person deals, not the host"
_OTHER_PEOPLE: Final = _OTHER_GAME + "its players are {people}"
_OTHER_RULES: Final = _OTHER_GAME + "it is a game of {ruleset}"
_OTHER_BOTS: Final = _OTHER_GAME + "it has {bots}"
_OTHER_OPTIONS: Final = _OTHER_GAME + "it has other options of the rules"
_OTHER_CARDS: Final = _OTHER_GAME + "it has other values of the cards"
_OTHER_DEADLINE: Final = _OTHER_GAME + "its deadline is {deadline}"
_OTHER_DEALER: Final = _OTHER_GAME + "its dealer had a different key in the old game"
_OTHER_INVITES: Final = _OTHER_GAME + "its invites are for other seats, or for another game"
_NO_CHARTER: Final = _OTHER_GAME + "its game.toml cannot be read"


def other_game_error(sentence: str) -> CliError:
    """Return the error for a host that has made another game than the one that was asked for."""
    return CliError(sentence, _OTHER_GAME_HINT, KEY)


def read_dealt_charter(data: bytes) -> Record[Charter]:
    """Read the charter of a game that a host has made. Raises CliError."""
    try:
        return read_as(Charter, data)
    except RecordError:
        raise other_game_error(_NO_CHARTER) from None


def check_dealt_game(
    game: NewGameAnswer,
    record: Record[Charter],
    form: Mapping[str, str],
    names: Sequence[str],
    old_charter: Charter | None = None,
) -> None:
    """Check the game that a host made from a form for the people with these names, by the record of
    its charter. A rematch has the same dealer as the game with `old_charter`. Raises
    CliError."""
    charter = record.content
    if not charter.automaton:
        raise other_game_error(_NOT_BY_HOST)
    plans = [plan for plan in charter.seats if not plan.bot]
    if [plan.name for plan in plans] != list(names):
        people = join_words(clean(plan.name) for plan in plans)
        raise other_game_error(_OTHER_PEOPLE.format(people=people))
    if charter.ruleset != form["game"]:
        raise other_game_error(_OTHER_RULES.format(ruleset=charter.ruleset))
    if str(len(charter.bots)) != form["bots"]:
        bots = counted(len(charter.bots), "bot")
        raise other_game_error(_OTHER_BOTS.format(bots=bots))
    options = {option.name: option.by_mail for option in ruleset(form["game"]).options}
    usual_options = {name: value for name, value in options.items() if value}
    if dict(charter.options) != ({} if form["printed"] == "yes" else usual_options):
        raise other_game_error(_OTHER_OPTIONS)
    if charter.cards:
        raise other_game_error(_OTHER_CARDS)
    deadline = str(charter.policies.get("deadline", ""))
    if form["deadline"] and deadline != form["deadline"]:
        raise other_game_error(_OTHER_DEADLINE.format(deadline=clean(deadline)))
    if old_charter and charter.key != old_charter.key:
        raise other_game_error(_OTHER_DEALER)
    invited_seats = [_invited_seat(seat.command, record) for seat in game.seats]
    linked_seats = [_invited_seat(seat.link or seat.command, record) for seat in game.seats]
    if not invited_seats == linked_seats == [plan.seat for plan in plans]:
        raise other_game_error(_OTHER_INVITES)


def _invited_seat(invitation: str, charter: Record[Charter]) -> str:
    """Return the seat of an invite to the game with this charter; empty for another invite."""
    try:
        invite = parse_invite(split_invite(invitation)[0])
    except (CliError, RecordError):
        return ""
    return invite.seat if invite.game == game_id(charter.signed.body) else ""
