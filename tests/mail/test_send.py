"""What is sent: what the other lacks, nothing else, to a file that is never overwritten."""

import re
from dataclasses import replace

import pytest

from pbem.files.home import Home
from pbem.format.mail_block import decode
from pbem.person.mail_notebooks import MailHistory
from pbem.records.read_and_sign_record import read
from tests.kit.named_games import MIDDLE, advance, game_id, invite, made, session_of, sit
from tests.kit.people import snapshot, stdout_of, unchanged


def bundle_kinds(text: str) -> list[str]:
    """What is in a bundle: kinds with their turns, and seats if they have one."""
    blocks = decode(text)
    assert blocks
    contents = [read(block.data or b"").content for block in blocks]
    return [f"{c.kind} {c.turn}{c.seat}".strip() for c in contents]


def stand(person):
    """The same person, in the game's folder."""
    return replace(person, place=person.shared / "savannah")


@pytest.fixture
def unanswered_table(game):
    """Turn 1 is made, nobody has answered."""
    return game("begun")


def test_send_writes_a_turn_with_everything_that_it_needs(unanswered_table):
    rhea = stand(unanswered_table.person("rhea"))
    said = rhea.pbem("send --to b --paste")
    assert bundle_kinds(said.out) == [
        "join 0a",
        "turn 1",
    ]  # Bo wrote his join, which builds on the charter
    whole = rhea.pbem("send --to b --paste --all")
    assert bundle_kinds(whole.out) == ["charter 0", "join 0a", "join 0b", "turn 1"]


def test_what_was_answered_is_not_sent_again(game):
    """The last orders of a seat say what it has; the others' orders come with the turns."""
    table = game("middle")
    rhea = stand(table.person("rhea"))
    sent = {seat: bundle_kinds(rhea.pbem(f"send --to {seat} --all --paste").out) for seat in "ab"}
    assert sent["a"] == sent["b"]
    for seat in "ab":
        said = rhea.pbem(f"send --to {seat} --paste")
        new = bundle_kinds(said.out) if said.exit == 0 else []
        orders = (table.shared / "savannah" / "orders").glob(f"????-{seat}-*")
        answered = max(int(path.name[:4]) for path in orders)
        assert [x for x in new if x.startswith("turn")] == [
            f"turn {n}" for n in range(answered + 1, MIDDLE + 1)
        ]
        assert not [x for x in new if x.startswith("orders") and x.endswith(seat)]


def test_a_player_sends_his_join_then_his_orders(game):
    table = game("made")
    ann = stand(table.person("ann"))
    assert ann.pbem("send").exit == 4  # no seat yet
    assert ann.pbem(["join", "--invite", invite(table, "a")]).exit == 0
    said = ann.pbem("send")
    assert (said.exit, bundle_kinds((ann.shared / "savannah-join-a.pbem").read_text())) == (
        0,
        ["join 0a"],
    )
    assert "attach this file to an email to Rhea" in said.err


# ------------------------------------------------------------------ files
def test_a_bundle_lies_beside_the_game_and_is_never_overwritten(unanswered_table):
    rhea = stand(unanswered_table.person("rhea"))
    (rhea.shared / "savannah-0001-b.pbem").write_text("mine")
    with unchanged(rhea.place):
        said = rhea.pbem("send --to b")
    assert said.exit == 0
    assert "wrote ../savannah-0001-b-v2.pbem (1 join, turn 1; " in said.out
    assert (rhea.shared / "savannah-0001-b.pbem").read_text() == "mine"
    before = snapshot(rhea.shared)
    assert "you have already sent this bundle to Bo" in rhea.pbem("send --to b").err
    assert snapshot(rhea.shared) == before


def test_a_named_file_is_not_overwritten(unanswered_table):
    rhea = stand(unanswered_table.person("rhea"))
    (rhea.shared / "x.txt").write_text("mine")
    said = rhea.pbem("send --to a -o ../x.txt")
    assert said.exit == 2
    assert "exists already" in said.err
    assert (rhea.shared / "x.txt").read_text() == "mine"
    for _ in range(2):  # the same bundle is the same file
        assert rhea.pbem("send --to a -o ../y.txt").exit == 0


def test_what_was_sent_may_be_left_out(unanswered_table):
    rhea = stand(unanswered_table.person("rhea"))
    assert rhea.pbem("send --to a --new").exit == 0
    said = rhea.pbem("send --to a --new")
    assert said.exit == 5
    assert "you have already sent everything to Ann" in said.err
    assert rhea.pbem("send --to b --new").exit == 0


def test_a_bundle_is_plain_text(unanswered_table):
    said = stand(unanswered_table.person("rhea")).pbem("send --to b --paste")
    assert said.out.isascii()
    assert max(map(len, said.out.splitlines())) <= 76
    assert not re.search("(?i)tmp|home|rhea", said.out.split("-----BEGIN")[0])


# ------------------------------------------------------------------ whom for
@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("send", 2, "pbem does not know of any player who plays by mail"),
        ("send --to Bop", 2, "did you mean bo?"),
        ("send --to z", 2, "nobody here is called 'z'"),
        ("send --to b --as b", 0, "attach this file to an email to Bo"),
    ],
)
def test_send_asks_for_whom_a_mail_is_and_refuses_who_is_not_there(
    unanswered_table, line, code, words
):
    said = stand(unanswered_table.person("rhea")).pbem(line)
    assert (said.exit, words in said.err) == (code, True), said.text


def test_a_held_seat_needs_no_mail(game):
    said = stand(game("plays").person("rhea")).pbem("send --to c")
    assert said.exit == 2
    assert "the referee plays seat c" in said.err


def test_who_joined_by_mail_is_remembered(game):
    """advance names him, and `send` alone is for him."""
    table = game("made")
    rhea, bo = stand(table.person("rhea")), table.person("bo")
    bo.place = table.root / "bo"
    bo.place.mkdir()
    file = bo.place / "savannah.pbem"
    assert rhea.pbem(f"send --to b -o {file}").exit == 0
    assert bo.pbem("receive savannah.pbem").exit == 0
    bo.place = bo.place / "savannah"
    assert bo.pbem(["join", "--invite", invite(table, "b")]).exit == 0
    assert bo.pbem("send").exit == 0
    Home(rhea.home).game(game_id(table)).root.joinpath("mail.toml").unlink()  # may be deleted
    got = stdout_of(rhea, ["receive", str(table.root / "bo" / "savannah-join-b.pbem")])
    assert "next: wait for Ann to join, then pbem advance" in got
    (join,) = session_of(rhea).game_folder.joins()
    book = MailHistory(Home(rhea.home).game(game_id(table)))
    assert (book.by_mail({join: "b"}), book.by_mail({bytes(32): "b"})) == (["b"], [])
    ann = stand(table.person("ann"))
    assert ann.pbem(["join", "--invite", invite(table, "a")]).exit == 0
    assert (
        "seat b plays by mail; to write the next email: pbem send --to b"
        in rhea.pbem("advance").err
    )
    assert bundle_kinds(rhea.pbem("send --paste").out)[-1] == "turn 1"


@pytest.mark.parametrize(
    "text", ["", "x", "by_mail = 3\nsent = 4\n", "by_mail = [3]\n", "sent.a = [1]\n", "\xff["]
)
def test_a_broken_note_of_sent_mail_is_an_empty_one(tmp_path, text):
    mine = Home(tmp_path).game("0" * 64)
    mine.root.mkdir(parents=True)
    (mine.root / "mail.toml").write_text(text, "latin-1")
    book = MailHistory(mine)
    assert not book.was_sent("b", bytes(32))
    book.note_sent("b", [bytes(32)])
    book.note_received(["c"])
    assert MailHistory(mine).by_mail({}) == ["b", "c"]
    assert MailHistory(mine).was_sent("b", bytes(32))


def test_the_first_bundle_of_a_game_of_three_has_at_most_30000_characters(game):
    """The charter, all joins, and turn 1 with all that the deck commits to."""
    table = game("")
    made(table, "--players Ann,Bo,Cy --referee Rhea")
    for seat in "abc":
        sit(table, seat)
    advance(table)
    text = stand(table.person("rhea")).pbem("send --to b --all --paste").out
    print(f"the first mail of three: {len(text)} characters")
    assert bundle_kinds(text) == ["charter 0", "join 0a", "join 0b", "join 0c", "turn 1"]
    assert len(text) <= 30_000


def test_who_sent_or_got_mail_from_the_referee_reaches_the_referee_by_mail(tmp_path):
    for game, note in (("0", MailHistory.note_sent), ("1", MailHistory.note_received)):
        mine = Home(tmp_path).game(game * 64)
        note(MailHistory(mine), "b", [])
        assert not MailHistory(mine).with_referee
        note(MailHistory(mine), *{"0": ("referee", []), "1": (["referee"],)}[game])
        assert MailHistory(mine).with_referee
