"""Phase 3, Play Cards: traits, new species, growth, and discarded traits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from engine import (
    DONE,
    PUBLIC,
    UNKNOWN,
    Action,
    Actions,
    Decision,
    ImpossibleStep,
    Listing,
    NotInHand,
    Offers,
    Rules,
    Seat,
    Sentence,
    Tag,
    ask,
    ask_all,
    fits,
    reveal,
    shown,
    take,
)
from games.evolution.change_table import discard, lose_trait, new_species, spend, update_kit
from games.evolution.phases.leaf_traits import order_can_matter
from games.evolution.table import MAX_BODY, MAX_POPULATION, Hand, Species, State
from games.first_player_and_turns_until_all_pass import answer_done
from games.food_number_cards import trait_of
from games.unfinished_turn_draft import Draft

Fields = Mapping[str, str]


# ------------------------------------------------------------------ what a player may do
class PlayAction(Action[State, Hand]):
    """One step of a turn. A turn has any number of steps, in any order."""

    def why_not(self, state: State, seat: Seat, form: str, fields: Fields) -> str | None:
        """Say why not: because of the species, because of the card, or because of the rule."""
        return why_not_own_pieces(state, seat, fields) or self.forbids(state, form, fields)

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
            use="Trait",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        limit = state.book.trait_limit
        for species in state.rows[seat]:
            if len(species.traits) < limit:
                cards = hand.cards_without(species.card_traits)
                listing.by_card.append((f"[?] on {species.name}", cards))

    def forbids(self, state: State, form: str, fields: Fields) -> str | None:
        species, trait = state.creature_named(fields["sp"]), trait_of(fields["card"])
        limit = state.book.trait_limit
        if len(species.traits) >= limit:
            return f"{species.name} already has {limit} traits, the most allowed"
        return why_not_trait_twice(species, trait) if species.has_trait_card(trait) else None

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        species = state.creature_named(fields["sp"])
        take(state.hands[seat], fields["card"])
        species.traits.append(fields["card"])
        species.face_down_tags.append(tag)


class NewSpecies(PlayAction):
    """A card is discarded face up for a new species, on the left or on the right of the row."""

    sentences = (
        Sentence(
            "left",
            "{card}: new species on the left",
            deed="{name} discards {card} for a new species on the left",
            ordered="{card} for a new species{new} on the left",
            card="face up",
            use="New species",
            target="left",
        ),
        Sentence(
            "right",
            "{card}: new species on the right",
            deed="{name} discards {card} for a new species on the right",
            ordered="{card} for a new species{new} on the right",
            card="face up",
            use="New species",
            target="right",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        listing.by_card.append(("?: new species on the left", hand.cards))
        listing.by_card.append(("?: new species on the right", hand.cards))

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        spend(state, seat, fields["card"])
        new_species(state, seat, is_on_left=form == "left")


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
            use="Body +1",
        ),
        Sentence(
            "population",
            "{card}: {sp} population",
            deed="{name} discards {card}: {sp} grows in population",
            ordered="{card} for the population of {sp}",
            changes={"population": 1},
            card="face up",
            use="Population +1",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        ways = listing.by_card
        for species in state.rows[seat]:
            if species.body < MAX_BODY:
                ways.append((f"?: {species.name} body", hand.cards))
            if species.population < MAX_POPULATION:
                ways.append((f"?: {species.name} population", hand.cards))

    def forbids(self, state: State, form: str, fields: Fields) -> str | None:
        size = getattr(state.creature_named(fields["sp"]), form)
        return f"the {form} of {fields['sp']} is already {size}, the most allowed"

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        species = state.creature_named(fields["sp"])
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
            is_loss=True,
            use="Take a trait off",
            target="{card} of {sp}",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        for species in state.rows[seat]:
            for number, card in enumerate(species.traits, 1):
                listing.sentences.append(f"drop {number} of {species.name}: {card}")

    def why_not(self, state: State, seat: Seat, form: str, fields: Fields) -> str | None:
        name, card, number = fields["sp"], fields["card"], fields["i"]
        return state.why_not_owner(seat, name) or f"trait {number} of {name} is not {card}"

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        species = state.creature_named(fields["sp"])
        lose_trait(state, species, int(fields["i"]) - 1, fields["card"])
        discard(state, fields["card"])


class EndTurn(PlayAction):
    """A player may play as few cards as they want."""

    sentences = (Sentence("done", DONE, deed="{name} is done"),)

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        listing.sentences.append(DONE)

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        pass


PLAY = Actions(EndTurn(), DropTrait(), NewSpecies(), Grow(), PlayTrait())


def why_not_own_pieces(state: State, seat: Seat, fields: Fields) -> str | None:
    """Say why a species in a sentence is not the seat's, or why a card is not in its hand."""
    if "sp" in fields and (reason := state.why_not_owner(seat, fields["sp"])):
        return reason
    if "card" in fields and fields["card"] not in state.hands[seat]:
        return NotInHand(f"{fields['card']} is not in your hand")
    return None


def why_not_trait_twice(species: Species, trait: str) -> str:
    """Say why a species cannot get a trait that it has."""
    return f"{species.name} has {trait.replace('_', ' ')} already"


# ------------------------------------------------------------------ the phase
def play_phase(state: State) -> Rules:
    """All players play cards, in turn or together (Quick Play); then new cards are turned face
    up."""
    if state.book.is_simultaneous:
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
            default=answer_done, why=partial(why_not_play, state, seat),
            veto=partial(why_not_taken_off, state),
        )
        for seat in seats
    ]  # fmt: skip
    turns = yield from ask_all(wave)
    first_entry = state.entry
    for index, (seat, turn) in enumerate(zip(seats, turns, strict=True)):
        play_all(state, seat, turn.split("; "), (first_entry + index, 0))


def play_decision(state: State, seat: Seat) -> Decision:
    """Return the question about one turn of playing cards."""
    return Decision(
        seat,
        "play",
        play_options,
        (state, seat),
        to=seat,
        default=answer_done,
        veto=partial(why_not_taken_off, state),
        why=partial(why_not_play, state, seat),
    )


# ------------------------------------------------------------------ a turn
def play_options(state: State, seat: Seat) -> Offers:
    """Return every possible next step of this player's turn."""
    return state.book.play.offers(state, seat, Hand(state.hands[seat]))


def options_after(draft: Draft[State], seat: Seat, steps: Sequence[str]) -> Iterable[str]:
    """Return the options that follow these steps of the same turn."""
    return play_options(draft.state_after(steps), seat)


def draft_of(state: State, seat: Seat) -> Draft[State]:
    """Return the seat's unfinished turn on a copy of the table; the whole turn will be one
    answer."""

    def play_step(future_state: State, text: str, hidden_card_count: int) -> None:
        play(future_state, seat, text, (state.entry, hidden_card_count))

    return Draft(partial(state.clone, seat), play_step)


def why_not_play(state: State, seat: Seat, text: str, steps: Sequence[str] = ()) -> str | None:
    """Return the reason why a sentence may not follow these steps of the seat's turn; None if no
    reason is known. Raises Unreadable if it is not a sentence of the game."""
    form, fields = state.book.sentences.forms.parse(text)
    future_state = draft_of(state, seat).state_after(steps)
    action = state.book.play.action_of(form)
    if action is None:  # a sentence of another phase
        return why_not_own_pieces(future_state, seat, fields)
    return action.why_not(future_state, seat, form, fields)


def play_all(state: State, seat: Seat, steps: Sequence[str], tag: Tag) -> None:
    """Play the steps of a turn one after the other; ``tag`` is the tag of the first bracket."""
    for step, step_tag in tag_steps(steps, tag):
        play(state, seat, step, step_tag)


def tag_steps(steps: Sequence[str], tag: Tag) -> Iterator[tuple[str, Tag]]:
    """Yield each step of a turn with the tag of its first bracket; the tags count the brackets of
    the whole turn.

    >>> list(tag_steps(["[horns 2] on a1", "[fertile 4] on a2", "done"], (7, 0)))
    [('[horns 2] on a1', (7, 0)), ('[fertile 4] on a2', (7, 1)), ('done', (7, 2))]
    """
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
    places = [
        (species, index)
        for species in state.species()
        for index, tag in enumerate(species.face_down_tags)
        if tag is not None
    ]
    wave = [reveal(x.owner, f"{x.name}.{i + 1}", x.traits[i]) for x, i in places]
    sentences = yield from ask_all(wave, veto=partial(why_duplicate, places))
    for (species, index), card in zip(places, map(shown, sentences), strict=True):
        species.traits[index] = card
        species.face_down_tags[index] = None
    for species in state.species():
        species.left_traits = ()
    for species in {x.name: x for x, _ in places}.values():
        update_kit(state, species)


def why_duplicate(places: Sequence[tuple[Species, int]], sentences: Sequence[str]) -> str | None:
    """Say why the last card that is turned up cannot lie at its place: the species has the same
    trait at another one, or had it while the card lay there. The sentences turn up the cards at the
    first of these places."""
    species, index = places[len(sentences) - 1]
    traits = species.neighbour_traits(index)
    turned_cards = map(shown, sentences[:-1])
    traits += [
        trait_of(card)
        for (other_species, _), card in zip(places, turned_cards, strict=False)
        if other_species is species
    ]
    return _why_twice(species, shown(sentences[-1]), traits)


def _why_twice(species: Species, card: str, neighbour_traits: Sequence[str]) -> str | None:
    """Say why a card may not have been put face down beside these traits."""
    trait = trait_of(card)
    if trait == UNKNOWN or trait not in neighbour_traits:
        return None
    return f"{species.name} has {trait} twice"


def turned_up(state: State, text: str, entry: int) -> list[tuple[Tag, str]]:
    """Return the face-down cards that a sentence will show to all, each with its tag.

    ``entry`` is the number of the sentence's log entry. Two sentences are facts, ``food of a is
    horns 2`` and ``a1.2 is horns 2``: then the card is turned up. Others are steps of a turn, which
    may take a card off a species.
    """
    subject, _, card = text.partition(" is ")
    if card and subject.startswith("food of "):
        tag = state.food_cards[subject.removeprefix("food of ")][1]
        return [(tag, card)] if tag is not None else []
    if card:
        name, _, number_text = subject.partition(".")
        tag = state.creature_named(name).face_down_tags[int(number_text) - 1]
        return [(tag, card)] if tag is not None else []
    return [(tag, card) for tag, card, _ in _cards_taken_off(state, text, entry)]


def turning(state: State) -> list[Tag]:
    """Return the tags of the cards that turn up together: all new traits, at the end of the Play
    Cards phase, and all Food Cards. These wait if a player can be asked for the order of leaf
    traits first."""
    new_tags = _new_trait_tags(state)
    if new_tags and any(order_can_matter(state, seat) for seat in state.order()):
        return new_tags
    return turning_together(state)


def turning_together(state: State) -> list[Tag]:
    """Return the tags of all new traits and Food Cards, where nobody is asked between the two."""
    food_tags = [tag for _, tag in state.food_cards.values() if tag is not None]
    return _new_trait_tags(state) + food_tags


def _new_trait_tags(state: State) -> list[Tag]:
    tags = [tag for species in state.species() for tag in species.face_down_tags]
    return [tag for tag in tags if tag is not None]


def why_not_taken_off(state: State, sentence: str) -> str | None:
    """Say why a turn may not take off a face-down card that its sentence names: the species has,
    or had, the same trait beside the card. Only its owner knew when the card was put down."""
    for _tag, _card, reason in _cards_taken_off(state, sentence, 0):
        if reason:
            return reason
    return None


def _cards_taken_off(state: State, text: str, entry: int) -> Iterator[tuple[Tag, str, str | None]]:
    """Yield the face-down cards that the steps of a turn take off species: each with its tag, and
    the reason why it may not have lain there. Raises ImpossibleStep."""
    removed_card_fields = state.book.sentences.removed_card_fields
    steps = text.split("; ")
    parsed_steps = [state.book.sentences.forms.read(step) for step in steps]
    names = [fields["sp"] for form, fields in parsed_steps if form in removed_card_fields]
    if not names:
        return
    seat = names[0][:1]
    if seat not in state.seats:
        raise ImpossibleStep(text)
    # the public view, so that every table finds the same cards
    future_state = state.clone(PUBLIC)
    for (step, tag), (form, fields) in zip(tag_steps(steps, (entry, 0)), parsed_steps, strict=True):
        if not fits(play_options(future_state, seat), step, state.book.cards):
            raise ImpossibleStep(step)
        if form in removed_card_fields:
            species, index = future_state.creature_named(fields["sp"]), int(fields["i"]) - 1
            card, card_tag = fields[removed_card_fields[form]], species.face_down_tags[index]
            if card_tag is not None:
                yield card_tag, card, _why_twice(species, card, species.neighbour_traits(index))
        play(future_state, seat, step, tag)


def shows(state: State, text: str) -> list[str]:
    """Return the cards from the hand that are discarded face up: for body, population or a new
    species (Evolution, Play Cards), and for Intelligence, after feeding or in an attack (Feeding).

    Food cards and traits leave the hand face down; ``turned_up`` finds them. The app and Climate
    use the same sentences. There, a card that replaces a trait or goes under the deck is in a
    bracket, so it is not among these cards.
    """
    return state.book.sentences.cards_shown(text)
