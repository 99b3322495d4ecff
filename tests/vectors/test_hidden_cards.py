"""The answers of protocol §12 are what the code makes today, and a second implementation's too."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.cards.card_keys_and_shares import SharePlace, check_card_share, check_key_proof, joint_key
from pbem.cards.card_points_and_pairs import Pair, known_pairs
from pbem.cards.mixing import Mix, MixPlace, check_mix
from pbem.cards.sealed_shares import check_point_proof, check_sealed_share
from pbem.records.seeded_decks_and_dice import Position
from tests.cards.dealers import GAME, Dealers, refusal_reason
from tests.vectors import make_cards

SCRIPT = make_cards.FILE.with_name("second_cards.py")
COMPARED = "right: 5 keys, 5 mixes, 6 opened cards, 6 sealed shares, 60 refused, 20 transcripts\n"
ANSWERS = json.loads(make_cards.FILE.read_text("ascii"))
FAST_ANSWERS = ANSWERS | {"transcripts": ANSWERS["transcripts"][:1]}


def run_second_program(file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True)


@pytest.mark.sample(0)
def test_the_stored_vectors_of_hidden_cards_are_those_that_the_code_makes() -> None:
    """With all bytes of twenty small games: in a tab too, where another library computes."""
    assert json.loads(make_cards.FILE.read_text("ascii")) == make_cards.card_vectors()


@pytest.mark.sample(0)
def test_a_second_implementation_with_its_own_curve_finds_the_vectors_right() -> None:
    source = SCRIPT.read_text("utf-8")
    assert not re.search(r"(?m)^\s*(import|from) (pbem|tests|nacl)", source)
    done = run_second_program(make_cards.FILE)
    assert (done.stdout, done.stderr) == (COMPARED, "")


@cache
def three_dealers() -> tuple[Dealers, list[list[Pair]]]:
    """The dealers that the rows are about; the pairs that each mixes, and those at the end."""
    dealers, cards = Dealers(b"three", 3), make_cards.CARDS[:2]
    pairs = [known_pairs(GAME, cards)]
    for d, mix in enumerate(dealers.mixes(make_cards.DECK, make_cards.EPOCH, cards)[0]):
        place = MixPlace(GAME, make_cards.DECK, make_cards.EPOCH, d)
        pairs.append(check_mix(mix, place, dealers.joint_key, pairs[-1]))
    return dealers, pairs


@pytest.mark.parametrize("row", ANSWERS["refused"], ids=lambda row: f"{row['of']}: {row['why']}")
def test_each_wrong_vector_of_hidden_cards_is_refused_for_its_stated_reason(row: Any) -> None:
    (dealers, pairs), d = three_dealers(), row.get("dealer", 0)
    deck, epoch = make_cards.DECK, make_cards.EPOCH
    given = {
        name: bytes.fromhex(row[name]) for name in ("key", "proof", "share", "pairs") if name in row
    }
    if row["of"] == "seat point":
        point = bytes.fromhex(row["seat point"])
        why = refusal_reason(check_point_proof, point, given["proof"], GAME, row["seat"])
    elif row["of"] == "joint key":
        why = refusal_reason(joint_key, [*map(bytes.fromhex, row["keys"])])
    elif row["of"] == "key":
        why = refusal_reason(check_key_proof, given["key"], given["proof"], GAME, d)
    elif row["of"] == "share":
        at = SharePlace(GAME, Position(deck, epoch, row["k"]), d)
        why = refusal_reason(
            check_card_share, given["share"], at, dealers.keys[d], pairs[-1][row["k"]]
        )
    elif row["of"] == "sealed share":
        at = SharePlace(GAME, Position(deck, epoch, row["k"]), d)
        pair, point = pairs[-1][row["k"]], bytes.fromhex(row["seat point"])
        sealed = bytes.fromhex(row["sealed share"])
        why = refusal_reason(check_sealed_share, sealed, at, dealers.keys[d], pair, point)
    else:
        place, mix = MixPlace(GAME, deck, epoch, d), Mix(given["pairs"], given["proof"])
        why = refusal_reason(check_mix, mix, place, dealers.joint_key, pairs[d])
    assert why == row["reason"]


@pytest.mark.sample(0)
@pytest.mark.parametrize("number", [0, 20, -1])
def test_the_second_implementation_notices_another_reason(tmp_path: Path, number: int) -> None:
    answers = json.loads(make_cards.FILE.read_text("ascii"))
    row = answers["refused"][number]
    row["reason"] = {"field": "commitment", "commitment": "field"}[row["reason"]]
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(answers), "ascii")
    done = run_second_program(file)
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


def hex_strings(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all strings of at least 32 bytes in the answers that the program computes."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items if isinstance(value, dict | list) else ():
        if isinstance(inner, str) and len(inner) >= 64:
            yield (*path, key)
        elif isinstance(inner, dict | list) and key not in ("refused", "no points"):
            yield from hex_strings(inner, (*path, key))


@pytest.mark.sample(0)
@pytest.mark.parametrize("path", [*hex_strings(FAST_ANSWERS)], ids=str)
def test_the_second_implementation_notices_a_changed_answer(tmp_path: Path, path: Any) -> None:
    answers = json.loads(make_cards.FILE.read_text("ascii"))
    inner = answers
    for key in path[:-1]:
        inner = inner[key]
    text = inner[path[-1]]
    inner[path[-1]] = text[:-9] + f"{int(text[-9], 16) ^ 1:x}" + text[-8:]
    file = tmp_path / "answers.json"
    file.write_text(json.dumps(answers), "ascii")
    done = run_second_program(file)
    assert done.returncode == 1
    assert "Error" in done.stderr
