"""Lines with new keys, which people send each other: any slip is noticed, and keys are checked."""

import base64

import pytest

from pbem.judge.deputy_and_co_dealer_keys_in_charter import DeputyLine, parse_deputy_line
from pbem.judge.notice_kinds import Vouch, parse_key_line
from tests.kit.record_files import refusal_by
from tests.notices.people import GAME, KEYS, X_NEW

KEY = KEYS["new"].public
WEAK = bytes([1]) + bytes(31)
"""A point of small order: nobody's honest key."""
SEAT = Vouch("c", KEY, X_NEW)
DEPUTY = DeputyLine(KEY, X_NEW)
BAD = "this key line has a wrong character, or is for a different game: copy the whole line again"


def test_a_key_line_is_read_as_it_was_written():
    line = SEAT.line(GAME)
    assert line.startswith(f"c:{KEY.hex()}:{X_NEW.hex()}:")
    assert parse_key_line(line, GAME) == SEAT
    assert (
        parse_key_line(f" {line[:9].upper()} \n{line[9:40]}\t {line[40:].lower()} ", GAME) == SEAT
    )


def test_a_line_with_a_seat_point_is_read_as_it_was_written():
    vouch = Vouch("c", KEY, X_NEW, b"q" * 32, b"p" * 64)
    line = vouch.line(GAME)
    assert line.startswith(f"c:{KEY.hex()}:{X_NEW.hex()}:{'71' * 32}:{'70' * 64}:")
    assert parse_key_line(line, GAME) == vouch
    assert vouch.words(GAME) != SEAT.words(GAME)
    for changed in (line.replace("71", "72", 1), line.replace("70", "72", 1)):
        assert refusal_by(parse_key_line, changed, GAME)[0] == "grammar"
    without_proof = line.replace(f":{'70' * 64}", "")
    assert refusal_by(parse_key_line, without_proof, GAME)[0] == "grammar"


def test_a_deputys_line_is_read_as_it_was_written():
    line = DEPUTY.line()
    assert line.startswith(f"deputy:{KEY.hex()}:{X_NEW.hex()}:")
    assert parse_deputy_line(line) == DEPUTY
    assert parse_deputy_line(f" {line[:20]}\n {line[20:]} ") == DEPUTY


@pytest.mark.parametrize("at", [5, 70, 135])
def test_a_wrong_letter_is_noticed(at):
    line = SEAT.line(GAME)
    wrong = line[:at] + ("a" if line[at] != "a" else "b") + line[at + 1 :]
    assert refusal_by(parse_key_line, wrong, GAME)[0] == "grammar"
    line = DEPUTY.line()
    wrong = line[: at + 3] + ("2" if line[at + 3] != "2" else "3") + line[at + 4 :]
    assert refusal_by(parse_deputy_line, wrong)[0] == "grammar"


def test_a_line_is_for_one_game_and_one_seat():
    assert refusal_by(parse_key_line, SEAT.line(GAME), bytes(32)) == ("grammar", BAD)
    assert refusal_by(parse_key_line, f"b{SEAT.line(GAME)[1:]}", GAME) == ("grammar", BAD)
    swapped = Vouch("c", X_NEW, KEY).line(GAME).split(":")
    line = ":".join([*SEAT.line(GAME).split(":")[:3], swapped[-1]])
    assert refusal_by(parse_key_line, line, GAME) == ("grammar", BAD)


@pytest.mark.parametrize("cut", [slice(1, None), slice(None, -1)])
def test_an_incomplete_line_is_refused(cut):
    form = "this is not a complete key line; a key line looks like c:4f1c22…:…"
    assert refusal_by(parse_key_line, SEAT.line(GAME)[cut], GAME) == ("grammar", form)
    form = (
        "this is not the line that `pbem keys deputy` prints; such a line looks like "
        "deputy:4f1c22…:…"
    )
    assert refusal_by(parse_deputy_line, DEPUTY.line()[cut]) == ("grammar", form)
    assert refusal_by(parse_deputy_line, DEPUTY.line() + "A") == ("grammar", form)
    assert refusal_by(parse_deputy_line, "") == ("grammar", form)


def test_a_wrong_letter_in_the_deputys_line_has_its_own_sentence():
    line = DEPUTY.line()
    said = line[:-1] + ("A" if line[-1] != "A" else "B")
    told = (
        "a character of the deputy's line is wrong: copy the whole line that pbem keys deputy "
        "prints"
    )
    assert refusal_by(parse_deputy_line, said) == ("grammar", told)


@pytest.mark.parametrize("pair", [(WEAK, X_NEW), (KEY, bytes(32))])
def test_keys_that_cannot_be_used_are_refused(pair):
    assert refusal_by(parse_key_line, Vouch("c", *pair).line(GAME), GAME)[0] == "key"
    reason, told = refusal_by(parse_deputy_line, DeputyLine(*pair).line())
    assert reason == "key"
    if pair[0] == KEY:
        assert told.startswith("this X25519 key cannot be used: ")


def test_the_checksum_has_eight_letters_of_base32():
    for line in (SEAT.line(GAME), DEPUTY.line()):
        check = line.rpartition(":")[2]
        assert (len(check), len(base64.b32decode(check))) == (8, 5)
