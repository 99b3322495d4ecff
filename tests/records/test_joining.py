"""Invites, joins, chain, words: what the records around the game promise."""

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.format import protocol_labels
from pbem.format.encrypted_box import box_key
from pbem.format.record_error import RecordError
from pbem.records.final_record import check_final
from pbem.records.game_id_and_chain_heads import first_head, game_id, next_head
from pbem.records.invite import Invite, door_key, parse_invite, slug
from pbem.records.join import check_keys, check_share, is_let_in, open_contact, open_r, small_box
from pbem.records.sealed_orders import OrderPlace
from pbem.records.seeded_decks_and_dice import seat_commitment
from pbem.records.turn import sort_sets
from pbem.records.twelve_words import parse_words, word_list, words_of
from tests.kit.refusals import refused_for
from tests.kit.sample_records import sample
from tests.kit.selection import ROOT


# ------------------------------------------------------------------ invites and joins
@given(st.text(max_size=60), st.sampled_from("abp"), st.binary(min_size=16, max_size=16))
def test_an_invite_is_read_back_from_its_line(title: str, seat: str, code: bytes) -> None:
    invite = Invite(slug(title), seat, code, code + b"\xab\xcd\xef" * 5 + b"\x01")
    line = invite.line()
    assert parse_invite(line) == invite
    assert parse_invite(f"  {line[:30]}\n  {line[30:]} ") == invite
    assert parse_invite(line.upper()) == invite


@pytest.mark.parametrize(
    "line",
    [
        "", "savannah", "a:b:c", "x" * 999, sample().invite.line()[:-1],
        "x:" + sample().invite.line(),
    ],
)  # fmt: skip
def test_a_text_that_is_no_invite_is_refused(line: str) -> None:
    with pytest.raises(RecordError, match=r"looks like savannah.*\[grammar\]"):
        parse_invite(line)


def test_a_wrong_letter_in_an_invite_is_noticed_before_anybody_joins_with_it() -> None:
    line = sample().invite.line()
    start = line.index(":") + 3  # after title and seat: the letter of a seat is tried below
    for at in range(start, len(line)):
        if line[at] != ":":
            other = "B" if line[at] in "Aa" else "a"
            wrong = line[:at] + other + line[at + 1 :]
            with pytest.raises(RecordError, match=r"this invite has a wrong character|looks like"):
                parse_invite(wrong)
    with pytest.raises(RecordError, match="this invite has a wrong character"):
        parse_invite(line.replace(":b:", ":c:"))


def test_a_game_folders_name_follows_from_the_games_title() -> None:
    assert slug("Ann's Savannah: the 2nd!") == "ann-s-savannah-the-2nd"
    assert slug("木") == "game"
    assert len(slug("x" * 99)) == 40


def test_the_boxes_of_a_join_open_for_the_referee_and_the_player_who_joined() -> None:
    game = sample()
    join, mine = game.join_b.content, game.secrets_b
    for key in (
        game.keys["b"],
        box_key(mine.box(game.game, "b"), game.charter.content.audit, game.game),
    ):
        assert open_r(key, game.game, join) == mine.r(game.game, "b")
    desk = box_key(game.desk, join.x25519, game.game)
    assert open_contact(desk, join) == "mailto:bo@example.org"
    with pytest.raises(RecordError, match=r"does not open.*\[box\]"):
        open_contact(game.keys["b"], join)  # what `final` opens is not the contact


def test_an_invites_code_lets_in_only_the_keys_that_it_signed() -> None:
    game = sample()
    join, code = game.join_b.content, game.invite.code
    door = door_key(code, "b").public
    assert door == game.charter.content.seats[1].door
    assert is_let_in(join, door)
    assert not is_let_in(join, door_key(code, "a").public)
    assert not is_let_in(join, b"")
    assert not is_let_in(replace(join, door=b""), door)
    other = bytes([7]) * 32
    for changed in ("game", "key", "x25519", "recovery", "commit"):
        assert not is_let_in(replace(join, **{changed: other}), door), changed
    assert not is_let_in(replace(join, seat="a"), door)
    assert is_let_in(replace(join, name="Flo"), door), "only keys are let in"
    assert not is_let_in(replace(join, door=bytes(64)), door), "its point R has small order"


def test_exactly_the_seats_that_the_referee_does_not_hold_bring_a_share_of_the_seed() -> None:
    game = sample()
    charter = game.charter.content
    check_share(charter, game.join_a.content)
    check_share(charter, game.join_b.content)
    with pytest.raises(RecordError, match=r"is the referee's, so its join must not.*\[field\]"):
        check_share(replace(charter, plays=("a", "b")), game.join_b.content)
    with pytest.raises(RecordError, match=r"has no part of the seed.*\[field\]"):
        check_share(replace(charter, plays=()), game.join_a.content)


def test_a_share_of_the_seed_must_have_32_bytes_whatever_was_committed_to() -> None:
    game = sample()
    for r in (b"", b"r" * 31, b"r" * 33):
        join = replace(
            game.join_b.content,
            commit=seat_commitment(game.game, "b", r),
            r=small_box(game.keys["b"], "r", "b", game.bo.public, r),
        )
        with pytest.raises(
            RecordError, match=r"does not fit the commitment in the same join \[commitment\]"
        ):
            open_r(game.keys["b"], game.game, join)


def test_a_contact_with_bytes_that_are_no_text_is_read_as_far_as_possible() -> None:
    game = sample()
    desk = box_key(game.desk, game.join_b.content.x25519, game.game)
    join = replace(
        game.join_b.content, contact=small_box(desk, "contact", "b", game.bo.public, b"bo\xff@x")
    )
    assert open_contact(desk, join) == "bo\ufffd@x"


def test_one_key_in_two_places_of_a_game_is_refused() -> None:
    game = sample()
    charter, a, b = game.charter.content, game.join_a.content, game.join_b.content
    check_keys(charter, {"a": a, "b": b})
    check_keys(charter, {"a": a, "b": replace(b, recovery=b"")})  # none twice is no key twice
    with pytest.raises(RecordError, match="seat b uses a key of seat a"):
        check_keys(charter, {"b": replace(b, key=a.key), "a": a})
    for change, owner in (
        ({"key": a.key}, "seat a"),
        ({"x25519": a.x25519}, "seat a"),
        ({"recovery": a.key}, "seat a"),
        ({"key": charter.key}, "the referee"),
        ({"x25519": charter.desk}, "the referee"),
    ):
        with pytest.raises(RecordError, match=rf"seat b uses a key of {owner}.*\[key\]"):
            check_keys(charter, {"a": a, "b": replace(b, **change)})


def test_a_final_that_opens_another_games_secrets_is_refused() -> None:
    game = sample()
    check_final(game.charter.content, game.final.content)
    for change in ({"r_ref": b"x" * 32}, {"audit": b"x" * 32}):
        with refused_for("commitment"):
            check_final(game.charter.content, replace(game.final.content, **change))


# ------------------------------------------------------------------ chain
def test_a_head_depends_on_the_game_and_on_every_turn_in_order() -> None:
    game = game_id(b"charter\n")
    zero = first_head(game)
    one, two = b"1" * 32, b"2" * 32
    heads = {zero, next_head(zero, one), next_head(zero, two)}
    heads |= {next_head(next_head(zero, one), two), next_head(next_head(zero, two), one)}
    assert len(heads) == 5


@given(st.binary(min_size=32, max_size=32))
def test_twelve_words_stand_for_the_first_half_of_a_head(head: bytes) -> None:
    words = words_of(head)
    assert len(words) == 12
    assert parse_words(" ".join(words)) == head[:16]
    assert parse_words(", ".join(word[:4].upper() for word in words)) == head[:16]


def test_the_words_of_a_head_are_those_of_bip_39() -> None:
    published = "".join(f"{word}\n" for word in word_list()).encode()
    assert sha256(published).hexdigest() == (
        "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
    )
    assert words_of(bytes(32)) == ["abandon"] * 11 + ["about"]
    said = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    assert words_of(b"\x7f" * 32) == said.split()  # a vector of BIP-39


@pytest.mark.parametrize(
    ("spoken", "why"),
    [
        ("", "you gave 0"),
        ("abandon " * 11, "you gave 11"),
        ("abandon " * 12, "misheard"),
        ("abandon " * 11 + "zzebra", "is not one of the words that pbem uses"),
        ("abandon " * 11 + "ab", "is not one of the words that pbem uses"),
    ],
)
def test_words_that_are_no_head_are_refused(spoken: str, why: str) -> None:
    with pytest.raises(RecordError, match=rf"{why}.*\[grammar\]"):
        parse_words(spoken)


def test_four_letters_of_a_spoken_word_are_enough_and_more_may_be_misspelt() -> None:
    said = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    whole = b"\x7f" * 16
    assert parse_words(said) == whole
    assert parse_words(said.replace("sausage", "saus")) == whole
    assert parse_words(said.replace("sausage", "sausages")) == whole
    assert parse_words(said.upper().replace(" ", " ,")) == whole
    for short in ("sau", "sa", "s", "xausage"):
        again = r"pbem uses: ask for the word again \[grammar\]"
        with pytest.raises(RecordError, match=again):
            parse_words(said.replace("sausage", short))
    with pytest.raises(RecordError, match=r"you gave 13 \[grammar\]"):
        parse_words(said + " legal")
    counted = bytes(range(16))  # no bit may change its place
    assert parse_words(" ".join(words_of(counted))) == counted


# ------------------------------------------------------------------ the rest
def test_sort_sets_puts_the_lists_of_a_turn_into_their_order() -> None:
    turn = sample().turn2.content
    shuffled = replace(turn, orders=turn.orders[::-1])
    assert sort_sets(shuffled) == turn


def test_the_place_of_orders_is_read_from_their_own_fields() -> None:
    orders = sample().orders2.content
    assert OrderPlace.of_orders(orders) == OrderPlace(sample().game, 1, "b", 2)


def test_hash_labels_are_all_different_and_each_is_used_once() -> None:
    names = {n: v for n, v in vars(protocol_labels).items() if n.isupper()}
    assert len(set(names.values())) == len(names)
    code = "".join(p.read_text("utf-8") for p in (ROOT / "pbem").rglob("*.py"))
    uses = {name: code.count(f"labels.{name},") + code.count(f"labels.{name})") for name in names}
    assert {name: n for name, n in uses.items() if n != 1} == {}
