"""Cards that a seat puts under the deck, in a game by its owner's card file: nobody else may know
which, and the seat itself sees whether what was committed to is what it put there."""

from dataclasses import replace

import pytest

from games.climate.card_file import cards_template
from pbem.judge.audit import audit
from pbem.records.read_and_sign_record import make
from tests.attacks.forging import boxes_of, packets_of
from tests.kit.played_games import Played
from tests.kit.refusals import refused_for

CARDS = "\n".join(row for row in cards_template().split("\n") if not row.startswith("#"))
"""Values alone: the comments may change, and with them the charter and all that is dealt."""


@pytest.fixture(scope="module")
def climate_game(tmp_path_factory):
    root = tmp_path_factory.mktemp("buried")
    table = bytes([1]) * 16
    return Played(root, ruleset="climate", cards=CARDS, bot="random", table=table).play(9)


def packets(game, number):
    return packets_of(game, game.turns[number - 1].content)


@pytest.fixture(scope="module")
def burial(climate_game):
    """The first turn in which a seat buries several cards: its number, the seat, what it opens."""
    return next(
        (record.content.turn, seat, packet.under)
        for record in climate_game.turns
        for seat, packet in packets(climate_game, record.content.turn).items()
        if len(packet.under) > 1
    )


def reader_before(game, number, seat):
    reader = game.reader_at(seat, 0)
    game.read(reader, number - 1)
    return lambda record: reader.absorb(record, game.finder)


def test_the_charter_contains_the_card_file_that_the_referee_gave(climate_game):
    assert climate_game.charter.content.cards == CARDS


def test_cards_that_a_seat_puts_under_the_deck_are_opened_to_that_seat_alone(climate_game, burial):
    number, seat, under = burial
    turn = climate_game.turns[number - 1].content
    assert all(not packet.under for s, packet in packets(climate_game, number).items() if s != seat)
    assert not set(turn.dealt) & set(under)
    (entry,) = (e for e in turn.log if f" hides {len(under)} below" in e.text)
    assert not any(opening.card in entry.text for opening in under)
    reader_before(climate_game, number, seat)(climate_game.turns[number - 1])
    assert audit(climate_game.folder).exit == 0


@pytest.mark.parametrize("lie", ["none", "fewer", "swapped", "other", "salted", "more"])
def test_a_seat_refuses_a_turn_that_shows_other_cards_than_it_buried(climate_game, burial, lie):
    number, seat, under = burial
    one, two, *rest = under
    wrong = {
        "none": (),
        "fewer": under[1:],
        "swapped": (replace(one, card=two.card), replace(two, card=one.card), *rest),
        "other": (replace(one, card="mud wallowing 1"), *under[1:]),
        "salted": (replace(one, salt=b"\x01" * 32), *under[1:]),
        "more": (*under, replace(one, k=one.k + 40)),
    }[lie]
    turn = climate_game.turns[number - 1].content
    packet = replace(packets(climate_game, number)[seat], under=wrong)
    forged = make(
        replace(turn, packets=boxes_of(climate_game, turn, {seat: packet})), climate_game.referee
    )
    with refused_for("commitment" if lie == "salted" else "opening"):
        reader_before(climate_game, number, seat)(forged)
    other = next(s for s in climate_game.seats if s != seat)
    reader_before(climate_game, number, other)(forged)  # nobody else can see it
