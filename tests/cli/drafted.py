"""The draft of a person's orders."""

import re
from pathlib import Path

from tests.kit.people import Person


def draft_text(person: Person) -> str:
    """The draft of a person's orders."""
    return Path(printed_by(person, "orders").splitlines()[0]).read_text("utf-8")


def offered_choices(person: Person) -> list[str]:
    """The choices that the draft of the orders offers as comments."""
    return re.findall(r'^    # "([^"]*)"', draft_text(person), re.M)


def printed_by(person: Person, line: str) -> str:
    return person.pbem(f"{line} -C savannah").out
