"""Attacks by a thief who has a player's key: on the recovery key, and with messages dated back."""

import re

import pytest

from pbem.format.secret_and_public_keys import public_line
from pbem.judge.notice_kinds import Vote
from pbem.records.notice import DRAW, PLAY_ON, SCORE
from tests.kit.bot_orders import hand_in
from tests.kit.named_games import invite, made, session_of, sit
from tests.kit.people import NOW, Person, Round, key_of
from tests.kit.timed_games import play_on, status_data
from tests.notices.forging import new_key_of, put_forged_message, put_notice


def game_with_thief(table: Round, more: str = "--deadline 24h") -> tuple[Person, Person, Person]:
    """Ann and Bo, after turn 1; Bo has a recovery key. Returns Rhea, Bo and a thief of Bo's key."""
    made(table, f"--players Ann,Bo --referee Rhea {more}")
    bo, rhea, thief = (table.person(name) for name in ("bo", "rhea", "thief"))
    sit(table, "a")
    output_in_one_line(bo, "keys new --profile recovery")
    line = ["join", "-C", "savannah", "--recovery", "recovery", "--invite", invite(table, "b")]
    assert bo.pbem(line).exit == 0
    output_in_one_line(rhea, "advance -C savannah")
    (thief.home / "profiles").rename(thief.home / "other")
    thief.import_key("bo")
    return rhea, bo, thief


def output_in_one_line(person: Person, line: str) -> str:
    said = person.pbem(line)
    assert said.exit == 0, said.text
    return " ".join(said.text.split())


def flood_with_votes(table: Round, after: int = -1) -> None:
    """Seven votes and a new key, as many notices as can count after a turn."""
    for number in range(1, 8):
        vote = Vote((SCORE, DRAW, PLAY_ON)[number % 3])
        put_notice(table, "b", vote, key_of("bo"), after, number)
    new = new_key_of(table, "loot")
    put_notice(table, "b", new, key_of("bo"), after, 8)


def holder(table: Round) -> bytes:
    return session_of(table.person("rhea")).game_folder.standing.roster["b"].key


# ------------------------------------------------------------------ the recovery key
@pytest.mark.sample(0)
def test_an_owner_takes_the_seat_back_though_two_seats_name_one_recovery_key(table: Round) -> None:
    """Cy copies Bo's recovery key; then the referee accepts his join, and begins."""
    made(table, "--players Rhea,Bo,Cy --referee Rhea --referee-plays --deadline 24h")
    bo, cy, rhea = (table.person(name) for name in ("bo", "cy", "rhea"))
    output_in_one_line(bo, "keys new --profile recovery")
    for who, seat in ((bo, "b"), (cy, "c")):
        recovery = public_line(session_of(bo).keyring.publics["recovery"])
        line = ["join", "-C", "savannah", "--recovery", recovery, "--invite", invite(table, seat)]
        assert who.pbem(line).exit == 0
    (path,) = (table.shared / "savannah" / "seats").glob("c-*")
    hand_in(rhea)
    output_in_one_line(rhea, f"advance -C savannah --start --accept {path.stem[2:]}")
    assert sorted(session_of(rhea).roster) == ["a", "b", "c"]
    assert "recovery key" not in output_in_one_line(bo, "status -C savannah"), "his seat is his"
    put_notice(table, "b", new_key_of(table, "loot"), key_of("bo"))
    output_in_one_line(rhea, "advance -C savannah")
    told = output_in_one_line(bo, "status -C savannah")
    cure = "If that key is lost, or somebody else has changed it, type pbem notice key --recovery "
    cure += "recovery --as b: then only your new key counts"
    assert f"you have the recovery key of seat b, but not its key. {cure}" in told
    told = bo.pbem("notice key -C savannah --recovery recovery --profile third").err
    assert "your profile recovery has the recovery key of more than one seat: b, c" in told
    output_in_one_line(bo, "notice key -C savannah --recovery recovery --profile third --as b")
    output_in_one_line(rhea, "advance -C savannah")
    assert holder(table) == session_of(bo).keyring.publics["third"]
    output_in_one_line(bo, "audit savannah --as b")


@pytest.mark.long
def test_a_thief_cannot_use_up_the_notices_that_the_recovery_key_may_sign(table: Round) -> None:
    rhea, bo, _ = game_with_thief(table)
    flood_with_votes(table)
    told = output_in_one_line(bo, "status -C savannah")
    assert "your key signed vote" in told
    assert "else has your key. To get a new key: pbem notice key --recovery recovery" in told
    said = bo.pbem("notice key -C savannah")
    assert said.exit == 3, said.text
    assert "8 notices" in said.text
    output_in_one_line(bo, "notice key -C savannah --recovery recovery --profile third")
    told = output_in_one_line(rhea, "status -C savannah")
    sentence = (
        "the recovery key signed this notice. It takes effect with the next turn, before other"
    )
    assert sentence in told
    output_in_one_line(rhea, "advance -C savannah")
    assert holder(table) == session_of(bo).keyring.publics["third"]
    assert session_of(rhea).game_folder.standing.votes == {}, (
        "the thief's votes came after the new key"
    )
    assert status_data(bo)["seat"] == "b"
    assert (
        "has no effect: the notice is not signed with the writer's present key"
        in output_in_one_line(rhea, "status -C savannah")
    )
    play_on(table, "ab", turns=1)
    output_in_one_line(bo, "audit savannah --as b")


def test_a_thiefs_concession_does_not_count_once_the_recovery_key_signed(table: Round) -> None:
    rhea, bo, thief = game_with_thief(table)
    output_in_one_line(thief, "notice concede --yes -C savannah")
    output_in_one_line(bo, "notice key -C savannah --recovery recovery --profile third")
    output_in_one_line(rhea, "advance -C savannah")
    standing = session_of(rhea).game_folder.standing
    assert (standing.departures, holder(table)) == ({}, session_of(bo).keyring.publics["third"])
    output_in_one_line(bo, "audit savannah --as b")


@pytest.mark.long
def test_turns_made_for_a_thiefs_notices_do_not_hold_up_the_recovery_key(table: Round) -> None:
    """A thief changes the key again and again, until no more turns are made for its notices."""
    rhea, bo, thief = game_with_thief(table, "--deadline never")
    before = status_data(rhea)["turn"]
    for number in range(9):
        thief.pbem(f"notice key -C savannah --profile loot{number}")
        thief.pbem(f"notice end{' --no' * (number % 2)} -C savannah")
        rhea.pbem("advance -C savannah")
    assert status_data(rhea)["turn"] <= before + 7
    told = output_in_one_line(bo, "status -C savannah")
    assert "you have the recovery key of seat b, but not its key. If that key is lost" in told
    output_in_one_line(bo, "notice key -C savannah --recovery recovery --profile third")
    output_in_one_line(rhea, "advance -C savannah")
    assert holder(table) == session_of(bo).keyring.publics["third"]
    output_in_one_line(bo, "audit savannah --as b")


@pytest.mark.long
def test_every_reader_counts_the_recovery_keys_notice_before_a_thiefs(table: Round) -> None:
    """The recovery key counts first also for whoever checks the turn, from a checkpoint or not."""
    rhea, bo, _ = game_with_thief(table)
    flood_with_votes(table)
    output_in_one_line(bo, "notice key -C savannah --recovery recovery --profile third")
    output_in_one_line(rhea, "advance -C savannah")
    output_in_one_line(bo, "status -C savannah")
    play_on(table, "ab", turns=3)
    for person in (bo, table.person("ann"), table.person("eve")):
        assert status_data(person)["turn"] == status_data(rhea)["turn"]
        output_in_one_line(person, "audit savannah")


# ------------------------------------------------------------------ messages
@pytest.mark.sample(0)
def test_a_message_dated_back_with_an_old_key_is_marked(table: Round) -> None:
    rhea, bo, _ = game_with_thief(table)
    ann, eve = table.person("ann"), table.person("eve")
    play_on(table, "ab", turns=2)
    output_in_one_line(bo, "tell -C savannah --to all 'I keep the peace'")
    output_in_one_line(ann, "status -C savannah")
    old = session_of(bo).seat_key("b")
    last = status_data(rhea)["turn"]
    output_in_one_line(bo, "notice key -C savannah")
    output_in_one_line(rhea, "advance -C savannah")
    put_forged_message(table, last, old, "I give you my cards")
    lead = "Bo (b) (or somebody with an old key of this seat) says:"
    said = output_in_one_line(ann, "since -C savannah") + output_in_one_line(ann, "log -C savannah")
    assert "Bo (b) says: I keep the peace" in said
    assert f"{lead} I give you my cards" in said
    assert "Bo (b) says: I give you" not in said
    told = output_in_one_line(eve, "log -C savannah")
    assert f"{lead} I keep the peace" in told, "she has seen nothing before, so she cannot know"
    told = output_in_one_line(ann, "log -C savannah --json")
    assert re.search(r'"by": ?"old key"', told)
    assert re.search(r'"by": ?"now"', told)


@pytest.mark.sample(0)
def test_an_old_keys_messages_do_not_crowd_out_those_already_seen(table: Round) -> None:
    rhea, bo, _ = game_with_thief(table)
    ann = table.person("ann")
    for number in range(3):
        output_in_one_line(bo, f"tell -C savannah --to all 'word {number}'")
    output_in_one_line(ann, "log -C savannah")
    old = session_of(bo).seat_key("b")
    output_in_one_line(bo, "notice key -C savannah")
    output_in_one_line(rhea, "advance -C savannah")
    from pbem.judge.read_and_make_messages import Reader, make_message

    session = session_of(rhea)
    place = session.game_folder.game, 1, session.readers.table().chain.heads[1]
    for number in range(70):
        made = make_message(place, 1, NOW, (f"junk {number}",), Reader("b", bytes(32)), old, "", {})
        path = table.shared / f"savannah/press/0001-b-1-{made.id.hex()[:6]}.toml"
        path.write_bytes(made.file)
    told = output_in_one_line(ann, "log -C savannah")
    assert all(f"Bo (b) says: word {number}" in told for number in range(3))


def test_the_table_and_the_replay_mark_messages_of_an_old_key(table: Round) -> None:
    from pbem.replay.steps import History, Steps
    from pbem.terminal.message_prose import writer_of

    rhea, bo, _ = game_with_thief(table)
    ann = table.person("ann")
    old = session_of(bo).seat_key("b")
    output_in_one_line(bo, "notice key -C savannah")
    output_in_one_line(rhea, "advance -C savannah")
    put_forged_message(table, 1, old, "trust me")
    from pbem.person.readable_messages import MessagesHere

    session = session_of(ann)
    view = session.view()
    (said,) = MessagesHere(session, view).read()
    assert said.signer_state == "old key"
    steps = Steps(History.of_view(view, None), range(view.published + 1), [said]).steps
    shown = [one["from"] for step in steps for one in step["messages"]]
    assert shown == [writer_of(said)]
    assert "or somebody with an old key of this seat" in shown[0]
