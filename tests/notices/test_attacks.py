"""Attacks with notices: by referees who list what does not count, by thieves, by anybody."""

from dataclasses import replace

import pytest

from pbem.judge.notice_kinds import Concede, Delay, HandOver, Leave, NewKey, TakeIn, Vote, Vouch
from pbem.records.notice import DRAW, SCORE
from tests.kit.named_games import invite, session_of
from tests.kit.people import NOW, Round, key_of, output_of
from tests.kit.timed_games import answer_all, answer_with_card, begin_two, play_on, status_data
from tests.notices.forging import chain_heads, forge, put_notice, turn_records, with_listed_notices

THIEF = key_of("thief")
NEW = NewKey(THIEF.public, b"\x50" * 32, bytes(64))


def after_turn_two(table: Round) -> None:
    """Ann and Bo have played turn 2."""
    begin_two(table, "24h")
    play_on(table, "ab", turns=1)


# ------------------------------------------------------------------ a referee who lists too much
@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("writer", "saying", "signer", "told"),
    [
        ("b", Concede(), "rhea", "not signed with the writer's present key"),
        ("b", Leave(), "ann", "not signed with the writer's present key"),
        ("b", NEW, "thief", "not signed with the writer's present key"),
        ("referee", NEW, "rhea", "not signed with the writer's present key"),
        ("referee", TakeIn("b", b"\x11" * 32), "rhea", "seat b is not open, so nobody else"),
        ("referee", Vouch("b", NEW.key, NEW.x25519), "rhea", "have not confirmed the keys yet: "),
        ("referee", HandOver("referee"), "rhea", "this game has no deputy"),
        ("a", HandOver("referee"), "ann", "not signed with the writer's present key"),
        ("referee", Concede(), "rhea", "only a player can write this notice"),
    ],
)
def test_a_turn_cannot_list_a_notice_that_does_not_count(table, writer, saying, signer, told):
    after_turn_two(table)
    notice = put_notice(table, writer, saying, key_of(signer), after=1)
    said = forge(table, with_listed_notices(notice))
    assert said.exit == 1, said.text
    assert told in said.out
    assert "by referee" in said.out


@pytest.mark.sample(0)
def test_a_notice_counts_once_and_never_after_a_later_one(table: Round) -> None:
    begin_two(table, "24h")
    first = put_notice(table, "b", Vote(SCORE), key_of("bo"))
    put_notice(table, "b", Vote(DRAW), key_of("bo"), number=2)
    play_on(table, "ab", turns=2)
    said = forge(table, with_listed_notices(first))
    assert said.exit == 1
    assert "a turn already lists a later notice of the same writer" in said.out


def test_a_notice_of_another_chain_does_not_count(table: Round) -> None:
    after_turn_two(table)
    notice = put_notice(table, "b", Concede(), key_of("bo"))  # after turn 2 as it was
    forge(table, lambda turn: replace(turn, time=turn.time + 1))
    assert chain_heads(table)[2] != notice.content.prev
    rhea = table.person("rhea")
    assert "was written after a turn that is not in this game" in rhea.pbem("audit savannah").out


# ------------------------------------------------------------------ a referee who leaves out
def test_a_referee_who_drops_a_notice_is_named_by_its_owner(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    assert bo.pbem("notice end -C savannah").exit == 0
    (dropped,) = (table.shared / "savannah" / "notices").iterdir()
    kept_ = dropped.read_bytes()
    dropped.unlink()
    answer_all(table, "ab")
    assert rhea.pbem(f"advance -C savannah --now {NOW + 7200}").exit == 0
    dropped.write_bytes(kept_)
    said = bo.pbem("audit savannah --as b")
    assert said.exit == 1
    assert "you signed a notice (vote) 2 hours before the date of turn 2" in said.out
    assert "ask Rhea why" in said.out
    told = table.person("ann").pbem("audit savannah")
    assert (told.exit, "no turn lists this notice" in told.out) == (0, True)


@pytest.mark.sample(0)
def test_a_game_that_all_ended_cannot_go_on(table: Round) -> None:
    rhea = begin_two(table, "24h")
    play_on(table, "ab", turns=1)
    votes = [put_notice(table, s, Vote(DRAW), key_of(n)) for s, n in (("a", "ann"), ("b", "bo"))]
    for found in (table.shared / "savannah" / "notices").iterdir():
        found.rename(found.with_suffix(".away"))
    play_on(table, "ab", turns=1)
    for found in (table.shared / "savannah" / "notices").iterdir():
        found.rename(found.with_suffix(".toml"))
    said = forge(table, with_listed_notices(*votes))
    assert said.exit == 1
    assert "the players have ended the game, but this turn plays on" in said.out
    assert rhea


def test_nobody_is_silent_and_no_deadline_moves_in_a_turn_that_only_lists_notices(table):
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    assert bo.pbem("notice key -C savannah").exit == 0
    assert rhea.pbem(f"advance -C savannah --now {NOW + 3600}").exit == 0
    first, second = (turn.content for turn in turn_records(table))
    assert (second.log, second.deadline) == ((), first.deadline)
    for change, told in (
        (
            {"deadline": second.deadline + 1},
            "the turn changes the deadline, although it only lists notices",
        ),
        ({"silent": ("a",)}, "nothing happens in the turn"),
        ({"notices": ()}, "nothing happens in this turn"),
    ):
        said = forge(table, lambda turn, c=change: replace(second, **c))  # type: ignore[misc]
        assert said.exit == 1, change
        assert told in said.out


# ------------------------------------------------------------------ hands and keys
@pytest.mark.sample(0)
def test_the_new_player_gets_what_the_seat_may_know_and_no_more(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    play_on(table, "ab", turns=3)
    assert bo.pbem("notice key -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    turn = turn_records(table)[-1].content
    assert list(turn.handover or {}) == ["b"]
    right = turn.handover
    for boxes, told in (
        (None, "seat b gets new keys, but the turn does not give the seat's cards to these keys"),
        ({"a": right["b"], **right}, "the cards of seat a to new keys (field handover), but"),  # type: ignore[index]
        ({"b": right["b"] + bytes(256)}, "the cards of seat b (field handover) has"),  # type: ignore[index]
    ):
        said = forge(table, lambda turn, b=boxes: replace(turn, handover=b))  # type: ignore[misc]
        assert told in said.out, told
    wrong = bytes(len(right["b"]))  # type: ignore[index]
    forge(table, lambda turn: replace(turn, handover={"b": wrong}))
    said = bo.pbem("status -C savannah")
    assert said.exit == 4
    assert "the box of seat b (field handover) does not open" in said.err


def test_the_size_of_a_handover_follows_from_what_everybody_sees(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    assert bo.pbem("notice key -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    (box,) = (turn_records(table)[-1].content.handover or {}).values()
    dealt = turn_records(table)[0].content.log
    cards = sum(entry.text.count("[?]") for entry in dealt if entry.text.startswith("b draws"))
    assert len(box) == 16 + 64 + 256 * cards


@pytest.mark.sample(0)
def test_a_thief_with_an_old_key_can_do_nothing(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    assert bo.pbem("notice key -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    old = put_notice(table, "b", Concede(), key_of("bo"))
    answer_with_card(table, "a")
    answer_all(table, "b")
    assert rhea.pbem("advance -C savannah").exit == 0
    said = forge(table, with_listed_notices(old))
    assert "not signed with the writer's present key" in said.out


def test_an_old_key_does_not_come_back(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    assert bo.pbem("notice key -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    said = bo.pbem("notice key -C savannah --profile default")
    assert said.exit == 2
    assert "this game already uses the key of your profile" in said.err


@pytest.mark.sample(0)
def test_a_stranger_with_an_old_invite_gets_no_seat_and_everybody_sees_it(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    assert bo.pbem("notice leave -C savannah --yes").exit == 0
    answer_with_card(table, "a")
    assert rhea.pbem("advance -C savannah").exit == 0
    line = ["join", "-C", "savannah", "--name", "Eve", "--invite", invite(table, "b")]
    assert table.person("eve").pbem(line).exit == 0
    joins = session_of(rhea).game_folder.joins()
    (crony,) = (ident for ident, record in joins.items() if record.content.name == "Eve")
    put_notice(table, "referee", TakeIn("b", crony), key_of("rhea"))
    assert rhea.pbem("advance -C savannah").exit == 5
    assert status_data(rhea)["seats"]["b"]["name"] == "Bo"
    told = rhea.pbem("audit savannah").out
    assert "has no effect: the player did not join with the invite that this seat has now" in told


def flood_with_notices(table: Round, writer: str) -> None:
    """A stranger and Ann fill the folder: files that are no notices, and notices in this writer's
    name."""
    for hours in range(40):
        for number in (1, 8):
            put_notice(table, writer, Delay(hours + 1), key_of("eve"), number=number)
        put_notice(table, writer, Delay(hours + 99), key_of("ann"), number=1)
    folder = table.shared / "savannah" / "notices"
    right = next(iter(folder.iterdir())).read_bytes()
    for number in range(1200):
        junk = right.replace(b"hours = ", b"hours = 1", 1) if number % 100 == 0 else b"junk"
        (folder / f"0001-{writer}-1-{number:06x}.toml").write_bytes(junk)


@pytest.mark.long
def test_what_others_sign_in_a_name_takes_nothing_from_a_notice(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    flood_with_notices(table, "b")
    output_of(bo, "notice end -C savannah")
    flood_after = bo.pbem("status -C savannah")
    assert "the notice is signed, and takes effect with the next turn: “Bo" in flood_after.out
    assert flood_after.text.count("\n") < 60, "junk does not fill the screen"
    answer_all(table, "ab")
    output_of(rhea, "advance -C savannah")
    (row,) = turn_records(table)[-1].content.notices
    assert (row.seat, row.about) == ("b", "vote")
    assert table.person("ann").pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_a_file_in_the_place_of_a_notice_is_set_aside(table: Round) -> None:
    rhea, bo = begin_two(table, "24h"), table.person("bo")
    for number in range(1, 9):
        forged = put_notice(table, "b", Concede(), key_of("eve"), number=number)
    said = bo.pbem("notice concede -C savannah --yes")
    assert said.exit == 0, said.text
    assert "note: notices/0001-b-1-" in said.err
    assert "had the name of your notice, but was not that notice; it is now called " in said.err
    aside = list((table.shared / "savannah" / "notices").glob("*.aside-1"))
    assert len(aside) == 1
    answer_all(table, "ab")
    assert rhea.pbem("advance -C savannah").exit == 0
    (row,) = turn_records(table)[-1].content.notices
    assert (row.about, row.id != forged.id) == ("concede", True)


@pytest.mark.sample(0)
def test_a_flood_of_notices_stops_nobody(table: Round) -> None:
    rhea = begin_two(table, "24h")
    folder = table.shared / "savannah" / "notices"
    folder.mkdir()
    for number in range(200):
        (folder / f"0001-b-{number % 99 + 1}-{number:06x}.toml").write_bytes(b"junk")
    assert table.person("bo").pbem("notice end -C savannah").exit == 0
    answer_all(table, "ab")
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 0, said.text
    (row,) = turn_records(table)[-1].content.notices
    assert (row.seat, row.about) == ("b", "vote")
    assert "there are too many notices" not in said.err


@pytest.mark.sample(1)
@pytest.mark.parametrize("about", ["key", "vouch", "seat"])
def test_a_notice_about_a_seat_that_nobody_has_stops_no_command(table: Round, about: str) -> None:
    """Rhea lists what nobody can have written; everybody is told that this turn is wrong."""
    begin_two(table, "24h")
    play_on(table, "ab", turns=1)
    key = key_of("mallory")
    says = {
        "key": ("c", NewKey(key.public, key.public[::-1], bytes(64))),
        "vouch": ("referee", Vouch("c", key.public, key.public[::-1])),
        "seat": ("referee", TakeIn("c", bytes(32))),
    }
    writer, saying = says[about]
    signer = key_of("rhea") if writer == "referee" else key
    said = forge(table, with_listed_notices(put_notice(table, writer, saying, signer, after=1)))
    assert (said.exit, "broken: turns/0002.toml" in said.out) == (1, True)
    for name in ("rhea", "ann", "eve"):
        for line in ("status", "show", "log", "advance", "doctor", "notice end", "submit -"):
            told = table.person(name).pbem(f"{line} -C savannah")
            assert told.exit != 70, (name, line, told.text)
            assert line != "status" or "breaks a rule" in told.err, told.text
