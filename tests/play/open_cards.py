"""A second way to deal, as small as can be: all cards lie open, and one seat cuts the deck first.

    monkeypatch.setitem(MODES, "referee", OPEN)

The log still has `[?]` for each card, as tables need it; the turn opens all of them at once: cards
dealt in `dealt`, cards put down in `cards`. Only the dice are not proven before the end.
"""

import hashlib
import re
from collections import Counter

from engine import ALL, CHANCE, cards_in
from pbem.format.record_error import RecordError
from pbem.judge.base_classes_of_one_dealer_modes import (
    OneDealerMakerCards,
    OneDealerPublicCards,
    OneDealerSeatCards,
)
from pbem.judge.dealing_mode_interfaces import CardDifferences, CardMode
from pbem.judge.sealed_dealing_mode import SEALED
from pbem.records.packet import Packet, handover_size, packet_size
from pbem.records.turn import OpenCard, OpenPosition

CUTTER, CUT = "a", "cut"
NO_SALT = bytes(32)


def cut_by(seats):
    """Whom the cards wait for."""
    return {} if seats else {CUTTER: (CUT,)}


def open_card(number, bracket, card):
    """The opening of a card put down; its handle only says where it lies."""
    handle = hashlib.sha256(f"{number} {bracket} {card}".encode()).digest()
    return OpenCard(handle, card, NO_SALT)


def with_names(entry, cards):
    names = iter(cards)
    return entry._replace(text=re.sub(r"\?", lambda _: next(names), entry.text))


class OpenPublic(OneDealerPublicCards):
    """Everybody knows which card is where."""

    def __init__(self, chain):
        self.decks, self.hands, self.names, self.is_cut = {}, {}, {}, False

    def begin(self, turn, first, table, find):
        cutters = [row for row in turn.orders if (row.seat, row.status) == (CUTTER, "accepted")]
        self.is_cut = self.is_cut or bool(cutters)
        self._dealt, self._put = list(turn.dealt), {one.handle: one for one in turn.cards}

    def check_chance(self, number, key, decision, text):
        if not self.is_cut:
            raise RecordError("rule", f"{key}: nobody has cut the deck")
        deck = self.decks.setdefault(decision.deck, Counter())
        if decision.kind == "shuffle":
            deck.update(decision.cards)
        elif decision.kind == "deal":
            (pattern,) = decision.option_list()
            count = pattern.count("?")
            cards, self._dealt = [one.card for one in self._dealt[:count]], self._dealt[count:]
            if len(cards) < count or Counter(cards) - deck:
                raise RecordError("opening", f"{key}: these cards do not lie in {decision.deck}")
            deck.subtract(cards)
            self.names[number] = cards
            self.hands.setdefault(decision.to, Counter()).update(cards)

    def check_choice(self, number, decision, logged, force):
        for bracket, handle in enumerate(logged.hidden):
            opening = self._put.pop(handle, None)
            if opening != open_card(number, bracket, opening and opening.card):
                raise RecordError("opening", f"{logged.key}: a card lies face down")
            self.names.setdefault(number, []).append(opening.card)
            self.check_shown(decision.seat, opening.card)

    def check_turned_up(self, tag, card):
        if self.names[tag[0]][tag[1]] != card:
            raise RecordError("opening", f"{card} turns up, but another card lies there")

    def check_shown(self, seat, card):
        if not self.hands[seat][card]:
            raise RecordError("opening", f"seat {seat} has no {card}")
        self.hands[seat][card] -= 1

    def end(self):
        if self._dealt or self._put:
            raise RecordError("opening", "more cards than the log needs")

    def packet_size(self, turn):
        return packet_size((), turn.orders)

    def handover_size(self, seat, log):
        return handover_size(0)

    def awaited_kinds(self):
        return cut_by(self.is_cut)

    def state(self, counting):
        names = [[number, list(cards)] for number, cards in self.names.items()]
        piles = [{name: dict(cards) for name, cards in x.items()} for x in (self.decks, self.hands)]
        return {"open": [names, *piles, self.is_cut]}

    def resume(self, state, table):
        names, decks, hands, self.is_cut = state["open"]
        self.names = dict(names)
        self.decks, self.hands = ({n: Counter(c) for n, c in x.items()} for x in (decks, hands))


class OpenSeat(OneDealerSeatCards):
    """A seat learns nothing that the others do not know."""

    def __init__(self, public, seat, seed):
        self.public, self.seat = public, seat

    def begin(self, packet, sealed):
        if packet.opened:
            raise RecordError("opening", "a packet opens cards, although all lie open")

    def open_chance_entry(self, number, decision, entry):
        return self._own(number, entry)

    def _own(self, number, entry):
        is_own = self.seat in (entry.to, entry.seat) and number in self.public.names
        return with_names(entry, self.public.names[number]) if is_own else entry

    def check_put_down(self, number, entry, logged):
        if cards_in(entry.text) != self.public.names.get(number, []):
            raise RecordError("commitment", f"{entry.key}: another card than the orders say")

    def end(self):
        pass

    def pass_by(self):
        pass

    def replay_handover(self, packet, table, log):
        own_log = [self._own(number, entry) for number, entry in enumerate(log)]
        for entry in own_log:
            table.take_answer(entry.text)
        return own_log


class OpenMaker(OneDealerMakerCards):
    """Shuffles by a seed once the deck is cut, and opens all that it deals."""

    viewpoint = ALL

    def __init__(self, seed):
        self.seed, self.is_cut, self.decks, self.count = seed, False, {}, 0
        self.dealt, self.put, self.first = [], [], False

    def _luck(self, *words):
        return hashlib.sha256(self.seed + " ".join(words).encode()).digest()

    def begin(self, number, inputs):
        self.is_cut = self.is_cut or CUTTER in inputs.orders.accepted
        self.dealt, self.put, self.first = [], [], number == 1

    def answer(self, key, decision):
        options = decision.option_list()
        if not self.is_cut:
            return None
        if decision.kind == "die":
            return options[self._luck(key)[0] % len(options)]
        cards = iter(self.decks.get(decision.deck, ()))
        return re.sub(r"\?", lambda _: next(cards), options[0])

    def learn(self, decision, text):
        deck = self.decks.setdefault(decision.deck, [])
        if decision.kind == "shuffle":
            self.count += 1
            order = [(self._luck(str(self.count), str(n)), c) for n, c in enumerate(decision.cards)]
            deck[:0] = [card for _, card in sorted(order)]
        elif decision.kind == "deal":
            for card in cards_in(text):
                self.dealt.append(OpenPosition(decision.deck, 0, self.count, card, NO_SALT))
                self.count += 1
                deck.remove(card)

    def turn_up(self, tags):
        pass

    def leave(self, seat, hidden, shown):
        pass

    def entry(self, number, entry, ranks, orders):
        if entry.seat == CHANCE:
            return {}
        new = [open_card(number, n, card) for n, card in enumerate(cards_in(entry.text))]
        self.put += new
        return {"hidden": tuple(one.handle for one in new)}

    def fields(self):
        link0 = bytes(32) if self.first else b""
        return {"dealt": tuple(self.dealt), "cards": tuple(self.put), "link0": link0}

    def packet(self, seat):
        return Packet()

    def handover(self, seat, log):
        return Packet()

    def awaited_kinds(self):
        return cut_by(self.is_cut)

    def state(self, counting):
        return {"open": self.is_cut}

    def resume(self, state):
        self.is_cut = state["open"]


def open_maker(chain, joins, secrets, keys):
    return OpenMaker(secrets.r_ref)


STACKED = RecordError("chain", "dealt: these cards do not come from the seed")
OPEN = CardMode(
    name="open",
    public=OpenPublic,
    seat=OpenSeat,
    maker=open_maker,
    differences=CardDifferences({}, {"dealt": STACKED}, "other handles", {}, {}),
    committed_cards=lambda turn: 0,
)
assert OPEN._fields == SEALED._fields
