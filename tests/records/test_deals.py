"""The records of mode `dealers`: charter, deal, and what turns have besides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.files.game_folder import Folder
from pbem.files.record_file_names import parse_name
from pbem.format.encrypted_box import box_key, public_of
from pbem.judge.read_and_check_record_file import file_name
from pbem.records.charter import CoDealer, co_dealers_deputy_message
from pbem.records.deal_record import (
    CardMix,
    NeededSlot,
    OpenedSlot,
    open_recovery,
    seal_recovery,
    split_shares,
)
from pbem.records.read_and_sign_record import make, read
from pbem.records.turn import LogEntry, SaidAnswer
from tests.kit.refusals import refused_for
from tests.kit.sample_records import sample
from tests.records.deal_sample import (
    BOX_SECRET,
    CO_DEALER,
    SHARES,
    co_dealer,
    dealers_charter,
    sample_deal,
)

GAME, DEPUTY = sample(), public_of(b"d" * 32)
FOOD_KEY = "1.food.food.b.0"
FIRST: dict[str, Any] = {
    "turn": 0, "prev": GAME.heads[0], "mix": None, "shares": None, "opened": (),
    "card_key": b"k" * 32, "card_proof": b"p" * 64,
}  # fmt: skip
LAST: dict[str, Any] = {"mix": None, "shares": None, "opened": (), "secret": b"s" * 32}


def dealer_with_deputy(key: bytes) -> CoDealer:
    """A co-dealer that has chosen the deputy with this key."""
    box = public_of(b"e" * 32)
    proof = CO_DEALER.sign(co_dealers_deputy_message(key, box))
    return co_dealer(deputy_key=key, deputy_x25519=box, deputy_proof=proof)


# ------------------------------------------------------------------ the charter
@pytest.mark.parametrize(
    "dealers",
    [(co_dealer(),), (dealer_with_deputy(GAME.held.public),)],
    ids=["one", "with a deputy"],
)
def test_a_charter_may_name_co_dealers_with_or_without_a_deputy(dealers: Any) -> None:
    charter = dealers_charter(dealers=dealers)
    assert read(make(charter, GAME.ann).file).content == charter


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("names? (no )?co-dealers", {"dealers": ()}),
        ("names? (no )?co-dealers", {"mode": "referee"}),
        ("no bot can see a hand", {"policies": {"silent_seat": "bot"}}),
        ("have the same key", {"dealers": (co_dealer(), co_dealer())}),
        ("have the same key", {"dealers": (co_dealer(key=GAME.ann.public),)}),
        ("have the same key", {"dealers": (co_dealer(x25519=GAME.charter.content.audit),)}),
        (
            "has only some of the three fields",
            {"dealers": (co_dealer(deputy_key=GAME.bo.public),)},
        ),
        (
            "have the same key",
            {"dealers": (dealer_with_deputy(GAME.ann.public),)},
        ),
        (
            "Host has not signed",
            {"dealers": (replace(dealer_with_deputy(GAME.bo.public), deputy_x25519=DEPUTY),)},
        ),
    ],
)  # fmt: skip
def test_a_charter_whose_dealers_could_be_one_person_is_refused(
    words: str, change: dict[str, Any]
) -> None:
    with refused_for("field", words):
        make(dealers_charter(**change), GAME.ann)


# ------------------------------------------------------------------ deals
@pytest.mark.parametrize("fields", [{}, FIRST, FIRST | {"recovery": b"r" * 144}, LAST])
def test_a_deal_is_read_back_as_it_was_written(fields: dict[str, Any]) -> None:
    record = sample_deal(GAME, **fields)
    assert read(record.file) == record


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("dealer's file must contain one of", {"mix": None, "shares": None, "opened": ()}),
        ("dealer's file must contain one of", {"secret": b"s" * 32}),
        ("dealer's file must contain one of", FIRST | {"mix": CardMix(b"m" * 128, b"p" * 416)}),
        ("the field card_key or card_proof", FIRST | {"card_key": b""}),
        ("the field card_key or card_proof", {"card_proof": b"p" * 64}),
        ("the field recovery is here, but only a dealer's first file", {"recovery": b"r" * 144}),
        ("field shares: this field is empty, so it must be left out", {"shares": {}}),
        ("shares", {"shares": {"b": bytes(96)}}),
        ("shares", {"shares": {"b": bytes(161)}}),
        ("share: .*; it must be base64", {"opened": (sample_deal(GAME).content.opened[0],) and
                                   (replace(sample_deal(GAME).content.opened[0], share=b"1"),)}),
        ("opened: the list is not", {"opened": sample_deal(GAME).content.opened[::-1]}),
        ("opened: the list is not", {"opened": sample_deal(GAME).content.opened[:1] * 2}),
        ("dealer", {"dealer": 2}),
        ("pairs", {"mix": CardMix(b"m" * 100, b"p" * 416)}),
        ("proof", {"mix": CardMix(b"m" * 128, b"p" * 417)}),
    ],
)  # fmt: skip
def test_a_deal_that_says_too_much_or_too_little_is_refused(
    words: str, fields: dict[str, Any]
) -> None:
    with refused_for("field", words):
        sample_deal(GAME, **fields)


def test_shares_and_the_recovery_box_open_to_what_was_sealed() -> None:
    assert split_shares((sample_deal(GAME).content.shares or {})["b"]) == SHARES
    key = box_key(GAME.secrets_b.box(GAME.game, "b"), public_of(BOX_SECRET), GAME.game)
    recovery = seal_recovery(b"s" * 32, 1, key)
    assert len(recovery) == 144
    assert open_recovery(recovery, 1, key) == b"s" * 32


def test_deals_lie_in_a_folder_of_their_own(tmp_path: Any) -> None:
    record, folder = sample_deal(GAME), Folder(tmp_path)
    name = file_name(record)
    assert name.path == f"deals/0001-0-{record.id.hex()[:6]}.toml"
    assert parse_name(name.path) == name
    assert parse_name("deals/0000-1-00aabb.toml")
    assert not parse_name("deals/0001-2-00aabb.toml")
    assert not parse_name("deals/0001-a-00aabb.toml")
    folder.create(name, record.file)
    listing = folder.scan()
    assert [file.path for file in listing.deals] == [name.path]
    assert listing.records == listing.deals
    (tmp_path / name.path.replace(".toml", " (1).toml")).write_bytes(record.file)
    assert [stray.kind for stray in folder.scan().strays] == ["copy"]


# ------------------------------------------------------------------ turns
TURN_FIELDS: dict[str, Any] = {
    "deals": (b"d" * 32,),
    "mix": CardMix(b"m" * 128, b"p" * 32 * 13),
    "opened": (OpenedSlot("a", 4, "horns 4", b"o" * 96),),
    "said": (SaidAnswer("1.play.play.a.0", "#5: a1 body", "line [?]"),),
    "need": (NeededSlot("a", 5),),
    "owed": (0,),
    "log": (LogEntry("1.food.food.b.0", "food [?]", "line [?]", (), (7,)),),
    "lines": (), "cards": (), "dealt": (), "shown": (), "decks": (), "links": (),
}  # fmt: skip


def test_a_turn_with_all_fields_of_dealers_mode_is_read_back_as_written() -> None:
    turn = replace(GAME.turn2.content, **TURN_FIELDS)
    assert read(make(turn, GAME.ann).file).content == turn
    first = replace(GAME.turn1.content, card_key=b"k" * 32, card_proof=b"p" * 64)
    assert read(make(first, GAME.ann).file).content == first


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("turn 2 has the field card_key, but only turn 1 may have it", {"card_key": b"k" * 32}),
        ("turn 2 has the field card_proof, but only turn 1 may have it", {"card_proof": b"k" * 64}),
        ("field deals: the list is not in ascending", {"deals": (b"d" * 32, b"c" * 32)}),
        ("owed", {"owed": (2,)}),
        ("field owed: the list is not in ascending", {"owed": (0, 0)}),
        ("need: the list is not", {"need": (NeededSlot("b", 5), NeededSlot("a", 5))}),
        ("slots", {"log": (LogEntry(FOOD_KEY, "food [?]", "line [?]", (b"h" * 32,), (7,)),)}),
        ("slots", {"log": (LogEntry("1.food.food.b.0", "food [?]; [?]", "line [?]", (), (7,)),)}),
        ("slots", {"log": (LogEntry("1.food.deal.*.0", "b draws [?]", "chance", (), (7,)),)}),
        ("slots", {"log": (LogEntry("1.food.food.b.0", "food [?]", "line [?]", (), (7, 7)),)}),
        ("hidden", {"log": (LogEntry("1.food.food.b.0", "food [?]", "line [?]"),)}),
    ],
)  # fmt: skip
def test_a_turn_whose_parts_contradict_each_other_is_refused(
    words: str, change: dict[str, Any]
) -> None:
    with refused_for("field", words):
        make(replace(GAME.turn2.content, **(TURN_FIELDS | change)), GAME.ann)


def test_the_sample_deal_is_signed_by_its_dealer() -> None:
    assert sample_deal(GAME).signed.key == CO_DEALER.public
