"""Somebody new, with nothing but mail, takes over an open seat."""

import pytest

from tests.kit.people import Round, stdout_of
from tests.kit.timed_games import begin_three, invite_line, play_on


@pytest.mark.sample(0)
def test_who_is_invited_to_an_open_seat_is_sent_the_whole_game(table: Round) -> None:
    rhea, cy = begin_three(table), table.person("cy")
    play_on(table, "abc", turns=2)
    assert cy.pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ab", turns=1)
    invite = invite_line(rhea, "c")
    bundle = stdout_of(rhea, "send -C savannah --to c --paste")
    flo = table.person("flo")
    flo.place = flo.shared.parent / "flo"
    flo.place.mkdir()
    (flo.place / "mail.eml").write_text(bundle)
    received = flo.pbem("receive mail.eml")
    assert received.exit == 0, received.text
    flo.place = flo.place / "savannah"
    assert flo.pbem(["join", "--name", "Flo", "--invite", invite]).exit == 0
