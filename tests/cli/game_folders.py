"""Games whose folder somebody changes: who has answered, and where the turns lie."""

from pathlib import Path

from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn
from tests.kit.named_games import MIDDLE, SEATS, answer_as_bot, made, session_of, sit
from tests.kit.people import Person, Round
from tests.kit.record_files import record_at

HOUR = 3600


def turn_file_path(table: Round, number: int) -> Path:
    return table.shared / f"savannah/turns/{number:04}.toml"


def turn_file_text(table: Round, number: int) -> str:
    return turn_file_path(table, number).read_text("ascii")


def seal_first_choice(person: Person, **env: str) -> str:
    """Seal the first legal choice; the id's first digits."""
    draft = Path(person.pbem("orders --new -C savannah", **env).out.strip())
    typed = draft.read_text("utf-8").replace("    # ", "    ", 1)
    said = person.pbem("submit --no-advance -C savannah -", typed, **env).checked(0)
    return said.out.partition("SEALED here as ")[2][:6]


def begin_with_bot(table: Round, options: str = "") -> Record[Turn]:
    """A game in which the referee plays and a bot does, after turn 1, and Bo has answered it."""
    made(table, f"--players Rhea,Bo --referee-plays --bots greedy:1 {options}")
    sit(table, "b")
    rhea = table.person("rhea")
    rhea.pbem("advance -C savannah")
    seal_first_choice(rhea)
    assert rhea.pbem("advance -C savannah").exit == 0
    seal_first_choice(table.person("bo"))
    return record_at(turn_file_path(table, 1))


def answer_middle(table: Round) -> Path:
    """Everybody has answered the last turn of `middle`; the place of the next one."""
    for seat in "ab":
        answer_as_bot(session_of(table.person(SEATS[seat])), seat)
    return turn_file_path(table, MIDDLE + 1)
