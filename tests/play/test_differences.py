"""Where a turn differs from the right one: what the audit says of each field, and the reason."""

from dataclasses import fields, replace

import pytest

from pbem.files.disk import Mark
from pbem.files.game_folder import RecordFile
from pbem.files.record_file_names import Name
from pbem.format.record_error import RecordError
from pbem.judge.damaged_and_stray_turn_files import (
    MAX_STRAYS_IN_A_ROW,
    MAX_STRAYS_READ,
    file_state,
    stray_files_after_last_turn,
)
from pbem.judge.sealed_dealing_mode import SEALED
from pbem.judge.sealed_openings import Openings
from pbem.judge.turn_differences import explain_difference
from pbem.records.packet import Packet, RefusedLine, seal_packets
from pbem.records.seeded_decks_and_dice import Position, position_of
from pbem.records.turn import ListedOrders, LogEntry, NewCards, Turn
from tests.kit.sample_records import sample

NO_PACKET = "the turn does not have a secret part (a packet) for each seat"

G = sample()
RIGHT, CARDS = G.turn2.content, SEALED.differences
ONE, OTHER = bytes([1]) * 32, bytes([2]) * 32


def difference_line(**changes) -> str:
    """What is said of turn 2 with these fields changed."""
    error = explain_difference(replace(RIGHT, **changes), RIGHT, G.keys, CARDS)
    return f"{error.sentence} [{error.reason}]"


def test_the_audit_says_that_a_turn_was_made_too_early():
    error = explain_difference(RIGHT, None, G.keys, CARDS)
    told = "this turn was made too early: the orders that it lists do not answer any question yet"
    assert (error.reason, error.sentence) == ("rule", told)


OPENS = "the turn does not show exactly the orders and cards that it uses [opening]"
DICE = "the dice of this turn are not the dice that the referee committed to [chain]"
SHOWN = "the turn does not prove all cards that players put down face up from their hands [opening]"
SHARES = "the cards were not shuffled with the secrets of the players who joined [commitment]"
VALUE = "the field {} is wrong: the orders and the seed of this game give a different value [field]"
SIMPLE = {
    "joins": ({"a": ONE}, SHARES),
    "link0": (ONE, DICE),
    "links": ((), DICE),
    "silent": (
        ("a", "b"),
        ("the turn calls seats a and b silent, but the orders show that no seat was silent [rule]"),
    ),
    "lines": ((), OPENS),
    "cards": ((), OPENS),
    "dealt": ((), OPENS),
    "shown": ((), SHOWN),
    "deadline": (5, VALUE.format("deadline")),
    "time": (5, VALUE.format("time")),
    "packets": ({}, f"{NO_PACKET} [box]"),
    "table": (("x",), VALUE.format("table")),
}


@pytest.mark.parametrize("name", SIMPLE)
def test_the_audit_says_of_each_field_how_it_differs_from_the_right_turn(name):
    value, sentence = SIMPLE[name]
    assert difference_line(**{name: value}) == sentence


def test_the_audit_names_the_seat_that_a_turn_must_call_silent():
    error = explain_difference(RIGHT, replace(RIGHT, silent=("b",)), G.keys, CARDS)
    assert error.sentence == (
        "the turn calls no seat silent, but the orders show that seat b was silent"
    )


def test_the_first_difference_of_the_most_telling_field_is_told():
    order = ("joins", "link0", "silent", "links", "lines", "shown", "packets")
    changes = {name: SIMPLE[name][0] for name in order}
    for name in order:
        assert difference_line(**changes) == SIMPLE[name][1]
        del changes[name]
    assert {f.name for f in fields(Turn)} > set(SIMPLE)


# ------------------------------------------------------------------ orders, decks, log
def listed_rows(*rows: tuple[str, str]) -> tuple[ListedOrders, ...]:
    return tuple(
        ListedOrders(bytes([9 - n]) * 32, "b", status, reason)
        for n, (status, reason) in enumerate(rows)
    )


@pytest.mark.parametrize(
    ("right", "listed", "told"),
    [
        (("accepted", ""), ("replaced", ""), "replaced, but must list them as accepted"),
        (("refused", "late"), ("refused", "forked"),
         "refused (forked), but must list them as refused (late)"),
        (("refused", "rule"), ("replaced", ""), "replaced, but must list them as refused (rule)"),
    ],
)  # fmt: skip
def test_the_audit_says_with_which_result_a_turn_must_list_orders(right, listed, told):
    first = ("accepted", "")
    good = replace(RIGHT, orders=listed_rows(first, right))
    error = explain_difference(
        replace(RIGHT, orders=listed_rows(first, listed)), good, G.keys, CARDS
    )
    assert error.reason == "rule"
    assert error.sentence == f"the turn lists orders 080808 of seat b as {told}"


def test_turns_that_list_different_orders_are_never_compared():
    good = replace(RIGHT, orders=listed_rows(("accepted", "")))
    with pytest.raises(AssertionError):
        explain_difference(replace(RIGHT, orders=()), good, G.keys, CARDS)


def test_the_audit_says_which_cards_come_into_a_deck_wrongly():
    first, second = NewCards("deck", 1, 0, (ONE, ONE, ONE)), NewCards("deck", 1, 3, (ONE,))
    good = replace(RIGHT, decks=(first, second))

    def said(*decks: NewCards) -> str:
        error = explain_difference(replace(RIGHT, decks=decks), good, G.keys, CARDS)
        assert error.reason == "chain"
        return error.sentence

    none = "shuffle {} of the deck: the turn adds cards to this deck, but the game adds none here"
    moved = "cards are not where the seed of this game puts them; the first is card"
    lacks = "cards come into a deck, but the turn lacks the commitments to some of them"
    other = none.format(2).replace("the deck:", "the other deck:")
    for decks, told in (
        ((first, replace(second, first=4)), none.format(2)),
        ((replace(first, epoch=0), second), none.format(1)),
        ((replace(first, deck="other"), second), other),
        ((replace(first, cards=(ONE, OTHER, OTHER)), second),
         f"shuffle 2 of the deck: 2 of 3 {moved} 1"),
        ((first, replace(second, cards=(OTHER,))), f"shuffle 2 of the deck: 1 of 1 {moved} 3"),
        ((first,), lacks),
        ((replace(first, cards=(ONE,)), second), lacks),
    ):  # fmt: skip
        assert said(*decks) == told


def log_entry_of_b(n: int) -> LogEntry:
    return LogEntry(f"1.feed.feed.b.{n}", "b1 eats", "forced")


def test_the_audit_names_the_first_entry_of_the_log_that_is_wrong():
    good = (log_entry_of_b(0), log_entry_of_b(1), log_entry_of_b(2))

    def said(*log: LogEntry) -> str:
        error = explain_difference(
            replace(RIGHT, log=log), replace(RIGHT, log=good), G.keys, SEALED.differences
        )
        return f"{error.sentence} [{error.reason}]"

    stops = "the turn stops before question {}, although the orders answer it [rule]"
    more = "the turn answers question 1.feed.feed.b.3, but no player's orders answer it [rule]"
    where = "entry 1 of the log, question 1.feed.feed.b.1: "
    first, second, third = good
    for log, told in (
        ((first, second), stops.format("1.feed.feed.b.2")),
        ((), stops.format("1.feed.feed.b.0")),
        ((*good, log_entry_of_b(3), log_entry_of_b(4)), more),
        ((first, replace(second, hidden=(ONE,)), third),
         (f"{where}the codes of the face-down cards (their handles) belong to other cards "
         "[commitment]")),
        ((first, replace(second, by="default")),
         (f"{where}'b1 eats' comes from the only choice, but the turn says that it comes from the "
         "rule for a silent player [rule]")),
        ((first, replace(second, text="pass", by="default")),
         (f"{where}the turn says 'pass' (source: the rule for a silent player), but the orders "
         "and the seed give 'b1 eats' (source: the only choice) [rule]")),
        ((first, log_entry_of_b(5)),
         ("entry 1 of the log, question 1.feed.feed.b.5: the turn says 'b1 eats' (source: the only "
         "choice), but the next question is 1.feed.feed.b.1 [rule]")),
    ):  # fmt: skip
        assert said(*log) == told


def test_the_audit_names_a_shown_card_that_did_not_leave_its_hand():
    opening = RIGHT.shown[0]
    wrong = replace(opening, k=opening.k + 1)
    assert difference_line(shown=(opening, wrong)) == (
        f"the turn shows the hidden card {wrong.card}, which did not leave its hand [opening]"
    )


# ------------------------------------------------------------------ packets
def sealed_packets(**packets: Packet) -> dict[str, bytes]:
    rule = (
        [ListedOrders(ONE, "b", "refused", "rule")]
        if any(p.refused for p in packets.values())
        else []
    )
    return seal_packets(2, {"a": Packet(), "b": Packet()} | packets, G.keys, rule)


def test_the_audit_says_which_field_of_a_seats_packet_is_wrong():
    dealt, other = (G.dealing.opening(G.positions[k], G.cards[k]) for k in (0, 1))
    hidden = G.dealing.hidden(5, 0, "climbing 2")
    refusal = RefusedLine(ONE, "feed: b1 eats", "is not an option")

    def said(wrong: dict[str, Packet], right: dict[str, Packet]) -> str:
        turn, good = (replace(RIGHT, packets=sealed_packets(**p)) for p in (wrong, right))
        error = explain_difference(turn, good, G.keys, CARDS)
        return f"{error.sentence} [{error.reason}]"

    def of(seat: str, told: str) -> str:
        return f"the secret part for seat {seat} (its packet): the field {told}"

    rest = "has the wrong contents"
    example = f"{rest}, for example the card {other.card!r} [chain]"
    for wrong, right, told in (
        ({"b": Packet(dealt=(other,))}, {"b": Packet(dealt=(dealt,))}, of("b", f"dealt {example}")),
        ({"a": Packet(dealt=(dealt, other))},
         {"a": Packet(dealt=(dealt, other)), "b": Packet(dealt=(dealt,))},
         of("b", f"dealt {rest} [chain]")),
        ({"b": Packet(under=(other,))}, {"b": Packet(under=(dealt,))}, of("b", f"under {example}")),
        ({"a": Packet(hidden=(replace(hidden, card="horns 3"),))}, {"a": Packet(hidden=(hidden,))},
         of("a", f"hidden {rest}, for example the card 'horns 3' [commitment]")),
        ({"b": Packet(refused=(replace(refusal, why="is nothing"),))},
         {"b": Packet(refused=(refusal,))}, of("b", f"refused {rest} [rule]")),
    ):  # fmt: skip
        assert said(wrong, right) == told


def test_the_audit_names_a_packet_that_is_missing_does_not_open_or_has_the_wrong_size():
    boxes = sealed_packets()
    for wrong in ({"a": boxes["a"]}, {**boxes, "c": b"x"}):
        assert difference_line(packets=wrong) == (f"{NO_PACKET} [box]")
    good = replace(RIGHT, packets=boxes)
    long = {"a": Packet(dealt=(G.dealing.opening(G.positions[0], G.cards[0]),)), "b": Packet()}
    where = "the secret part for seat b (its packet)"
    for box, reason, told in (
        (bytes(len(boxes["b"])), "box", where),
        (seal_packets(2, long, G.keys)["b"], "padding", f"{where} has the wrong size for"),
    ):
        wrong = replace(RIGHT, packets={**boxes, "b": box})
        error = explain_difference(wrong, good, G.keys, CARDS)
        assert (error.reason, error.sentence[: len(told)]) == (reason, told)


# ------------------------------------------------------------------ openings
def used(openings: Openings, leave: str = "") -> None:
    """Use all that turn 2 opens, but for one kind."""
    card, dealt, shown = RIGHT.cards[0], RIGHT.dealt[0], RIGHT.shown[0]
    decks = RIGHT.decks[0]
    for kind, use in {
        "lines": lambda: openings.use_line(RIGHT.lines[0]),
        "cards": lambda: openings.use_card(card.handle),
        "dealt": lambda: openings.use_dealt(position_of(dealt)),
        "shown": lambda: openings.use_shown(shown.card, {position_of(shown)}),
        "decks": lambda: openings.use_commitments(
            Position(decks.deck, decks.epoch, decks.first), 1
        ),
        "links": openings.use_link,
    }.items():
        if kind != leave:
            use()


def opening_error(work) -> str:
    with pytest.raises(RecordError) as caught:
        work()
    assert caught.value.reason == "opening"
    return caught.value.sentence


def test_a_turn_opens_exactly_what_its_log_needs():
    openings = Openings(RIGHT)
    used(openings)
    openings.check_all_used()
    for kind in ("lines", "cards", "dealt", "shown", "decks", "links"):
        openings = Openings(RIGHT)
        used(openings, kind)
        assert opening_error(openings.check_all_used) == (
            "the turn shows a hidden card or a hidden line of orders that its log does not need"
        ), kind


def test_each_opening_of_a_turn_is_found_by_its_card_line_or_position():
    openings, line, shown = Openings(RIGHT), RIGHT.lines[0], RIGHT.shown[0]
    assert openings.lines_of(line.order) == [line]
    assert openings.lines_of(ONE) == []
    assert openings.use_card(RIGHT.cards[0].handle) == RIGHT.cards[0]
    assert openings.use_dealt(position_of(RIGHT.dealt[0])) == RIGHT.dealt[0]
    assert openings.use_shown(shown.card, {position_of(shown)}) == shown
    assert openings.use_shown(shown.card, ()) is None
    assert openings.use_shown("none such", {position_of(shown)}) is None
    decks = RIGHT.decks[0]
    at = Position(decks.deck, decks.epoch, decks.first)
    assert openings.use_commitments(at, 1) == decks.cards
    assert openings.use_link() == RIGHT.links[0]
    openings.use_line(replace(line, slot=line.slot + 1))
    openings.use_line(line)
    openings.check_all_used()


def test_what_is_not_opened_is_said():
    openings, decks = Openings(RIGHT), RIGHT.decks[0]
    at, elsewhere = Position(decks.deck, decks.epoch, decks.first), Position("deck", 7, 3)
    come = "to the cards that come into the deck; it needs"
    openings.use_link()
    for work, told in (
        (lambda: openings.use_card(ONE),
         ("the face-down card 010101 was turned face up, but the turn does not prove which card it "
          "is")),
        (lambda: openings.use_dealt(elsewhere),
         "the turn shows card 3 of the deck, but does not prove which card it is"),
        (lambda: openings.use_commitments(at, 2), f"the turn has 1 commitment {come} 2"),
        (lambda: openings.use_commitments(elsewhere, 4), f"the turn has 0 commitments {come} 4"),
        (openings.use_link, "a die is rolled, but the turn does not prove its number"),
    ):  # fmt: skip
        assert opening_error(work) == told


# ------------------------------------------------------------------ stray turns


@pytest.mark.parametrize(
    ("good", "count", "strays"),
    [
        ([], 0, 0), ([], 3, 3), ([1, 2, 3], 3, 0), ([1, 2], 3, 1), ([1, 2, 5], 5, 0),
        ([1, 2, 4], 6, 2), ([1, 65], 70, 5), ([1, 66], 70, 69), ([64], 70, 6), ([65], 70, 70),
        ([2, 66], 70, 4), ([2, 67], 70, 68), ([1, 66, 70], 70, 0),
    ],
)  # fmt: skip
def test_the_strays_behind_the_last_turn(good, count, strays):
    found = [RecordFile(Name("turn", n + 1), Mark(1, 1, 1)) for n in range(count)]
    got = stray_files_after_last_turn(found, lambda one: one.name.turn in good)
    assert list(got) == found[count - strays :]
    assert (MAX_STRAYS_IN_A_ROW, MAX_STRAYS_READ) == (64, 500)


def test_what_a_file_in_a_turns_place_is():
    whole, referee = G.turn1.file, G.ann.public
    assert file_state(whole, G.game, referee)[0] == "turn"
    assert file_state(whole, ONE, referee)[0] == "turn", "perhaps of another game"
    assert file_state(whole, G.game, G.bo.public) == ("junk", "key")
    assert file_state(G.join_a.file, G.game, G.held.public) == ("junk", "key")
    flaw = bytearray(whole)
    flaw[flaw.index(b"over = ") - 3] ^= 1
    assert file_state(bytes(flaw), G.game, referee) == ("damaged", "signature")
    assert file_state(bytes(flaw), ONE, referee) == ("junk", "signature")
    head = b'deadline = 1700259200\ngame = "' + G.game.hex().encode() + b'"\nkind = "turn"\n'
    assert whole.startswith(head)
    for size in (0, 3, 11, 14, 21, 25, 60, len(head) - 1, len(head), len(whole) - 9):
        assert file_state(whole[:size], G.game, referee) == ("half", "trailer"), size
        assert file_state(whole[:size] + bytes(9), G.game, referee)[0] == "half", size
    for junk in (b"x", b"deadline = x", head[:40] + b"x", head.replace(b"turn", b"join"), bytes(9)):
        wanted = "half" if junk == bytes(9) else "junk"
        assert file_state(junk, G.game, referee)[0] == wanted, junk
    assert file_state(whole[:60], ONE, referee)[0] == "junk"
