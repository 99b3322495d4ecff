"""Phase 3, Play Cards: traits, new species, growth, and discarded traits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from engine import (
    DONE,
    PUBLIC,
    Decision,
    NotInHand,
    Offers,
    Rules,
    Seat,
    Tag,
    Way,
    ask,
    ask_all,
    reveal,
    shown,
    take,
)
from engine.sentences.text import cards_in
from games.cards import trait_of
from games.evolution.sentences import SHOWING
from games.evolution.table import MOST_BODY, MOST_POPULATION, Hand, Species, State
from games.evolution.table_changes import discard, dress, lose_trait, new_species
from games.tables import Draft, done, named_openly


def play_phase(state: State) -> Rules:
    """All players play cards, in turn or together (Quick Play); then new cards are turned face
    up."""
    if state.book.together:
        yield from quick_play(state)
    else:
        for seat in state.order():
            yield from play_turn(state, seat)
    yield from turn_up(state)


def play_turn(state: State, seat: Seat) -> Rules:
    """Play one player's turn: as many cards as they like."""
    question = play_decision(state, seat)
    while (text := (yield from ask(question))) != DONE:
        play(state, seat, text, (state.entry, 0))


def quick_play(state: State) -> Rules:
    """All players play at the same time without seeing each other's cards (with 6 players, or if
    chosen).

    A player with neither cards nor traits can do nothing. Everybody can see that, so pbem does not
    ask that player (house rule R7).
    """
    seats = [seat for seat in state.order() if len(play_options(state, seat)) > 1]
    wave = [
        Decision(
            seat, "play", options_after, (draft_of(state, seat), seat), to=seat, script=True,
            default=done, why=partial(why_not_play, state, seat),
        )
        for seat in seats
    ]  # fmt: skip
    turns = yield from ask_all(wave)
    first = state.entry
    for n, (seat, turn) in enumerate(zip(seats, turns, strict=True)):
        play_all(state, seat, turn.split("; "), (first + n, 0))


def play_decision(state: State, seat: Seat) -> Decision:
    """Return the question about one turn of playing cards."""
    return Decision(
        seat,
        "play",
        play_options,
        (state, seat),
        to=seat,
        default=done,
        why=partial(why_not_play, state, seat),
    )


# ------------------------------------------------------------------ options
def play_options(state: State, seat: Seat) -> Offers:
    """Everything that this player may do with one card, and ``done``."""
    row, limit = state.rows[seat], state.book.trait_limit
    hand = Hand(state.hands[seat])
    uses = _openly(row, hand.cards)
    roomy = [species for species in row if len(species.traits) < limit]
    uses += [(f"[?] on {species.name}", hand.beside(species.borne)) for species in roomy]
    sentences, leaving = state.book.leaving.options(row, hand)
    return Offers(hand.cards, [DONE, *sentences], leaving, uses)


def _openly(row: Iterable[Species], cards: Sequence[str]) -> list[Way]:
    """Return the ways to discard one of these cards for a new species or for growth."""
    ways = [("?: new species on the left", cards), ("?: new species on the right", cards)]
    for species in row:
        if species.body < MOST_BODY:
            ways.append((f"?: {species.name} body", cards))
        if species.population < MOST_POPULATION:
            ways.append((f"?: {species.name} population", cards))
    return ways


def options_after(draft: Draft[State], seat: Seat, steps: Sequence[str]) -> Iterable[str]:
    """Return the options that follow these steps of the same turn."""
    return play_options(draft.after(steps), seat)


def draft_of(state: State, seat: Seat) -> Draft[State]:
    """Return the seat's unfinished turn on a copy of the table; the whole turn will be one
    answer."""

    def step(then: State, text: str, brackets: int) -> None:
        play(then, seat, text, (state.entry, brackets))

    return Draft(partial(state.clone, seat), step)


def why_no_trait(state: State, species: Species, card: str) -> str | None:
    """Say why the species may not get this trait."""
    limit = state.book.trait_limit
    if len(species.traits) >= limit:
        return f"{species.name} already has {limit} traits, the most allowed"
    if species.bears(trait_of(card)):
        return f"{species.name} has {trait_of(card).replace('_', ' ')} already"
    return None


def why_not_play(state: State, seat: Seat, text: str, steps: Sequence[str] = ()) -> str | None:
    """Say why a sentence is not an option for this seat, after these earlier steps of its turn."""
    form, said = state.book.forms.parse(text)
    return _why_not_play(draft_of(state, seat).after(steps), seat, form, said)


def _why_not_play(state: State, seat: Seat, form: str, said: dict[str, str]) -> str | None:
    species = state.find(said["sp"]) if "sp" in said else None
    if "sp" in said and species is None:
        return state.missing(said["sp"])
    if species and species.owner != seat:
        return f"{species.name} is not yours"
    if form == state.book.leaving.form:
        return state.book.leaving.why_not(state, seat, said)
    if "card" in said and said["card"] not in state.hands[seat]:
        return NotInHand(f"{said['card']} is not in your hand")
    if form == "trait" and species:
        return why_no_trait(state, species, said["card"])
    if species and form in ("body", "population"):
        size = getattr(species, form)
        return f"the {form} of {species.name} is already {size}, the most allowed"
    return None


# ------------------------------------------------------------------ effects
def play_all(state: State, seat: Seat, steps: Sequence[str], tag: Tag) -> None:
    """Play the steps of a turn one after the other; ``tag`` is the tag of the first bracket.

    The tags count the brackets of the whole turn.
    """
    entry, bracket = tag
    for step in steps:
        play(state, seat, step, (entry, bracket))
        bracket += step.count("[")


def play(state: State, seat: Seat, text: str, tag: Tag) -> None:
    """Carry out one step of a turn."""
    form, said = state.book.forms.parse(text)
    if form == DONE:
        return
    if form == state.book.leaving.form:
        state.book.leaving.do(state, seat, said, tag)
        return
    card = said["card"]
    take(state.hands[seat], card)
    if form == "trait":
        species = state.named(said["sp"])
        species.traits.append(card)
        species.down.append(tag)
        return
    discard(state, card)
    if form in ("left", "right"):
        new_species(state, seat, left=form == "left")
    else:
        species = state.named(said["sp"])
        if form == "body":
            species.body += 1
        else:
            species.population += 1


class Discarding:
    """Lets players discard traits of their species, face up (Evolution, Play Cards)."""

    form, mark, leaves = "drop", "drop ", "card"

    def options(self, row: Sequence[Species], hand: Hand) -> tuple[Sequence[str], Sequence[Way]]:
        """Return every trait of the row, named by its place, because this viewpoint may not know a
        face-down one."""
        return [
            f"drop {i} of {species.name}: {card}"
            for species in row
            for i, card in enumerate(species.traits, 1)
        ], ()

    def do(self, state: State, seat: Seat, said: Mapping[str, str], tag: Tag) -> None:
        """Put the trait onto the discard pile."""
        lose_trait(state, state.named(said["sp"]), int(said["i"]) - 1)
        discard(state, said["card"])

    def why_not(self, state: State, seat: Seat, said: Mapping[str, str]) -> str | None:
        """Say why the sentence is not an option: there is no such card at that place."""
        return f"{said['sp']} has no {said['card']} at place {said['i']}"


# ------------------------------------------------------------------ turning up
def turn_up(state: State) -> Rules:
    """Turn all newly played traits face up; this is when a face-down duplicate is found out."""
    places = [(x, i) for x in state.species() for i, tag in enumerate(x.down) if tag is not None]
    wave = [
        reveal(x.owner, f"{x.name}.{i + 1}", x.traits[i], veto=partial(why_twice, x, i))
        for x, i in places
    ]
    for (species, i), text in zip(places, (yield from ask_all(wave)), strict=True):
        species.traits[i] = shown(text)
        species.down[i] = None
    for species in {x.name: x for x, _ in places}.values():
        dress(state, species)


def why_twice(species: Species, at: int, text: str) -> str | None:
    """Say why a card cannot be turned face up here: the species has the same trait at another
    place."""
    others = [trait_of(c) for i, c in enumerate(species.traits) if i != at]
    if trait_of(shown(text)) in others:
        return f"{species.name} has {trait_of(shown(text))} twice"
    return None


def turned_up(state: State, text: str, entry: int) -> list[tuple[Tag, str]]:
    """Return the face-down cards, by tag, that a sentence will show to all."""
    place, _, card = text.partition(" is ")
    if card and place.startswith("food of "):
        tag = state.food_cards[place.removeprefix("food of ")][1]
        return [(tag, card)] if tag is not None else []
    if card:
        name, _, at = place.partition(".")
        tag = state.named(name).down[int(at) - 1]
        return [(tag, card)] if tag is not None else []
    if state.book.leaving.mark not in text:
        return []
    return _left(state, text.split("; "), entry)


def _left(state: State, steps: Sequence[str], entry: int) -> list[tuple[Tag, str]]:
    then, found, bracket = state.clone(PUBLIC), list[tuple[Tag, str]](), 0
    leaving = state.book.leaving
    parsed = [state.book.forms.parse(step) for step in steps]
    seat = next(said["sp"][0] for form, said in parsed if form == leaving.form)
    for step, (form, said) in zip(steps, parsed, strict=True):
        if form == leaving.form:
            tag = then.named(said["sp"]).down[int(said["i"]) - 1]
            found += [(tag, said[leaving.leaves])] if tag is not None else []
        play(then, seat, step, (entry, bracket))
        bracket += len(cards_in(step))
    return found


def shows(state: State, text: str) -> list[str]:
    """Return the cards from the hand that are discarded face up: for body, population or a new
    species (Evolution, Play Cards), and for Intelligence, after feeding or in an attack (Feeding).

    Food cards and traits leave the hand face down; ``turned_up`` finds them. In Quick Play a whole
    turn is one sentence, and every step of it counts. The app and Climate use the same sentences.
    There, a card that replaces a trait or goes under the deck is in a bracket, so it is not among
    these cards.
    """
    return named_openly(state.book.forms, text, SHOWING)
