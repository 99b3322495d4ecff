"""What people sign: an invite, a join, orders; each box opens for the one it is meant for."""

from dataclasses import replace

import pytest

from pbem.format.encrypted_box import box_key, public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge import game_ruleset as charter_rules
from pbem.judge.game_ruleset import digest_of, ruleset_with
from pbem.judge.make_signed_records import Plan, invite_to, make_charter, make_join, make_orders
from pbem.judge.seat_turn_reader import SeatReader
from pbem.records.invite import door_key, invite_code
from pbem.records.join import is_let_in, open_contact, open_r
from pbem.records.sealed_orders import unseal_orders
from pbem.records.seeded_decks_and_dice import referee_commitment
from tests.kit.record_files import refusal_by
from tests.kit.sample_records import sample, seat_plan

G = sample()


def climate_plan(**changes) -> Plan:
    return replace(Plan("Savannah", "Ref", "climate", ["Ann", "Bo", "Cy"]), **changes)


def test_a_charter_says_what_the_referee_decided():
    table, secrets = bytes([9]) * 16, G.secrets_b
    wanted = climate_plan(
        plays="ca", bots={"c": "greedy"}, by_mail="b", policies={"deadline": "24h"},
        options={"together": "no"},
    )  # fmt: skip
    made = make_charter(wanted, G.bo, table)
    said = made.content
    assert (made.signed.key, said.key, said.table, said.mode) == (
        G.bo.public, G.bo.public, table, "referee",
    )  # fmt: skip
    assert (said.title, said.referee, said.ruleset) == ("Savannah", "Ref", "climate")
    rules = ruleset_with("climate")
    assert (said.version, said.digest) == (rules.version, digest_of(rules))
    assert said.notes == rules.notes != ""
    assert said.audit == public_of(secrets.audit(table))
    assert said.desk == public_of(secrets.desk(table))
    assert said.commit == referee_commitment(table, secrets.r_ref(table))
    assert tuple(replace(plan, door=bytes(32)) for plan in said.seats) == tuple(
        replace(plan, door=bytes(32)) for plan in (
        seat_plan("a", "Ann"), seat_plan("b", "Bo", mail=True), seat_plan("c", "Cy", "greedy"),
    ))  # fmt: skip
    for one in said.seats:
        code = invite_code(secrets.audit(table), table, one.seat)
        assert one.door == door_key(code, one.seat).public
    assert (said.plays, said.options, said.policies) == (
        ("a", "c"), {"together": "no"}, {"deadline": "24h"},
    )  # fmt: skip
    assert (said.deputy, said.deputy_key, said.deputy_x25519, said.cards) == ("", b"", b"", "")
    assert (said.game, said.turn, said.prev, said.seat) == (b"", 0, b"", "")


def test_a_charter_names_the_deputy_with_both_keys():
    deputy = ("Dee", G.ann.public, G.charter.content.desk)
    said = make_charter(climate_plan(deputy=deputy), G.bo, bytes(16)).content
    assert (said.deputy, said.deputy_key, said.deputy_x25519) == deputy


def test_a_charter_promises_no_bot_that_its_rules_do_not_have(monkeypatch):
    wanted = climate_plan(policies={"silent_seat": "bot"})
    assert make_charter(wanted, G.bo, bytes(16)).content.policies == {"silent_seat": "bot"}
    monkeypatch.setattr(charter_rules, "has_bot", lambda rules: False)
    reason, sentence = refusal_by(make_charter, wanted, G.bo, bytes(16))
    assert (reason, "climate has no bot called greedy" in sentence) == ("field", True)


def test_a_join_has_the_recovery_key_that_its_player_made():
    join = make_join(G.charter, "b", "Bo", G.bo, b"", recovery=G.ann.public).content
    assert join.recovery == G.ann.public


def test_an_invite_has_the_code_that_the_join_must_have():
    invite = invite_to(G.charter, G.ann, "b")
    assert (invite.seat, invite.code, invite.game) == ("b", G.code("b"), G.game)
    assert invite == G.invite
    assert invite_to(G.charter, G.ann, "a").code != invite.code


def test_a_join_is_what_its_player_says_and_nobody_else_can_read_its_boxes():
    join = make_join(G.charter, "b", "B\u00f6", G.bo, G.code("b"), "mailto:bo@example.org").content
    assert replace(join, door=b"") == replace(G.join_b.content, recovery=b"", door=b"")
    key, desk = G.keys["b"], box_key(G.desk, join.x25519, G.game)
    assert is_let_in(join, door_key(G.code("b"), "b").public)
    assert open_r(key, G.game, join) == G.secrets_b.r(G.game, "b")
    assert open_contact(desk, join) == "mailto:bo@example.org"
    with pytest.raises(RecordError):
        open_contact(key, join)
    none = make_join(G.charter, "b", "B", G.bo, b"").content
    assert (open_contact(desk, none), none.door) == ("", b"")


def test_a_seat_that_the_referee_holds_brings_no_share():
    join = make_join(G.charter, "a", "Ann", G.held, G.code("a"), "mailto:bo@example.org").content
    assert join == G.join_a.content
    assert (join.commit, join.r) == (b"", b"")
    assert join.x25519 == public_of(Secrets(G.held.seed).box(G.game, "a"))


def test_orders_are_bound_to_their_place_and_open_for_the_referee():
    reader = SeatReader(G.charter, "b", G.bo.seed)
    reader.chain.heads = G.heads[:2]
    lines = ["food: [horns 4]", "feed: b1 attacks a1", "always feed: * eats"]
    record = make_orders(reader, G.bo, lines, 2)
    assert record == G.orders2
    assert list(unseal_orders(record.content, G.keys["b"]).texts) == lines
    mine = SeatReader(G.charter, "a", G.held.seed)
    mine.chain.heads = G.heads[:2]
    assert make_orders(mine, G.held, ["food: [climbing 2]"], 1) == G.own
    early = make_orders(mine, G.held, lines, 2, is_early=True).content
    assert (early.turn, early.prev, early.seat, early.revision) == (2, G.heads[1], "a", 2)
