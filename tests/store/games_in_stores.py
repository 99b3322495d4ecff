"""Games of Ann and Bo in a store, which Rhea deals."""

import re

from tests.kit.people import Person, Round, Said
from tests.store.places import InStore

SEATS = {"a": "ann", "b": "bo"}


def make_in_store(table: Round, bucket: InStore) -> list[str]:
    """A new game of Ann and Bo; returns the commands that the referee is told to send them."""
    line = f"new {bucket.address} --players Ann,Bo --referee Rhea --game origin --wait-for-all"
    said = table.person("rhea").pbem(f"{line} --deadline 24h --table {'5eed' * 8}").checked(0)
    assert f"made {bucket.address} (origin, 2 seats)" in said.out
    assert f"next: pbem advance --watch -C {bucket.address}" in said.out
    return re.findall(r"pbem (join .*)", said.out)


def join_in_store(table: Round, bucket: InStore) -> None:
    for name, line in zip(SEATS.values(), make_in_store(table, bucket), strict=True):
        table.person(name).pbem(line).checked(0)


def advance_in_store(who: Person, bucket: InStore, **env: str) -> Said:
    return who.pbem(f"advance -C {bucket.address}", **env)
