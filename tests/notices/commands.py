"""Commands at another time, and what the folder says after them."""

import re

from tests.kit.people import NOW, Person, Round, output_of


def type_at(person: Person, line: str, now: int = NOW):
    """A command at another time of that person's machine."""
    return person.pbem(f"{line} -C savannah", SOURCE_DATE_EPOCH=str(now))


def turn_text(table: Round, number: int) -> str:
    return (table.shared / f"savannah/turns/{number:04}.toml").read_text()


def deadline_in_text(text: str) -> int:
    found = re.search(r"^deadline = (\d+)$", text, re.MULTILINE)
    assert found
    return int(found[1])


def advance_at(table: Round, now: int = NOW):
    return type_at(table.person("rhea"), "advance", now)


def assert_audit_passes(table: Round) -> None:
    output_of(table.person("rhea"), "audit savannah")
