"""The code with which a player by email takes their seat over: for one person, one time."""

import re
from collections.abc import Callable

import pytest

from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import make_join
from tests.kit.mail_seats import receive, reply, sealed_lines, successful, turn_mail
from tests.kit.named_games import session_of
from tests.kit.people import Person, Round, Said

Game = Callable[[str], Round]
FEED = 'play = ["done"]'


def code(rhea: Person) -> str:
    return re.findall(r"savannah:b:\S+", successful(rhea.pbem("notice invite b -C savannah")).out)[
        0
    ]


def take_seat(person: Person, line: str, name: str = "Bo") -> Said:
    return person.pbem(["join", "-C", "savannah", "--name", name, "--invite", line])


def players(rhea: Person) -> list[str]:
    """Who has taken seat b over, as the log tells it."""
    log = successful(rhea.pbem("log -C savannah")).out
    return re.findall(r"(\w+) takes over seat b", log)


@pytest.mark.sample(0)
def test_a_code_is_used_once(mail_game: Game):
    table = mail_game("second")
    rhea, bo, eve = (table.person(name) for name in ("rhea", "bo", "eve"))
    line = code(rhea)
    assert code(rhea) == line
    successful(take_seat(bo, line))
    successful(rhea.pbem("advance -C savannah"))
    said = take_seat(eve, line, "Eve")
    assert said.exit == 3, said.text
    assert "seat b" in said.err
    session = session_of(rhea)
    late = make_join(session.game_folder.charter, "b", "Eve", SigningKey(bytes(32)), _secret(line))
    session.folder.create(f"seats/b-{late.id.hex()[:6]}.toml", late.file)  # by hand
    successful(table.person("ann").pbem("submit - -C savannah", stdin=FEED))
    successful(bo.pbem("submit - -C savannah", stdin=FEED))
    successful(rhea.pbem("advance -C savannah"))
    assert players(rhea) == ["Bo"]
    successful(bo.pbem("audit savannah"))


def _secret(line: str) -> bytes:
    from pbem.records.invite import parse_invite

    return parse_invite(line).code


def test_if_two_people_use_one_code_the_referee_decides_who_gets_the_seat(mail_game: Game):
    """A stranger who read the code can be faster: neither gets the seat until the referee has asked
    Bo."""
    table = mail_game("second")
    rhea, bo, eve = (table.person(name) for name in ("rhea", "bo", "eve"))
    line = code(rhea)
    successful(take_seat(eve, line, "Eve"))
    take_seat(bo, line)
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 5, said.text
    assert "seat b (Bo) has 2 joins" in said.text
    assert players(rhea) == []
    (right,) = re.findall(r"Bo \(([0-9a-f]{6})\)", said.text)
    successful(rhea.pbem(f"advance -C savannah --accept {right}"))
    assert players(rhea) == ["Bo"]
    for person in (bo, eve):
        assert person.pbem("status -C savannah").exit in (0, 5)


@pytest.mark.long
@pytest.mark.parametrize("secret", [bytes(16), b"\xff" * 16])
def test_a_join_without_the_code_takes_nothing_and_stops_nobody(mail_game: Game, secret: bytes):
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    mail = turn_mail(rhea)
    session = session_of(rhea)
    for number in range(3):
        key = SigningKey(bytes([number]) * 32)
        one = make_join(session.game_folder.charter, "b", "Eve", key, secret)
        session.folder.create(f"seats/b-{one.id.hex()[:6]}.toml", one.file)
    successful(receive(rhea, reply(mail, "10")))
    assert sealed_lines(rhea)
    successful(ann.pbem("submit - -C savannah", stdin=FEED))
    successful(rhea.pbem("advance -C savannah"))
    assert players(rhea) == []
    assert "(by email)" in rhea.pbem("status -C savannah").out


@pytest.mark.long
def test_a_code_counts_after_further_turns_and_not_for_another_seat(mail_game: Game):
    table = mail_game("second")
    rhea, ann, bo = (table.person(name) for name in ("rhea", "ann", "bo"))
    line = code(rhea)
    assert take_seat(bo, line.replace("savannah:b:", "savannah:a:")).exit != 0
    successful(receive(rhea, reply(turn_mail(rhea), "10")))
    successful(ann.pbem("submit - -C savannah", stdin=FEED))
    successful(rhea.pbem("advance -C savannah"))
    successful(take_seat(bo, line))
    successful(rhea.pbem("advance -C savannah"))
    assert players(rhea) == ["Bo"]
