"""The games of the scenes, each at one moment: three players, a referee, and Dee, the deputy.

Every seat has a recovery key. The next turn is known too, so that it can come in one scene.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem.files.game_folder import Folder
from pbem.files.record_file_names import Name
from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.make_signed_records import make_join
from pbem.judge.notice_kinds import Concede, HandOver, Leave, NewKey, SetDoor, TakeIn, Vote, Vouch
from pbem.records.invite import door_key
from pbem.records.join import Join
from pbem.records.notice import REFEREE
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import Turn
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import HOUR, Played, Player, copied_folder, played_key
from tests.kit.played_games import REFEREE as REFEREES_KEY
from tests.kit.record_files import put_record, record_path, resigned

POLICIES: Final = {"deadline": "1h", "delays": "1 day", "deputy_after": "5 days"}
DEE: Final = played_key("Dee")


def key_named(name: str) -> SigningKey:
    """The key of a person in a scene; `Rhea` is the referee."""
    return played_key(REFEREES_KEY if name == "Rhea" else name)


def code_named(name: str) -> bytes:
    """The code in an invite that the referee published during the game."""
    return played_key(name).seed[:16]


def door_named(name: str, seat: str = "c") -> bytes:
    """The door that such an invite opens."""
    return door_key(code_named(name), seat).public


class Recoverable(Played):
    """A game in which every player has named a recovery key."""

    def _sit(self, seat: str) -> Player:
        player = super()._sit(seat)
        if seat in self.charter.content.held_seats:
            return player
        join = next(j for j in self.joins.values() if j.content.seat == seat)
        del self.__dict__["joins"]
        (self.root / record_path(join)).unlink()
        code = self.invite_code(seat)
        recovery = played_key(f"recovery key of {join.content.name}").public
        join = make_join(
            self.charter, seat, join.content.name, player.key, code, "mailto:x@example.org",
            recovery,
        )  # fmt: skip
        put_record(self.folder, join)
        return player


@dataclass
class Moment:
    """A folder as it is when a record comes."""

    root: Path
    game: Played
    heads: list[bytes]
    turns: list[Record[Turn]]
    now: int
    next_turn: Record[Any] | None = None
    """The turn or final record that comes after this moment."""
    later_orders: list[Record[Orders]] = field(default_factory=list)
    """Orders that answer the next turn."""
    here: dict[str, Record[Any]] = field(default_factory=dict)
    """Records of this moment that scenes name."""

    @property
    def last(self) -> int:
        """The number of the last turn."""
        return len(self.turns)


def moment(game: Played, **here: Record[Any]) -> Moment:
    """The game as it is now; it may be played on after that."""
    root = copied_folder(game.root, game.root.with_name("then"))
    return Moment(root, game, [*game.heads], [*game.turns], game.now, here=here)


def went_on(then: Moment) -> Moment:
    """The same moment, with the turn that the referee made after it."""
    game, number = then.game, len(then.game.turns)
    before = set(game.orders)
    game.play(1)
    then.next_turn = game.turns[number]
    then.later_orders = [one for ident, one in game.orders.items() if ident not in before]
    return then


def _new(root: Path, **changes: Any) -> Played:
    changes.setdefault("policies", POLICIES)
    changes.setdefault("deputy", DEE)
    return Recoverable(root / "game", players=3, **changes)


def _new_key(game: Played, name: str, seat: str = "b") -> NewKey:
    key, ident = played_key(name), game.game_folder.game
    return NewKey.make(key, public_of(Secrets(key.seed).box(ident, seat)), ident, seat)


def joining(root: Path) -> Moment:
    """Before turn 1; Cy has not joined yet."""
    game = _new(root)
    then = moment(game, join=game.joins["c"])
    (then.root / record_path(game.joins["c"])).unlink()
    return went_on(then)


def after_two_turns(root: Path) -> Moment:
    """After turn 2, for which all answers are here."""
    return went_on(moment(_new(root).play(2)))


def turn_missing(root: Path) -> Moment:
    """Four turns, of which the third is missing."""
    then = moment(_new(root).play(4))
    then.next_turn = then.turns[2]
    (then.root / Name("turn", 3).path).unlink()
    return then


def without_a_join(root: Path) -> Moment:
    """After turn 2; the join of seat c, which turn 1 names, is not here."""
    game = _new(root).play(2)
    then = moment(game, join=game.joins["c"])
    (then.root / record_path(game.joins["c"])).unlink()
    return went_on(then)


def without_what_turns_list(root: Path) -> Moment:
    """After turn 4; orders and a notice that turns list are not here."""
    game = _new(root).play(2)
    vote = game.say("b", Vote("draw"))
    game.play(2)
    listed = next(game.orders[row.id] for row in game.turns[2].content.orders if row.seat == "b")
    then = moment(game, orders=listed, notice=vote)
    for record in (listed, vote):
        (then.root / record_path(record)).unlink()
    return then


def key_changed(root: Path) -> Moment:
    """Seat b has had a new key since turn 3; it is after turn 4."""
    game = _new(root).play(2)
    game.say("b", _new_key(game, "Bo's new key"))
    game.sits("b", played_key("Bo's new key"))
    return went_on(moment(game.play(2)))


def key_named_only(root: Path) -> Moment:
    """After turn 2; a notice by seat b that names its new key is here, and no turn lists it."""
    game = _new(root).play(2)
    game.say("b", _new_key(game, "Bo's new key"))
    return moment(game)


def key_vouched_for(root: Path) -> Moment:
    """After turn 3, which lists that seat a confirms a new key of seat b."""
    game = _new(root).play(2)
    pair = played_key("Bo's new key"), public_of(bytes([9]) * 32)
    game.say("a", Vouch("b", pair[0].public, pair[1]))
    return moment(game.play(1))


def seat_left(root: Path) -> Moment:
    """After turn 3, with which Cy left; no door was published for the seat."""
    game = _new(root).play(2)
    game.say("c", Leave())
    return moment(game.play(1))


def seat_invited(root: Path) -> Moment:
    """After turn 4, which lists the door of seat c, which Cy left."""
    return moment(_open(root))


def door_here(root: Path) -> Moment:
    """After turn 3; a notice with a door of seat c is here, and no turn lists it."""
    game = _new(root).play(2)
    game.say("c", Leave())
    game.play(1)
    game.say(REFEREE, SetDoor("c", door_named("first")))
    return moment(game)


def leaving_here(root: Path) -> Moment:
    """After turn 2; the notices that Cy leaves and with a new door are here, in no turn yet."""
    game = _new(root).play(2)
    game.say("c", Leave())
    game.say(REFEREE, SetDoor("c", door_named("first")))
    return moment(game)


def invited_again(root: Path) -> Moment:
    """After turn 5, which lists a second door of seat c."""
    game = _open(root)
    game.say(REFEREE, SetDoor("c", door_named("second")))
    return moment(game.play(1))


def _open(root: Path) -> Played:
    game = _new(root).play(2)
    game.say("c", Leave())
    game.play(1)
    game.say(REFEREE, SetDoor("c", door_named("first")))
    return game.play(1)


def taken_over(root: Path) -> Moment:
    """After turn 5, with which Gil took over seat c; the join is Gil's."""
    game = _open(root)
    join = newcomers_join(game, "c", "Gil", code_named("first"))
    put_record(game.folder, join)
    game.later[join.id] = join
    game.say(REFEREE, TakeIn("c", join.id))
    game.sits("c", played_key("Gil"))
    return moment(game.play(1), join=join)


def without_the_new_players_join(root: Path) -> Moment:
    """The same; the join with which Gil took over is not here."""
    then = taken_over(root)
    (then.root / record_path(then.here["join"])).unlink()
    return then


def joined_again(root: Path) -> Moment:
    """After turn 4; Gil's join for the open seat is here, and no turn lists who gets the seat."""
    game = _open(root)
    join = newcomers_join(game, "c", "Gil", code_named("first"))
    put_record(game.folder, join)
    return moment(game, join=join)


def newcomers_join(
    game: Played, seat: str, name: str, code: bytes, key: SigningKey | None = None
) -> Record[Join]:
    """A join for a seat, made with the code in an invite; without it if the code is empty."""
    recovery = played_key(f"recovery key of {name}").public
    charter, contact = game.charter, "mailto:x@example.org"
    return make_join(charter, seat, name, key or played_key(name), code, contact, recovery)


def player_conceded(root: Path) -> Moment:
    """After turn 3, with which Cy conceded."""
    game = _new(root).play(2)
    game.say("c", Concede())
    return moment(game.play(1))


def _silent(player: Player) -> list[str] | None:
    return None if player.seat == "c" else player.lines()


def player_silent(root: Path) -> Moment:
    """Cy has been silent for so long that somebody else may take the seat."""
    return moment(_silent_for_long(root))


def _silent_for_long(root: Path) -> Played:
    game = _new(root, policies={**POLICIES, "silent_seat": "bot"}, answer=_silent)
    while not game.made.chain.standing_at(game.now, {}).is_open("c"):
        game.play(1)
    return game


def silent_and_invited(root: Path) -> Moment:
    """The same, one turn later, which lists a door of the seat."""
    game = _silent_for_long(root)
    game.say(REFEREE, SetDoor("c", door_named("first")))
    return moment(game.play(1))


def silent_and_announced(root: Path) -> Moment:
    """One turn later still, which announces that Gil takes the seat over."""
    game = silent_and_invited(root).game
    join = newcomers_join(game, "c", "Gil", code_named("first"))
    put_record(game.folder, join)
    game.later[join.id] = join
    game.say(REFEREE, TakeIn("c", join.id))
    game.play(1)
    assert game.made.chain.standing.announced_acts
    return Moment(
        copied_folder(game.root, root / "announced"), game, [*game.heads], [*game.turns], game.now
    )


def player_removed(root: Path) -> Moment:
    """Cy was silent for so long that the seat is removed."""
    game = _new(root, policies={**POLICIES, "silent_seat": "remove"}, answer=_silent)
    while "c" not in game.made.chain.standing.removal_turns:
        game.play(1)
    return moment(game)


def handed_over(root: Path) -> Moment:
    """After turn 3, which Dee signed: the referee handed the game over."""
    game = _new(root).play(2)
    _hand_over(game)
    game.play(1)
    return went_on(moment(game))


def _hand_over(game: Played) -> None:
    """The referee hands the game over: from now on Dee signs the turns."""
    game.say(REFEREE, HandOver("referee"))
    game.referee = DEE


def hands_over(root: Path) -> Moment:
    """After turn 2; the notice with which the referee hands over is here. Dee's turn is next."""
    game = _new(root).play(2)
    _hand_over(game)
    return went_on(moment(game))


def both_signed(root: Path) -> Moment:
    """After turn 2; the referee's turn 3 is here, and Dee's, who was given the game, is next."""
    then = hands_over(root)
    assert then.next_turn
    other = resigned(then.next_turn, key_named("Rhea"), notices=())
    put_record(Folder(then.root), other)
    return then


def game_over(root: Path) -> Moment:
    """All agreed on a draw with turn 3, the last one; the final record is next."""
    then = game_finished(root)
    then.next_turn = make(then.game.made.final(), then.game.referee)
    (then.root / "final.toml").unlink()
    return then


def game_finished(root: Path) -> Moment:
    """The same; the final record is here."""

    def answer(player: Player) -> Sequence[str] | None:
        return None if player.reader.chain.turn > 1 else player.lines()

    game = _new(root, answer=answer).play(2)
    for seat in "abc":
        game.say(seat, Vote("draw"))
    game.play(1)
    assert game.over
    return moment(game)


def seats_of_the_referee(root: Path) -> Moment:
    """After turn 2; the referee plays seat a, and Bo in seat b answers by plain email."""
    game = _new(root, plays=("a",), by_mail=("b",), deputy=None)
    return went_on(moment(game.play(2)))


def dealer_silent(root: Path) -> Moment:
    """Mode dealers, after turn 2: the co-dealer has owed shares for three days; its deal is not
    here."""
    game = DealersGame(root / "game", players=3, deputy=DEE, dealer_deputies=True)
    game.play(2)
    then = moment(game)
    then.here["deal"] = game.deal()[0]
    then.now += 3 * 24 * HOUR
    return then


def dealer_replaced(root: Path) -> Moment:
    """The same after turn 3, which lists the notice of the co-dealer's deputy; the deals of both
    are not here."""
    game = DealersGame(root / "game", players=3, deputy=DEE, dealer_deputies=True)
    game.play(2)
    game.is_paused = True
    game.now += 3 * 24 * HOUR
    game.replace_dealer(0)
    game.turn_for_all()
    then = moment(game)
    (then.here["deal"],) = game.deal()
    then.here["former deal"] = make(then.here["deal"].content, game.dealer_keys[0])
    return then


MOMENTS: Final[dict[str, Callable[[Path], Moment]]] = {
    function.__name__.replace("_", " "): function
    for function in (
        joining, after_two_turns, turn_missing, without_a_join, without_what_turns_list,
        key_changed, key_named_only, key_vouched_for, seat_left, seat_invited, door_here,
        leaving_here,
        invited_again, taken_over, without_the_new_players_join, joined_again, player_conceded,
        player_silent, silent_and_invited, silent_and_announced, player_removed, handed_over,
        hands_over, both_signed, game_over, game_finished, seats_of_the_referee, dealer_silent,
        dealer_replaced,
    )
}  # fmt: skip
