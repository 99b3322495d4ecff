"""The box for a seat that gets new keys: who gets one, and how long it must be."""

from dataclasses import replace
from types import SimpleNamespace

from engine import CHANCE, Entry
from pbem.format.encrypted_box import TAG
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.sealed_cards_public_check import SealedPublicCards, count_known_cards
from pbem.records.packet import handover_size
from tests.kit.record_files import refusal_by
from tests.kit.sample_records import sample

G = sample()


def own_entry(seat, text, to="*", kind="play"):
    return Entry(f"1.x.{kind}.{seat}.0", seat, text, "line", to)


LOG = [
    own_entry(CHANCE, "deal a: [?] [?] [?]", "a", "deal"),
    own_entry(CHANCE, "deal b: [?] [?]", "b", "deal"),
    own_entry(CHANCE, "under deck 4", "a", "under"),
    own_entry(CHANCE, "turns up [horns 4]", "*", "deal"),
    own_entry("a", "[?] on a1"),
    own_entry("b", "[?] on b1; [?] on b1"),
    own_entry("a", "done"),
]


def test_the_cards_that_the_log_opens_to_one_seat_are_counted():
    assert [count_known_cards(seat, LOG) for seat in "abc"] == [3 + 4 + 1, 2 + 2, 0]
    assert count_known_cards("a", LOG[:1]) == 3
    assert count_known_cards("a", LOG[2:3]) == 4
    assert count_known_cards("a", []) == 0


def turn_with_handover(**boxes):
    return replace(G.turn2.content, handover=boxes or None)


def check_handovers(turn, seats, log):
    """Check a turn as a reader does whose log this is, when these seats get new keys."""
    reader = SimpleNamespace(
        chain=SimpleNamespace(standing=SimpleNamespace(new_keys=lambda _: seats)),
        cards=SealedPublicCards(SimpleNamespace(game=G.game)), log=log,
    )  # fmt: skip
    PublicReader._check_handovers(reader, turn)


def size(cards):
    return handover_size(cards) + TAG


def test_each_seat_with_new_keys_gets_a_box_of_the_right_size():
    check_handovers(turn_with_handover(), (), LOG)
    check_handovers(turn_with_handover(a=bytes(size(8)), c=bytes(size(0))), "ca", LOG)
    lacks = (
        "field",
        (
            "seat {} gets new keys, but the turn does not give the seat's cards to these keys "
            "(field handover)"
        ),
    )
    has = (
        "field",
        (
            "the turn gives the cards of seat a to new keys (field handover), but the seat gets no "
            "new keys"
        ),
    )
    assert refusal_by(check_handovers, turn_with_handover(), "a", LOG) == (
        lacks[0],
        lacks[1].format("a"),
    )
    assert refusal_by(check_handovers, turn_with_handover(a=b""), (), LOG) == has
    wrong_seat = refusal_by(check_handovers, turn_with_handover(a=bytes(size(8))), "b", LOG)
    assert wrong_seat == (lacks[0], lacks[1].format("b"))
    for wrong in (size(8) - 1, size(8) + 1, size(8) - TAG):
        told = (
            f"the part with the cards of seat a (field handover) has {wrong} bytes; it must have "
            f"{size(8)}"
        )
        assert refusal_by(check_handovers, turn_with_handover(a=bytes(wrong)), "a", LOG) == (
            "padding",
            told,
        )
