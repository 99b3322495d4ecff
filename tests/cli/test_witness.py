"""What one machine saw and signed: no honest referee is convicted, no order vanishes in silence, no
date is believed against the clock of the player it hurts, and nobody is accused by mistake."""

import json
from collections.abc import Callable
from hashlib import sha512
from pathlib import Path
from shutil import copytree, move, rmtree

import pytest

from pbem.format.curve_group import multiply_base
from pbem.format.signed_file import Signed, _message
from pbem.format.usable_public_keys import L
from pbem.judge.make_signed_records import make_orders
from pbem.judge.next_turn import Advance
from pbem.judge.turn_maker import TurnMaker
from pbem.person.own_uncounted_orders import unlisted_orders
from pbem.records.read_and_sign_record import make
from tests.cli.game_folders import HOUR, seal_first_choice, turn_file_path
from tests.kit.named_games import MIDDLE, advance, invite, made, play, session_of, sit
from tests.kit.people import NOW, Round, key_of, snapshot
from tests.kit.record_files import record_at, resigned

Start = Callable[[str], Round]


@pytest.mark.sample(0)
def test_a_turn_that_is_missing_is_written_again_by_the_machine_that_made_it(game: Start) -> None:
    table = game("middle")
    for person in (table.person("ann"), table.person("bo")):
        person.pbem("submit -C savannah -")
    play(table, MIDDLE + 1)
    newest = max((table.shared / "savannah/turns").iterdir())
    right = newest.read_bytes()
    newest.unlink()
    said = table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert f"turns/{newest.name} was made here and was missing" in said.err
    assert newest.read_bytes() == right
    assert table.person("eve").pbem("audit savannah").exit == 0


def test_with_older_turns_missing_advance_says_which_and_signs_nothing(game: Start) -> None:
    table = game("middle")
    turns, away = table.shared / "savannah/turns", table.root / "away"
    away.mkdir()
    for number in (MIDDLE - 1, MIDDLE):
        move(turn_file_path(table, number), away)
    before = snapshot(table.shared)
    said = table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert (said.exit, f"turns/{MIDDLE - 1:04}.toml: is missing" in said.err) == (5, True)
    assert snapshot(table.shared) == before
    for path in away.iterdir():
        move(path, turns)
    assert table.person("eve").pbem("audit savannah").exit == 0


def test_with_all_turns_missing_advance_does_not_begin_the_game_again(game: Start) -> None:
    table = game("middle")
    rmtree(table.shared / "savannah/turns")
    before = snapshot(table.shared)
    said = table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert said.exit == 5
    assert f"turns/0001.toml: is missing, and so are the turns up to {MIDDLE - 1:04}" in said.err
    assert snapshot(table.shared) == before


@pytest.mark.long
def test_a_referees_machine_signs_no_other_turn_in_place_of_one_that_it_saw(game: Start) -> None:
    table = game("middle")
    rhea = table.person("rhea")
    (signed,) = rhea.home.glob("games/*/signed")
    signed.unlink()
    assert rhea.pbem("status -C savannah").exit == 0
    turn_file_path(table, MIDDLE).unlink()
    before = snapshot(table.shared)
    said = rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert (said.exit, f"turn {MIDDLE} (" in said.err) == (3, True), said.text
    assert snapshot(table.shared) == before


def clocked(table: Round) -> None:
    """A game with a day to answer, joined at NOW."""
    made(table, "--players Ann,Bo --referee Rhea --deadline 24h")
    for seat in "ab":
        sit(table, seat)


def referee_at(table: Round, clock: int) -> None:
    table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(clock)).checked(0)


def test_a_player_is_told_of_a_turn_that_is_dated_back(table: Round) -> None:
    """The first turn is dated two days before Bo joined: his time to answer is over at once."""
    clocked(table)
    referee_at(table, NOW - 48 * HOUR)
    bo = table.person("bo")
    said = bo.pbem("status -C savannah", SOURCE_DATE_EPOCH=str(NOW + 60))
    assert "but its date is 2 days earlier" in said.out
    audit = bo.pbem("audit savannah --as b")
    audit.checked(1, out="ask: turns/0001.toml: turn 1 was not in this folder at")
    assert table.person("eve").pbem("audit savannah").exit == 0


def test_a_player_is_told_of_a_turn_that_is_dated_ahead(table: Round) -> None:
    clocked(table)
    referee_at(table, NOW)
    bo = table.person("bo")
    bo.pbem("status -C savannah", SOURCE_DATE_EPOCH=str(NOW + 60))
    referee_at(table, NOW + 46 * HOUR)  # silence settles what was asked
    said = bo.pbem("status -C savannah", SOURCE_DATE_EPOCH=str(NOW + 120))
    dated = "turn 2 is dated 45 hours in the future, so its deadlines are too late as well"
    assert dated in said.out
    assert "was in this folder at" in bo.pbem("audit savannah --as b").out


def test_the_honest_date_of_a_turn_is_not_remarked_upon(table: Round) -> None:
    """Neither a turn that was made while nobody looked, nor clocks a few minutes apart."""
    clocked(table)
    referee_at(table, NOW + 2 * HOUR)
    bo = table.person("bo")
    said = bo.pbem("status -C savannah", SOURCE_DATE_EPOCH=str(NOW + 2 * HOUR - 300))
    assert "dated" not in said.out
    assert bo.pbem("audit savannah --as b").exit == 0


def test_a_player_is_told_of_orders_that_the_referee_dropped(game: Start) -> None:
    """Two revisions lie there in time; the referee hides the newer one while it makes the turn."""
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    seal_first_choice(ann), seal_first_choice(bo)
    said = bo.pbem("submit -C savannah -", 'food = "pass"\n')
    newer = sorted((table.shared / "savannah/orders").glob("0001-b-2-*"))
    if not newer:
        draft = Path(bo.pbem("orders --new -C savannah").out.strip()).read_text("utf-8")
        second = draft.replace("    # ", "    # ", 1).replace("\n    # ", "\n    ", 2)
        assert bo.pbem("submit -C savannah -", second).exit == 0, said.text
        newer = sorted((table.shared / "savannah/orders").glob("0001-b-2-*"))
    (hidden,) = newer
    aside = table.root / hidden.name
    move(hidden, aside)
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR)).exit == 0
    move(aside, hidden)
    mine = bo.pbem("audit savannah --as b").checked(1)
    assert (
        f"ask: orders/{hidden.name}: as far as this computer can tell, your orders "
        f"{hidden.stem[-6:]} for turn 1 were in time" in mine.out
    )
    assert "ask Rhea why" in mine.out
    others = table.person("eve").pbem("audit savannah")
    others.checked(0, out=f"stray: orders/{hidden.name}: no turn lists these")
    assert "by seat b" not in others.out


@pytest.mark.sample(0)
def test_a_player_is_told_of_orders_in_time_whose_file_is_gone(game: Start) -> None:
    table = game("timed")
    ann, bo = table.person("ann"), table.person("bo")
    seal_first_choice(ann)
    digits = seal_first_choice(bo)
    (gone,) = (table.shared / "savannah/orders").glob(f"0001-b-*-{digits}.toml")
    gone.unlink()
    referee_at(table, NOW + 26 * HOUR)
    told = f"your orders {digits} for turn 1 were in time: you sealed "
    ask = (
        "But their file is gone, and turn 2 does not list them. If you sent them before that date, "
        "ask Rhea"
    )
    for line in ("audit savannah --as b", "status -C savannah", "doctor -C savannah"):
        said = bo.pbem(line)
        assert told in said.out, said.text
        assert ask in said.out, said.text
        assert "nothing is wrong here" not in said.out
    audit = bo.pbem("audit savannah --as b").checked(1, out=f"ask: orders/{gone.name}: ")
    assert "this computer remembers 1 set of sealed orders, and last saw turn 2" in audit.out
    assert bo.pbem("doctor -C savannah").exit == 1
    assert "their file is gone" not in ann.pbem("status -C savannah").out
    assert table.person("eve").pbem("audit savannah").exit == 0
    here = session_of(bo)
    (ident,) = (i for i in here.game_home.receipts.times() if i.startswith(digits))
    for listed, missed in ((digits + 58 * "0", True), (ident, False)):
        view = here.view().changed(listed_orders={listed: (2, "b", "accepted", "")})
        assert bool(unlisted_orders(here, view, "b")) is missed, "six equal digits hide nothing"
    gone.write_bytes(b"junk")  # a file that only has the name does not hide it
    assert told in bo.pbem("audit savannah --as b").out
    assert told in bo.pbem("status -C savannah").out


@pytest.mark.sample(0)
@pytest.mark.parametrize("is_gone", [True, False])
def test_junk_with_the_digits_of_accepted_orders_hides_no_dropped_ones(game, is_gone):
    """Somebody gives junk the digits of orders that a turn accepted, and a name that would come
    before those that the referee dropped."""
    table = game("timed")
    ann, bo = table.person("ann"), table.person("bo")
    seal_first_choice(ann)
    accepted = seal_first_choice(bo)
    assert table.person("rhea").pbem("advance -C savannah").exit == 0
    asked = max(turn_file_path(table, 1).parent.iterdir()).stem
    bo.pbem("submit --no-advance -C savannah -", "")
    (dropped,) = (table.shared / "savannah/orders").glob(f"{asked}-b-*")
    bytes_ = dropped.read_bytes()
    dropped.unlink()
    referee_at(table, NOW + 52 * HOUR)
    if not is_gone:
        dropped.write_bytes(bytes_)
    told = f"your orders {dropped.stem[-6:]} for turn {int(asked)} were in time: you sealed "
    for name in ("", f"{asked}-b-99-{accepted}", f"{asked}-b-98-{accepted}"):
        if name:
            (table.shared / f"savannah/orders/{name}.toml").write_bytes(b"junk")
        for line in ("status -C savannah", "doctor -C savannah", "audit savannah --as b"):
            said = bo.pbem(line)
            assert told in said.out, (name, line, said.text)


@pytest.mark.sample(0)
def test_orders_that_newer_ones_replaced_are_not_called_gone(game: Start) -> None:
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    seal_first_choice(ann)
    first = seal_first_choice(bo)
    draft = Path(bo.pbem("orders --new -C savannah").out.strip()).read_text("utf-8")
    newer = draft.replace("\n    # ", "\n    ", 2)
    assert bo.pbem("submit --no-advance -C savannah -", newer).exit == 0
    (gone,) = (table.shared / "savannah/orders").glob(f"0001-b-1-{first}.toml")
    gone.unlink()
    table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR)).checked(0)
    assert "their file is gone" not in bo.pbem("audit savannah --as b").text
    assert "their file is gone" not in bo.pbem("status -C savannah").text


@pytest.mark.sample(0)
def test_an_audit_as_a_seat_says_what_its_machine_remembers(game: Start) -> None:
    table = game("middle")
    bo = table.person("bo")
    bo.pbem("status -C savannah")
    said = bo.pbem("audit savannah --as b")
    assert (
        f"For seat b, this computer last saw turn {MIDDLE}, but remembers no sealed orders. So "
        f"pbem cannot tell whether somebody dropped orders." in said.out
    )
    for memory in bo.home.glob("games/*"):
        rmtree(memory)
    fresh = bo.pbem("audit savannah --as b")
    assert (
        "For seat b, this computer remembers nothing of this game. So pbem cannot tell whether "
        "somebody dropped orders" in fresh.out
    )
    for memory in bo.home.glob("games/*"):
        rmtree(memory)
    data = json.loads(bo.pbem("audit savannah --as b --json").out)["data"]
    assert (data["seat"], data["remembered"], data["saw"]) == ("b", 0, 0)
    assert "For seat b, this" not in table.person("eve").pbem("audit savannah").out


@pytest.mark.sample(0)
def test_an_audit_as_a_seat_names_missing_turns_that_its_machine_saw(game: Start) -> None:
    table = game("over")
    bo = table.person("bo")
    assert bo.pbem("status -C savannah").exit == 0
    last = max((table.shared / "savannah/turns").iterdir())
    last.unlink()
    (table.shared / "savannah/final.toml").unlink()
    number = int(last.stem)
    said = bo.pbem("audit savannah --as b")
    said.checked(1, out=f"turns/{last.name}: this computer has seen turn {number} (")
    assert f", but the folder ends at turn {number - 1}: " in said.out
    assert table.person("eve").pbem("audit savannah").exit == 0


def test_an_audit_as_another_players_seat_is_refused(game: Start) -> None:
    game("begun").person("bo").pbem("audit savannah --as a").checked(2, err="seat a is not yours")


def test_orders_in_anothers_name_are_blamed_on_whoever_signed_them(game: Start) -> None:
    table = game("middle")
    (path,) = (table.shared / "savannah/orders").glob("0001-a-1-*")

    lie = resigned(record_at(path), key_of("bo"), revision=9)
    path.with_name(f"0001-a-9-{lie.id.hex()[:6]}.toml").write_bytes(lie.file)
    said = table.person("eve").pbem("audit savannah")
    sentence = "these orders are in the name of seat a, but are signed with the key of seat b"
    assert f"{sentence}, by seat b" in said.out
    assert "by seat a" not in said.out


def test_the_same_turn_under_a_second_signature_is_no_proof(game: Start, tmp_path: Path) -> None:
    table = game("middle")
    bo = table.person("bo")
    body = record_at(turn_file_path(table, 1)).signed.body
    again = turn_with_second_signature(body)
    assert again != turn_file_path(table, 1).read_bytes()
    mail = tmp_path / "again.pbem"
    mail.write_bytes(again)
    said = bo.pbem(f"receive {mail} -C savannah")
    assert "proof" not in said.text
    assert "with the same content, but with another signature" in said.text
    turn_file_path(table, 1).with_name("0001 (1).toml").write_bytes(again)
    audit = table.person("eve").pbem("audit savannah")
    assert (audit.exit, "proof" in audit.out) == (0, False)


def turn_with_second_signature(body: bytes) -> bytes:
    """The turn under another signature of Rhea's key: Ed25519 with a nonce of its own."""
    secret = sha512(key_of("rhea").seed).digest()
    scalar = int.from_bytes(secret[:32], "little") & ~7 & ~(128 << 248) | 64 << 248
    nonce = int.from_bytes(sha512(b"another nonce" + body).digest(), "little") % L
    public, point = key_of("rhea").public, multiply_base(nonce)
    message = _message("turn", body)
    challenge = int.from_bytes(sha512(point + public + message).digest(), "little") % L
    signature = point + ((nonce + challenge * scalar) % L).to_bytes(32, "little")
    return Signed(body, "turn", public, signature).file


@pytest.mark.long
def test_an_empty_file_named_as_turn_9998_makes_no_turn_missing(game: Start) -> None:
    table = game("middle")
    turn_file_path(table, 9998).write_bytes(b"")
    for who, line in (("ann", "status"), ("ann", "show"), ("ann", "orders"), ("rhea", "status")):
        said = table.person(who).pbem(f"{line} -C savannah")
        assert (said.exit, "is missing" in said.text) == (0, False), said.text
    for who in ("ann", "bo"):
        table.person(who).pbem("submit -C savannah -")
    play(table, MIDDLE + 1)
    table.person("eve").pbem("audit savannah").checked(0, out="foreign: turns/9998.toml")


@pytest.mark.long
def test_junk_in_the_place_of_the_final_record_is_set_aside(game: Start) -> None:
    table = game("last_turn")
    final = table.shared / "savannah/final.toml"
    final.write_bytes(b"junk\n")
    rhea = table.person("rhea")
    said = rhea.pbem("advance -C savannah").checked(0)
    assert "final.toml had the name of the final record of this game" in said.err
    assert table.person("eve").pbem("audit savannah").exit == 0
    right = final.read_bytes()
    final.write_bytes(right[:100])  # somebody damages it later
    assert rhea.pbem("advance -C savannah").exit == 0
    assert final.read_bytes() == right


def test_status_tells_of_a_final_record_before_the_end(game: Start) -> None:
    table = game("middle")
    rhea = session_of(table.person("rhea"))
    run = Advance(rhea.game_folder, rhea.refereeing.key(), NOW)
    run.run()  # makes every turn again
    maker = TurnMaker(
        rhea.game_folder.charter,
        rhea.game_folder.joins_of(next(rhea.game_folder.turns()).content),
        run.secrets,
    )
    for record in rhea.game_folder.turns():
        maker.add_turn(record)
    early = make(maker.final(), rhea.refereeing.key())
    (table.shared / "savannah/final.toml").write_bytes(early.file)
    said = table.person("ann").pbem("status -C savannah")
    assert "the game is not over: everybody can read every hand and all orders" in said.out


def test_advance_in_a_year_that_no_calendar_has_is_refused(table: Round) -> None:
    clocked(table)
    rhea = table.person("rhea")
    said = rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH="253402300800")
    assert (said.exit, "Traceback" in said.text) == (4, False)
    assert "time" in said.err
    assert not (table.shared / "savannah/turns").exists()


def test_orders_on_a_head_that_nobody_knows_do_not_stop_the_game(game: Start) -> None:
    """A player who sends such orders every day would stop every turn."""
    table = game("begun")
    bo = session_of(table.person("bo"))
    reader = bo.readers.seat("b")
    strange = make_orders(reader, key_of("bo"), ["food: [x]"], 7)
    lie = resigned(strange, key_of("bo"), prev=b"\x05" * 32)
    orders = table.shared / "savannah/orders"
    orders.mkdir()
    (orders / f"0001-b-7-{lie.id.hex()[:6]}.toml").write_bytes(lie.file)
    seal_first_choice(table.person("ann")), seal_first_choice(table.person("bo"))
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 0
    assert 'reason = "forked"' in turn_file_path(table, 2).read_text("ascii")


def test_two_joins_with_one_invite_stop_the_referee_with_both_names(table: Round) -> None:
    made(table)
    sit(table, "a")
    line = invite(table, "b")
    for who in ("bo", "eve"):
        name = who.capitalize()
        words = ["join", "-C", "savannah", "--invite", line, "--name", name]
        assert table.person(who).pbem(words).exit == 0
    rhea = table.person("rhea")
    said = rhea.pbem("advance -C savannah --start").checked(5, err="seat b (Bo) has 2 joins, by ")
    assert "Eve (" in said.err
    assert "phone Bo" in said.err
    eves = next(
        p.stem[2:]
        for p in (table.shared / "savannah/seats").glob("b-*")
        if b'name = "Eve"' in p.read_bytes()
    )
    assert f"yours, {eves}" in table.person("eve").pbem("status -C savannah").out
    assert rhea.pbem(f"advance -C savannah --refuse {eves}").exit == 0
    lost = table.person("eve").pbem("status -C savannah")
    assert (
        f"your join for seat b ({eves}) was not accepted: a different join, by Bo, has the seat"
        in lost.out
    )
    audit = table.person("bo").pbem("audit savannah").checked(0)
    told = "Two people joined seat b with one invite; Rhea accepted "
    assert f"{told}Bo, and not the join {eves} of Eve." in audit.out
    assert "stray" not in audit.out


def test_a_player_whose_join_the_referee_hid_is_told_by_their_own_audit(table: Round) -> None:
    """The referee hides a join while it begins without the seat; its owner has no seat now."""
    made(table, "--players Ann,Bo,Cy --referee Rhea")
    for seat in "abc":
        sit(table, seat)
    (hidden,) = (table.shared / "savannah/seats").glob("c-*")
    aside = table.root / hidden.name
    move(hidden, aside)
    said = table.person("rhea").pbem(
        "advance -C savannah --start", SOURCE_DATE_EPOCH=str(NOW + HOUR)
    )
    assert said.exit == 0, said.text
    move(aside, hidden)
    cy = table.person("cy")
    assert "your join for seat c" in cy.pbem("status -C savannah").out
    mine = cy.pbem("audit savannah --as c").checked(1)
    assert f"ask: seats/{hidden.name}: you joined 60 minutes before the date of turn 1" in mine.out
    assert "ask Rhea why" in mine.out


@pytest.mark.parametrize("home", ["kept", "lost"])
def test_a_copied_join_never_takes_the_seat(table: Round, home: str) -> None:

    made(table)
    for seat in "ab":
        sit(table, seat)
    (path,) = (table.shared / "savannah/seats").glob("b-*")
    right = record_at(path)
    for n in range(6):
        theft = resigned(right, key_of("eve"), key=key_of("eve").public, name=f"B{n}")
        path.with_name(f"b-{theft.id.hex()[:6]}.toml").write_bytes(theft.file)
    if home == "lost":
        copytree(table.person("rhea").home, table.root / "copy")
        rmtree(table.person("rhea").home / "games")
    advance(table)
    assert right.id.hex() in turn_file_path(table, 1).read_text("ascii")
