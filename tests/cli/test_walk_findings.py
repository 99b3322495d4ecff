"""What a folder player, a mail player and a referee who plays met, later."""

import pytest

from tests.kit.named_games import invite, made, sit
from tests.kit.people import Person, Round


def cards_of(person: Person) -> list[str]:
    """The cards that the seat may put at the Watering Hole, as `check` offers them."""
    said = person.pbem("check -C savannah -", "")
    (hint,) = [line for line in said.text.splitlines() if "legal here: " in line]
    return [card for card in hint.split('"') if card[-1:].isdigit()]


def test_join_refuses_the_key_of_a_referee_who_does_not_play(table: Round) -> None:
    made(table)
    words = ["join", "-C", "savannah", "--invite", invite(table, "a")]
    said = table.person("rhea").pbem(words).checked(2, err="this is the referee's key")
    assert "pbem new … --referee-plays" in said.err
    assert not list((table.shared / "savannah").glob("seats/*.toml"))


def test_the_digits_of_a_join_to_accept_may_be_typed_in_capitals(table: Round) -> None:
    made(table)
    sit(table, "a"), sit(table, "b")
    (path,) = (table.shared / "savannah/seats").glob("b-*")
    table.person("rhea").pbem(f"advance -C savannah --accept {path.stem[2:].upper()}").checked(0)


@pytest.mark.parametrize("form", ["{} ({})", "{}({})"])
def test_the_number_of_a_card_may_stand_in_brackets_in_orders(game, form):
    bo = game("begun").person("bo")
    name, _, number = cards_of(bo)[0].rpartition(" ")
    said = bo.pbem("check -C savannah -", f'food = "{form.format(name.title(), number)}"')
    assert (said.exit, f"food: {name} {number} to" in said.out) == (0, True), said.text


def test_an_attack_without_an_attacker_gets_a_hint_about_attacks(game):
    bo = game("begun").person("bo")
    said = bo.pbem("check -C savannah -", 'feed = ["attacks *"]')
    assert (said.exit, "never for a card" in said.text) == (1, False), said.text
    assert '"… attacks …"' in said.text
