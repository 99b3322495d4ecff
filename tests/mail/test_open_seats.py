"""A seat gets a new player while others play by mail: which joins are filed late, who is sent them.

Bo gives seat b up, or is silent for long; Eve takes it over.
"""

from dataclasses import replace

import pytest

from pbem.files.home import Home
from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import Leave, TakeIn, Vote
from pbem.judge.signing import make_notice
from pbem.judge.which_notices_count import SignedNotice, row_of
from pbem.mail.game_places import Places
from pbem.mail.receiving import Receiving
from pbem.mail.unsent_records import UnsentRecords
from pbem.records.ids_and_heads import next_head
from pbem.records.notice import SCORE
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import ListedOrders, LogEntry, Turn, sort_sets
from tests.kit.record_files import archive_of, record_path, resigned
from tests.kit.sample_records import EVE, SAMPLE, orders_of_a, orders_of_b, short_id
from tests.mail.filed_records import (
    BEGUN,
    CHARTER,
    JOIN_A,
    JOIN_B,
    ORDERS1,
    TURN1,
    TURN2,
    WHOLE,
    refusal_of,
)

EVES = resigned(JOIN_B, EVE, name="Eve", key=EVE.public, recovery=b"")


class Chain:
    """Turns after the sample's two."""

    def __init__(self) -> None:
        self.heads = list(SAMPLE.heads)
        self.records: list[Record] = []

    def turn(self, *listed: SignedNotice, **fields) -> Record[Turn]:
        """One more turn; nothing happens in it if nothing else is said."""
        rows = tuple(row_of(one) for one in listed)
        plain = {"orders": (), "log": (), "notices": rows, "over": False, "silent": ()}
        number = len(self.heads)
        content = replace(TURN2.content, turn=number, prev=self.heads[-1], **{**plain, **fields})
        made = make(sort_sets(content), SAMPLE.ann)
        self.heads.append(next_head(self.heads[-1], made.id))
        self.records += [*listed, made]
        return made

    def notice(self, writer: str, saying, key) -> SignedNotice:
        """A notice after the last turn."""
        number = len(self.heads) - 1
        return make_notice((SAMPLE.game, number, self.heads[-1]), writer, 1, saying, key)


def silent_entry(round_: int) -> LogEntry:
    return LogEntry(f"{round_}.feeding.feed.a.0", "a1 eats", "always [?]")


def chain_of_silence(*rounds: int) -> Chain:
    """Bo answers none of these rounds, one turn each; then a turn of the next round begins."""
    chain = Chain()
    for round_ in rounds:
        chain.turn(silent=("b",), log=(silent_entry(round_),))
    return chain


def chain_after_leave() -> Chain:
    """Bo gave the seat up."""
    chain = Chain()
    chain.turn(chain.notice("b", Leave(), SAMPLE.bo))
    return chain


def chain_after_takeover() -> Chain:
    """He gave it up, and Eve took it over."""
    chain = chain_after_leave()
    chain.turn(chain.notice("referee", TakeIn("b", EVES.id), SAMPLE.ann))
    return chain


CLOSED = "the game has begun without this join, and seat {} is not open"


# ------------------------------------------------------------------ which joins are filed
def test_a_join_for_a_seat_that_was_given_up_is_filed(filer_with):
    filer = filer_with(*WHOLE)
    assert refusal_of(filer, EVES) == ("state", CLOSED.format("b"))
    filer = filer_with(*chain_after_leave().records)
    filer.file_record(EVES)
    anns_ = resigned(JOIN_A, EVE, key=EVE.public)
    assert refusal_of(filer, anns_) == ("state", CLOSED.format("a"))


def test_a_join_that_turns_name_is_filed_even_if_the_seat_is_not_open_any_more(filer_with):
    chain = chain_after_takeover()
    filer = filer_with(*WHOLE, *chain.records)
    bobs = resigned(JOIN_B, SAMPLE.bo, name="Bob")
    filer.file_record(EVES)
    assert refusal_of(filer, bobs) == ("state", CLOSED.format("b"))
    filer = filer_with(chain.turn(silent=("b",), log=(silent_entry(4),)))
    filer.file_record(EVES)
    filer.file_record(JOIN_B)
    assert filer.present_count == 2


@pytest.mark.parametrize(
    ("rounds", "next_", "is_open"),
    [((2, 2), 4, True), ((2, 2), 3, False), ((2,), 9, False), ((2, 3), 4, False)],
    ids=["two deadlines and a round", "no whole round", "one deadline", "too early"],
)
def test_a_join_for_a_seat_that_was_silent_for_long_is_filed(filer_with, rounds, next_, is_open):
    chain = chain_of_silence(*rounds)
    chain.turn(log=(silent_entry(next_ - 1), silent_entry(next_)))
    chain.turn()
    filer = filer_with(*WHOLE, *chain.records)
    if is_open:
        filer.file_record(EVES)
    else:
        assert refusal_of(filer, EVES) == ("state", CLOSED.format("b"))


def test_orders_or_a_notice_of_the_seat_end_its_silence(filer_with):
    for sign in ("orders", "notice"):
        chain = chain_of_silence(2)
        vote = chain.notice("b", Vote(SCORE), SAMPLE.bo)
        if sign == "orders":
            chain.turn(
                orders=(ListedOrders(orders_of_b(3).id, "b", "accepted"),), log=(silent_entry(2),)
            )
        else:
            chain.turn(vote, log=(silent_entry(2),))
        chain.turn(silent=("b",), log=(silent_entry(2),))
        chain.turn(log=(silent_entry(9),))
        filer = filer_with(*WHOLE, *chain.records)
        assert refusal_of(filer, EVES)[0] == "state", sign
        for path in (filer.folder.root / "turns").iterdir():
            path.unlink()


def test_turns_in_which_nothing_happens_open_nothing(filer_with):
    """Not a game that anybody plays: no turn of it logs anything."""
    first = make(sort_sets(replace(TURN1.content, log=())), SAMPLE.ann)
    filer = filer_with(JOIN_A, JOIN_B, first)
    assert filer.chain.asking_turn == 0
    assert refusal_of(filer, EVES) == ("state", CLOSED.format("b"))


def test_before_turn_1_nothing_was_asked(filer_with):
    filer = filer_with(JOIN_A)
    assert (filer.chain.asking_turn, filer.chain.join_ids) == (0, {})
    assert filer.game_folder.take_ins() == []


def test_the_last_turn_in_which_something_happened_asked_what_is_open(filer_with):
    chain = chain_after_takeover()
    filer = filer_with(*WHOLE, *chain.records)
    assert (filer.chain.turn, filer.chain.asking_turn) == (4, 2)
    chain.turn(log=(silent_entry(2),))
    filer = filer_with(*chain.records)
    assert filer.chain.asking_turn == 5


# ------------------------------------------------------------------ who sits where
def test_who_sits_where_follows_from_the_notices_and_joins_that_are_here(filer_with):
    chain = chain_after_takeover()
    filer = filer_with(*WHOLE, *chain.records)
    assert filer.chain.standing.roster["b"] == JOIN_B.content, "Eve's join is not here"
    assert filer.game_folder.take_ins() == [(4, TakeIn("b", EVES.id))]
    ((reason, told),) = filer.notes()
    missing = f"missing: {short_id(EVES)} of seat b, which turn 4 lists;"
    assert (reason, told.startswith(missing)) == ("parent", True)
    filer.file_record(EVES)
    assert filer.notes() == []
    assert filer.chain.standing.roster["b"] == EVES.content
    chain.turn(chain.notice("b", Leave(), EVE))
    filer = filer_with(*chain.records)
    assert filer.chain.standing.departures == {"b": "open"}
    (filer.folder.root / record_path(chain.records[0])).unlink()
    here = archive_of(filer.folder)
    assert here.chain_of(here.turns()).standing.departures == {}
    assert here.take_ins() == [(4, TakeIn("b", EVES.id))]


# ------------------------------------------------------------------ all in one letter
def test_a_letter_with_the_join_and_the_turns_that_open_the_seat_is_taken_whole(tmp_path):
    """The join comes before turns in a letter, but is checked against them; and Eve's orders
    come after both."""
    chain = chain_after_takeover()
    hers = orders_of_b(4, 1, EVE, chain.heads[4])
    places = Places(Home(tmp_path / "home"), tmp_path)
    for records in ((CHARTER, *WHOLE), (hers, EVES, *reversed(chain.records))):
        run = Receiving(places)
        for record in records:
            run.open(record.file, "x")
        run.file_all()
        assert (run.refusals, run.kept_paths) == ([], [])
        (delivery,) = run.deliveries
        assert {record.id for record in delivery.new_records} == {record.id for record in records}


# ------------------------------------------------------------------ what others lack
@pytest.fixture
def lacks(filer_with):
    """What is missing to whom, in a folder with these records."""
    return lambda *records: UnsentRecords(filer_with(*records).game_folder)


def record_kinds(records: list[Record]) -> list[str]:
    return ["eves" if one == EVES else f"{one.content.kind} {one.content.turn}" for one in records]


def test_everybody_is_sent_the_join_of_a_new_player_until_their_orders_show_that_it_came(lacks):
    chain = chain_after_takeover()
    some = lacks(*WHOLE, *chain.records, EVES)
    assert record_kinds(some.of_seat("a"))[:3] == ["join 0", "eves", "turn 1"]
    for turn, sent in ((2, True), (3, True), (4, False)):
        anns_ = orders_of_a(turn, chain.heads[turn])
        some = lacks(anns_)
        assert some.confirmed("a") == turn
        assert (EVES in some.of_seat("a")) is sent
    assert EVES in some.of_seat("a", includes_all=True)


def test_a_new_player_is_sent_all_but_their_own_join(lacks):
    """Also what Bo wrote: Eve does not have it."""
    some = lacks(*WHOLE, *chain_after_takeover().records, EVES)
    got = record_kinds(some.of_seat("b"))
    assert got == [
        "join 0", "turn 1", "orders 1", "turn 2", "orders 1", "orders 1", "turn 3", "turn 4",
        "notice 1", "notice 2", "notice 3",
    ]  # fmt: skip


def test_a_new_player_is_sent_what_the_turn_that_seated_them_lists(lacks):
    """Orders of the earlier player that did not count any more; and what both wrote to all."""
    chain = chain_after_leave()
    notice = chain.notice("referee", TakeIn("b", EVES.id), SAMPLE.ann)
    chain.turn(
        notice,
        orders=(ListedOrders(orders_of_b().id, "b", "refused", "late"),),
        log=(silent_entry(2),),
    )
    hers = resigned(SAMPLE.public, EVE, turn=4, prev=chain.heads[4])
    some = lacks(*WHOLE, *chain.records, EVES, orders_of_b(), SAMPLE.public, hers)
    sent = some.of_seat("b")
    assert [orders_of_b() in sent, SAMPLE.public in sent, hers in sent] == [True, True, False]
    assert [one in some.of_seat("a") for one in (orders_of_b(), SAMPLE.public, hers)] == [True] * 3


def test_who_lacks_the_join_of_a_new_player_cannot_send_it(lacks):
    some = lacks(*WHOLE, *chain_after_takeover().records)
    with pytest.raises(RecordError) as caught:
        some.of_seat("a")
    assert caught.value.reason == "parent"
    assert caught.value.sentence.startswith(
        f"the join {short_id(EVES)} of seat b is missing from this folder: "
    )


def test_orders_signed_with_keys_that_counted_or_count_now_are_sent(lacks):
    """What turns list must be there for all, whoever sits in the seat now."""
    chain = chain_after_takeover()
    hers = orders_of_b(4, 1, EVE, chain.heads[4])
    chain.turn(orders=(ListedOrders(hers.id, "b", "accepted"),), log=(silent_entry(2),))
    some = lacks(*WHOLE, *chain.records, EVES, hers)
    sent = some.of_seat("a")
    assert hers in sent
    assert ORDERS1 in sent
    assert some.confirmed("b") == 4
    assert hers not in some.of_seat("b")


def test_orders_in_the_name_of_another_seat_confirm_and_excuse_nothing(lacks):
    """Bo signs orders for a seat that is not his."""
    false = resigned(orders_of_b(2), SAMPLE.bo, seat="c")
    late = resigned(orders_of_b(1, 4), SAMPLE.bo, seat="c")
    some = lacks(*WHOLE, false, late)
    assert (some.confirmed("b"), some.confirmed("c")) == (1, 0)
    assert some.late_order_sentences("b", 0) == some.late_order_sentences("c", 0) == []


def test_the_game_began_and_nobody_answered(lacks):
    assert lacks(*BEGUN).confirmed("b") == 0
