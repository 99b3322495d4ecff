"""What an audit's report says, fact by fact, and its exit code."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pbem.files.signed_and_seen import Sighting
from pbem.format.record_error import EXIT
from pbem.judge.audit_report import REFEREE, CertifiedJoin, Finding, Report
from pbem.judge.evidence_from_own_machine import DroppedNotice, Unseated, Witness
from pbem.judge.order_fates import OrderFate, OrderHistory, OrdersHeader, fate_of
from pbem.judge.referee_or_deputy import Maker
from pbem.records.twelve_words import words_of
from pbem.wording.audit_certificate import headline, report_as_json, statement
from pbem.wording.evidence_from_own_machine import (
    explain_dropped_notice,
    explain_fate,
    explain_implausible_date,
    explain_unseated,
)

HEAD = bytes(range(32))
BROKEN = Finding("broken", "turns/0002.toml", "chain", "is wrong")
WHOLE = Report(
    title="Savannah",
    ruleset="evolution",
    referee="Rhea",
    game=HEAD,
    names={"a": "Ann", "b": "Bo", "c": "bot c"},
    plays=("c",),
    bots={"c": "greedy", "d": "random"},
    turns=3,
    orders=4,
    dice=1,
    cards=129,
    heads=[bytes(32), HEAD],
    over=True,
    final=True,
)
PROVEN = (
    "Proven: every signature, card, die, move and standing order is right. The secret shares of "
    "Rhea, Ann and Bo together determined the deck's order. Nobody could choose the order, unless "
    "Rhea and the player who joined last worked together."
)
KEYS = "The audit checks keys, not people: pbem cannot tell who used a key."
TOLD = "Nobody can check whether Rhea told anybody hidden information."
BOTS = (
    "Bots played seat c (greedy). Rhea has the keys of the bots, and the bots added no secret to "
    "the shuffle."
)
MEND = "to repair the game: ask anybody whose files are complete to send you the game again"
COUNTS = "3 turns, 4 sets of orders, 1 die, 129 cards that nobody could swap unnoticed."


def test_the_certificate_of_a_proven_game_says_what_is_proven_and_who_shuffled():
    assert statement(WHOLE) == [COUNTS, PROVEN, KEYS, TOLD, BOTS]
    assert (WHOLE.proven, WHOLE.exit, headline(WHOLE)) == (True, 0, "PROVEN: 3 turns")
    assert WHOLE.words == words_of(HEAD)
    assert not WHOLE.referee_played


SO_FAR = "RIGHT SO FAR: everything that pbem can check up to turn 3;"
FAR = "Up to turn 3, everything that pbem can check is right. The game is not proven"
GOES_ON = "yet, because pbem can check the hidden parts only when the game is over."
PUBLIC = "DAMAGED: everything public is correct up to turn"
OPENED = "everything is right, also the hidden part"
CLOSED = "the public part is right, but not proven"
NOT_OPENED = "final.toml does not open the hidden part"


@pytest.mark.parametrize(
    ("changes", "verdict", "far"),
    [
        ({"final": False}, f"{SO_FAR} final.toml is missing",
         f"{FAR}, because final.toml is missing: that file opens everything hidden."),
        ({"over": False, "final": False}, f"{SO_FAR} the game is not over", f"{FAR} {GOES_ON}"),
        ({"over": False}, f"{SO_FAR} the game is not over", f"{FAR} {GOES_ON}"),
        ({"findings": [replace(BROKEN, turn=1)], "final": False, "last_turn": 3},
         f"DAMAGED: no turn is certain to be right; one thing is wrong; {MEND}",
         "No turn is certain to be right: one thing is wrong."),
        ({"findings": [replace(BROKEN, turn=3)], "final": False, "last_turn": 7},
         f"{PUBLIC} 2; one thing is wrong; {MEND}",
         f"Turns 1 to 2: {CLOSED}. Turns 3 to 7 are not certain to be right: one thing is wrong."),
        ({"findings": [replace(BROKEN, path="final.toml")], "final": False, "last_turn": 3},
         f"{PUBLIC} 3; one thing is wrong; {MEND}",
         f"Turns 1 to 3: {CLOSED}, because {NOT_OPENED}. One thing is wrong."),
        ({"findings": [replace(BROKEN, turn=3)], "last_turn": 3},
         f"{PUBLIC} 2; one thing is wrong; {MEND}",
         f"Turns 1 to 2: {OPENED}. Turn 3 is not certain to be right: one thing is wrong."),
        ({"findings": [BROKEN, BROKEN], "turns": 0},
         f"DAMAGED: no turn is certain to be right; 2 things are wrong; {MEND}",
         "No turn is certain to be right: 2 things are wrong."),
    ],
)  # fmt: skip
def test_the_certificate_of_an_unproven_game_says_how_far_it_is_right_and_why(
    changes, verdict, far
):
    report = replace(WHOLE, **changes)
    assert (headline(report), statement(report)[1], report.proven) == (verdict, far, False)
    assert (KEYS in statement(report)) is ("findings" not in changes)


def test_the_certificate_names_the_seats_that_bots_played():
    two = statement(replace(WHOLE, names={"d": "D", "c": "C", "a": "Ann"}))[-1]
    assert two.startswith("Bots played seat c (greedy) and seat d (random). Rhea has the keys")
    assert statement(replace(WHOLE, bots={"d": "random"}, plays=()))[-1] == TOLD


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "There is 1 message, signed by its writer;"),
        (2, "There are 2 messages, each signed by its writer;"),
    ],
)
def test_the_certificate_counts_the_messages(count, said):
    sentence = f"{said} messages are not a part of the game."
    assert statement(replace(WHOLE, messages=count))[4] == sentence


def test_the_certificate_names_each_join_that_the_referee_alone_decided_about():
    by_word = [
        CertifiedJoin("", "", "0a0a0a", counts=True),
        CertifiedJoin("a", "Ann", "1b1b1b", counts=True),
        CertifiedJoin("b", "Bob", "2c2c2c", counts=False),
    ]
    left_out = [
        CertifiedJoin("b", "Bea", "3d3d3d", counts=False),
        CertifiedJoin("a", "Abe", "4e4e4e", counts=False, shares="the referee"),
    ]
    names = {"b": "Bo"}
    report = replace(WHOLE, by_word=by_word, left_out=left_out, first_names=names)
    said = statement(report)
    assert said[2:7] == [
        "Rhea alone decided about the join 0a0a0a, and that join is missing from this folder.",
        (
            "Rhea accepted the join 1b1b1b of Ann for seat a, although Ann joined without the "
            "invite. No record says why."
        ),
        (
            "Two people joined seat b with one invite; Rhea accepted Bo, and not the join 2c2c2c "
            "of Bob."
        ),
        (
            "Bea joined seat b with the right invite, but turn 1 does not mention the join "
            "3d3d3d. The join came too late, or Rhea left it out. No record says which of the "
            "two happened."
        ),
        (
            "Abe joined seat a with the right invite, but turn 1 does not mention the join "
            "4e4e4e. One of the join's keys is also a key of the referee, and a key can have only "
            "one seat."
        ),
    ]


@pytest.mark.parametrize(
    ("turns", "differing", "signed"),
    [
        (
            [4],
            "the deadline of turn 4 would be at a slightly different time",
            "the deadline is valid.",
        ),
        (
            [4, 9],
            "2 deadlines, the first in turn 4, would be at slightly different times",
            "the deadlines are valid.",
        ),
        (
            [4, 5, 6],
            "3 deadlines, the first in turn 4, would be at slightly different times",
            "the deadlines are valid.",
        ),
    ],
)
def test_the_certificate_says_which_deadlines_differ_by_this_computers_time_zone_data(
    turns, differing, signed
):
    said = statement(replace(WHOLE, other_zones=turns))[2]
    assert said.startswith(f"According to this computer's time zone data, {differing}")
    assert said.endswith(f"Versions of such data can differ by this much, so {signed}")


# ------------------------------------------------------------------ findings
def finding(grade: str, reason: str = "chain", **rest) -> Finding:
    return Finding(grade, "x", reason, "told", **rest)


def test_each_reason_has_its_exit_code_and_the_worst_counts():
    assert [finding(grade).exit for grade in ("broken", "ask", "stray", "foreign")] == [4, 1, 0, 0]
    assert {reason: finding("broken", reason).exit for reason in EXIT} == EXIT
    for reasons, code in ((("parent", "state"), 3), (("version", "chain"), 6)):
        assert Report(findings=[finding("broken", reason) for reason in reasons]).exit == code
    assert Report(findings=[finding("broken", "parent"), finding("ask")]).exit == 1
    assert Report(findings=[finding("ask"), BROKEN]).broken == [BROKEN]


def test_a_finding_as_data_says_what_it_is_and_what_to_do():
    told = finding("ask", culprit=REFEREE, turn=2, proof=True)
    (data,) = report_as_json(replace(WHOLE, findings=[told]))["findings"]
    next_step = "keep both files and show them to everybody: Rhea's key signed both"
    facts = {name: value for name, value in vars(told).items() if name != "evidence"}
    assert data == facts | {"exit": 1, "next": next_step}


# ------------------------------------------------------------------ what one machine saw
IDENT = bytes([7]) * 32
MADE = 1_800_000_000


def saw(before: int) -> Witness:
    """The machine that sealed the orders so many seconds before the turn."""
    return Witness("b", bytes(32), {IDENT.hex(): MADE - before})


def fate(sealed: dict[str, int], *, is_gone: bool = False) -> OrderFate:
    """What became of orders for turn 4 that turn 5 does not list."""
    turns = OrderHistory(
        heads=["00"] * 6, dates=[*[MADE - 9000] * 4, MADE], settles=[True] * 5, listed_sets={},
        find=lambda _: None, maker=lambda _: Maker(b"", "referee", "Rhea"),
    )  # fmt: skip
    return fate_of(OrdersHeader("b", 4, 1, IDENT.hex()), turns, sealed, is_gone=is_gone)


def late_explanation(before: int, *, gone: bool = False) -> str:
    """What the owner of orders for turn 4 is told, sealed so many seconds before turn 5."""
    return explain_fate(fate(saw(before).sealing_times, is_gone=gone))


def test_the_owner_of_unlisted_orders_reads_whether_they_were_in_time():
    ask = "If you sent them before that date, ask Rhea why"
    assert late_explanation(7200) == (
        "as far as this computer can tell, your orders 070707 for turn 4 were in time: you sealed "
        "them at 2027-01-15 06:00 UTC, 2 hours before the date of turn 5. But turn 5 does not list "
        f"them. {ask}"
    )
    assert "10 minutes before the date of turn 5. But their file is gone" in late_explanation(
        600, gone=True
    )
    assert late_explanation(599) == (
        "turn 5 does not list your orders 070707 for turn 4. You sealed them 9 minutes before the "
        "date of turn 5, so they came too late, or clocks differ"
    )
    assert late_explanation(0) == (
        "your orders 070707 for turn 4 came too late: Rhea had made turn 5 without them"
    )
    assert explain_fate(fate({})) == (
        "your orders 070707 answer turn 4, but turn 5 does not list them. If you sent the orders "
        "in time, ask Rhea why"
    )


def test_who_joined_in_time_reads_that_turn_1_does_not_name_their_join():
    assert saw(7200).unseated(IDENT, MADE) == Unseated(IDENT, 7200)
    assert explain_unseated(Unseated(IDENT, 7200), "Rhea") == (
        "you joined 2 hours before the date of turn 1, but turn 1 does not name your join: ask "
        "Rhea why"
    )
    assert saw(600).unseated(IDENT, MADE) == Unseated(IDENT, 600)
    assert saw(599).unseated(IDENT, MADE) is None
    assert Witness("b", bytes(32)).unseated(IDENT, MADE) is None


def test_the_writer_of_a_notice_in_time_reads_that_no_turn_lists_it():
    turn = SimpleNamespace(turn=5, time=MADE)
    dropped = DroppedNotice(IDENT, "leave", 5, 7200)
    assert saw(7200).dropped_notice(IDENT, "leave", turn) == dropped
    assert explain_dropped_notice(dropped, "Rhea") == (
        "you signed a notice (leave) 2 hours before the date of turn 5, but no turn lists the "
        "notice. If you sent the notice before that date, ask Rhea why"
    )
    assert saw(600).dropped_notice(IDENT, "leave", turn) == dropped._replace(seconds_early=600)
    assert saw(599).dropped_notice(IDENT, "leave", turn) is None
    assert Witness("b", bytes(32)).dropped_notice(IDENT, "leave", turn) is None


def test_the_audit_says_that_the_date_of_a_turn_does_not_fit_this_clock():
    assert explain_implausible_date(Sighting(3, 7200, MADE), "Rhea") == (
        "turn 3 was not in this folder at 2027-01-15 08:00 UTC, but its date is 2 hours earlier. "
        "Slow mail or sync can be the cause; if your mail and sync are quick, ask Rhea why"
    )
    assert explain_implausible_date(Sighting(5, -7200, MADE), "Flo") == (
        "turn 5 was in this folder at 2027-01-15 08:00 UTC, but its date is 2 hours later. If your "
        "clock is right, ask Flo why"
    )
    assert Witness("b", bytes(32)).sits
