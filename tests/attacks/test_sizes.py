"""File sizes tell nothing: no secret of a seat changes them, and no referee can choose them."""

import re
from dataclasses import replace

import pytest

from engine import cards_in
from pbem.judge.sealed_dealer import SealedDealer
from tests.attacks.cheats import dealing_with
from tests.attacks.forging import Forged, boxes_of, first_turn_number, packets_of, turn_path
from tests.kit.played_games import Played
from tests.kit.record_files import resigned
from tests.kit.refusals import refused_for
from tests.kit.selection import long

TAG = 16


# ------------------------------------------------------------------ whispering by size
class Whisperer(Played):
    """The referee tells a friend a number by the size of the packets."""

    whisper = 0

    def change(self, turn):
        if turn.turn != 2:
            return turn
        return replace(turn, packets=boxes_of(self, turn, {}, more=256 * self.whisper))


@pytest.mark.parametrize("number", [1, 3, 57])
def test_a_referee_who_tells_secrets_by_the_size_of_packets_is_refused(tmp_path, number):
    """Which card another seat chose, told as a number: longer packets, all of one size, that hold
    what they must. 57 is the room for refusals, which this turn has none of."""
    game = Whisperer(tmp_path / "game")
    game.see(game.turn())
    game.ask()
    game.whisper = number
    forged = game.turn()
    for player in game.seats.values():
        with refused_for("padding", "the secret parts for the seats"):
            player.reader.absorb(forged, game.finder)
    Forged(game, tmp_path).all_see("padding", turn_path(2))


def test_a_turn_whose_packets_are_smaller_than_the_public_table_needs_is_refused(
    finished, tmp_path
):
    """Short names would fit: without this check the size would tell that all names are short."""
    forged = Forged(finished, tmp_path)
    number = first_turn_number(
        forged.turns, lambda t: any(len(p.dealt) > 3 for p in packets_of(finished, t).values())
    )
    turn = forged.turns[number - 1].content
    forged.resign(number, packets=boxes_of(finished, turn, {}, more=-256))
    forged.all_see("padding", turn_path(number))


# ------------------------------------------------------------------ sizes of honest games
def opened_to(game, turn):
    """How many cards a turn opens to each seat."""
    return [p.opened for p in packets_of(game, turn).values()]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["finished", "held", *long(["six"])])
def test_orders_and_packets_have_the_sizes_of_the_protocol(name, request):
    game = request.getfixturevalue(name)
    assert {len(r.content.box) for r in game.orders.values()} == {2048 + TAG}
    assert {len(r.content.lines) for r in game.orders.values()} == {64}
    for record in game.turns:
        size = 64 + 256 * max(opened_to(game, record.content)) + TAG
        assert {len(box) for box in record.content.packets.values()} == {size}


class Renamed(SealedDealer):
    """Chance deals the same places; b's first hand is made of the cards with these names."""

    wanted = min

    def _enter(self, positions, cards):
        hand = range(4, 8)
        for k in hand:
            rest = [at for at in range(k, len(cards)) if at not in range(4)]
            at = self.wanted(rest, key=lambda place: len(cards[place]))
            cards[k], cards[at] = cards[at], cards[k]
        super()._enter(positions, cards)


def maker_with(choose):
    dealer = type("Dealer", (Renamed,), {"wanted": staticmethod(choose)})
    return dealing_with(dealer)


def food_options(player):
    asked = next(d for _, d in player.reader.own_table.pending if d.seat == player.seat)
    return asked.option_list()


def few(player):
    """One line; then b does nothing."""
    return [f"food: {food_options(player)[0]}"] if player.reader.chain.turn == 1 else ["play: done"]


def many_lines(player):
    """Another card face down, and as many lines as the smallest class holds."""
    return [f"food: {food_options(player)[-1]}", *["always feed: * attacks *"] * 63]


def sizes(game):
    """The size of each file, by its name without digits of ids.

    The slot of an opened line, which is drawn by lot and which the table sees, counts as one digit.
    """
    files = {p.relative_to(game.root).as_posix(): p for p in game.root.rglob("*.toml")}
    return {
        re.sub("-[0-9a-f]{6}", "", name): len(
            re.sub(rb"\nslot = \d+", b"\nslot = 0", path.read_bytes())
        )
        for name, path in files.items()
    }


def play_with_sizes(root, choose, of_b, turns=2):
    def answer(player):
        return of_b(player) if player.seat == "b" else few(player)

    return Played(root, maker=maker_with(choose), answer=answer).play(turns)


def test_what_a_seat_hides_does_not_change_the_size_of_any_file(tmp_path):
    """Long or short names in the hand, another card face down, one line or many: byte for byte
    the same sizes, as long as no card turns up."""
    ways = [(min, few), (max, few), (min, many_lines), (max, many_lines)]
    games = [
        play_with_sizes(tmp_path / str(n), choose, of_b) for n, (choose, of_b) in enumerate(ways)
    ]
    hands = [packets_of(g, g.turns[0].content)["b"].dealt for g in games[:2]]
    short, long = (sum(len(opening.card) for opening in hand) for hand in hands)
    assert long > short + 10
    entries = [entry for g in games for entry in g.seats["b"].reader.own_log]
    put = {tuple(cards_in(e.text)) for e in entries if ".food.b." in e.key}
    assert len(put) == 4
    lines = {len(g.made.open(o.content).texts) for g in games for o in g.orders.values()}
    assert lines == {1, 64}
    packet_sizes = [
        [[len(box) for box in turn.content.packets.values()] for turn in game.turns]
        for game in games
    ]
    assert all(one == packet_sizes[0] for one in packet_sizes)
    one, *others = map(sizes, games)
    assert len([name for name in one if name.startswith("orders/")]) == 3
    assert others == [one] * 3


WRONG = {
    "one short line": ["feed: x"],
    "a long line in quotes": ['feed: "' + '"' * 190],
    "a line with backslashes": ["feed: " + "\\" * 190],
    "more than one packet explains": ["feed: nonsense"] * 30,
}


@pytest.mark.parametrize("one", list(WRONG)[1:])
def test_what_is_wrong_with_refused_orders_does_not_change_the_size_of_any_file(tmp_path, one):
    games = []
    for name in ("one short line", one):
        game = Played(tmp_path / name.replace(" ", "-"))
        game.see(game.turn())
        game.ask()
        game.send(game.seats["b"].orders(WRONG[name], 2))
        game.see(game.turn())
        games.append(game)
    assert [len(game.seats["b"].reader.rule_refusals) for game in games] == [
        1,
        min(len(WRONG[one]), 16),
    ]
    assert sizes(games[0]) == sizes(games[1])
    turn = games[0].turns[1].content
    size = 64 + 256 * max(opened_to(games[0], turn)) + 16 * 912 + TAG
    assert {len(box) for box in turn.packets.values()} == {size}


def test_a_card_put_down_by_a_standing_line_makes_packets_larger_whatever_card_it_is(tmp_path):
    """A standing line puts a card down: the referee makes its handle, which everybody sees, and
    the packets have room for its opening."""
    games = []
    for n, choose in enumerate((min, max)):
        game = Played(
            tmp_path / str(n),
            maker=maker_with(choose),
            answer=lambda p: (
                [f"always food: {food_options(p)[0]}"] if p.reader.chain.turn == 1 else []
            ),
        )
        games.append(game.play(2))
    for game in games:
        turn = game.turns[1].content
        assert [len(p.hidden) for p in packets_of(game, turn).values()] == [1, 1]
        assert {len(box) for box in turn.packets.values()} == {64 + 256 + TAG}
    assert sizes(games[0]) == sizes(games[1])


def test_packets_grow_by_256_bytes_for_each_card_that_one_seat_learns(finished):
    """Sizes follow the cards that one seat learns, whatever the others learn."""
    seen = {}
    for record in finished.turns:
        most = max(opened_to(finished, record.content))
        seen[most] = len(next(iter(record.content.packets.values())))
    assert len(seen) > 2
    assert all(size == 64 + 256 * most + TAG for most, size in seen.items())
    again = resigned(finished.turns[0], finished.referee)
    assert again.file == finished.turns[0].file
