"""Traits and their hooks: a kit has those of its traits."""

from __future__ import annotations

from engine import hooks_of
from games.evolution.rules import EVOLUTION


def test_a_kit_is_compiled_once_and_ignores_words_that_are_no_trait() -> None:
    kits = EVOLUTION.kits
    assert kits is not None
    assert kits(["horns", "?"]) is kits(["horns", "?"])
    assert kits(["horns", "?"]).names == {"horns"}
    assert len(kits(["horns"]).struck) == 1


def test_every_trait_does_something() -> None:
    assert EVOLUTION.kits is not None
    assert all(hooks_of(trait) for trait in EVOLUTION.kits.traits.values())


def test_traits_on_one_hook_commute_or_stand_in_the_declared_order() -> None:
    """`took` is the only hook whose traits may touch the same food: it lists all of its traits."""
    kits = EVOLUTION.kits
    assert kits is not None
    users = {
        hook: sorted(name for name, trait in kits.traits.items() if hook in hooks_of(trait))
        for hook in kits.hooks
    }
    assert sorted(kits.order["took"]) == users["took"]
    folds = {"attack_size", "defence_size", "fat_room"}
    asked = {"defends", "shelters", "overcomes", "no_plants", "meals", "extras"}
    alone = {hook for hook, names in users.items() if len(names) <= 1}
    listed = set(kits.order)
    chosen = {"leaf"}  # their owner chooses the order, and the default is in ORDER
    assert set(users) <= folds | asked | alone | listed | chosen
