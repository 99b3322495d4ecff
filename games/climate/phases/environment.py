"""Phase 4, Modify Environment: climate, events, losses, food."""

from __future__ import annotations

from engine import Rules, deal_openly, under
from games.climate.classes_of_printed_zones_and_events import Event, Loss, warmth_of
from games.climate.table import ClimateState, kit_of
from games.draw_cards_and_pour_food import pour
from games.evolution.change_table import die_out, discard, draw, lose
from games.evolution.phases.leaf_traits import leaf_step
from games.evolution.rules import turn_up_food_cards
from games.evolution.table import Species
from games.food_number_cards import food_of


def reveal_phase(state: ClimateState) -> Rules:
    """Let leaf traits act, then turn the Food Cards face up and apply them in the rulebook's five
    steps."""
    yield from leaf_step(state)
    state.face_up_food_cards = yield from turn_up_food_cards(state)
    adjust_climate(state)
    event = find_event(state)
    if event:
        yield from trigger_event(state, event)
    yield from lose_population(state, event)
    adjust_plant_food(state, event)
    if event:
        yield from draw_event(state, event.deck)


def adjust_climate(state: ClimateState) -> None:
    """Step 1: move one zone warmer if there are more suns than snowflakes, one colder if fewer."""
    warmth = sum(map(warmth_of, state.face_up_food_cards))
    state.move_marker((warmth > 0) - (warmth < 0))


def adjust_plant_food(state: ClimateState, event: Event | None) -> None:
    """Step 4: add the Food Cards and the zone's food (or the food of an event that replaces the
    zone's); discard the cards."""
    cards, state.face_up_food_cards = state.face_up_food_cards, []
    food = event.food if event and event.replaces_zone_food else state.track.food(state.zone)
    pour(state, sum(map(food_of, cards)) + food)
    discard(state, *cards)


# ------------------------------------------------------------------ events
def find_event(state: ClimateState) -> Event | None:
    """Step 2: return the event under the marker's zone, if there is one."""
    events = [state.event(deck) for deck in state.piles]
    return next((event for event in events if event and event.zone == state.zone.name), None)


def trigger_event(state: ClimateState, event: Event) -> Rules:
    """Put the event card away, out of the game or under its deck, then carry it out.

    A loss that replaces the zone's own loss is applied only in step 3, food that replaces the
    zone's only in step 4.
    """
    del state.events[event.deck]
    if event.leaves:
        state.removed_events.append(event.name)
    else:
        yield under((event.name,), state.piles[event.deck], event.deck)
        state.piles[event.deck] += 1
    state.move_marker(event.move)
    if not event.replaces_zone_food:
        pour(state, event.food)
    for seat in state.order() if event.draw else ():
        yield from draw(state, seat, event.draw, ending_round=state.round + 1)
    if event.loss and not event.replaces_zone_loss:
        yield from apply_loss(state, event.loss)


def draw_event(state: ClimateState, deck: str) -> Rules:
    """Step 5: turn the next card of the deck face up; nothing happens if no card is left."""
    if state.piles[deck]:
        text = yield deal_openly(1, deck)
        assert isinstance(text, str)
        state.events[deck] = text.rpartition(" ")[2]
        state.piles[deck] -= 1


# ------------------------------------------------------------------ losses
def lose_population(state: ClimateState, event: Event | None) -> Rules:
    """Step 3: apply the zone's loss, or the loss of a Cold Snap or Heat Wave that replaces it."""
    loss = event.loss if event and event.replaces_zone_loss else state.zone.loss
    if loss:
        yield from apply_loss(state, loss)


def apply_loss(state: ClimateState, loss: Loss) -> Rules:
    """Apply the loss to all species together; then owners of extinct species draw cards in player
    order."""
    for species in state.species():
        lose(state, species, population_lost(species, loss))
    for species in [species for species in state.species() if not species.population]:
        yield from die_out(state, species)


def population_lost(species: Species, loss: Loss) -> int:
    """Return the population that this species loses: the loss for its size minus all protections,
    at least 0."""
    if not loss.min_body <= species.body <= loss.max_body:
        return 0
    count = loss.count
    if loss.weather != "harm":
        for fold in kit_of(species).loss:
            count = fold(loss.weather, count)
    return max(0, count)
