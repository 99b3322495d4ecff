"""Into a game and back for another: invites as people paste them, who deals, and a rematch."""

import re
import tomllib

import pytest

from pbem.files.home import Home
from pbem.person.mail_notebooks import MailBook
from tests.kit.named_games import invite, made, sit
from tests.kit.people import Round, stdout_of
from tests.kit.record_files import archive_of


def charter_data(table: Round, name: str) -> dict[str, object]:
    return tomllib.loads((table.shared / name / "game.toml").read_text("utf-8"))


def seat_names(table: Round, name: str) -> list[str]:
    seats = charter_data(table, name)["seats"]
    assert isinstance(seats, list)
    return [seat["name"] for seat in seats]


@pytest.mark.parametrize(
    "typed",
    [
        "join {invite}",
        "join --invite {invite}",
        "join Bo:  pbem join --invite {invite}",
        "join 'Bo:  pbem join --invite {invite}'",
        "join --invite 'Bo:  pbem join --invite {invite}'",
        "join pbem join --invite {invite}",
        "join pbem join {invite}",
        "join Bo: {invite} --name Bob",
        "join -",
    ],
)
def test_an_invite_is_taken_however_it_is_pasted(table: Round, typed: str) -> None:
    made(table)
    bo, line = table.person("bo"), invite(table, "b")
    bo.place = table.shared / "savannah"
    out = stdout_of(bo, typed.format(invite=line), f"  Bo:  pbem join --invite {line}\n")
    assert f"you are {'Bob' if 'Bob' in typed else 'Bo'}, in seat b" in out


def test_the_folder_may_be_typed_beside_the_invite(table: Round) -> None:
    made(table)
    bo = table.person("bo")
    assert "in seat b" in stdout_of(bo, f"join savannah {invite(table, 'b')}")
    again = f"join {invite(table, 'b')}"
    assert "in seat b" in stdout_of(bo, again), "this computer knows where the game is"


def test_whoever_joins_in_a_folder_without_a_game_is_told_of_games_by_mail(table: Round) -> None:
    made(table)
    bo = table.person("bo")
    (bo.place / "notes.txt").touch()
    said = bo.pbem(f"join -C . {invite(table, 'b')}")
    assert "try: if the game came by mail, first type: pbem receive FILE" in said.err


def test_a_command_in_another_folder_names_the_one_game(table: Round) -> None:
    made(table)
    bo = table.person("bo")
    stdout_of(bo, f"join -C savannah {invite(table, 'b')}")
    downloads = bo.home.parent / "Downloads"
    downloads.mkdir()
    there, bo.place = bo.place / "savannah", downloads
    bo.pbem("status").checked(2, err=f"try: cd {there}, where your game is")


def test_the_advice_to_back_up_a_key_is_given_once(table: Round) -> None:
    rhea = table.person("rhea")
    assert "BACK UP" in stdout_of(rhea, "new pond --players Ann,Bo")
    assert "BACK UP" not in stdout_of(rhea, "new lake --players Ann,Bo")
    stdout_of(rhea, "keys new --profile other")
    assert "BACK UP" in stdout_of(rhea, "new sea --players Ann,Bo --profile other")


def test_a_rematch_has_the_same_people_and_rules_and_another_first_player(table: Round) -> None:
    rhea = table.person("rhea")
    typed = "new pond --players Ann,Bo,Cy --referee Rhea --game climate --bots greedy:1"
    stdout_of(rhea, f"{typed} --deadline 'sunday 8pm Berlin' --delays '2 days' --idle-after 4")
    out = stdout_of(rhea, "new pond2 --like pond")
    old, new = charter_data(table, "pond"), charter_data(table, "pond2")
    assert seat_names(table, "pond2") == ["Bo", "Cy", "greedy bot 1", "Ann"]
    same = ("ruleset", "options", "policies", "referee")
    assert {x: new[x] for x in same} == {x: old[x] for x in same}
    assert (new["title"], new["plays"], old["plays"]) == ("pond2", ["c"], ["d"])
    assert out.count("pbem join --invite pond2:") == 3
    assert "you are the referee: you deal the cards" in out
    stdout_of(rhea, "new pond3 --like pond2 --deadline 24h --title 'The third'")
    assert seat_names(table, "pond3") == ["Cy", "greedy bot 1", "Ann", "Bo"]
    third = charter_data(table, "pond3")
    assert (third["title"], third["policies"]["deadline"]) == ("The third", "24h")  # type: ignore[index]
    assert third["policies"]["delays"] == "48h"  # type: ignore[index]


@pytest.mark.sample(0)
def test_in_a_rematch_a_referee_who_plays_changes_seats_too(table: Round) -> None:
    ann = table.person("ann")
    stdout_of(ann, "new pond --players Ann --referee-plays --bots greedy:2")
    assert ann.pbem("advance -C pond").exit == 5, "it is her turn"
    out = stdout_of(ann, "new again --like pond")
    assert seat_names(table, "again") == ["greedy bot 1", "greedy bot 2", "Ann"]
    assert "you are the referee, and you also play, as Ann in seat c" in out
    assert "ready" not in out
    said = ann.pbem("advance -C again")
    assert "your move: you are asked for food" in said.err
    stdout_of(ann, "audit again")


def test_another_player_may_make_the_rematch_and_deals(table: Round) -> None:
    ann, bo = table.person("ann"), table.person("bo")
    out = stdout_of(ann, "new pond --players Ann,Bo,Cy --referee-plays")
    stdout_of(bo, f"join pond {invite_of('Bo', out)}")
    out = stdout_of(bo, "new again --like pond")
    assert seat_names(table, "again") == ["Bo", "Cy", "Ann"]
    assert "you are the referee, and you also play, as Bo in seat a" in out
    assert (charter_data(table, "again")["plays"], charter_data(table, "again")["referee"]) == (
        ["a"],
        "Bo",
    )
    stdout_of(ann, f"join again {invite_of('Ann', out)}")


def invite_of(name: str, out: str) -> str:
    """The invite that `new` printed for a player."""
    return next(x for x in out.splitlines() if x.startswith(f"  {name}:")).split()[-1]


def test_in_a_rematch_players_by_plain_email_keep_their_addresses(table: Round) -> None:
    rhea = table.person("rhea")
    typed = ["new", "pond", "--players", "Ann,Bo <bo@example.org>", "--mail-seats", "Bo"]
    stdout_of(rhea, typed)
    stdout_of(rhea, "new pond2 --like pond")
    assert [seat.get("mail", False) for seat in charter_data(table, "pond2")["seats"]] == [
        True,
        False,
    ]  # type: ignore[attr-defined]
    ident = archive_of(table.shared / "pond2").game.hex()
    assert MailBook(Home(rhea.home).game(ident)).address("a") == "bo@example.org"
    said = table.person("ann").pbem("new mine --like pond").checked(4)
    assert "answers by plain email, and only the referee of the old game has the" in said.err


def test_the_folder_of_a_rematch_is_beside_the_old_one(table: Round) -> None:
    rhea = table.person("rhea")
    stdout_of(rhea, "new pond --players Ann,Bo")
    assert "made pond-2 " in stdout_of(rhea, "new --like pond")
    assert "made pond-3 " in stdout_of(rhea, "new --like pond-2/")
    assert seat_names(table, "pond-3") == ["Ann", "Bo"]
    rhea.pbem("new --like pond").checked(2, err="pond-2 contains a game already")
    rhea.pbem("new").checked(2, err="give a new folder for the game, and the names of the players")
    rhea.place = rhea.home.parent
    assert f"made {table.shared / 'pond-4'} " in stdout_of(rhea, "new --like pond-3")


def test_a_rematch_finds_the_old_game_by_its_title(table: Round) -> None:
    rhea = table.person("rhea")
    stdout_of(rhea, "new pond --players Ann,Bo --title 'Our evening'")
    rhea.place = rhea.home.parent
    stdout_of(rhea, ["new", str(table.shared / "again"), "--like", "Our evening"])
    assert seat_names(table, "again") == ["Bo", "Ann"]


def test_a_rematch_against_bots_is_begun_with_pbem_play_like_the_first_game(table: Round) -> None:
    rhea = table.person("rhea")
    first = stdout_of(rhea, "new solo --players Rhea --referee-plays --bots greedy:2")
    again = stdout_of(rhea, "new solo-2 --like solo")
    assert first.splitlines()[-1] == "next: cd solo && pbem play"
    assert again.splitlines()[-1] == "next: cd solo-2 && pbem play"


def test_a_second_join_for_a_seat_by_one_key_is_refused(table: Round) -> None:
    made(table)
    sit(table, "a")
    bo, line = table.person("bo"), invite(table, "b")
    join = f"join -C savannah {line}"
    stdout_of(bo, f"{join} --name Bobby")
    for typed in (f"{join} --name Bo", f"{join} --contact me@example.org"):
        said = bo.pbem(typed).checked(2)
        assert re.search(r"you have joined seat b already, as Bobby \(join \w{6}\)", said.err)
        assert "join again with --profile NAME, and ask Rhea to accept that join" in said.err
    assert len(list((table.shared / "savannah/seats").glob("b-*"))) == 1
    stdout_of(bo, join)  # the same join again is no second one
    stdout_of(bo, "keys new --profile bo")
    stdout_of(bo, f"{join} --name Bo --profile bo")
    digits = re.search(r"Bo \((\w{6})\)", table.person("rhea").pbem("advance -C savannah").err)[1]
    assert table.person("rhea").pbem(f"advance -C savannah --accept {digits}").exit == 0
    assert "b Bo: MISSING" in stdout_of(table.person("rhea"), "status -C savannah")
