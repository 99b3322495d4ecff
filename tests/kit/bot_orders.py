"""Orders that a bot gives for a person who is asked.

For example:

    ann = asked_person(game("middle"))
    assert " = [" in order_file(ann)  # as she could type it
    hand_in(ann)
"""

import json

from pbem.acts.advance import bot_texts
from tests.kit.named_games import session_of
from tests.kit.people import Person, Round, Said

WHOLE = """develop = ["pass"]
feed = ["prey first, then whom a token helps most"]
also = ["whatever still feeds somebody"]
defend = ["run, else lose a card, else mimicry"]
scavenge = ["whom it helps most"]
share = ["whom it helps most"]
"""
"""Orders for a whole round of origin."""


def order_file(person: Person, seat: str = "") -> str:
    """Orders that answer everything, as a bot would."""
    session = session_of(person, seat)
    lines = bot_texts(session.readers.seat_now(session.seat), "greedy")
    kinds: dict[str, list[str]] = {}
    for line in lines:
        kind, _, text = line.partition(": ")
        kinds.setdefault(kind, []).append(text)
    return "".join(f"{kind} = {json.dumps(texts)}\n" for kind, texts in kinds.items())


def hand_in(person: Person, typed: str | None = None) -> Said:
    """Hand in orders: these, or those of a bot; the turn is made later."""
    said = person.pbem(
        "submit --no-advance -C savannah -", order_file(person) if typed is None else typed
    )
    assert said.exit == 0, said
    return said


def status_text(person: Person) -> str:
    return person.pbem("status -C savannah").out


def asked_person(table: Round) -> Person:
    """Whoever is asked in the game."""
    for name in ("ann", "bo"):
        said = table.person(name).pbem("status -C savannah --json")
        data = json.loads(said.out)["data"]
        if data["seats"][data["seat"]]["asked"]:
            return table.person(name)
    raise AssertionError("nobody is asked")
