"""A game in which seats change hands: what its readers and its audit take, and what they refuse."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine import CHANCE, Entry
from pbem.format.encrypted_box import TAG, BoxContext, seal
from pbem.format.record_error import RecordError
from pbem.judge.chance_entry_checks import DealtPositions, TurnDeals
from pbem.judge.evidence_from_own_machine import Witness
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import Concede, Delay
from pbem.judge.record_chain import Finder
from pbem.judge.sealed_cards_seat_check import HandoverReplay
from pbem.judge.which_notices_count import row_of
from pbem.records.packet import Packet, open_handover, packet_bytes
from pbem.records.read_and_sign_record import make
from pbem.records.seeded_decks_and_dice import position_of
from pbem.records.turn import sort_sets
from tests.attacks.changed_seats import CHANGES, DELAYS, GIL, NEW, TAKES, newcomers_reader
from tests.attacks.forging import Forged
from tests.kit.played_games import Played, played_key
from tests.kit.refusals import refused_for


@pytest.fixture
def forged_new_keys_game(changed, tmp_path):
    return Forged(changed, tmp_path)


def changed_turn_refusal(game, number, reader=None, joins=None, more=(), **changes):
    """Why a reader of the turns before refuses turn `number` with these changes."""
    turn = sort_sets(replace(game.turns[number - 1].content, **changes))
    reader = game.read(reader or game.table_at(0), number - 1)
    notices = {**game.notices, **{record.id: record for record in more}}
    here = game.joins_by_id if joins is None else joins
    with pytest.raises(RecordError) as caught:
        reader.absorb(
            make(turn, game.referee), Finder(game.find, lambda: here, notices.__getitem__)
        )
    return caught.value.reason, caught.value.sentence


# ------------------------------------------------------------------ what is taken
def test_a_new_player_of_a_seat_knows_what_the_player_before_knew(changed):
    for seat, before in (("c", played_key("Cy")), ("b", played_key("Bo"))):
        since = TAKES if seat == "c" else CHANGES
        old = changed.reader_at(seat, since - 1, key=before)
        new = changed.read(newcomers_reader(changed, seat))
        known = [(entry.key, entry.text) for entry in old.own_log]
        assert [(entry.key, entry.text) for entry in new.own_log][: len(known)] == known
        assert any("[" in entry.text and "[?]" not in entry.text for entry in old.own_log)
        assert len(new.own_log) == len(new.log)
        with pytest.raises(RecordError, match=f"since turn {since}, seat {seat} has a different"):
            changed.reader_at(seat, key=before)


def test_the_audit_finds_a_game_in_which_seats_changed_hands_right(forged_new_keys_game):
    report = forged_new_keys_game.audit()
    assert (report.exit, report.turns) == (0, 9)
    assert report.names == {"a": "Ann", "b": "Bo", "c": "Gil"}
    assert report.first_names == {"a": "Ann", "b": "Bo", "c": "Cy"}
    assert [applied.turn for applied in report.notices] == [4, 5, 5, 6, 7, 7]
    told = {f.sentence for f in report.findings}
    assert told <= {f"these orders are signed with an old key of seat {seat}" for seat in "bc"}
    for seat, key, since in (("c", GIL, TAKES), ("b", NEW, CHANGES)):
        mine = forged_new_keys_game.audit(witness=Witness(seat, key.seed, valid_from=since))
        assert mine.broken == []
    old = forged_new_keys_game.audit(witness=Witness("c", played_key("Cy").seed))
    assert [(f.reason, f.turn) for f in old.broken] == [("key", TAKES)]


def test_a_game_in_which_seats_changed_hands_can_be_made_again(forged_new_keys_game):
    """The secrets are open too early, and nothing else is wrong."""
    forged_new_keys_game.open_early()
    report = forged_new_keys_game.audit()
    assert [finding.reason for finding in report.broken] == ["state"]
    assert report.final
    assert len(report.log) == len(forged_new_keys_game.game.made.table.log)
    assert report.left_out == []


def test_orders_lapse_when_their_seat_changes_hands(changed):
    for seat, since in (("c", TAKES), ("b", CHANGES)):
        assert seat in changed.table_at(since - 1).in_force
        assert seat not in changed.table_at(since).in_force


# ------------------------------------------------------------------ what is refused of notices
def test_a_turn_that_seats_a_new_player_whose_join_is_missing_is_refused(changed):
    (later,) = changed.later
    reason, told = changed_turn_refusal(
        changed, TAKES, joins={j.id: j for j in changed.joins.values()}
    )
    assert reason == "parent"
    assert told.startswith(f"the join {later.hex()[:6]} of seat c is missing from this folder: ")


def test_a_turn_gives_cards_to_new_keys_exactly_if_its_notices_change_keys(changed):
    lacks = "seat c gets new keys, but the turn does not give the seat's cards to these keys"
    has = "the turn gives the cards of seat {} to new keys (field handover), but the seat gets no"
    boxes = changed.turns[TAKES - 1].content.handover
    for change, sentence in (
        ({"notices": ()}, has.format("c")),
        ({"handover": None}, lacks),
        ({"handover": {"a": boxes["c"]}}, lacks),
        ({"handover": {**boxes, "a": boxes["c"]}}, has.format("a")),
    ):
        reason, told = changed_turn_refusal(changed, TAKES, **change)
        assert (reason, told[: len(sentence)]) == ("field", sentence)
    size = len(boxes["c"])
    for wrong in (size - 256, size + 256):
        told = (
            f"the part with the cards of seat c (field handover) has {wrong} bytes; it must have "
            f"{size}"
        )
        assert changed_turn_refusal(changed, TAKES, handover={"c": bytes(wrong)}) == (
            "padding",
            told,
        )


def test_a_listed_delay_moves_the_deadline_of_its_own_turn_and_of_no_other(changed):
    turn = changed.turns[DELAYS - 1].content
    follows = "the deadline does not follow from the deadline rule of this game"
    for wrong in (turn.deadline - 5 * 3600, turn.deadline - 1, turn.deadline + 3600):
        assert changed_turn_refusal(changed, DELAYS, deadline=wrong)[0] == "rule"
    assert changed_turn_refusal(changed, DELAYS, notices=()) == ("rule", follows)
    one = tuple(row for row in turn.notices if row.seat == "a")
    assert changed_turn_refusal(changed, DELAYS, notices=one) == ("rule", follows)
    after = changed.turns[DELAYS].content
    assert changed_turn_refusal(changed, DELAYS + 1, deadline=after.deadline + 5 * 3600) == (
        "rule",
        follows,
    )
    keep = "the turn changes the deadline, although it only lists notices"
    assert changed_turn_refusal(changed, CHANGES, deadline=turn.time + 3600) == ("rule", keep)


def delay(game, turn, hours=1):
    key = game.seats["a"].key
    return make_notice((game.game_folder.game, turn, game.heads[turn]), "a", 8, Delay(hours), key)


def test_a_delay_written_for_an_earlier_deadline_does_not_count(changed):
    """Turn 6 only lists a notice: what it asks was asked by turn 5."""
    wrong = delay(changed, 4)
    reason, told = changed_turn_refusal(changed, DELAYS, more=[wrong], notices=(row_of(wrong),))
    assert reason == "rule"
    assert told.endswith(
        "(delay) breaks a rule: this notice was written for an earlier deadline, which is over"
    )
    right = delay(changed, 5)
    _, told = changed_turn_refusal(changed, DELAYS, more=[right], notices=(row_of(right),))
    assert told == "the deadline does not follow from the deadline rule of this game"


def test_a_delay_listed_after_the_deadline_does_not_count(changed):
    late = changed.turns[CHANGES - 1].content.deadline
    _, told = changed_turn_refusal(changed, DELAYS, time=late, deadline=late + 6 * 3600)
    assert told.endswith("breaks a rule: the deadline has passed, so nobody can put it off now")
    _, told = changed_turn_refusal(changed, DELAYS, time=late - 1)
    assert told == "the deadline does not follow from the deadline rule of this game"


# ------------------------------------------------------------------ what the newcomer refuses
def handed(game, seat) -> Packet:
    number = TAKES if seat == "c" else CHANGES
    box = game.turns[number - 1].content.handover[seat]
    return open_handover(number, seat, box, game.made.keys[seat])


def with_box(game, seat, **changes):
    """Why the newcomer refuses a box with other contents; everybody else takes the turn."""
    number = TAKES if seat == "c" else CHANGES
    turn = game.turns[number - 1].content
    packet = replace(handed(game, seat), **changes)
    place, size = BoxContext("turn", "handover", number, seat), len(turn.handover[seat]) - TAG
    box = seal(game.made.keys[seat], place, packet_bytes(packet), size)
    other = {**turn.handover, seat: box}
    everybody = game.table_at(number - 1)
    record = make(replace(turn, handover=other), game.referee)
    everybody.absorb(record, game.finder)
    return changed_turn_refusal(game, number, newcomers_reader(game, seat), handover=other)


@pytest.mark.parametrize("seat", "bc")
def test_the_handover_box_must_open_each_card_that_the_seat_got(changed, seat):
    dealt = handed(changed, seat).dealt
    first, second = dealt[:2]
    assert with_box(changed, seat, dealt=dealt[1:]) == (
        "opening",
        f"the turn does not show you card {first.k} of the deck, which was dealt to your seat",
    )  # fmt: skip
    assert with_box(changed, seat, dealt=(replace(first, card="horns 9"), *dealt[1:]))[0] == (
        "commitment"
    )
    swapped = replace(first, card=second.card), replace(second, card=first.card)
    assert with_box(changed, seat, dealt=(*swapped, *dealt[2:]))[0] == "commitment"
    more = replace(first, k=first.k + 1000)
    assert with_box(changed, seat, dealt=(*dealt, more)) == (
        "opening", "the turn gives you cards of another seat",
    )  # fmt: skip


@pytest.mark.parametrize("seat", "bc")
def test_the_handover_box_must_open_each_card_that_the_seat_put_down(changed, seat):
    hidden = handed(changed, seat).hidden
    log = changed.table_at(4).log
    number = next(n for n, e in enumerate(log) if e.seat == seat and "[?]" in e.text)
    assert with_box(changed, seat, hidden=()) == (
        "opening",
            ("the turn does not show you the cards that your seat put down in entry "
            f"{number} of the log"),
    )  # fmt: skip
    more = replace(hidden[0], handle=bytes([5]) * 32)
    assert with_box(changed, seat, hidden=(*hidden, more)) == (
        "opening", "the turn gives you cards of another seat",
    )  # fmt: skip
    salted = replace(hidden[0], salt=bytes(len(hidden[0].salt)))
    assert with_box(changed, seat, hidden=(salted, *hidden[1:]))[0] == "commitment"
    absent = replace(hidden[0], card="horns 9")
    reason, told = with_box(changed, seat, hidden=(absent, *hidden[1:]))
    assert (reason, "(handover): entry 1.food.food." in told) == ("rule", True), told


def test_the_handover_box_must_open_the_cards_that_the_seat_put_under_the_deck(changed):
    """The cards that were dealt to the seat stand for them: their commitments are public."""
    reader, seat = changed.table_at(4), "b"
    dealt = handed(changed, seat).dealt
    places = tuple(position_of(opening) for opening in dealt)
    rows = [DealtPositions(5, seat, places)]
    entry = Entry("1.x.under.*.0", CHANCE, f"deck hides {len(dealt)} below 3", "chance", seat)

    def replay(*under):
        table, deals = SimpleNamespace(viewpoint=seat), TurnDeals(under=rows)
        return HandoverReplay(table, Packet(under=under), [deals], {}, reader.cards.chance)

    assert replay(*dealt).own_entry(5, entry) == entry
    with pytest.raises(RecordError, match="does not show you card"):
        replay(*dealt[1:]).own_entry(5, entry)
    salted = replace(dealt[0], salt=bytes(len(dealt[0].salt)))
    with refused_for("commitment"):
        replay(salted, *dealt[1:]).own_entry(5, entry)


# ------------------------------------------------------------------ nobody waits for them
def test_questions_of_players_who_left_are_settled_without_waiting_for_them(left):
    """Their defaults count although the deadline has not come and no turn calls them silent."""
    defaults = [
        (turn.content.turn, entry.key.split(".")[3])
        for turn in left.turns
        for entry in turn.content.log
        if entry.by == "default"
    ]
    assert {seat for _, seat in defaults} == {"b", "c"}
    assert all(not turn.content.silent for turn in left.turns[2:])
    assert left.table_at().chain.turn == len(left.turns)
    assert sorted(left.table_at().chain.standing.absence_reasons) == ["b", "c"]


@pytest.mark.sample(0)
def test_lines_of_a_player_who_concedes_settle_nothing_more(tmp_path):
    """Their own reader forgets them as well, or it would say that the turn leaves a line out."""

    def answer(player):
        return [*player.lines(), "always feed: * eats", "always food: the card with the least food"]

    game = Played(tmp_path / "g", players=3, answer=answer).play(4)
    assert game.seats["c"].reader.orders is not None
    game.say("c", Concede())
    game.play(8)  # everybody reads each turn, or this raises
    reader = game.seats["c"].reader
    assert (reader.orders, reader.unsealed) == (None, None)
    ways = {entry.by for entry in reader.log[reader.chain.log_lengths[4] :] if entry.seat == "c"}
    assert "default" in ways
    assert ways <= {"default", "forced", "fact"}


def test_a_turn_that_calls_a_present_seat_away_is_refused(left):
    """A turn settles the questions of seat a, who is here, as if nobody had to wait for it."""
    for record in left.turns[2:]:
        turn = record.content
        for place, entry in enumerate(turn.log):
            if entry.key.split(".")[3] == "a" and entry.by.startswith("line"):
                log = list(turn.log)
                log[place] = replace(entry, by="default")
                reason, _ = changed_turn_refusal(left, turn.turn, log=tuple(log))
                assert reason == "rule"
                return
    raise AssertionError("no line of seat a counted")
