"""The mail with which somebody who has never heard of pbem is invited to a game."""

import re
import shlex

import pytest

from tests.kit.mail_seats import opened_bytes, text_of
from tests.kit.people import Person, Round, stdout_of
from tests.kit.small_mail_servers import BO, mail_host, run_once, use_small_servers
from tests.kit.timed_games import begin_three, invite_line, play_on


def invited(rhea: Person, options: str = "") -> tuple[str, str, bytes]:
    """The text of the mail that Bo gets, and the name and the bytes of the attached file."""
    line = f"new pond --players Ann,Bo --referee Rhea {options}"
    assert rhea.pbem(line).exit == 0
    assert rhea.pbem("post address -C pond b bo@example.org").exit == 0
    with mail_host() as host:
        use_small_servers(rhea, host)
        run_once(rhea)
        (data,) = host.mails(BO)
    mail = opened_bytes(data)
    assert b"--invite pond:b:" in data, "nothing is encoded, so that people can read the source"
    assert mail["Subject"] == "pond: your invitation"
    (attached,) = mail.iter_attachments()
    return text_of(mail), str(attached.get_filename()), attached.get_payload(decode=True)  # type: ignore[return-value]


def test_an_invitation_says_what_the_game_is_and_how_to_get_in(table, tmp_path):
    text, name, data = invited(table.person("rhea"), "--deadline 'sunday 8pm Berlin'")
    flat = " ".join(text.split())
    told = [
        "Rhea invites you to a card game, Evolution (the game by North Star Games",
        ". The other players: Ann.", "a turn takes you a few minutes",
        ". The deadline of each turn: sun 20:00 Europe/Berlin, at least 12h. ",
        "“How to play” at the top of the game's page teaches them, and so does `pbem explain",
        "To get in, install pbem, and type the lines below.",
        "You need pbem, a free program for Linux, macOS and Windows, with Python 3.11 or newer.",
        "pbem is not in the Python package index yet: Rhea can send you the file pbem-",
        'pipx install "./pbem-', f"save the attached file, and type: pbem receive {name}",
        "so show the line to nobody: pbem join --invite pond:b:", "Or type only: pbem table.",
    ]  # fmt: skip
    places = [flat.index(one) for one in told]
    assert places == sorted(places)

    bo = table.person("bo")
    bo.place = tmp_path / "somewhere"
    bo.place.mkdir()
    (bo.place / name).write_bytes(data)
    assert bo.pbem(["receive", name]).exit == 0
    (line,) = re.findall(r"^ +pbem (join .+)$", text, re.MULTILINE)
    said = stdout_of(bo, shlex.split(line))
    assert "you are Bo, in seat b" in said, "also outside the game's folder"


def test_a_game_without_a_deadline_says_so(table: Round) -> None:
    text, _, data = invited(table.person("rhea"), "--deadline never --game origin")
    assert ". There is no deadline. You need not know the rules" in " ".join(text.split())
    assert "The Origin of Species" in text
    assert "You need pbem, a free program" in data.decode(), "the attached file says it too"


@pytest.mark.parametrize("joined", [False, True])
def test_a_bundle_says_how_to_get_pbem_until_its_reader_has_it(table: Round, joined: bool) -> None:
    rhea, bo = table.person("rhea"), table.person("bo")
    out = rhea.pbem("new pond --players Ann,Bo").out
    line = next(x for x in out.splitlines() if x.startswith("  Bo:"))
    if joined:
        assert bo.pbem(["join", "-C", "pond", line]).exit == 0
    said = stdout_of(rhea, "send -C pond --to b --all --paste")
    assert ("You need pbem, a free program" in said) is not joined
    assert ('pipx install "./pbem-' in said) is not joined


@pytest.mark.sample(0)
def test_who_is_invited_to_an_open_seat_is_mailed_the_whole_game(table: Round) -> None:
    rhea, cy, flo = begin_three(table), table.person("cy"), table.person("flo")
    play_on(table, "abc", turns=1)
    assert cy.pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ab", turns=1)
    invite = invite_line(rhea, "c")
    assert rhea.pbem("post address -C savannah c bo@example.org").exit == 0
    with mail_host() as host:
        use_small_servers(rhea, host)
        run_once(rhea)
        (data,) = host.mails(BO)
    flo.place = table.root / "flo-far-away"
    flo.place.mkdir()
    (flo.place / "mail.eml").write_bytes(data)
    assert flo.pbem("receive mail.eml").exit == 0
    assert flo.pbem(["join", "-C", "savannah", "--name", "Flo", "--invite", invite]).exit == 0
