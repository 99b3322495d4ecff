"""What an audit's report says, fact by fact, and its exit code."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pbem.files.signed_and_seen import Sighting
from pbem.format.record_error import EXIT
from pbem.judge.audit_report import FINDINGS, REFEREE, CertifiedJoin, Finding, Report
from pbem.judge.evidence_from_own_machine import DroppedNotice, Unseated, Witness
from pbem.judge.order_fates import OrderFate, OrderHistory, OrderSet, fate_of
from pbem.judge.referee_or_deputy import Maker
from pbem.records.twelve_words import words_of
from pbem.wording.certificate import headline, next_step_for, report_as_json, statement
from pbem.wording.machine_evidence import (
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
TOLD = "Nobody can prove that Rhea did not tell anybody hidden information."
BOTS = (
    "Bots played c (greedy). Rhea has the keys of the bots, and the bots added no secret to the "
    "shuffle."
)
MEND = "who can mend the game: anybody whose files are complete, if they send you the game again"
COUNTS = "3 turns, 4 sets of orders, 1 die, 129 cards that nobody could swap unnoticed."


def test_a_proven_game():
    assert statement(WHOLE) == [COUNTS, PROVEN, KEYS, TOLD, BOTS]
    assert (WHOLE.proven, WHOLE.exit, headline(WHOLE)) == (True, 0, "PROVEN: 3 turns")
    assert WHOLE.words == words_of(HEAD)
    assert not WHOLE.referee_played


def test_numbers_of_one_and_of_others():
    broken = statement(replace(WHOLE, findings=[BROKEN]))[0]
    assert broken == "3 turns, 4 sets of orders, 1 die, 129 cards."
    few = replace(WHOLE, turns=1, orders=1, dice=2, cards=1)
    assert (
        statement(few)[0]
        == "1 turn, 1 set of orders, 2 dice, 1 card that nobody could swap unnoticed."
    )
    assert headline(few) == "PROVEN: 1 turn"
    none = replace(WHOLE, turns=0, orders=0, dice=0, cards=0)
    assert statement(none)[0] == "0 turns, 0 sets of orders, 0 dice, 0 cards."


@pytest.mark.parametrize(
    ("changes", "verdict", "far"),
    [
        (
            {"final": False},
            "RIGHT SO FAR: everything that pbem can check up to turn 3; final.toml is missing",
            (
                "Up to turn 3, everything that pbem can check is right. The game is not proven, "
                "because final.toml is missing: that file opens everything hidden."
            ),
        ),
        (
            {"over": False, "final": False},
            "RIGHT SO FAR: everything that pbem can check up to turn 3; the game is not over",
            (
                "Up to turn 3, everything that pbem can check is right. The game is not proven "
                "yet, because pbem can check the hidden parts only when the game is over."
            ),
        ),
        (
            {"over": False},
            "RIGHT SO FAR: everything that pbem can check up to turn 3; the game is not over",
            (
                "Up to turn 3, everything that pbem can check is right. The game is not proven "
                "yet, because pbem can check the hidden parts only when the game is over."
            ),
        ),
        (
            {"findings": [replace(BROKEN, turn=1)], "final": False, "last_turn": 3},
            f"DAMAGED: no turn is certain to be right; one thing is wrong; {MEND}",
            "No turn is certain: one thing is wrong.",
        ),
        (
            {"findings": [replace(BROKEN, turn=3)], "final": False, "last_turn": 7},
            f"DAMAGED: everything public is correct up to turn 2; one thing is wrong; {MEND}",
            (
                "Turns 1 to 2: the public part is right, but not proven. Turns 3 to 7 are not "
                "certain: one thing is wrong."
            ),
        ),
        (
            {"findings": [replace(BROKEN, path="final.toml")], "final": False, "last_turn": 3},
            f"DAMAGED: everything public is correct up to turn 3; one thing is wrong; {MEND}",
            (
                "Turns 1 to 3: the public part is right, but not proven, because final.toml does "
                "not open the game. One thing is wrong."
            ),
        ),
        (
            {"findings": [replace(BROKEN, turn=3)], "last_turn": 3},
            f"DAMAGED: everything public is correct up to turn 2; one thing is wrong; {MEND}",
            (
                "Turns 1 to 2: everything is right, also the hidden part. Turn 3 is not certain: "
                "one thing is wrong."
            ),
        ),
        (
            {"findings": [BROKEN, BROKEN], "turns": 0},
            f"DAMAGED: no turn is certain to be right; 2 things are wrong; {MEND}",
            "No turn is certain: 2 things are wrong.",
        ),
    ],
)
def test_a_game_that_is_not_proven(changes, verdict, far):
    report = replace(WHOLE, **changes)
    assert (headline(report), statement(report)[1], report.proven) == (verdict, far, False)
    assert (KEYS in statement(report)) is ("findings" not in changes)


def test_without_a_charter_nothing_was_audited():
    empty = Report(findings=[BROKEN])
    assert statement(empty) == [
        "Nothing was checked, because pbem cannot read the game.toml of this game."
    ]
    assert (empty.words, empty.exit, empty.proven) == ([], 4, False)
    for name in ("turns", "orders", "dice", "cards", "messages", "waiting"):
        assert getattr(empty, name) == 0
    assert (empty.over, empty.final, empty.told) == (False, False, None)


def test_words_that_somebody_read_out():
    same = "The words that you gave are the words of turn 3: both of you have the same game."
    assert statement(replace(WHOLE, told=3))[2] == same
    older = (
        "The words that you gave are the words of turn 0: up to that turn, both of you have the "
        "same game. "
    )
    older += "Ask for the words of the last turn too, because later turns could differ."
    assert statement(replace(WHOLE, told=0))[2] == older


def test_who_determined_the_decks_order():
    def dealt(**changes):
        return statement(replace(WHOLE, **changes))[1].partition(" is right. ")[2]

    together = (
        "The secret shares of Rhea and Bo together determined the deck's order. Nobody could "
        "choose the order, unless Rhea and the player who joined last worked together."
    )
    assert dealt(plays=("a", "c")) == together
    alone = "Rhea alone determined the deck's order: no other person plays."
    assert dealt(plays=("a", "b", "c")) == alone


def test_a_referee_who_played():
    played = "Rhea dealt and played (a, b), and could see every hand."
    report = replace(WHOLE, plays=("c", "b", "a"))
    assert report.referee_played
    assert statement(report)[2] == played
    assert not replace(WHOLE, plays=("e", "c")).referee_played, "nobody took that seat"


def test_bots_that_played():
    two = statement(replace(WHOLE, names={"d": "D", "c": "C", "a": "Ann"}))[-1]
    assert two.startswith("Bots played c (greedy), d (random). Rhea has the keys of the bots")
    assert statement(replace(WHOLE, bots={"d": "random"}, plays=()))[-1] == TOLD


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "1 message, signed by its writer. Messages are not a part of the game."),
        (2, "2 messages, signed by their writers. Messages are not a part of the game."),
    ],
)
def test_messages_are_counted(count, said):
    assert statement(replace(WHOLE, messages=count))[4] == said


def test_seats_that_rest_on_the_referees_word():
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
            "4e4e4e, because it has a key of the referee: one key cannot have two seats."
        ),
    ]


@pytest.mark.parametrize(
    ("turns", "differing", "signed"),
    [
        (
            [4],
            "the deadline of turn 4 is at a slightly different time.",
            "the deadline that Rhea signed is valid.",
        ),
        (
            [4, 9],
            "2 deadlines, the first in turn 4, are at slightly different times.",
            "the deadlines that Rhea signed are valid.",
        ),
        (
            [4, 5, 6],
            "3 deadlines, the first in turn 4, are at slightly different times.",
            "the deadlines that Rhea signed are valid.",
        ),
    ],
)
def test_deadlines_by_other_time_zone_data(turns, differing, signed):
    said = statement(replace(WHOLE, other_zones=turns))[2]
    assert said.startswith(f"With the time zone data of this computer, {differing}")
    assert said.endswith(f"Versions of such data can differ so much, so {signed}")


# ------------------------------------------------------------------ findings
def finding(grade: str, reason: str = "chain", **rest) -> Finding:
    return Finding(grade, "x", reason, "told", **rest)


def test_the_exit_code_is_that_of_the_worst_finding():
    assert [finding(grade).exit for grade in ("broken", "ask", "stray", "foreign")] == [4, 1, 0, 0]
    assert FINDINGS == 1
    for reason, code in EXIT.items():
        assert finding("broken", reason).exit == code

    def exit_of(*findings):
        return Report(findings=list(findings)).exit

    assert exit_of() == exit_of(finding("stray"), finding("foreign")) == 0
    assert exit_of(finding("stray"), finding("ask")) == 1
    assert exit_of(finding("broken", "parent"), finding("broken", "state")) == 3
    assert exit_of(finding("broken", "parent"), finding("ask")) == 1
    assert exit_of(finding("broken", "version"), finding("broken", "chain")) == 6
    assert Report(findings=[finding("ask"), BROKEN]).broken == [BROKEN]


def test_what_to_do_about_a_finding():
    def step(grade="broken", reason="chain", **rest):
        report = Report(referee="Rhea", deputy="Flo")
        return next_step_for(report, finding(grade, reason, **rest))

    again = (
        "get the file again from another player; if their copy is the same, ask the person "
        "who signed the file"
    )
    assert step("stray", culprit=REFEREE) == step("foreign", culprit="seat a", proof=True) == ""
    both = "keep both files and show them to everybody: Rhea's key signed both"
    assert step(culprit=REFEREE, proof=True) == both
    assert step(culprit="deputy", proof=True) == both.replace("Rhea", "Flo")
    signed = "Rhea signed this file: send this line to Rhea, and ask for an explanation"
    assert step(culprit="referee") == signed
    assert step(culprit="deputy") == signed.replace("Rhea", "Flo")
    assert step(culprit="seat b") == "ask seat b, whose key signed this file"
    assert (
        step(reason="parent") == "let the folder sync, or ask another player to run pbem send --all"
    )
    assert step(reason="version") == "install the version of pbem that the referee uses"
    told = {reason for reason in EXIT if step(reason=reason) == again}
    assert told == {
        "size", "file", "name", "trailer", "signature", "grammar", "canonical", "field", "place",
        "key",
    }  # fmt: skip
    assert {reason for reason in EXIT if not step(reason=reason)} == {
        *EXIT, "parent", "version",
    } - told - {"parent", "version"}  # fmt: skip


AS_DATA = {
    "title": "Savannah",
    "ruleset": "evolution",
    "referee": "Rhea",
    "removed": [],
    "by_mail": {},
    "for_open_seats": {},
    "deputy": "",
    "notices": [],
    "game": HEAD.hex(),
    "names": {"a": "Ann", "b": "Bo", "c": "bot c"},
    "plays": ["c"],
    "bots": {"c": "greedy", "d": "random"},
    "by_word": [{"seat": "a", "name": "Ann", "digits": "1b1b1b", "counts": True, "shares": ""}],
    "left_out": [
        {"seat": "b", "name": "Bo", "digits": "2c2c2c", "counts": False, "shares": "seat a"}
    ],
    "turns": 3,
    "verdict": "PROVEN",
    "certain": 3,
    "by_default": {},
    "orders": 4,
    "dice": 1,
    "cards": 129,
    "heads": ["00" * 32, HEAD.hex()],
    "words": words_of(HEAD),
    "other_zones": [7],
    "over": True,
    "final": True,
    "proven": True,
    "told": 3,
    "waiting": 5,
    "messages": 6,
    "referee_played": False,
    "seat": "",
    "remembered": 0,
    "saw": 0,
    "findings": [
        {
            "grade": "ask",
            "path": "x",
            "reason": "chain",
            "sentence": "told",
            "culprit": "referee",
            "turn": 2,
            "proof": True,
            "exit": 1,
            "next": "keep both files and show them to everybody: Rhea's key signed both",
        }
    ],
    "exit": 1,
}
"""The report below; its statement is compared in the test."""


def test_the_report_as_data():
    asked = finding("ask", culprit="referee", turn=2, proof=True)
    word = CertifiedJoin("a", "Ann", "1b1b1b", counts=True)
    left = CertifiedJoin("b", "Bo", "2c2c2c", counts=False, shares="seat a")
    report = replace(
        WHOLE, findings=[asked], by_word=[word], left_out=[left], told=3, waiting=5, messages=6,
        other_zones=[7],
    )  # fmt: skip
    assert report_as_json(report) == {**AS_DATA, "statement": statement(report)}


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
    return fate_of(OrderSet("b", 4, 1, IDENT.hex()), turns, sealed, is_gone=is_gone)


def late_explanation(before: int, *, gone: bool = False) -> str:
    """What the owner of orders for turn 4 is told, sealed so many seconds before turn 5."""
    return explain_fate(fate(saw(before).sealing_times, is_gone=gone))


def test_orders_that_were_dropped_although_they_were_in_time():
    ask = "If you sent them by then, ask Rhea why"
    assert late_explanation(7200) == (
        "as far as this computer can tell, your orders 070707 for turn 4 were in time: you sealed "
        "them at 2027-01-15 06:00 UTC, 2 hours before the date of turn 5. But turn 5 does not list "
        f"the orders. {ask}"
    )
    assert "10 minutes before the date of turn 5. But the file is gone" in late_explanation(
        600, gone=True
    )
    start = "your orders 070707 for turn 4 came too late"
    assert late_explanation(599) == (
        f"{start}, or clocks differ. You sealed the orders 9 minutes before the date of turn 5, "
        "but turn 5 does not list them"
    )
    assert late_explanation(0) == f"{start}: Rhea had made turn 5 without them"
    assert explain_fate(fate({})) == (
        "your orders 070707 answer turn 4, but turn 5 does not list them. If you sent the orders "
        "in time, ask Rhea why"
    )


def test_a_join_that_was_left_out():
    assert saw(7200).unseated(IDENT, MADE) == Unseated(IDENT, 7200)
    assert explain_unseated(Unseated(IDENT, 7200), "Rhea") == (
        "you joined 2 hours before the date of turn 1, but turn 1 does not name your join: ask "
        "Rhea why"
    )
    assert saw(600).unseated(IDENT, MADE) == Unseated(IDENT, 600)
    assert saw(599).unseated(IDENT, MADE) is None
    assert Witness("b", bytes(32)).unseated(IDENT, MADE) is None


def test_a_notice_that_no_turn_lists():
    turn = SimpleNamespace(turn=5, time=MADE)
    dropped = DroppedNotice(IDENT, "leave", 5, 7200)
    assert saw(7200).dropped_notice(IDENT, "leave", turn) == dropped
    assert explain_dropped_notice(dropped, "Rhea") == (
        "you signed a notice (leave) 2 hours before the date of turn 5, but no turn lists the "
        "notice. If you sent the notice by then, ask Rhea why"
    )
    assert saw(600).dropped_notice(IDENT, "leave", turn) == dropped._replace(seconds_early=600)
    assert saw(599).dropped_notice(IDENT, "leave", turn) is None
    assert Witness("b", bytes(32)).dropped_notice(IDENT, "leave", turn) is None


def test_dates_that_do_not_fit_this_clock():
    assert explain_implausible_date(Sighting(3, 7200, MADE), "Rhea") == (
        "turn 3 was not in this folder at 2027-01-15 08:00 UTC, but its date is 2 hours earlier. "
        "Slow mail or sync can be the cause; if yours is quick, ask Rhea why"
    )
    assert explain_implausible_date(Sighting(5, -7200, MADE), "Flo") == (
        "turn 5 was in this folder at 2027-01-15 08:00 UTC, but its date is 2 hours later. If your "
        "clock is right, ask Flo why"
    )
    assert Witness("b", bytes(32)).sits
