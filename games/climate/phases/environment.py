"""Phase 4, Modify Environment: climate, events, losses, food."""

from __future__ import annotations

from engine import Rules, deal_openly, under
from games.cards import food_of
from games.climate.box import Event, Loss, warmth_of
from games.climate.table import ClimateState, kit_of
from games.evolution.phases.leaf_traits import leaf_step
from games.evolution.rules import turn_food
from games.evolution.table import Species
from games.evolution.table_changes import discard, draw, extinct, lose
from games.evolution.traits import LEAVES
from games.tables import pour


def reveal_phase(state: ClimateState) -> Rules:
    """Let leaf traits act, then turn the Food Cards face up and apply them in the rulebook's five
    steps."""
    yield from leaf_step(state, LEAVES)
    state.food_up = yield from turn_food(state)
    adjust_climate(state)
    event = event_here(state)
    if event:
        yield from trigger(state, event)
    yield from zone_loss(state, event)
    adjust_food(state, event)
    if event:
        yield from turn_event(state, event.deck)


def adjust_climate(state: ClimateState) -> None:
    """Step 1: move one zone warmer if there are more suns than snowflakes, one colder if fewer."""
    warmth = sum(map(warmth_of, state.food_up))
    state.move_marker((warmth > 0) - (warmth < 0))


def adjust_food(state: ClimateState, event: Event | None) -> None:
    """Step 4: add up the Food Cards and the zone's food, or the food of an event that replaces it;
    the cards are discarded only now."""
    cards, state.food_up = state.food_up, []
    food = event.food if event and event.food_instead else state.track.food(state.zone)
    pour(state, sum(map(food_of, cards)) + food)
    discard(state, *cards)


# ------------------------------------------------------------------ events
def event_here(state: ClimateState) -> Event | None:
    """Step 2: return the event under the marker's zone, if there is one."""
    events = [state.event(deck) for deck in state.piles]
    return next((event for event in events if event and event.zone == state.zone.name), None)


def trigger(state: ClimateState, event: Event) -> Rules:
    """Carry out the event card, then put the card away.

    A loss that replaces the zone's own loss is applied only in step 3, food that replaces the
    zone's only in step 4.
    """
    del state.events[event.deck]
    if event.leaves:
        state.gone.append(event.name)
    else:
        yield under((event.name,), state.piles[event.deck], event.deck)
        state.piles[event.deck] += 1
    state.move_marker(event.move)
    if not event.food_instead:
        pour(state, event.food)
    for seat in state.order() if event.draw else ():
        yield from draw(state, seat, event.draw, final=state.round + 1)
    if event.loss and not event.instead:
        yield from suffer(state, event.loss)


def turn_event(state: ClimateState, deck: str) -> Rules:
    """Step 5: turn the next card of the deck face up; nothing happens if no card is left."""
    if state.piles[deck]:
        text = yield deal_openly(1, deck)
        assert isinstance(text, str)
        state.events[deck] = text.rpartition(" ")[2]
        state.piles[deck] -= 1


# ------------------------------------------------------------------ losses
def zone_loss(state: ClimateState, event: Event | None) -> Rules:
    """Step 3: apply the zone's loss, or the loss of a Cold Snap or Heat Wave that replaces it."""
    loss = event.loss if event and event.instead else state.zone.loss
    if loss:
        yield from suffer(state, loss)


def suffer(state: ClimateState, loss: Loss) -> Rules:
    """Apply the loss to all species together; then owners of extinct species draw cards in player
    order."""
    for species in state.species():
        lose(state, species, population_lost(species, loss))
    for species in [species for species in state.species() if not species.population]:
        yield from extinct(state, species)


def population_lost(species: Species, loss: Loss) -> int:
    """Return the population that this species loses: the loss for its size minus all protections,
    at least 0."""
    if not loss.least <= species.body <= loss.most:
        return 0
    count = loss.count
    if loss.weather != "harm":
        for fold in kit_of(species).loss:
            count = fold(loss.weather, count)
    return max(0, count)
