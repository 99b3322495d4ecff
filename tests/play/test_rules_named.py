"""Which rules a charter names: name, version, digest, card file; and if they are not here."""

from dataclasses import replace

import pytest

from engine import Forms
from pbem.judge.game_ruleset import digest_of, game_of, ruleset_of, ruleset_with
from pbem.judge.make_signed_records import Plan, make_charter
from tests.kit.played_games import played_key
from tests.kit.record_files import refusal_by

DIGESTS = {
    "evolution": "d6754b0f", "digital": "7353c19e", "climate": "c4a62c13", "origin": "61812897",
    "classroom": "4d502412",
}  # fmt: skip
"""A change of one of these ends every game that is played with the rules as they were."""


@pytest.mark.parametrize("name", DIGESTS)
def test_the_digest_of_each_ruleset_is_the_one_of_games_under_way(name):
    assert digest_of(ruleset_with(name)).hex()[:8] == DIGESTS[name]


@pytest.mark.parametrize(
    "change",
    [
        lambda r: {"name": "other"}, lambda r: {"version": "99"},
        lambda r: {"decks": {**r.decks, "more": ("horns 1",)}},
        lambda r: {"decks": {d: (*cards, "horns 1") for d, cards in r.decks.items()}},
        lambda r: {"decks": {f"{d}x": cards for d, cards in r.decks.items()}},
        lambda r: {"forms": Forms(**{**r.forms.templates, "new": "does nothing"})},
        lambda r: {"kinds": {**r.kinds, "new": next(iter(r.kinds.values()))}},
        lambda r: {"phases": r.phases[:-1]}, lambda r: {"phases": r.phases[::-1]},
        lambda r: {"kits": None}, lambda r: {"values": (*r.values, "1")},
    ],
)  # fmt: skip
def test_each_change_of_the_rules_changes_their_digest(change):
    rules = ruleset_with("evolution")
    assert digest_of(replace(rules, **change(rules))) != digest_of(rules)


def test_the_order_in_which_rules_are_written_does_not_change_their_digest():
    rules = ruleset_with("origin")
    turned = rules.extend(
        decks={d: tuple(reversed(cards)) for d, cards in reversed(rules.decks.items())},
        forms=Forms(**dict(reversed(rules.forms.templates.items()))),
    )
    assert digest_of(turned) == digest_of(rules)


# ------------------------------------------------------------------ what a charter names
PLAN = Plan("Savannah", "Ref", "digital", ("Ann", "Bo"))
CHARTER = make_charter(PLAN, played_key("the referee"), bytes(16)).content


def test_a_charter_whose_rules_are_not_installed_here_is_refused():
    assert ruleset_of(CHARTER).name == "digital"
    assert game_of(CHARTER, "ab").seats == "ab"
    install = "install the version of pbem that the referee uses"
    reason, told = refusal_by(ruleset_of, replace(CHARTER, ruleset="chess"))
    assert reason == "version"
    assert told.endswith("these rules, and install the package only if you trust its author")
    assert told.startswith("no game is called 'chess'")
    named = "this game uses version {} ({}) of the rules of digital, but this computer has version"
    here = CHARTER.digest.hex()[:6]
    for charter, version, digest in (
        (replace(CHARTER, version="99"), "99", here),
        (replace(CHARTER, digest=bytes(32)), CHARTER.version, "000000"),
    ):
        told = f"{named.format(version, digest)} {CHARTER.version} ({here}): {install}"
        assert refusal_by(ruleset_of, charter) == ("version", told)


def test_options_that_the_installed_rules_do_not_have_are_refused():
    for options, seats in (({"none-such": True}, "ab"), ({"together": 3}, "ab"), ({}, "a")):
        reason, told = refusal_by(game_of, replace(CHARTER, options=options), seats)
        assert reason == "version"
        assert told.startswith(
            "the options in game.toml do not fit the rules that are installed here: "
        )


def test_a_card_file_is_refused_by_rules_that_use_none():
    assert refusal_by(ruleset_of, replace(CHARTER, cards="x = 1")) == (
        "version",
        (
            "digital cannot use a card file: pbem already knows the values of all its cards; "
            "install the version of pbem that the referee uses"
        ),
    )
    with pytest.raises(ValueError, match="digital cannot use a card file"):
        ruleset_with("digital", "x = 1")
    with pytest.raises(ValueError, match="Invalid value"):
        ruleset_with("climate", "x = [")


# ------------------------------------------------------------------ what is signed


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"players": ("Ann",)}, "player"),
        ({"options": {"none-such": "x"}}, "none-such"),
        ({"policies": {"deadline": "soon"}}, "policies.deadline"),
        ({"policies": {"deadline_none": "48h"}}, "no phase has this name"),
        ({"cards": "x = 1"}, "cannot use a card file"),
        ({"title": ""}, "title"),
    ],
)
def test_what_cannot_be_a_charter(changes, told):
    reason, sentence = refusal_by(
        make_charter, replace(PLAN, **changes), played_key("x"), bytes(16)
    )
    assert reason == "field"
    assert told in sentence
