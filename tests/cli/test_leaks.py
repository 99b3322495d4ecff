"""No output holds what a seat hides: neither for other seats nor for who looks on."""

import re
from collections.abc import Callable, Iterator

import pytest

from tests.kit.named_games import session_of
from tests.kit.people import Round

Start = Callable[[str], Round]
ASKED = ("show", "log", "status", "check -", "show --json", "log --json", "status --json", "audit")


@pytest.fixture(params=(1, 2, 3, 4, 6, 9))
def early(request: pytest.FixtureRequest, game: Start) -> Round:
    """The game as it lay there after one of its first turns."""
    table = game("middle")
    folder = table.shared / "savannah"
    for path in [*(folder / "turns").iterdir(), *(folder / "orders").iterdir()]:
        if int(path.name[:4]) > request.param:
            path.unlink()
    for memory in table.root.glob("home/*/games/*/heads.toml"):
        memory.unlink()  # nobody has seen a later turn
    return table


def hidden_cards(table: Round, seat: str) -> list[str]:
    """What only this seat may know: its hand and its cards that lie face down."""
    person = table.person({"a": "ann", "b": "bo"}[seat])
    mine = session_of(person, seat).view(True).table
    theirs = session_of(table.person("eve")).view(True).table
    place, seen = (next(p for p in t.game.ruleset.scene(t.state).places if p.seat == seat)
                   for t in (mine, theirs))  # fmt: skip
    known = text_without_underscores(
        " ".join(str(part) for part in (seen.hand, seen.facts, seen.pieces))
    )
    texts = text_without_underscores(
        " ".join(str(part) for part in (place.hand, place.facts, place.pieces))
    )
    return [card for card in cards_in(texts) if card not in known]


def text_without_underscores(text: str) -> str:
    return text.replace("_", " ")


def cards_in(text: str) -> Iterator[str]:
    return (found[0] for found in re.finditer(r"[a-z]+(?: [a-z]+)? -?\d+", text))


def open_cards(table: Round) -> str:
    """All that anybody may read of the game: such a card may be in a hand a second time."""
    eve = session_of(table.person("eve")).view(True)
    scene = eve.table.game.ruleset.scene(eve.table.state)
    return text_without_underscores(f"{scene} {[entry.text for entry in eve.log]}")


@pytest.mark.sample(1)
def test_no_command_tells_another_player_or_a_spectator_a_hidden_card(early: Round) -> None:
    table, seen = early, open_cards(early)
    for seat, other in (("a", "bo"), ("b", "ann")):
        own = session_of(table.person(other)).view(True)
        also = text_without_underscores(
            f"{own.table.game.ruleset.scene(own.table.state)} {own.log}"
        )
        secret = [card for card in hidden_cards(table, seat) if card not in seen]
        for who in (other, "eve"):
            for line in ASKED:
                where = "savannah" if line == "audit" else "-C savannah"
                said = table.person(who).pbem(f"{line} {where}")
                told = text_without_underscores(said.text)
                leaks = [card for card in secret if card in told]
                assert not [card for card in leaks if who == "eve" or card not in also], line


def test_each_seat_of_the_leak_test_hides_three_cards_or_more(game: Start) -> None:
    table = game("begun")
    for seat in "ab":
        assert len(hidden_cards(table, seat)) >= 3
