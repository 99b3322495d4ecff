"""The chain: what the published records of a game say, without a table and without a secret."""

from copy import deepcopy
from dataclasses import replace
from functools import partial

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.record_chain import Chain, Finder
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct
from pbem.records.read_and_sign_record import Record
from tests.kit.played_games import Played
from tests.kit.sample_records import sample
from tests.kit.selection import long

G = sample()
JOINS = (G.join_a, G.join_b)
TURNS = 24
SILENT = {"deadline": "1h", "silent_seat": "remove", "idle_after": 1}
GAMES = {
    "evolution": {"players": 2, "bot": "random"}, "digital": {"players": 2},
    "climate": {"players": 3, "bot": "random"}, "origin": {"players": 2, "bot": "random"},
    "classroom": {"players": 3}, "played": {"players": 3, "plays": ("a",), "ruleset": "classroom"},
    "silent": {"players": 3, "ruleset": "evolution", "policies": SILENT},
}  # fmt: skip


@pytest.fixture(
    scope="module", params=["silent", *long(name for name in GAMES if name != "silent")]
)
def game_of_rules(request, tmp_path_factory):
    wishes = {"ruleset": request.param} | GAMES[request.param]
    if request.param == "silent":
        wishes["answer"] = lambda p: None if p.seat == "c" else p.lines()
    return Played(tmp_path_factory.mktemp(request.param) / "g", **wishes).play(TURNS)


def facts(chain):
    """What a chain promises to know without tables."""
    found = vars(chain) | {"now": chain.turn, "date": chain.time, "due": chain.deadline}
    return {key: value for key, value in found.items() if key not in ("standing", "round")}


@pytest.mark.sample(0)
def test_without_tables_a_chain_says_the_same_as_that_of_a_reader(game_of_rules):
    chain, reader = Chain(game_of_rules.charter), PublicReader(game_of_rules.charter)
    removed = 0
    for turn in game_of_rules.turns:
        game_of_rules.read_one(reader, turn)
        chain.follow(turn, game_of_rules.finder)
        here, there = chain.standing, reader.chain.standing
        assert (here.roster, here.keys_valid_from, here.announced_acts) == (
            there.roster,
            there.keys_valid_from,
            there.announced_acts,
        )
        assert chain.round <= reader.chain.round, "at the start of a round, nothing shows it yet"
        if chain.round < reader.chain.round:
            continue
        assert facts(chain) == facts(reader.chain)
        assert replace(here, seats_shown_now=frozenset()) == replace(
            there, seats_shown_now=frozenset()
        )
        removed += len(here.removal_turns)
    assert bool(removed) == ("silent_seat" in game_of_rules.policies)


@pytest.mark.parametrize(
    ("logs", "asked_by"),
    [
        ([5], 1), ([5, 4], 2), ([5, 0], 1), ([5, 4, 0, 0], 2), ([5, 4, 0, 3], 4),
        ([5, 1, 0, 1, 0], 4), ([], 0),
    ],
)  # fmt: skip
def test_which_turn_asked_what_is_open(logs, asked_by):
    chain, log = Chain(G.charter), G.turn1.content.log
    for number, entries in enumerate(logs, 1):
        turn = replace(G.turn1.content, turn=number, log=(log * 5)[:entries], over=False)
        chain.add(Record(G.turn1.signed, turn), 1)
    assert chain.asking_turn == asked_by
    assert chain.log_lengths == [sum(logs[: n + 1]) for n in range(len(logs))]


def test_a_chain_goes_on_without_what_is_not_here():
    joins = {record.id: record for record in (G.join_a, G.join_b)}
    chain = Chain(G.charter)
    chain.follow(G.turn1, Finder({}.__getitem__, lambda: {G.join_b.id: G.join_b}))
    assert chain.missing_record.reason == "parent"
    assert (chain.join_ids.keys(), chain.standing.roster.keys()) == ({*"ab"}, {"b"})
    chain.follow(G.turn2, Finder({}.__getitem__, lambda: joins))
    assert (chain.turn, chain.heads, chain.standing.roster.keys()) == (2, G.heads, {"b"})


def test_orders_cancel_what_waits_even_if_others_are_not_here():
    begun = Chain(G.charter)
    begun.follow(G.turn1, Finder({}.__getitem__, lambda: {one.id: one for one in JOINS}))
    wait = AnnouncedAct(
        "vouch", b"v" * 32, 1, "b", ("b",), {}, effective_at=G.turn2.content.time + 1
    )
    listed = [one.id for one in G.turn2.content.orders]
    for here in ([], listed[:1], listed[1:], listed):
        chain = deepcopy(begun)
        chain.standing = replace(chain.standing, announced_acts=(wait,))
        find = partial(
            record_by_id, {one.id: one for one in (G.orders1, G.orders2) if one.id in here}
        )
        bos, other = G.turn2.content.orders
        rows = (bos, replace(other, seat="a", status="refused", reason="rule"))
        turn = replace(G.turn2.content, orders=rows, notices=(), over=False)
        chain.follow(
            Record(G.turn2.signed, turn), Finder(find, lambda: {one.id: one for one in JOINS})
        )
        assert bool(chain.standing.announced_acts) == (bos.id not in here)


def record_by_id(records, wanted):
    if wanted not in records:
        raise RecordError("parent", "not here")
    return records[wanted]
