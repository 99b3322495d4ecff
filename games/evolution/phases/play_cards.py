"""Phase 3, Play Cards: traits, new species, growth, and discarded traits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from engine import (
    DONE,
    PUBLIC,
    Action,
    Actions,
    Decision,
    Listing,
    NotInHand,
    Offers,
    Rules,
    Seat,
    Sentence,
    Tag,
    ask,
    ask_all,
    reveal,
    shown,
    take,
)
from games.cards import trait_of
from games.evolution.table import MOST_BODY, MOST_POPULATION, Hand, Species, State
from games.evolution.table_changes import discard, dress, lose_trait, new_species, spend
from games.tables import Draft, done

Fields = Mapping[str, str]


# ------------------------------------------------------------------ what a player may do
class PlayAction(Action[State, Hand]):
    """One step of a turn. A turn has any number of steps, in any order."""

    def why_not(self, state: State, seat: Seat, form: str, fields: Fields) -> str | None:
        """Say why not: because of the species, because of the card, or because of the rule."""
        return why_not_own(state, seat, fields) or self.forbids(state, form, fields)

    def forbids(self, state: State, form: str, fields: Fields) -> str | None:
        """Say why the rule forbids it with this card of the hand, on this species of the player."""
        return None


class PlayTrait(PlayAction):
    """A card is placed face down above a species: at most three, and none of them twice."""

    sentences = (
        Sentence(
            "trait",
            "[{card}] on {sp}",
            deed="{name} plays {card} face down on {sp}",
            ordered="{card} on {sp}",
            card="face down",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        limit = state.book.trait_limit
        for species in state.rows[seat]:
            if len(species.traits) < limit:
                listing.by_card.append((f"[?] on {species.name}", hand.beside(species.borne)))

    def forbids(self, state: State, form: str, fields: Fields) -> str | None:
        species, trait = state.named(fields["sp"]), trait_of(fields["card"])
        limit = state.book.trait_limit
        if len(species.traits) >= limit:
            return f"{species.name} already has {limit} traits, the most allowed"
        return why_bears(species, trait) if species.bears(trait) else None

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        species = state.named(fields["sp"])
        take(state.hands[seat], fields["card"])
        species.traits.append(fields["card"])
        species.down.append(tag)


class NewSpecies(PlayAction):
    """A card is discarded face up for a new species, on the left or on the right of the row."""

    sentences = (
        Sentence(
            "left",
            "{card}: new species on the left",
            deed="{name} discards {card} for a new species on the left",
            ordered="{card} for a new species{new} on the left",
            card="face up",
        ),
        Sentence(
            "right",
            "{card}: new species on the right",
            deed="{name} discards {card} for a new species on the right",
            ordered="{card} for a new species{new} on the right",
            card="face up",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        listing.by_card.append(("?: new species on the left", hand.cards))
        listing.by_card.append(("?: new species on the right", hand.cards))

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        spend(state, seat, fields["card"])
        new_species(state, seat, left=form == "left")


class Grow(PlayAction):
    """A card is discarded face up: a species grows by 1 in body size or population, up to 6."""

    sentences = (
        Sentence(
            "body",
            "{card}: {sp} body",
            deed="{name} discards {card}: {sp} grows in body size",
            ordered="{card} for the body of {sp}",
            changes={"body": 1},
            card="face up",
        ),
        Sentence(
            "population",
            "{card}: {sp} population",
            deed="{name} discards {card}: {sp} grows in population",
            ordered="{card} for the population of {sp}",
            changes={"population": 1},
            card="face up",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        ways = listing.by_card
        for species in state.rows[seat]:
            if species.body < MOST_BODY:
                ways.append((f"?: {species.name} body", hand.cards))
            if species.population < MOST_POPULATION:
                ways.append((f"?: {species.name} population", hand.cards))

    def forbids(self, state: State, form: str, fields: Fields) -> str | None:
        size = getattr(state.named(fields["sp"]), form)
        return f"the {form} of {fields['sp']} is already {size}, the most allowed"

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        species = state.named(fields["sp"])
        spend(state, seat, fields["card"])
        if form == "body":
            species.body += 1
        else:
            species.population += 1


class DropTrait(PlayAction):
    """A trait of a species is discarded face up, without any other benefit."""

    sentences = (
        Sentence(
            "drop",
            # the trait's place, because the table may not know the name of a face-down card
            "drop {i} of {sp}: {card}",
            deed="{name} takes {card} off {sp}",
            ordered="{card} comes off {sp}",
            removed_card_field="card",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        for species in state.rows[seat]:
            for i, card in enumerate(species.traits, 1):
                listing.sentences.append(f"drop {i} of {species.name}: {card}")

    def why_not(self, state: State, seat: Seat, form: str, fields: Fields) -> str | None:
        name, card, i = fields["sp"], fields["card"], fields["i"]
        return state.why_not_of(seat, name) or f"{name} has no {card} at place {i}"

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        lose_trait(state, state.named(fields["sp"]), int(fields["i"]) - 1)
        discard(state, fields["card"])


class EndTurn(PlayAction):
    """A player may play as few cards as they want."""

    sentences = (Sentence("done", DONE, deed="{name} is done"),)

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        listing.sentences.append(DONE)

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        pass


PLAY = Actions(EndTurn(), DropTrait(), NewSpecies(), Grow(), PlayTrait())


def why_not_own(state: State, seat: Seat, fields: Fields) -> str | None:
    """Say why a sentence names a species that is not the seat's, or a card that it does not have
    in hand."""
    if "sp" in fields and (reason := state.why_not_of(seat, fields["sp"])):
        return reason
    if "card" in fields and fields["card"] not in state.hands[seat]:
        return NotInHand(f"{fields['card']} is not in your hand")
    return None


def why_bears(species: Species, trait: str) -> str:
    """Say why a species cannot get a trait that it has."""
    return f"{species.name} has {trait.replace('_', ' ')} already"


# ------------------------------------------------------------------ the phase
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


# ------------------------------------------------------------------ a turn
def play_options(state: State, seat: Seat) -> Offers:
    """Return every possible next step of this player's turn."""
    return state.book.play.offers(state, seat, Hand(state.hands[seat]))


def options_after(draft: Draft[State], seat: Seat, steps: Sequence[str]) -> Iterable[str]:
    """Return the options that follow these steps of the same turn."""
    return play_options(draft.after(steps), seat)


def draft_of(state: State, seat: Seat) -> Draft[State]:
    """Return the seat's unfinished turn on a copy of the table; the whole turn will be one
    answer."""

    def step(then: State, text: str, brackets: int) -> None:
        play(then, seat, text, (state.entry, brackets))

    return Draft(partial(state.clone, seat), step)


def why_not_play(state: State, seat: Seat, text: str, steps: Sequence[str] = ()) -> str | None:
    """Return the reason why a sentence may not follow these steps of the seat's turn."""
    form, fields = state.book.sentences.forms.parse(text)
    then, action = draft_of(state, seat).after(steps), state.book.play.action_of(form)
    if action is None:  # a sentence of another phase
        return why_not_own(then, seat, fields)
    return action.why_not(then, seat, form, fields)


def play_all(state: State, seat: Seat, steps: Sequence[str], tag: Tag) -> None:
    """Play the steps of a turn one after the other; ``tag`` is the tag of the first bracket."""
    for step, step_tag in tagged(steps, tag):
        play(state, seat, step, step_tag)


def tagged(steps: Sequence[str], tag: Tag) -> Iterator[tuple[str, Tag]]:
    """Yield each step of a turn with the tag of its first bracket; the tags count the brackets of
    the whole turn."""
    entry, bracket = tag
    for step in steps:
        yield step, (entry, bracket)
        bracket += step.count("[")


def play(state: State, seat: Seat, text: str, tag: Tag) -> None:
    """Carry out one step of a turn."""
    form, fields = state.book.sentences.forms.parse(text)
    action = state.book.play.action_of(form)
    assert action is not None, text
    action.do(state, seat, form, fields, tag)


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
    return _taken_off(state, text.split("; "), entry)


def _taken_off(state: State, steps: Sequence[str], entry: int) -> list[tuple[Tag, str]]:
    """Return the face-down cards that the steps of a turn take off species."""
    taken_off = state.book.sentences.removed_card_fields
    parsed = [state.book.sentences.forms.read(step) for step in steps]
    names = [fields["sp"] for form, fields in parsed if form in taken_off]
    if not names:
        return []
    then, cards = state.clone(PUBLIC), list[tuple[Tag, str]]()
    for (step, tag), (form, fields) in zip(tagged(steps, (entry, 0)), parsed, strict=True):
        if form in taken_off:
            down = then.named(fields["sp"]).down[int(fields["i"]) - 1]
            cards += [(down, fields[taken_off[form]])] if down is not None else []
        play(then, names[0][0], step, tag)
    return cards


def shows(state: State, text: str) -> list[str]:
    """Return the cards from the hand that are discarded face up: for body, population or a new
    species (Evolution, Play Cards), and for Intelligence, after feeding or in an attack (Feeding).

    Food cards and traits leave the hand face down; ``turned_up`` finds them. The app and Climate
    use the same sentences. There, a card that replaces a trait or goes under the deck is in a
    bracket, so it is not among these cards.
    """
    return state.book.sentences.cards_shown(text)
