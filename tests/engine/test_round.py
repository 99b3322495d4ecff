"""A whole tiny game: who is asked what, in which order, and what the log says of it."""

from __future__ import annotations

import pytest

from engine import ALL, PUBLIC, Entry, Illegal, Misfit, Referee, SeedDealer, Table
from tests.engine.tiny import ALWAYS, TINY, Says

GAME = TINY.game("ab")


def finished_round(**options: str) -> tuple[Referee, Says]:
    says = Says(**ALWAYS)
    referee = Referee(TINY.game("ab", options), SeedDealer(b"one"), viewpoints="ab")
    assert referee.advance(says) == []
    return referee, says


REFEREE, SAYS = finished_round()
LOG = REFEREE.log


def entry_index(key: str) -> int:
    return next(n for n, entry in enumerate(LOG) if entry.key == key)


def table_before(key: str, viewpoint: str = ALL) -> Table:
    return Table(
        GAME,
        viewpoint,
        [entry.masked_for(viewpoint) for entry in LOG[: entry_index(key)]],
        checks_entries=True,
    )


def test_every_question_has_its_key_and_is_settled_in_its_way() -> None:
    assert [(e.key, e.seat, e.by, e.to) for e in LOG] == [
        ("0.open.shuffle.*.0", "*", "chance", ""),
        ("0.open.deal.*.0", "*", "chance", "a"),
        ("0.open.deal.*.1", "*", "chance", "b"),
        ("1.choose.choose.a.0", "a", "line [1]", ""),
        ("1.choose.choose.b.0", "b", "line [1]", ""),
        ("1.eat.eat.a.0", "a", "line [1]", ""),
        ("1.eat.eat.a.1", "a", "forced", "a"),
        ("1.eat.eat.b.0", "b", "line [1]", ""),
        ("1.eat.eat.b.1", "b", "forced", "b"),
        ("1.eat.reveal.a.0", "a", "fact", ""),
    ]


def test_counting_begins_anew_in_each_phase_and_each_round() -> None:
    keys = [entry.key for entry in finished_round(long="yes")[0].log]
    assert len(keys) == len(set(keys)) == 3 + 3 * 7
    assert keys[10:12] == ["2.choose.choose.a.0", "2.choose.choose.b.0"]
    assert keys[-1] == "3.eat.reveal.a.0"


def test_the_settler_is_told_every_entry_and_the_dealer_those_of_chance() -> None:
    assert SAYS.entries == LOG
    again = Referee(GAME, SeedDealer(b"one"), LOG[:2])
    assert [again.advance(Says(**ALWAYS)), again.log] == [[], LOG]  # the deck was followed


def test_every_table_sees_what_it_may() -> None:
    first, second = (REFEREE.full_table.state.hands[seat][0] for seat in "ab")
    assert {first, second} <= {"red", "green"}
    hands = {viewpoint: table.state.hands for viewpoint, table in REFEREE.tables.items()}
    assert hands == {
        ALL: {"a": [first], "b": [second]},
        PUBLIC: {"a": ["?"], "b": ["?"]},
        "a": {"a": [first], "b": ["?"]},
        "b": {"a": ["?"], "b": [second]},
    }
    assert list(REFEREE.tables) == [ALL, PUBLIC, "a", "b"]


def test_a_wave_waits_for_its_last_answer_and_says_who_is_missing() -> None:
    for missing, answers in (("b", {"a_choose": "yes"}), ("a", {"b_choose": "no"}), ("ab", {})):
        says = Says(**answers)
        referee = Referee(GAME, SeedDealer(b"one"))
        open_questions = referee.advance(says)
        assert [key for key, _ in open_questions] == [f"1.choose.choose.{s}.0" for s in missing]
        assert [decision.seat for _, decision in open_questions] == list(missing)
        assert len(referee.log) == len(says.entries) == 3


def test_the_rules_know_the_number_of_the_entry_that_they_hear() -> None:
    said = REFEREE.full_table.state.said
    assert said == [("yes", 3), ("no", 3), ("leaf", 0), ("rest", 0), ("nut", 0), ("rest", 0)]
    assert REFEREE.full_table.entries == len(LOG) == 10


@pytest.mark.parametrize(
    ("key", "by", "reason"),
    [
        ("1.choose.choose.a.0", "chance", "'chance' is not a way to settle this question"),
        ("1.choose.choose.a.0", "fact", "'fact' is not a way to settle this question"),
        ("1.choose.choose.a.0", "line 1", "is not a way to settle a question"),
        ("1.choose.choose.a.0", "line [1] ", "is not a way to settle a question"),
        ("0.open.deal.*.0", "line [1]", "'line .*' is not a way to settle this question"),
        ("0.open.deal.*.0", "fact", "'fact' is not a way to settle this question"),
        ("0.open.deal.*.0", "forced", "'forced' is not a way to settle this question"),
        ("1.eat.reveal.a.0", "forced", "'forced' is not a way to settle this question"),
        ("1.eat.reveal.a.0", "chance", "'chance' is not a way to settle this question"),
    ],
)
@pytest.mark.parametrize("viewpoint", [ALL, PUBLIC, "a", "b"])
def test_an_entry_that_settles_its_question_in_an_impossible_way_is_refused(
    key: str, by: str, reason: str, viewpoint: str
) -> None:
    table = table_before(key, viewpoint)
    with pytest.raises(Illegal, match=reason):
        table.push(LOG[entry_index(key)].masked_for(viewpoint)._replace(by=by))
    table.push(LOG[entry_index(key)].masked_for(viewpoint))


@pytest.mark.parametrize("by", ["line [3]", "line [?]", "always [12]", "default"])
def test_a_choice_is_settled_by_a_line_or_by_default(by: str) -> None:
    key = "1.choose.choose.a.0"
    table_before(key, PUBLIC).push(LOG[entry_index(key)]._replace(by=by))


def test_the_public_table_alone_says_what_is_forced() -> None:
    choice, only = "1.eat.eat.a.0", "1.eat.eat.a.1"
    with pytest.raises(
        Illegal,
        match=r"'forced' is not a way to settle .*: the table offers several options",
    ):
        table_before(choice, PUBLIC).push(LOG[entry_index(choice)]._replace(by="forced"))
    with pytest.raises(
        Illegal,
        match="'default' is not a way to settle this question: the table offers only one option",
    ):
        table_before(only, PUBLIC).push(LOG[entry_index(only)]._replace(by="default"))
    for viewpoint in (ALL, "a"):
        table_before(choice, viewpoint).push(LOG[entry_index(choice)]._replace(by="forced"))
        table_before(only, viewpoint).push(LOG[entry_index(only)]._replace(by="default"))


def test_an_entry_in_the_wrong_place_is_named_with_the_question_asked() -> None:
    wrong = LOG[entry_index("1.eat.eat.b.0")]
    with pytest.raises(
        Misfit,
        match=(
            r"the next question is 1\.eat\.eat\.a\.0, but the next entry answers question "
            r"1\.eat\.eat\.b\.0"
        ),
    ):
        table_before("1.eat.eat.a.0").push(wrong)
    with pytest.raises(Misfit, match=r"entry 1\.eat\.eat\.b\.0 comes after the end of the game"):
        Table(GAME, ALL, LOG).push(wrong)


def test_an_unchecked_table_trusts_the_log() -> None:
    table = Table(GAME, ALL, LOG[: entry_index("1.eat.eat.a.0")])
    table.push(Entry("1.eat.eat.a.0", "a", "a stone", "chance"))
    assert table.state.said[-1] == ("a stone", 0)
    with pytest.raises(Misfit):
        table.push(Entry("1.eat.eat.a.0", "a", "leaf", "line [1]"))


def test_a_referee_checks_the_log_unless_he_is_told_not_to() -> None:
    wrong = LOG[3]._replace(text="maybe")
    with pytest.raises(Illegal, match="'maybe' is not possible"):
        Referee(GAME, SeedDealer(b"one"), [*LOG[:3], wrong])
    trusting = Referee(GAME, SeedDealer(b"one"), [*LOG[:3], wrong], checks_entries=False)
    assert trusting.log[-1] == wrong


def test_a_refused_entry_enters_no_log_and_no_table() -> None:
    referee = Referee(GAME, SeedDealer(b"one"), LOG[:3], viewpoints="ab")
    with pytest.raises(Illegal):
        referee.push(LOG[3]._replace(text="maybe"))
    referee.push(LOG[3])
    assert referee.log == LOG[:4]


def test_play_goes_on_from_a_position() -> None:
    state = GAME.start()
    state.round, state.hands = 1, {"a": ["red"], "b": ["green"]}
    table = Table(GAME, ALL, position=(state, "eat"))
    assert table.keys == ["1.eat.eat.a.0"]
    for text in ("leaf", "rest", "nut", "rest", "the card is red"):
        assert not table.over
        table.take_answer(text)
    assert table.over
    assert table.entries == 5


def test_a_round_from_a_position_is_followed_by_whole_ones() -> None:
    game = TINY.game("ab", {"long": "yes"})
    state = game.start()
    state.round, state.hands = 1, {"a": ["red"], "b": ["green"]}
    table = Table(game, ALL, position=(state, "eat"))
    for text in ("leaf", "rest", "nut", "rest", "the card is red"):
        table.take_answer(text)
    assert table.keys == ["2.choose.choose.a.0", "2.choose.choose.b.0"]
    assert table.state.round == 2


def test_a_position_in_no_phase_is_refused() -> None:
    with pytest.raises(KeyError, match="sleep"):
        Table(GAME, ALL, position=(GAME.start(), "sleep"))


class Noting(SeedDealer):
    """Notes what it is told; deals nothing while it is not ready."""

    ready = True

    def answer(self, key, decision):
        return super().answer(key, decision) if self.ready else None

    def learn(self, decision, text):
        self.told = [*getattr(self, "told", []), text]
        super().learn(decision, text)


def test_the_dealer_is_told_every_chance_and_nothing_else() -> None:
    dealer = Noting(b"one")
    Referee(GAME, dealer, LOG)
    assert dealer.told == [entry.text for entry in LOG[:3]]
    dealer = Noting(b"one")
    Referee(GAME, dealer).advance(Says(**ALWAYS))
    assert dealer.told == [entry.text for entry in LOG[:3]]


def test_a_dealer_that_is_not_ready_is_waited_for() -> None:
    dealer = Noting(b"one")
    dealer.ready = False
    referee = Referee(GAME, dealer)
    assert [key for key, _ in referee.advance(Says())] == ["0.open.shuffle.*.0"]
    assert referee.log == []
    dealer.ready = True
    assert referee.advance(Says(**ALWAYS)) == []
    assert referee.log == LOG


def test_a_referee_checks_what_only_the_public_table_can_see() -> None:
    n = entry_index("1.eat.eat.a.0")
    with pytest.raises(Illegal, match="several options"):
        Referee(GAME, SeedDealer(b"one"), [*LOG[:n], LOG[n]._replace(by="forced")])
