"""Small verdicts that larger ones rest on: in time or late, silent or not, a sentence for each."""

from dataclasses import fields, replace
from types import SimpleNamespace

import pytest

from engine import CHANCE, Decision, Entry
from pbem.format.record_error import RecordError
from pbem.judge.absent_seats import absence_of
from pbem.judge.audit_report import CertifiedJoin, Finding, Report
from pbem.judge.orders_in_force import by_rank, check_choice, check_status, why_misplaced
from pbem.judge.seat_holders_keys_and_agreements import AppliedNotice, Standing
from pbem.judge.turn_end_checks import awaited_kinds_by_seat, check_end, check_silence
from pbem.records.deadline_and_silence_policies import Policies
from pbem.records.read_and_sign_record import make
from pbem.records.turn import Awaited, ListedOrders
from pbem.wording.audit_certificate import next_step_for, report_as_json, statement
from tests.kit.played_games import played_key
from tests.kit.refusals import refused_for

HEADS = [bytes([n]) * 32 for n in range(4)]  # three turns were made
NOW = 1_800_000_000


@pytest.fixture
def orders_of_seat_b(finished):
    """Orders of seat b, which can be sent for any turn, on any head."""
    content = next(r.content for r in finished.orders.values() if r.content.seat == "b")

    def answer(turn, prev, revision=1):
        return replace(content, turn=turn, prev=prev, revision=revision)

    return answer


# ---------------------------------------------------------------- orders in time
@pytest.mark.parametrize(
    ("turn", "head", "verdict"),
    [
        (3, 3, ""),
        (2, 2, "late"),
        (1, 1, "late"),
        (2, 3, "forked"),  # a head of this chain under another number
        (3, 2, "forked"),
        (4, 3, "forked"),
        (1, 2, "forked"),
    ],
)
def test_a_players_orders_count_only_on_the_last_turns_head(orders_of_seat_b, turn, head, verdict):
    orders = orders_of_seat_b(turn, HEADS[head])
    for named in (False, True):
        assert why_misplaced(orders, HEADS, False, is_named_as_own=named, asking_turn=3) == verdict


def test_orders_on_a_head_outside_the_chain_are_forked(orders_of_seat_b):
    orders = orders_of_seat_b(3, b"\x09" * 32)
    for held in (False, True):
        assert why_misplaced(orders, HEADS, held, is_named_as_own=True, asking_turn=3) == "forked"


@pytest.mark.parametrize(
    ("turn", "head", "named", "verdict"),
    [
        (4, 3, False, "ahead"), (4, 3, True, "ahead"), (4, 2, False, "late"), (3, 2, True, ""),
        (3, 2, False, "late"), (3, 3, False, "late"),
    ],
)  # fmt: skip
def test_orders_of_a_referees_seat_count_only_if_named_before(
    orders_of_seat_b, turn, head, named, verdict
):
    orders = orders_of_seat_b(turn, HEADS[head])
    assert why_misplaced(orders, HEADS, True, is_named_as_own=named, asking_turn=3) == verdict


@pytest.mark.parametrize(
    ("listed", "place", "said"),
    [
        (
            ListedOrders(b"\x0a" * 32, "b", "accepted"),
            "late",
            "b as accepted, but must list them as refused (late)",
        ),
        (
            ListedOrders(b"\x0a" * 32, "b", "refused", "late"),
            "forked",
            "b as refused (late), but must list them as refused (forked)",
        ),
        (
            ListedOrders(b"\x0a" * 32, "b", "refused", "forked"),
            "",
            "b as refused (forked), but must list them as valid",
        ),
        (
            ListedOrders(b"\x0a" * 32, "b", "refused", "rule"),
            "late",
            "b as refused (rule), but must list them as refused (late)",
        ),
    ],
)
def test_a_turn_that_lists_orders_with_a_wrong_status_is_refused(listed, place, said):
    with refused_for("opening") as refused:
        check_status(listed, place)
    assert refused.value.sentence == f"the turn lists orders 0a0a0a of seat {said}"


def test_a_turn_may_list_orders_with_the_status_of_their_place():
    for status, reason, place in (
        ("accepted", "", ""),
        ("replaced", "", ""),
        ("refused", "rule", ""),
        ("refused", "unopenable", ""),
        ("refused", "late", "late"),
        ("refused", "forked", "forked"),
    ):
        check_status(ListedOrders(b"\x0a" * 32, "b", status, reason), place)


def test_of_several_orders_the_highest_revision_counts_then_the_smaller_id(orders_of_seat_b):
    records = [make(orders_of_seat_b(3, HEADS[3], n), played_key("Bo")) for n in (1, 2, 10)]
    one, two, ten = records
    assert by_rank(records)[0] is ten
    twins = [
        make(replace(orders_of_seat_b(3, HEADS[3], 10), prev=h), played_key("Bo")) for h in HEADS
    ]
    assert by_rank(twins)[0] is min(twins, key=lambda r: r.id)
    check_choice("b", [ten], [one, two])
    check_choice("b", [ten], [])
    check_choice("b", [], [])
    for accepted, others, told in (
        (
            [ten, one],
            [two],
            "the turn accepts two sets of orders of seat b; a seat can have only one",
        ),
        (
            [one],
            [two, ten],
            f"the turn does not accept orders {ten.id.hex()[:6]} of seat b, although they count",
        ),
        (
            [],
            [one],
            f"the turn does not accept orders {one.id.hex()[:6]} of seat b, although they count",
        ),
    ):
        with pytest.raises(RecordError) as refused:
            check_choice("b", accepted, others)
        assert (refused.value.reason, refused.value.sentence) == ("opening", told)


# ---------------------------------------------------------------- silence
@pytest.mark.parametrize(
    ("time", "deadline", "silent", "good"),
    [
        (NOW, NOW, ("a",), True), (NOW, NOW + 1, ("a",), False), (NOW, 1, ("a",), True),
        (NOW, 0, ("a",), False), (NOW, 0, (), True), (NOW, NOW + 1, (), True),
        (NOW, NOW, ("a", "b"), True), (NOW, NOW, ("a", "c"), False),
    ],
)  # fmt: skip
def test_only_asked_seats_are_silent_and_only_after_the_deadline(
    finished, time, deadline, silent, good
):
    turn = replace(finished.turns[2].content, time=time, silent=silent)
    if good:
        check_silence(turn, {"a", "b"}, deadline, ())
        return
    with refused_for("rule", "the turn calls a seat silent"):
        check_silence(turn, {"a", "b"}, deadline, ())


@pytest.mark.parametrize(
    ("rule", "after"),
    [("never", 0), ("1h", 3600), ("48h", 172_800), ("90 d", 7_776_000), ("1h, grace 1h", 7200)],
)
def test_a_turns_deadline_is_its_date_plus_the_time_in_the_charter(rule, after):
    policies = Policies(deadline=rule)
    assert policies.rule("feed").deadline(NOW) == (NOW + after if after else 0)
    assert policies.rule("").deadline(NOW) == 0  # the game is over


@pytest.mark.parametrize("rule", [-1, 48, "1", True, 1.0, "", "401 days"])
def test_a_charter_whose_deadline_is_no_time_is_refused(rule):
    with refused_for("field", r"policies\.deadline: "):
        Policies(deadline=rule).rule("feed").deadline(NOW)


def test_a_charter_without_a_deadline_gives_none():
    assert Policies().rule("feed").deadline(NOW) == 0


def test_a_seat_is_asked_once_for_each_kind_of_question():
    def asked(seat, kind):
        return "key", Decision(seat, kind, options=lambda: iter(()))

    pending = [asked("b", "feed"), asked("a", "play"), asked("b", "feed"), asked("b", "food")]
    assert awaited_kinds_by_seat(pending, {}) == {"b": ("feed", "food"), "a": ("play",)}


# ---------------------------------------------------------------- the certificate
def test_the_certificate_says_which_joins_the_referee_decided_alone():
    report = Report(
        referee="Rhea", heads=[b"\x01" * 32], names={"a": "Ann", "b": "Bo"},
        by_word=[CertifiedJoin("", "", "aaaaaa", False), CertifiedJoin("b", "Bo", "bbbbbb", True),
                 CertifiedJoin("b", "Eve", "cccccc", False)],
        left_out=[CertifiedJoin("c", "Cy", "dddddd", False)],
    )  # fmt: skip
    said = statement(report)
    decided = "Rhea alone decided about the join aaaaaa, and that join is missing from this folder."
    assert decided in said
    took = "Rhea accepted the join bbbbbb of Bo for seat b, although Bo joined without the invite. "
    assert took + "No record says why." in said
    left = "Rhea left out the join cccccc of Eve for seat b, although Eve joined with the invite. "
    assert left + "No record says why." in said
    assert any(s.startswith("Cy joined seat c with the right invite, but turn 1") for s in said)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((1, 1, 1, 1), "1 turn, 1 set of orders, 1 die, 1 card that nobody could swap unnoticed."),
        (
            (2, 0, 3, 84),
            "2 turns, 0 sets of orders, 3 dice, 84 cards that nobody could swap unnoticed.",
        ),
    ],
)
def test_the_certificate_counts_turns_orders_dice_and_cards(numbers, said):
    turns, orders, dice, cards = numbers
    report = Report(heads=[b""], turns=turns, orders=orders, dice=dice, cards=cards)
    assert statement(report)[0] == said


SHARES = "The secret shares of"
ALONE = "Nobody could choose the order, unless Rhea and the player who joined last worked together."


@pytest.mark.parametrize(
    ("plays", "bots", "deck"),
    [
        ((), {}, f"{SHARES} Rhea, Ann and Bo together determined the deck's order. {ALONE}"),
        (("a",), {}, f"{SHARES} Rhea and Bo together determined the deck's order. {ALONE}"),
        (
            ("a", "b"),
            {"b": "greedy"},
            "Rhea alone determined the deck's order: no other person plays.",
        ),
    ],
)
def test_the_certificate_of_a_proven_game_says_whose_shares_fixed_the_deck(plays, bots, deck):
    report = Report(
        referee="Rhea", heads=[b"\x01" * 32], names={"a": "Ann", "b": "Bo"}, plays=plays, bots=bots,
        over=True, final=True, turns=5,
    )  # fmt: skip
    said = statement(report)
    assert said[1].startswith("Proven: ")
    assert said[1].endswith(deck)
    assert report.referee_played is ("a" in plays)
    played = "Rhea dealt the cards, played seat a, and could see every hand."
    assert (played in said) is ("a" in plays)
    assert any(s.startswith("Bots played seat b (greedy). Rhea has") for s in said) is bool(bots)


def test_only_a_game_that_is_over_opened_and_right_is_proven():
    for over in (False, True):
        for final in (False, True):
            for findings in ([], [broken()], [broken(grade="stray")]):
                report = Report(heads=[b""], over=over, final=final, findings=findings)
                assert report.proven is (over and final and not report.broken)


def test_the_report_as_data_has_every_field_under_its_name():
    seated = CertifiedJoin("b", "Bo", "bbbbbb", True)
    left = AppliedNotice(3, b"", "b", "leave", "b", False, {"writer": "b", "b": "Bo"})
    announced = {"writer": "referee", "seat": "b", "b": "Bo", "joined": "Dee", "cancels": "b"}
    taken = AppliedNotice(4, b"", "referee", "seat", "", False, announced)
    report = Report(
        title="Savannah", ruleset="evolution", referee="Rhea", game=b"\x01", names={"a": "Ann"},
        plays=("a",), bots={"b": "greedy"}, by_word=[seated], left_out=[seated] * 2, turns=3,
        orders=4, dice=5, cards=6, heads=[b"\x02" * 32], over=True, final=True, told=2, waiting=7,
        other_zones=[2], notices=[left, taken], removed=[(2, "a")], deputy="Dee", messages=8,
        first_names={"a": "Al"}, log=[Entry("1.feeding.feed.a.1", "a", "a1 eats", "forced")],
    )  # fmt: skip
    plain = report_as_json(report)
    special = {"game": "01", "heads": ["02" * 32], "plays": ["a"], "findings": []}
    special |= {"by_word": [seated._asdict()], "left_out": [seated._asdict()] * 2}
    special["notices"] = [
        {"turn": 3, "text": "Bo gives up seat b: the seat is open for somebody else"},
        {
            "turn": 4,
            "text": "the referee gives seat b of Bo to Dee, unless somebody cancels the change",
        },
    ]
    special["removed"] = [
        {"turn": 2, "text": "Ann was silent for too long and is removed from the game"}
    ]
    derived = {"words", "certain", "proven", "referee_played", "statement", "verdict", "exit"}
    inner = {
        "first_names",
        "last_turn",
        "log",
        "mode",
        "dealers",
        "closed_dealers",
    }  # for statement, and replay of a proven game
    assert plain.keys() == {f.name for f in fields(Report)} - inner | derived
    for name, value in plain.items():
        assert name == "statement" or value == special.get(name, getattr(report, name))
    assert plain["statement"] == statement(report)


def broken(reason="chain", grade="broken", **more):
    return Finding(grade, "turns/0003.toml", reason, "is wrong", **more)


def test_the_certificate_says_up_to_which_turn_a_game_is_right():
    head = [b"\x01" * 32]
    for report, said in (
        (
            Report(heads=head, findings=[broken()]),
            "No turn is certain to be right: one thing is wrong.",
        ),
        (
            Report(heads=head, turns=2, last_turn=4, findings=[broken(), broken(turn=3)]),
            (
                "Turns 1 to 2: the public part is right, but not proven. Turns 3 to 4 are not "
                "certain to be right: 2 things are wrong."
            ),
        ),
        (
            Report(heads=head, turns=2, over=True),
            "The game is not proven, because final.toml is missing",
        ),
        (
            Report(heads=head, turns=2),
            "The game is not proven yet, because pbem can check the hidden parts",
        ),
    ):
        assert said in statement(report)[1]
        assert (
            "The audit checks keys, not people: pbem cannot tell who used a key."
            in statement(report)
        ) is (not report.broken)
    assert statement(Report()) == [
        "Nothing was checked, because pbem cannot read the game.toml of this game."
    ]
    assert Report().words == []


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (2, "turn 2: you and whoever told you the words have the same game."),
        (1, "Ask for the words of the last turn too"),
        (0, "the last turn too"),
    ],
)
def test_the_certificate_says_whether_the_told_words_are_of_the_last_turn(told, said):
    report = Report(heads=[b"\x01" * 32], turns=2, told=told)
    assert said in statement(report)[2]
    assert len(statement(Report(heads=[b""], turns=2))) == len(statement(report)) - 1


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        ([], 0), ([broken("chain", "stray")], 0), ([broken("chain", "foreign")], 0),
        ([broken("state", "ask")], 1), ([broken("parent")], 5),
        ([broken("parent"), broken("fork")], 3),
    ],
)  # fmt: skip
def test_the_exit_code_of_an_audit_is_that_of_its_worst_finding(findings, code):
    assert Report(findings=findings).exit == code
    assert Report(findings=findings[::-1]).exit == code


@pytest.mark.parametrize(
    ("finding", "cure"),
    [
        (broken(grade="stray", culprit="referee"), ""),
        (broken(grade="foreign", reason="parent"), ""),
        (
            broken(culprit="referee", proof=True),
            "keep both files and show them to everybody: Rhea's",
        ),
        (broken(culprit="deputy", proof=True), "keep both files and show them to everybody: Flo's"),
        (broken(culprit="deputy"), "Flo signed this file: send this line to Flo, and ask"),
        (broken(culprit="referee"), "Rhea signed this file: send this line to Rhea, and ask"),
        (broken(culprit="seat b"), "ask seat b, whose key signed this file"),
        (broken(reason="parent"), "let the folder sync, or ask another player"),
        (broken(reason="version"), "install the version of pbem"),
        (broken(reason="signature"), "get the file again from another player"),
        (broken(reason="canonical"), "get the file again from another player"),
        (broken(reason="chain"), ""),
    ],
)
def test_the_audit_says_what_to_do_about_each_finding(finding, cure):
    said = next_step_for(Report(referee="Rhea", deputy="Flo"), finding)
    assert said.startswith(cure)
    assert bool(said) is bool(cure)
    plain = report_as_json(Report(referee="Rhea", deputy="Flo", findings=[finding]))["findings"][0]
    assert plain["next"] == said
    for name in ("grade", "path", "reason", "sentence", "culprit", "turn", "proof", "exit"):
        assert plain[name] == getattr(finding, name)


# ---------------------------------------------------------------- where a turn may stop
@pytest.mark.parametrize(
    ("question", "stops"),
    [
        (Decision("a", "reveal", lambda: ("a1 is x", "a1 is y"), fact=True), False),
        (Decision("*", "die", lambda: ("1", "2")), False),
        (Decision("a", "feed", lambda: ("a1 eats",)), False),
        (Decision("a", "feed", lambda: ("a1 eats", "a2 eats")), True),
    ],
    ids=["fact", "chance", "forced", "choice"],
)
def test_a_turn_that_stops_where_nobody_must_be_asked_is_refused(finished, question, stops):
    table = SimpleNamespace(pending=[("1.feed.feed.a.0", question)], over=False)
    asked = () if question.seat == CHANCE else (Awaited(question.seat, (question.kind,)),)
    turn = replace(finished.turns[2].content, awaited=asked, over=False)
    with pytest.raises((RecordError, AttributeError)) as caught:  # this table shows nothing
        check_end(
            turn,
            table,
            Standing(finished.charter.content, {}),
            absence_of(finished.charter.content, finished.joins),
            finished.turns[1].content.deadline,
            {},
        )
    told = "the turn stops too early: no player has anything to decide"
    assert (getattr(caught.value, "sentence", "") == told) is not stops
