"""Games to begin a test with, made once for all: from a charter alone to a game that is over.

    joined(table)  # Rhea has made the game, Ann and Bo sit
    advance(table)  # Rhea makes turn 1
    bo = session_of(table.person("bo"))
    assert bo.readers.seat("b").chain.turn == 1

Rhea deals, Ann sits in seat a, Bo in seat b; Eve has a key and no seat. With `plays` Rhea sits in a
herself, Bo in b and a bot in c. All keys and the table are fixed, so the cards are always the same.
"""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from pbem.acts.advance import bot_texts, make_next_turn
from pbem.acts.seal_orders import seal_and_write_orders
from pbem.files.home import Home
from pbem.files.process_locks import lock
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import Plan, make_charter
from pbem.person.session import Session
from pbem.records.charter import Charter
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record, make
from tests.kit.people import NOW, TABLE, Person, Round

SEATS = {"a": "ann", "b": "bo", "c": "cy"}
MIDDLE = 14
"""The last turn of the game `middle`."""


def game_id(table: Round) -> str:
    """The id of the game in the shared folder, in hex."""
    return str(Session(table.shared / "savannah").game_folder.game.hex())


def made(
    table: Round, options: str = "--players Ann,Bo --referee Rhea", *, automaton: bool = False
) -> None:
    """A game by the printed rules. Without --deadline the charter says nothing of one, as charters
    once did: there is none. With `automaton` it says that a host deals; Rhea runs it."""
    line = f"new savannah {options} --as-printed --table {TABLE}"
    silent = "--deadline" not in options
    policies = "pbem.acts.new_game.typed_policies"
    dealt = patch("pbem.acts.new_game.make_charter", by_automaton) if automaton else nullcontext()
    with dealt, patch(policies, lambda *_: ({}, [])) if silent else nullcontext():
        said = table.person("rhea").pbem(line)
    assert said.exit == 0, said.text


def by_automaton(plan: Plan, key: SigningKey, table: bytes) -> Record[Charter]:
    """The charter that a host makes which deals."""
    return make_charter(replace(plan, automaton=True), key, table)


def invite(table: Round, seat: str) -> str:
    """The invite line of a seat, as the referee was told it."""
    from pbem.judge.make_signed_records import invite_to

    rhea = session_of(table.person("rhea"))
    return invite_to(rhea.game_folder.charter, rhea.refereeing.key(), seat).line()


def joined(table: Round) -> None:
    made(table)
    for seat in "ab":
        sit(table, seat)


def session_at(location: Path | str, person: Person, seat: str = "") -> Session:
    """A person's session with the game at a folder, or at the address of a store or a host."""
    return Session(location, seat, home=Home(person.home))


def answer_as_bot(session: Session, seat: str, more_lines: Sequence[str] = ()) -> bool:
    """Seal the orders of a bot if the seat is asked, whether or not it has answered before."""
    session.refresh()
    if not (session.listing.reached or seat in session.roles.referee_seats):
        return False
    reader = session.readers.seat_now(seat)
    if seat not in reader.chain.awaited or reader.chain.is_over:
        return False
    seal_and_write_orders(session, reader, seat, [*bot_texts(reader, "greedy"), *more_lines])
    return True


def answer_once_as_bot(session: Session, seat: str) -> bool:
    """The same, but only if no orders of the seat for the last turn are here."""
    session.refresh()
    names = [file.name for file in session.listing.orders if file.name.seat == seat]
    if any(name.turn == session.listing.reached for name in names):
        return False
    return answer_as_bot(session, seat)


def seal_lines(session: Session, seat: str, lines: Sequence[str]) -> Record[Orders]:
    """Seal these lines as the seat's next orders."""
    return seal_and_write_orders(session, session.readers.seat(seat), seat, lines)


def sit(table: Round, seat: str, name: str = "") -> Person:
    person = table.person(name or SEATS[seat])
    said = person.pbem(["join", "-C", "savannah", "--invite", invite(table, seat)])
    assert said.exit == 0, said.text
    return person


def begun(table: Round) -> None:
    advance(table)


def middle(table: Round) -> None:
    play(table, MIDDLE)


def over(table: Round) -> None:
    play(table)


def last_turn(table: Round) -> None:
    """All orders are here that the last turn needs."""
    folder = table.shared / "savannah"
    (folder / "final.toml").unlink()
    max((folder / "turns").iterdir()).unlink()
    for memory in table.root.glob("home/*/games"):  # nobody has seen that turn
        shutil.rmtree(memory)


def timed(table: Round) -> None:
    """A game with a deadline that players may put off, asked by turn 1."""
    made(table, "--players Ann,Bo --referee Rhea --deadline 24h --delays '3 days'")
    for seat in "ab":
        sit(table, seat)
    advance(table)


def plays(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee-plays --bots greedy:1")
    sit(table, "b")


def other_rules(table: Round) -> None:
    """A game by a version of the rules that is not installed."""
    made(table)
    rhea = session_of(table.person("rhea"))
    content = replace(rhea.game_folder.charter.content, version="99")
    other = make(content, rhea.refereeing.key())
    (table.shared / "savannah" / "game.toml").write_bytes(other.file)
    for seat in "ab":
        sit(table, seat)


def demo(table: Round) -> None:
    """What `pbem demo --seed 1 --ask` leaves."""
    said = table.person("ann").pbem("demo --players 2 --seed 1 --ask --folder one")
    assert said.exit == 0, said.text


EVERY: dict[str, Callable[[Round], None]] = {
    f.__name__: f
    for f in (made, joined, begun, middle, last_turn, over, timed, plays, other_rules, demo)
}
BEFORE = {"begun": "joined", "middle": "begun", "over": "middle", "last_turn": "over"}
"""The game from which each of these goes on."""


# ---------------------------------------------------------------- playing on
def session_of(person: Person, seat: str | None = None) -> Session:
    return session_at(person.shared / "savannah", person, seat)


def advance(table: Round, **options: object) -> None:
    """A turn by the referee; his clock stands still."""
    assert make_next_turn(session_of(table.person("rhea")), now=NOW, **options).outcome.new_records


def play(table: Round, until: int = 0) -> None:
    """Bots sit in for everybody, by the way that people go, until this turn or the end."""
    rhea = session_of(table.person("rhea"))
    people = {seat: session_of(table.person(SEATS[seat])) for seat in "ab"}
    while True:
        rhea.refresh()
        if until and rhea.listing.reached >= until:
            return
        for seat, session in people.items():
            answer_as_bot(session, seat)
        outcome = make_next_turn(rhea, now=NOW).outcome
        if outcome.is_over:
            return
        assert outcome.new_records, "no turn was made, although everybody has answered"


# ---------------------------------------------------------------- made once
def start(name: str, root: Path, kept: Path) -> Round:
    """A copy of the game of this name at `root`; `kept` holds those that were made already."""
    with _alone(kept / "lock"):
        once = _once(name, kept)
    shutil.copytree(once, root, dirs_exist_ok=True)
    return Round(root)


def _once(name: str, kept: Path) -> Path:
    """Where the game is, which is made if it was not."""
    place, fresh = kept / name, kept / f"{name}.new"
    if not place.exists():
        if name in BEFORE:
            shutil.copytree(_once(BEFORE[name], kept), fresh)
        EVERY[name](Round(fresh))
        for stale in fresh.glob("home/*/games/*/place.toml"):
            stale.unlink()
        fresh.rename(place)
    return place


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Several workers run tests at once; one makes the games, the others wait."""
    while True:
        with lock(path) as is_mine:
            if is_mine:
                yield
                return
        time.sleep(0.05)
