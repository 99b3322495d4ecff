"""What a referee could try with the key of a player who answers by plain email."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.acts.sign_notice import declare
from pbem.errors import CliError
from pbem.format.encrypted_box import box_key, public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.notice_kinds import NewKey
from pbem.judge.which_joins_count import claim_of
from pbem.person.session import Session
from pbem.records.join import check_share, small_box
from pbem.records.read_and_sign_record import make
from pbem.records.sealed_orders import OrderPlace, UnsealedOrders, seal_orders
from pbem.records.seeded_decks_and_dice import seat_commitment
from tests.kit.mail_seats import NEW, STANDING, begin_mail_game, invite_of_bo, successful
from tests.kit.named_games import session_of
from tests.kit.people import Round
from tests.kit.record_files import put_record


@pytest.fixture
def mail_table(tmp_path: Path) -> Round:
    table = Round(tmp_path)
    begin_mail_game(table)
    return table


def held_key(rhea: Session) -> SigningKey:
    """The key of seat b, as only the referee can derive it."""
    seed = rhea.refereeing.key().seed
    return SigningKey(Secrets(seed).held_seat(rhea.game_folder.game, "b"))


@pytest.mark.sample(0)
def test_the_old_key_of_a_seat_by_mail_signs_nothing_after_a_takeover(mail_table: Round):
    rhea, bo = mail_table.person("rhea"), mail_table.person("bo")
    successful(bo.pbem(["join", "-C", "savannah", "--name", "Bo", "--invite", invite_of_bo(rhea)]))
    successful(rhea.pbem("advance -C savannah"))
    session = session_of(rhea)
    reader, game, key = session.readers.table(), session.game_folder.game, held_key(session)
    secret = Secrets(key.seed).box(game, "b")
    place = OrderPlace(game, reader.chain.turn, "b", 1)
    unsealed = UnsealedOrders(place, b"s" * 32, ["food: cooperation 0"])
    audit = box_key(secret, reader.charter.audit, game)
    forged = make(seal_orders(place, reader.chain.head, unsealed, audit), key)
    put_record(session.folder, forged)
    successful(mail_table.person("ann").pbem("submit - -C savannah", stdin=STANDING))
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 5, said.text
    status = bo.pbem("status -C savannah")
    assert "b Bo (you): MISSING" in status.out
    assert "does not count: the key that signed this file may not sign" in status.err


def test_a_key_notice_cannot_change_the_key_of_a_seat_by_mail(mail_table: Round):
    session = session_of(mail_table.person("rhea"), "b")
    new = SigningKey(b"n" * 32)
    with pytest.raises(
        CliError,
        match="the referee has the keys of this seat, so nobody can give the seat new keys",
    ):
        declare(session, NewKey.make(new, public_of(b"x" * 32), session.game_folder.game, "b"))


def test_a_seat_by_mail_that_brings_a_share_of_the_seed_is_refused(mail_table: Round):
    session = session_of(mail_table.person("rhea"))
    charter, key, game = session.game_folder.charter, held_key(session), session.game_folder.game
    join = next(j for j in session.game_folder.joins().values() if j.content.seat == "b")
    audit = box_key(Secrets(key.seed).box(game, "b"), charter.content.audit, game)
    r = b"r" * 32
    share = replace(
        join.content, commit=seat_commitment(game, "b", r),
        r=small_box(audit, "r", "b", key.public, r),
    )  # fmt: skip
    with pytest.raises(RecordError, match="its join must not have the fields commit and r"):
        check_share(charter.content, share)
    secret = Secrets(session.refereeing.key().seed).audit(charter.content.table)
    assert claim_of(charter, make(share, key), secret).fault is not None
    assert claim_of(charter, join, secret).is_good


def test_the_certificate_says_that_a_seat_by_mail_rests_on_the_referees_word(mail_table: Round):
    for who in ("ann", "rhea"):
        said = mail_table.person(who).pbem("audit savannah").out
        assert "Bo (b) answered by plain email: Rhea had the key of this seat" in said
        assert "Only Rhea can say whether Bo wrote these orders" in said
    assert "Bo (seat b) answers by plain email: Rhea has the key" in joined_text(mail_table)


def joined_text(table: Round) -> str:
    """What a player is told who joins: the same invite again gives the same join."""
    from pbem.judge.make_signed_records import invite_to

    session = session_of(table.person("rhea"))
    line = invite_to(session.game_folder.charter, session.refereeing.key(), "a").line()
    return table.person("ann").pbem(["join", "-C", "savannah", "--invite", line]).out


@pytest.mark.sample(0)
def test_notices_typed_by_the_referee_for_a_player_by_mail_count_as_the_players(tmp_path: Path):
    """Votes, a deadline and the time that Bo told by phone are notices of his seat."""
    table = Round(tmp_path)
    rhea = begin_mail_game(table, NEW.replace("--deadline never", "--deadline 24h"))
    for words in ("end", "end --no", "end --no-winner", "deadline 72h", "end --draw"):
        said = successful(rhea.pbem(f"notice {words} --as b -C savannah --json"))
        assert json.loads(said.out)["data"]["from"] == "b", words
    successful(table.person("ann").pbem("notice deadline 72h -C savannah"))
    said = successful(rhea.pbem("notice deadline 72h -C savannah --json"))
    assert json.loads(said.out)["data"]["from"] == "referee"
    successful(rhea.pbem("advance -C savannah"))
    assert "agreed to a new deadline: 3 days" in rhea.pbem("log -C savannah").out
