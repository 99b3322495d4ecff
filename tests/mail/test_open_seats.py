"""A seat gets a new player while others play by mail: which joins are filed late, who is sent them.

Bo gives seat b up, or is silent for long; Eve takes it over.
"""

from dataclasses import replace

import pytest

from pbem.files.home import Home
from pbem.format.record_error import RecordError
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import Leave, TakeIn
from pbem.judge.which_notices_count import SignedNotice, row_of
from pbem.mail.find_game_by_id import Places
from pbem.mail.take_records_from_mail import Receiving
from pbem.mail.unsent_records import UnsentRecords
from pbem.records.game_id_and_chain_heads import next_head
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import ListedOrders, LogEntry, Turn, sort_sets
from tests.kit.record_files import archive_of, record_path, resigned
from tests.kit.sample_records import EVE, SAMPLE, orders_of_a, orders_of_b, short_id
from tests.mail.filed_records import CHARTER, JOIN_B, ORDERS1, TURN2, WHOLE, refusal_of

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


def chain_after_takeover() -> Chain:
    """Bo gave the seat up, and Eve took it over."""
    chain = Chain()
    chain.turn(chain.notice("b", Leave(), SAMPLE.bo))
    chain.turn(chain.notice("referee", TakeIn("b", EVES.id), SAMPLE.ann))
    return chain


CLOSED = "the game has begun without this join, and seat {} is not open"


# ------------------------------------------------------------------ which joins are filed


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


# ------------------------------------------------------------------ who sits where
def test_who_sits_where_follows_from_the_notices_and_joins_that_are_here(filer_with):
    chain = chain_after_takeover()
    filer = filer_with(*WHOLE, *chain.records)
    assert filer.chain.standing.roster["b"] == JOIN_B.content, "Eve's join is not here"
    assert filer.game_folder.take_ins() == [(4, TakeIn("b", EVES.id))]
    ((reason, told),) = filer.notes()
    missing = f"missing: the file {short_id(EVES)} of seat b, which turn 4 lists;"
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
    """Also what Bo wrote, his join too: Eve does not have it."""
    some = lacks(*WHOLE, *chain_after_takeover().records, EVES)
    got = record_kinds(some.of_seat("b"))
    assert got == [
        "join 0", "join 0", "turn 1", "orders 1", "turn 2", "orders 1", "orders 1", "turn 3",
        "turn 4", "notice 1", "notice 2", "notice 3",
    ]  # fmt: skip


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
