"""What each person lacks, record by record, in the small game of the protocol's vectors."""

from dataclasses import replace

import pytest

from pbem.files.game_folder import Folder
from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import NewKey, Vote
from pbem.judge.which_notices_count import row_of
from pbem.mail.unsent_records import UnsentRecords
from pbem.records.notice import SCORE
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import ListedOrders, sort_sets
from tests.kit.record_files import archive_of, put_record, record_path, resigned
from tests.kit.sample_records import EVE, SAMPLE, orders_of_a, orders_of_b, short_id
from tests.mail.filed_records import BEGUN, CHARTER, FINAL, JOIN_B, ORDERS1, ORDERS2, TURN2, WHOLE

NAMES = {id(record): name for name, record in vars(SAMPLE).items() if isinstance(record, Record)}
NAMES |= {record.id: name for name, record in vars(SAMPLE).items() if isinstance(record, Record)}


@pytest.fixture
def missing_files(tmp_path):
    """What is missing to whom, in a folder with these records."""
    folder = Folder(tmp_path / "savannah")

    def with_(*records: Record, was_sent=None) -> UnsentRecords:
        for record in (CHARTER, *records):
            put_record(folder, record)
        return UnsentRecords(archive_of(folder), was_sent)

    return with_


def record_labels(records: list[Record]) -> list[str]:
    """The records by their names in the sample; others by their kinds."""
    return [NAMES.get(record.id, record.content.kind) for record in records]


# ------------------------------------------------------------------ a player
def test_who_has_not_joined_lacks_the_charter(missing_files):
    assert record_labels(missing_files().of_seat("b")) == ["charter"]
    some = missing_files(JOIN_B)
    assert record_labels(some.of_seat("b")) == []
    assert record_labels(some.of_seat("a")) == ["charter"]
    assert record_labels(some.of_seat("b", includes_all=True)) == ["charter"]


def test_who_lacks_a_turn_lacks_the_joins_and_orders_that_it_names(missing_files):
    some = missing_files(*BEGUN)
    assert record_labels(some.of_seat("b")) == ["join_a", "turn1", "own"]
    assert record_labels(some.of_seat("a")) == ["join_b", "turn1", "own"]
    whole = ["charter", "join_a", "join_b", "turn1", "own"]
    assert record_labels(some.of_seat("c")) == whole
    assert record_labels(some.of_seat("b", includes_all=True)) == whole


def test_who_answered_a_turn_has_everything_up_to_it(missing_files):
    some = missing_files(*BEGUN, ORDERS1)
    assert (some.confirmed("b"), record_labels(some.of_seat("b"))) == (1, [])
    some = missing_files(ORDERS2, TURN2, SAMPLE.notice)
    assert (some.confirmed("b"), record_labels(some.of_seat("b"))) == (1, ["turn2"])
    assert record_labels(some.of_seat("a")) == [
        "join_b", "turn1", "own", "turn2", "orders1", "orders2", "notice",
    ]  # fmt: skip
    some = missing_files(FINAL)
    assert record_labels(some.of_seat("b")) == ["turn2", "final"]
    assert record_labels(some.of_seat("b", includes_all=True)) == [
        "charter", "join_a", "join_b", "turn1", "own", "turn2", "orders1", "orders2", "final",
        "notice",
    ]  # fmt: skip
    assert record_labels(missing_files(orders_of_b(2)).of_seat("b")) == ["final"]


def test_only_orders_that_build_on_a_turn_here_show_that_it_came(missing_files):
    assert missing_files(*WHOLE).confirmed("a") == 0, "her orders were written before turn 1"
    assert missing_files().confirmed("c") == 0
    for number, other in enumerate(
        (orders_of_b(2, prev=bytes(32)), orders_of_b(3), orders_of_b(2, 4, EVE))
    ):
        assert missing_files(other).confirmed("b") == 1, number
    assert missing_files(orders_of_a(1, SAMPLE.heads[1])).confirmed("a") == 1
    assert missing_files(orders_of_b(2, 5)).confirmed("b") == 2


def test_a_notice_that_a_turn_lists_and_is_not_here_is_said(missing_files):
    some = missing_files(*(record for record in WHOLE if record != SAMPLE.notice))
    for seat in ("a", "b"):
        with pytest.raises(RecordError) as caught:
            some.of_seat(seat)
        assert caught.value.reason == "parent"
        assert f"the notice {short_id(SAMPLE.notice)} is missing from" in caught.value.sentence
    assert record_labels(missing_files(orders_of_b(2)).of_seat("b")) == [], (
        "who answered the turn has it"
    )


def test_no_seat_is_sent_its_own_notices(missing_files):
    """Those that turns list and those that wait; the others get them."""
    waits = SAMPLE.notice_by("b", Vote(SCORE), SAMPLE.bo, turn=2)
    some = missing_files(*WHOLE, waits)
    assert (
        record_labels(some.of_seat("a"))[-2:]
        == record_labels(some.of_seat("c"))[-2:]
        == ["notice", "notice"]
    )
    assert record_labels(some.of_seat("b")) == ["turn2"]
    assert record_labels(some.of_seat("b", includes_all=True))[-2:] == ["notice", "notice"]


def test_a_notice_signed_with_an_earlier_key_is_sent(missing_files):
    """The seat may have a new player, who does not have it."""
    said = NewKey.make(EVE, SAMPLE.ann.public, SAMPLE.game, "b")
    new = SAMPLE.notice_by("b", said, SAMPLE.bo, turn=2)
    turn3 = resigned(turn_3_with_orders(), SAMPLE.ann, notices=(row_of(new),))
    some = missing_files(*WHOLE, new, turn3)
    assert some.standing.signer("b") == EVE.public
    assert record_labels(some.of_seat("b"))[-2:] == ["notice", "notice"]


# ------------------------------------------------------------------ messages
def public_message(seat: str, turn: int) -> Record:
    key = SAMPLE.held if seat == "a" else SAMPLE.bo
    return resigned(SAMPLE.public, key, seat=seat, turn=turn, prev=SAMPLE.heads[turn])


def test_a_player_lacks_the_messages_since_the_turn_that_they_have(missing_files):
    asked = []

    def was_sent(to: str, record: bytes) -> bool:
        asked.append((to, record))
        return False

    by_a = public_message("a", 1)
    some = missing_files(*WHOLE, SAMPLE.public, SAMPLE.private, by_a)
    both = ["press", "private"]
    assert record_labels(some.of_seat("b")) == ["turn2", *both]
    assert record_labels(some.of_seat("a"))[-2:] == ["public", "private"]
    assert record_labels(some.of_seat("b", includes_all=True))[-3:] == [
        "press",
        "public",
        "private",
    ]
    answered = orders_of_b(2)
    assert record_labels(missing_files(answered).of_seat("b")) == ["private"]
    assert record_labels(missing_files(was_sent=was_sent).of_seat("b")) == both
    assert asked == [("b", by_a.id)]
    assert record_labels(missing_files(was_sent=was_sent).of_seat("c"))[-3:] == [
        "press",
        "public",
        "private",
    ]


def test_messages_that_nobody_signed_are_not_sent(missing_files):
    false = resigned(SAMPLE.public, EVE)
    missing_files(*WHOLE)
    some = missing_files(false)
    assert record_path(false) in [found.path for found in some.game_folder.listing.press]
    assert record_labels(some.of_seat("a"))[-2:] == ["orders2", "notice"]


# ------------------------------------------------------------------ what came too late
def turn_3_with_orders(*listed: ListedOrders) -> Record:
    """A turn 3 that lists these orders, and no notice."""
    turn = replace(TURN2.content, turn=3, prev=SAMPLE.heads[2], orders=listed, notices=())
    return make(sort_sets(turn), SAMPLE.ann)


def too_late_line(orders: Record, turn: int = 1) -> str:
    start = f"orders {short_id(orders)}, which answer turn {turn}, came too late"
    return f"{start}: turn {turn + 1} was made without them"


def test_orders_that_no_turn_lists_came_too_late(missing_files):
    some = missing_files(*WHOLE, late := orders_of_b())
    assert (
        some.late_order_sentences("b", 0)
        == some.late_order_sentences("b", 1)
        == [too_late_line(late)]
    )
    assert some.late_order_sentences("b", 2) == []
    assert some.late_order_sentences("c", 0) == some.late_order_sentences("a", 0) == []
    assert missing_files(fourth := orders_of_b(1, 4)).late_order_sentences("b", 1) == [
        too_late_line(late),
        too_late_line(fourth),
    ]


@pytest.mark.parametrize(
    "orders",
    [
        orders_of_b(1, 1, texts=("feed: pass",)), orders_of_b(2, 3),
        orders_of_b(1, 3, prev=bytes(32)), orders_of_b(1, 3, EVE), orders_of_a(1, SAMPLE.heads[1]),
    ],
    ids=["replaced", "in time", "of another turn", "of somebody else", "of another seat"],
)  # fmt: skip
def test_orders_that_were_replaced_or_in_time_are_not_called_too_late(missing_files, orders):
    assert missing_files(*WHOLE, orders).late_order_sentences("b", 0) == []


def test_orders_that_answer_the_last_question_are_in_time(missing_files):
    """Also if a turn since only listed notices."""
    quiet = resigned(turn_3_with_orders(), SAMPLE.ann, log=(), over=False)
    some = missing_files(*WHOLE, orders_of_b(2, 3), quiet)
    assert (some.chain.turn, some.chain.asking_turn) == (3, 2)
    assert some.late_order_sentences("b", 0) == []
    assert some.of_referee("b") == [orders_of_b(2, 3)]
    newer = orders_of_b(3, 1, prev=some.chain.head)
    assert missing_files(newer).of_referee("b") == [newer], (
        "a later turn comes before a higher revision"
    )


def test_late_orders_are_told_by_the_turn_that_lists_them(missing_files):
    late = orders_of_b()
    some = missing_files(
        *WHOLE, late, turn_3_with_orders(ListedOrders(late.id, "b", "refused", "late"))
    )
    assert (
        some.late_order_sentences("b", 1)
        == some.late_order_sentences("b", 2)
        == [too_late_line(late)]
    )
    assert some.late_order_sentences("b", 3) == []


def test_orders_are_too_late_although_the_next_turn_took_another_seats_orders(missing_files):
    accepted = ListedOrders(orders_of_b(2, 9).id, "a", "accepted")
    passed = ListedOrders(orders_of_b(2, 8).id, "b", "replaced")
    some = missing_files(
        *WHOLE,
        orders_of_b(2, 8),
        orders_of_b(2, 9),
        early := orders_of_b(2, 3),
        turn_3_with_orders(passed, accepted),
    )
    assert too_late_line(early, 2) in some.late_order_sentences("b", 0)


# ------------------------------------------------------------------ the referee


def test_the_referee_lacks_a_seats_newest_orders_that_no_turn_lists(missing_files):
    some = missing_files(*BEGUN, ORDERS1)
    assert record_labels(some.of_referee("b")) == ["orders1"]
    assert record_labels(missing_files(ORDERS2).of_referee("b")) == ["orders2"]
    assert record_labels(missing_files(orders_of_a(1, SAMPLE.heads[1])).of_referee("b")) == [
        "orders2"
    ]
    assert {*record_labels(missing_files().of_referee("ab"))} == {"own", "orders", "orders2"}, (
        "of one revision both"
    )
    third = orders_of_b()
    assert missing_files(third, orders_of_b(1, 4, EVE)).of_referee("b") == [third]
    assert missing_files().of_referee(["c"]) == []
    other = resigned(TURN2, SAMPLE.ann, orders=(ListedOrders(third.id, "b", "accepted"),))
    assert missing_files(other).of_referee("b") == [], "none answers turn 2"
    answer = resigned(orders_of_b(2), SAMPLE.bo, prev=bytes(32))
    assert missing_files(answer).of_referee("b") == [answer]


def test_the_referee_has_the_orders_that_the_last_turn_lists(missing_files):
    ahead = orders_of_a(3, SAMPLE.heads[2])
    turn3 = turn_3_with_orders(ListedOrders(orders_of_b(3).id, "b", "refused", "rule"))
    assert missing_files(*WHOLE, turn3, orders_of_b(3)).of_referee("ab") == []
    assert missing_files(orders_of_b(3, 4), ahead).of_referee("b") == [orders_of_b(3, 4)]


def test_the_referee_lacks_a_seats_notices_that_no_turn_lists(missing_files):
    of_a = SAMPLE.notice_by("a", Vote(SCORE), SAMPLE.held, turn=2)
    of_b = SAMPLE.notice_by("b", Vote(SCORE), SAMPLE.bo, turn=2)
    some = missing_files(*WHOLE, of_a, of_b)
    assert some.of_referee("b") == [of_b]
    assert some.of_referee("ab") == [of_a, of_b]
    assert some.of_referee("c") == []


def test_the_referee_lacks_a_seats_messages_that_were_not_sent_to_the_referee(missing_files):
    whole = (*WHOLE, SAMPLE.public, SAMPLE.private, public_message("b", 2), public_message("a", 2))
    assert missing_files(*whole).of_referee("b") == [public_message("b", 2)]
    assert missing_files(was_sent=lambda to, _: to != "referee").of_referee("b") == [
        SAMPLE.public, public_message("b", 2),
    ]  # fmt: skip
    assert missing_files().of_referee(["a", "b"]) == [
        public_message("a", 2),
        public_message("b", 2),
    ]
