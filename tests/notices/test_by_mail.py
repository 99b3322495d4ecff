"""A new player who has no shared folder: the game comes by mail, and the join goes back by mail."""

from tests.kit.people import Round, Said
from tests.kit.timed_games import answer_with_card, begin_two, invite_line, status_data


def test_a_new_player_joins_and_plays_by_mail(table: Round) -> None:
    rhea = begin_two(table, "24h")
    assert table.person("bo").pbem("notice leave -C savannah --yes").exit == 0
    answer_with_card(table, "a")
    assert rhea.pbem("advance -C savannah").exit == 0
    flo = table.person("flo")
    flo.place = flo.home.parent / "far"
    flo.place.mkdir()

    def receive(text: str) -> Said:
        (flo.place / "mail.pbem").write_text(text)
        return flo.pbem("receive mail.pbem -C savannah")

    assert receive(rhea.pbem("send -C savannah --all --to b --paste").out).exit == 0
    line = ["join", "-C", "savannah", "--name", "Flo", "--invite", invite_line(rhea, "b")]
    step = "next: pbem send, then mail the referee the file that it wrote"
    assert step in flo.pbem(line).out
    assert flo.pbem("status -C savannah").out.splitlines()[-1] == step
    sent = flo.pbem("send -C savannah --paste")
    assert step not in flo.pbem("status -C savannah").out
    assert sent.exit == 0, sent.text
    (rhea.home / "mail.pbem").write_text(sent.out)
    said = rhea.pbem(["receive", "-C", "savannah", str(rhea.home / "mail.pbem")])
    assert "1 join" in said.out, said.text
    assert rhea.pbem("advance -C savannah").exit == 0
    assert receive(rhea.pbem("send -C savannah --to b --paste").out).exit == 0
    data = status_data(flo)
    assert (data["seat"], data["seats"]["b"]["name"]) == ("b", "Flo")
    assert flo.pbem("audit savannah --as b").exit == 0
