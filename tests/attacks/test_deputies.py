"""Attacks where two people may sign turns: on the honest one, and on which turn counts."""

import shutil
from dataclasses import replace

import pytest

from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import HandOver, Vouch
from pbem.judge.which_notices_count import row_of
from pbem.records.game_id_and_chain_heads import next_head
from pbem.records.read_and_sign_record import make
from pbem.records.turn import sort_sets
from tests.attacks.deputies import deputy_at_turn_three, hand_over
from tests.kit.named_games import session_of
from tests.kit.people import NOW, Person, Round, key_of, output_of
from tests.kit.record_files import put_record, record_at
from tests.kit.timed_games import DAY, answer_all, play_on, status_data
from tests.notices.forging import chain_heads, put_notice


def signed_again(table: Round, number: int, signer: str, **changes: object) -> bytes:
    """A turn in the folder, changed and signed by somebody."""
    path = table.shared / f"savannah/turns/{number:04}.toml"
    turn = record_at(path).content
    return make(replace(turn, **changes), key_of(signer)).file


# ------------------------------------------------------------------ who is blamed
@pytest.mark.long
def test_a_wrong_turn_of_the_deputy_is_blamed_on_the_deputy_not_the_referee(table: Round) -> None:
    deputy_at_turn_three(table)
    hand_over(table)
    path = table.shared / "savannah/turns/0004.toml"
    path.write_bytes(signed_again(table, 4, "flo", deadline=NOW + 9 * DAY))
    blamed = "ask Flo, who signed this turn"
    for line, sentence in (
        ("status -C savannah", blamed),
        ("audit savannah", "Flo signed this"),
        ("check -C savannah", blamed),
    ):
        said = table.person("ann").pbem(line)
        assert said.exit in (1, 4), said.text
        assert sentence in said.text
        assert "Rhea signed" not in said.text
        assert "ask Rhea" not in said.text
        assert "send this line to Rhea" not in said.text


@pytest.mark.sample(0)
def test_two_versions_of_a_turn_by_the_deputy_are_not_blamed_on_the_referee(table: Round) -> None:
    deputy_at_turn_three(table)
    hand_over(table)
    again = signed_again(table, 4, "flo", time=NOW + 7)
    (table.shared / "savannah/turns/0004 (conflict).toml").write_bytes(again)
    said = table.person("ann").pbem("audit savannah")
    assert said.exit == 3, said.text
    assert "the deputy's key signed two different versions of turn 4" in said.text
    assert "show them to everybody: Flo's key signed both" in said.text
    assert "Rhea's key" not in said.text


@pytest.mark.long
def test_messages_before_a_hand_over_keep_the_name_of_their_writer(table: Round) -> None:
    rhea, flo = deputy_at_turn_three(table)
    output_of(rhea, "tell -C savannah --to all 'I go on holiday'")
    hand_over(table)
    output_of(flo, "tell -C savannah --to all 'I deal now'")
    said = output_of(table.person("ann"), "log -C savannah")
    assert "Flo (referee) says: I deal now" in said
    assert "Rhea (referee)" in said
    assert "Flo (referee) says: I go" not in said


# ------------------------------------------------------------------ which turn counts
@pytest.mark.sample(0)
@pytest.mark.parametrize("plain", ["rhea", "flo"])
def test_which_of_two_turns_counts_does_not_depend_on_file_names(table: Round, plain: str) -> None:
    """After a hand-over Rhea's other computer, which has not seen it, makes a turn as well."""
    rhea, flo = deputy_at_turn_three(table)
    folder, away = table.shared / "savannah", table.shared / "away"
    answer_all(table, "ab")
    shutil.copytree(folder, away)
    output_of(rhea, "notice hand-over -C savannah --yes")
    output_of(flo, "advance -C savannah")
    other = table.person("other")  # her laptop
    other.import_key("rhea", "laptop")
    output_of(other, f"advance -C away --now {NOW + 60}")
    own, hers = folder / "turns/0004.toml", away / "turns/0004.toml"
    assert own.read_bytes() != hers.read_bytes()
    shutil.copy(hers, folder / "turns/0004 (conflict).toml")
    if plain == "rhea":
        own.rename(folder / "turns/kept.toml")
        (folder / "turns/0004 (conflict).toml").rename(own)
        (folder / "turns/kept.toml").rename(folder / "turns/0004 (conflict).toml")
        eve = table.person("eve")
        said = output_of(eve, "status -C savannah")
        assert status_data(eve)["turn"] == 3
        assert (
            "Rhea, the referee, signed this file as turn 4, but Flo, the deputy, has made the"
            in said
        )
        assert "The turn 4 that counts is in turns/0004 (conflict).toml" in said
        told = output_of(eve, "audit savannah")
        assert "this file contains turn 4, but turns/0004.toml is a different file" in told
        said = flo.pbem("status -C savannah").err
        assert "when Flo makes the next turn, pbem renames the file of Rhea" in said
        told = flo.pbem("advance -C savannah").text
        renamed = "was in turns/0004 (conflict).toml; that file is now called "
        assert f"{renamed}turns/0004.toml" in told
    answer_all(table, "ab")
    output_of(flo, "advance -C savannah")
    data = status_data(table.person("ann"))
    assert data["turn"] >= 5
    said = output_of(table.person("ann"), "audit savannah")
    assert "but the turn 4 that counts is" in said


@pytest.mark.sample(0)
def test_after_a_hand_over_everybody_is_told_who_makes_the_turns(table: Round) -> None:
    rhea, flo = deputy_at_turn_three(table)
    hand_over(table)
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 4
    assert (
        "only Flo, the deputy, can act as the referee now: Flo has made the turns since turn 4"
        in said.err
    )
    assert "import" not in said.err
    for person in (rhea, flo):
        told = output_of(person, "status -C savannah")
        assert "key is missing" not in told
        assert "import" not in told
    told = output_of(table.person("ann"), "notice end -C savannah")
    assert "the notice takes effect when Flo makes a turn" in told


@pytest.mark.long
def test_a_deputys_turn_far_ahead_stops_no_command(table: Round) -> None:
    """Flo signs a turn far ahead, where no turn before it shows that she is too early."""
    rhea, _ = deputy_at_turn_three(table)
    said = put_notice(table, "referee", HandOver("deputy"), key_of("flo"))
    rows = record_at(table.shared / "savannah/turns/0003.toml").content
    from pbem.judge.which_notices_count import row_of

    ahead = replace(rows, turn=6, notices=(row_of(said),), time=NOW + 99 * DAY, deadline=0)
    (table.shared / "savannah/turns/0006.toml").write_bytes(make(ahead, key_of("flo")).file)
    assert "pbem advance" in output_of(rhea, "status -C savannah")
    play_on(table, "ab", turns=4)
    assert status_data(table.person("ann"))["turn"] == 7
    assert output_of(rhea, "audit savannah")


@pytest.mark.long
@pytest.mark.parametrize("plain", ["rhea", "flo", "only flo"])
def test_a_deputy_cannot_replace_turns_that_players_have_answered(table: Round, plain: str) -> None:
    """Flo signs another turn 2, dated when the time for it would have been over."""
    rhea, flo = deputy_at_turn_three(table)
    play_on(table, "ab", turns=2)
    folder, copy = table.shared / "savannah", table.shared / "copy"
    shutil.copytree(folder, copy)
    for turn in (2, 3, 4, 5):
        (copy / f"turns/{turn:04}.toml").unlink()
    for path in copy.glob("orders/000[2-9]-*"):
        path.unlink()
    output_of(flo, f"advance -C copy --take-over --now {NOW + 30 * DAY}")
    shutil.copytree(copy / "notices", folder / "notices")
    own, other = (one / "turns/0002.toml" for one in (folder, copy))
    conflict = folder / "turns/0002 (conflict).toml"
    if plain == "rhea":
        shutil.copy(other, conflict)
    else:
        own.rename(conflict)
        shutil.copy(other, own)
        if plain == "only flo":
            conflict.rename(table.shared / "kept.toml")
            said = table.person("eve").pbem("status -C savannah")
            assert said.exit == 4, said.text
            assert (
                "Flo, the deputy, signed this file as turn 2, but only Rhea, the referee, may"
                in said.err
            )
            (table.shared / "kept.toml").rename(conflict)
        told = rhea.pbem("advance -C savannah").err
        renamed = "was in turns/0002 (conflict).toml; that file is now called "
        assert f"{renamed}turns/0002.toml" in told
    eve = table.person("eve")  # she has never seen the game
    assert status_data(eve)["turn"] == 5
    said = output_of(eve, "audit savannah")
    assert "but the turn 2 that counts is" in said
    play_on(table, "ab", turns=1)


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "in"])
def test_players_with_new_keys_go_on_despite_a_deputys_rival_turn(table: Round, when: str) -> None:
    """Bo gets a new key just before the turn that Flo signs once more, or in that turn."""
    rhea, flo = deputy_at_turn_three(table)
    bo = table.person("bo")
    folder, copy = table.shared / "savannah", table.shared / "copy"
    if when == "before":
        output_of(bo, "notice key -C savannah")
        output_of(rhea, "advance -C savannah")
    shutil.copytree(folder, copy)
    if when == "in":
        output_of(bo, "notice key -C savannah")
        output_of(rhea, "advance -C savannah")
    play_on(table, "ab", turns=3)
    last = status_data(table.person("ann"))["turn"]
    output_of(flo, f"advance -C copy --take-over --now {NOW + 30 * DAY}")
    for path in (copy / "notices").glob("*referee*"):
        shutil.copy(path, folder / "notices")
    place = 5 if when == "before" else 4
    shutil.copy(copy / f"turns/{place:04}.toml", folder / f"turns/{place:04} (conflict).toml")
    eve = table.person("eve")
    assert status_data(eve)["turn"] == last
    said = output_of(eve, "audit savannah")
    assert f"but the turn {place} that counts is" in said
    play_on(table, "ab", turns=1)


@pytest.mark.long
@pytest.mark.parametrize("thief", ["a fake vouch", "an old key"])
def test_after_a_hand_over_no_thief_speaks_for_a_player_by_old_turns(
    table: Round, thief: str
) -> None:
    """Rhea wants the game back: she signs turns that accept orders of a key that is no player's."""
    rhea, flo = deputy_at_turn_three(table)
    bo = table.person("bo")
    if thief == "an old key":
        output_of(bo, "notice key -C savannah")
        output_of(rhea, "advance -C savannah")
    folder, away = table.shared / "savannah", table.shared / "away"
    answer_all(table, "ab")
    shutil.copytree(folder, away)
    output_of(rhea, "notice hand-over -C savannah --yes")
    output_of(flo, "advance -C savannah")
    place = status_data(flo)["turn"]
    other = table.person("other")
    other.import_key("rhea", "laptop")
    output_of(other, f"advance -C away --now {NOW + 60}")
    key = key_of("bo" if thief == "an old key" else "mallory")
    path = away / f"turns/{place:04}.toml"
    turn = record_at(path).content
    if thief == "a fake vouch":
        session = session_of(rhea)
        box = public_of(Secrets(key.seed).box(session.game_folder.game, "b"))
        fake = make_notice(
            (turn.game, place - 1, turn.prev),
            "referee",
            2,
            Vouch("b", key.public, box),
            key_of("rhea"),
        )
        put_record(session.folder, fake)
        turn = sort_sets(replace(turn, notices=(*turn.notices, row_of(fake))))
    hers = make(turn, key_of("rhea"))
    head = next_head(turn.prev, hers.id)
    (mine,) = away.glob(f"orders/{place - 1:04}-b-*")
    orders = record_at(mine).content
    forged = make(replace(orders, turn=place, prev=head), key)
    name = f"{place:04}-b-{forged.content.revision}-{forged.id.hex()[:6]}.toml"
    (folder / "orders" / name).write_bytes(forged.file)
    row = replace(turn.orders[0], id=forged.id, seat="b", status="accepted", reason="")
    more = replace(turn, turn=place + 1, prev=head, orders=(row,), notices=())
    (folder / f"turns/{place:04} (conflict).toml").write_bytes(hers.file)
    (folder / f"turns/{place + 1:04}.toml").write_bytes(make(more, key_of("rhea")).file)
    eve = table.person("eve")
    assert status_data(eve)["turn"] == place, "Flo's turn counts"
    answer_all(table, "ab")
    output_of(flo, "advance -C savannah")
    output_of(table.person("ann"), "audit savannah")


@pytest.mark.sample(0)
@pytest.mark.parametrize("late", [0, 1])
def test_a_hand_over_that_a_turn_passed_over_cannot_be_used_later(table: Round, late: int) -> None:
    """Rhea took her hand-over back before anybody used it; Flo kept the file."""
    rhea, flo = deputy_at_turn_three(table)
    folder = table.shared / "savannah"
    output_of(rhea, "notice hand-over -C savannah --yes")
    (notice,) = folder.glob("notices/*")
    old = notice.read_bytes()
    if late:
        notice.unlink()
        play_on(table, "ab", turns=1)
        notice.write_bytes(old)
    answer_all(table, "ab")
    said = flo.pbem("advance -C savannah")
    if not late:
        assert said.exit == 0, said.text
        return
    assert said.exit == 3, said.text
    assert "Rhea makes the turns" in said.err
    told = output_of(rhea, "status -C savannah")
    assert "turn 4 was made without this notice; sign the same notice again" in " ".join(
        told.split()
    )
    output_of(rhea, "advance -C savannah")


@pytest.mark.long
def test_a_notice_that_a_turn_listed_cannot_be_listed_again(table: Round) -> None:
    rhea, _ = deputy_at_turn_three(table)
    output_of(table.person("bo"), "notice end -C savannah")
    play_on(table, "ab", turns=1)
    folder = table.shared / "savannah"
    (notice,) = folder.glob("notices/*")
    chain = chain_heads(table)
    content = session_of(rhea).game_folder.standing.votes
    assert content == {"b": "score"}
    output_of(table.person("bo"), "notice end --no -C savannah")
    play_on(table, "ab", turns=1)
    for number, turn in ((2, 3), (1, 4), (1, 5)):
        copy = notice.name.replace("0003-b-1", f"{turn:04}-b-{number}")
        (folder / "notices" / copy).write_bytes(notice.read_bytes())
    again = make_notice(
        (session_of(rhea).game_folder.game, 3, chain[3]), "b", 1,
        session_of(rhea).game_folder.notice(
            next(f for f in session_of(rhea).listing.notices if f.path.endswith(notice.name))
        ).content.saying, key_of("bo"),
    )  # fmt: skip
    assert again.file == notice.read_bytes()
    play_on(table, "ab", turns=1)
    assert session_of(rhea).game_folder.standing.votes == {}
    output_of(table.person("ann"), "audit savannah")


# ------------------------------------------------------------------ the deputy's line
def test_a_deputys_line_that_was_swapped_shows_other_words(table: Round) -> None:
    rhea, flo, eve = (table.person(name) for name in ("rhea", "flo", "eve"))
    said = flo.pbem("keys deputy")
    line, other = said.out.strip(), eve.pbem("keys deputy").out.strip()
    words = said.err.strip().rpartition(": ")[2]
    assert len(words.split()) == 12
    for name, sent in (("one", line), ("two", other), ("three", _with_other_box(line, other))):
        made = output_of(rhea, f"new {name} --players Ann,Bo --deputy Flo={sent}")
        for told in (made, output_of(rhea, f"status -C {name}")):
            assert "phone Flo, and ask for the words that pbem keys deputy prints on" in " ".join(
                told.split()
            )
            assert (words in " ".join(told.split())) is (name == "one")


def _with_other_box(one: str, other: str) -> str:
    """A line with one person's signing key and another's key for boxes."""
    from pbem.judge.deputy_and_co_dealer_keys_in_charter import DeputyLine, parse_deputy_line

    return DeputyLine(parse_deputy_line(one).key, parse_deputy_line(other).x25519).line()


@pytest.mark.long
@pytest.mark.parametrize("counts", ["flo", "rhea"])
def test_the_turn_that_counts_replaces_its_rival_also_by_mail(table: Round, counts: str) -> None:
    """Ann has Rhea's turn 4 in her own folder when Flo's comes by mail, or the other way round."""
    rhea, flo = deputy_at_turn_three(table)
    folder, away = table.shared / "savannah", table.shared / "away"
    answer_all(table, "ab")
    shutil.copytree(folder, away)
    output_of(rhea, "notice hand-over -C savannah --yes")
    output_of(flo, "advance -C savannah")
    other = table.person("other")
    other.import_key("rhea", "laptop")
    output_of(other, f"advance -C away --now {NOW + 60}")
    own, hers = (one / "turns/0004.toml" for one in (folder, away))
    flos, rheas = own.read_bytes(), hers.read_bytes()
    here = table.person("ann").home.parent / "far"
    shutil.copytree(away if counts == "flo" else folder, here / "savannah")
    ann = Person("ann", table.person("ann").home, here, here)
    sender, place = (flo, "savannah") if counts == "flo" else (other, "away")
    mail = sender.pbem(f"send -C {place} --all --to a --paste")
    assert mail.exit == 0, mail.text
    (here / "mail.pbem").write_text(mail.out)
    said = ann.pbem("receive mail.pbem -C savannah")
    turn = (here / "savannah/turns/0004.toml").read_bytes()
    assert turn == flos != rheas
    assert (said.exit == 0) is (counts == "flo"), said.text
    if counts == "rhea":
        told = (
            "Flo signed the file turns/0004.toml in the folder, and Rhea signed the one in the mail"
        )
        assert f"{told}; only Flo may sign this file" in " ".join(said.text.split())
