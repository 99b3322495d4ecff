"""What one hostile input may cost, and that honest ones are read as before."""

import random
import re
from pathlib import Path

import pytest

from engine import Line, first_fit
from pbem.files.home import Home
from pbem.format import mail_block
from pbem.judge.next_turn import Advance
from pbem.judge.order_line_checks import find_covering_line
from pbem.mail.find_game_by_id import Places
from pbem.mail.incoming_email import part_at
from pbem.mail.take_records_from_mail import Receiving
from pbem.mail.unpack_mail import MAX_PIECES, MAX_POST, Budget, _Opening, open_post
from pbem.records.record_count_and_size_limits import MAX_OTHER_JOINS, MAX_READ_ORDER_SETS
from pbem.rulecases.run_cases import main
from pbem.text.handwritten_toml_within_limits import MAX_NESTED, MAX_PARTS, Overlong, loads
from pbem.text.names_and_email_addresses import first_lookalikes, lookalike_form
from tests.kit.people import Round
from tests.kit.played_games import Played
from tests.kit.record_files import archive_of, put_record
from tests.mail.sample import BUNDLE, FILES
from tools import hostile_input_samples


# ------------------------------------------------------------------ stars
def by_expression(line, option):
    """What a star means, as an expression says it (too slow for hostile lines)."""
    words = re.sub(r"(?:\\\*)+", "[^][;:, ]+", re.escape(line))
    return re.fullmatch(words, option) is not None


@pytest.mark.sample(0)
def test_a_star_in_a_line_matches_what_the_same_regular_expression_matches():
    luck, hits = random.Random(1), 0
    for _ in range(6_000):
        letters = luck.choice(["ab* ", "ab*: ", "a*[]; ,"])
        option = "".join(luck.choice(letters) for _ in range(luck.randint(0, 8)))
        line = "".join(sign if luck.random() < 0.6 else "*" for sign in option)
        if luck.random() < 0.3:
            line += luck.choice(letters)
        assert (first_fit(line, [option]) is not None) == by_expression(line, option)
        hits += by_expression(line, option)
    assert hits > 300


def test_lines_full_of_stars_are_compared_with_each_other_quickly():
    """One line of orders is held against another; by an expression these two take years."""
    one, other = Line(1, "feed", "*a" * 90 + "b"), Line(2, "feed", "*a" * 95)
    assert find_covering_line(other, [one]) is None
    assert find_covering_line(Line(3, "feed", "*a" * 95 + "b"), [one]) is one


# ------------------------------------------------------------------ mail
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", hostile_input_samples.MAILS)
def test_no_hostile_mail_is_taken_for_a_record(name):
    for finding in open_post(hostile_input_samples.MAILS[name](), "x"):
        assert finding.data is None
        assert finding.damage


def test_a_bundle_behind_a_bomb_in_the_same_mail_is_found():
    head = b"From: a@b\nTo: " + b"=?charset=?q?x?= " * 16_000 + b"\n\n"
    assert [f.data for f in open_post(head + BUNDLE.encode(), "x")] == FILES


def test_all_zips_in_one_mail_share_one_limit_of_parts():
    inner = hostile_input_samples.zipped(hostile_input_samples.repeated_members(300, b"x"))
    found = open_post(
        hostile_input_samples.zipped(hostile_input_samples.repeated_members(10, inner)), "x"
    )
    assert f"more than {MAX_PIECES} parts" in found[-1].damage


@pytest.mark.sample(0)
def test_all_texts_in_one_mail_share_one_limit_of_size():
    rows = b"\n".join(b"%d of something" % n for n in range(60_000))
    found = open_post(
        hostile_input_samples.zipped(hostile_input_samples.repeated_members(14, rows)), "x"
    )
    assert f"more than {MAX_POST >> 20} MB of text" in found[-1].damage


@pytest.mark.long
def test_blocks_in_one_mail_unpack_up_to_a_limit():
    """Files that are found count, and so does what is unpacked in vain."""
    for name, told in (
        ("4 MB of blocks of 1 MB", f"more than {2 * MAX_POST >> 20} MB of files"),
        ("4 MB of blocks of nearly 1 MB", f"unpacks to more than {2 * MAX_POST >> 20} MB"),
    ):
        found = open_post(hostile_input_samples.TEXTS[name](), "x")
        assert told in found[-1].damage
        assert sum(len(finding.data or b"") for finding in found) <= 2 * MAX_POST
    (found,) = open_post(hostile_input_samples.TEXTS["a block of 200 MB of zeros"](), "x")
    assert "more than 1 MB" in found.damage


@pytest.mark.long
def test_a_text_that_is_read_in_several_ways_is_unpacked_once():
    """Else a letter with one damaged block would soon cost more than a letter may."""
    blocks = hostile_input_samples.block(random.Random(1).randbytes(1_000_000))
    damaged = hostile_input_samples.block(b"x").replace(b"check: ", b"check: 0")
    letter = _Opening(Budget())
    assert [f.data is None for f in letter.post(blocks + damaged, "x", 0)] == [False, True]
    assert letter.budget.unpacked == 2 * MAX_POST - 1_000_000 - 1


def test_a_number_too_long_for_python_in_a_web_page_is_no_error():
    assert open_post(b"<b>&#" + b"9" * 5000 + b";</b>", "x") == []


@pytest.mark.parametrize(
    ("field", "boundary"),
    [
        (b'multipart/mixed; boundary="a b"', b"a b"),
        (b"multipart/mixed;\n boundary=ab", b"ab"),
        (b'multipart/mixed; boundary*0="a"; boundary*1=b', b"ab"),
        (b"multipart/mixed; boundary*=utf-8''a%20b", b"a b"),
        (b"multipart/mixed (a; boundary=x); boundary=ab", b"ab"),
    ],
)
def test_a_multipart_boundary_is_found_however_it_is_written(field, boundary):
    data = b"Content-Type: " + field + b"\n\n--" + boundary + b"\n\nx\n--" + boundary + b"--\n"
    mail = part_at(data, 0, len(data))
    assert mail.boundary == boundary
    assert [part.decoded() for part in mail.parts()] == [b"x"]


@pytest.mark.long
def test_mail_headers_whose_quotes_never_end_are_read_without_hanging():
    """Two thousand parts whose every quote, bracket or parameter begins and never ends."""
    for bit in (b';a="\\"', b"(", b'"', b";a=", b"; "):
        part = b"--b\nContent-Type: text/plain" + bit * (4000 // len(bit)) + b"\n\nx\n"
        data = b"From: x\nContent-Type: multipart/mixed; boundary=b\n\n" + part * 200
        assert open_post(data, "x") == []


def test_a_begin_mark_far_from_its_dashes_begins_no_block():
    assert mail_block.decode("-" * 100_000 + " " * 60 + "BEGIN PBEM") == []


def test_receive_goes_on_in_a_game_folder_that_was_only_begun(tmp_path):
    (tmp_path / "savannah").mkdir()
    intake = Receiving(Places(Home(tmp_path / "home"), tmp_path))
    intake.open(BUNDLE.encode(), "x")
    intake.file_all()
    assert (tmp_path / "savannah" / "game.toml").exists()
    assert not (tmp_path / "savannah-2").exists()


# ------------------------------------------------------------------ TOML that people write
def test_toml_that_people_write_has_limits():
    deep = "a" + ".a" * MAX_PARTS
    for text, told in {
        f"{deep} = 1": "parts",
        f"x = 1\n[{deep}]": "line 2",
        "x = 1\n" + '"a" . ' * MAX_PARTS + "b = 1": "line 2",
        "x = " + "[" * (MAX_NESTED + 1): "brackets",
        "x = " + "[\n" * 3000: "nested",
        "# \x1b[2J": "U+001B",
        "x = 1\n" * 5000: "more than 4000 lines",
        "#" * (1 << 17) + "#": "128 kB",
    }.items():
        with pytest.raises(Overlong, match=re.escape(told)):
            loads(text)
    assert loads('a.b.c = "1.2.3.4.5.6.7.8.9 ... [[[[[[[[[["\r\n') == {
        "a": {"b": {"c": "1.2.3.4.5.6.7.8.9 ... [[[[[[[[[["}}
    }


@pytest.mark.parametrize("path", ["/dev/zero", "."])
def test_rule_cases_from_a_device_or_a_folder_are_refused(path, capsys):
    assert main([Path(path)]) == 4
    assert "error: " in capsys.readouterr().err


def test_errors_about_rule_cases_print_no_control_characters(tmp_path, capsys):
    (tmp_path / "x").write_text('game = "\\u001b[2J"\n[[case]]\nid = "\\u001b[2J"\n')
    assert main([tmp_path / "x"]) == 2
    assert "\x1b" not in capsys.readouterr().err


CASE = """game = "evolution"
seats = "ab"
[[case]]
id = "x"
title = "x"
source = "x"
phase = "feed"
then = { round = 1 }
position = { %s }
"""


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ('a = ["a3000000"]', "a3000000: the number in a name can be at most 199"),
        ('a = ["a200"]', "a200: the number in a name can be at most 199"),
        ("round = 10000", "round must be a number from 1 to 9999, not 10000"),
        ("screens = { b = 3000000 }", "screens of b must be a number from 0 to 9999"),
    ],
)
def test_rule_cases_with_huge_numbers_are_refused(tmp_path, position, told):
    """Facts are kept about every species up to the one with the highest number."""
    person = Round(tmp_path).person("ann")
    (tmp_path / "case.toml").write_text(CASE % position)
    said = person.pbem(["rules", "test", str(tmp_path / "case.toml")])
    assert (said.exit, told in said.err) == (2, True), said
    (tmp_path / "case.toml").write_text(CASE % 'a = ["a199"]')
    assert person.pbem(["rules", "test", str(tmp_path / "case.toml")]).exit == 0


# ------------------------------------------------------------------ folders
@pytest.mark.long
def test_joins_of_strangers_do_not_crowd_out_those_of_the_players(tmp_path):
    game = Played(tmp_path / "game").play(2)
    for name, record in hostile_input_samples.strange_joins(game, MAX_OTHER_JOINS + 20):
        game.folder.create(name, record.file)
    game_folder = archive_of(game.root)
    joins = game_folder.joins()
    assert len(joins) <= MAX_OTHER_JOINS
    first = next(game_folder.turns()).content
    assert set(game_folder.joins_of(first)) == {"a", "b"}
    assert any(
        "remove the files of people who do not play" in fault.sentence
        for fault in game_folder.faults
    )


def test_of_a_seats_many_orders_the_newest_are_read(tmp_path):
    game = Played(tmp_path / "game").play(2)
    player = hostile_input_samples.a_player(game)
    sent = [player.orders(player.lines(), n) for n in range(1, MAX_READ_ORDER_SETS + 6)]
    for record in sent:
        put_record(game.folder, record)
    game_folder = archive_of(game.root)
    out = Advance(game_folder, game.referee, game.now + 60).run()
    assert any("new sets of orders" in fault.sentence for fault in game_folder.faults)
    if out.new_records:
        listed = {x.id for x in out.new_records[0][1].content.orders}
        assert listed <= {record.id for record in sent[5:]}
        assert sent[-1].id in listed


# ------------------------------------------------------------------ names
@pytest.mark.parametrize("other", ["Bo\u0301", "bo", "B\u043e", "Bo\ufe0f", "B o", "\uff22o"])
def test_names_that_look_alike_are_found(other):
    assert lookalike_form("Bo") == lookalike_form(other)
    assert first_lookalikes(["Ann", "Bo", other]) == ("Bo", other)


def test_names_that_look_different_are_not_taken_for_alike():
    assert (
        first_lookalikes(["Bo", "Bob", "Ann", "Anna", "\u0410\u043d\u043d\u0430", "Li", "Ll"])
        is None
    )


def test_pbem_new_refuses_players_whose_names_look_alike(tmp_path):
    said = Round(tmp_path).person("ann").pbem(["new", "game", "--players", "Ann,Bo,Bo\u0301"])
    assert said.exit == 2
    assert "names that look the same" in said.err
