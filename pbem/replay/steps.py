"""The steps of a replay: each entry of the log with the board after it, and what changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import Any

from engine import ALL, UNKNOWN, Entry, Piece, Place, Scene
from engine.value_classes import Value
from pbem.drawing.pieces_and_cards_in_html import card_html, fact_html, piece_html, track_html
from pbem.drawing.table import die_svg, flag_labels_by_seat, icons_of, middle
from pbem.judge.game_view import View
from pbem.judge.read_and_make_messages import Message
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import Teller, phase_names
from pbem.terminal.message_prose import safe_message_text, writer_of
from pbem.terminal.unreported_table_changes import UnreportedChanges
from pbem.wording.game_story import describe_scope, heading, notices_of, removals_in

# ---- What differs between two scenes


def find_changed_keys(previous_scene: Scene, next_scene: Scene) -> list[str]:
    """Return the keys of everything that is new or different in `next_scene`, in the order of the
    picture.

    A key is a `data-key` in the picture: `fact:deck`, `seat:a:food`, `seat:a:hand`,
    `seat:a:hand:0`, `piece:a2` (a new piece), `piece:a2:body`, `piece:a2:card:0`.
    """
    previous_values, next_values = dict(_values(previous_scene)), _values(next_scene)
    cards_before = dict(_rows_of_cards(previous_scene))
    different_keys = [key for key, value in next_values if previous_values.get(key) != value]
    for key, cards in _rows_of_cards(next_scene):
        remaining_counts = Counter(cards_before.get(key, ()))  # a different order is not a change
        for n, card in enumerate(cards):
            remaining_counts[card] -= 1
            if remaining_counts[card] < 0:
                different_keys.append(f"{key}:{n}")
    # everything on a new piece is new too: one frame around the whole piece shows this
    new_piece_prefixes = tuple(
        f"{key}:" for key in different_keys if key.startswith("piece:") and key.count(":") == 1
    )
    return [key for key in different_keys if not key.startswith(new_piece_prefixes)]


def _values(scene: Scene) -> Iterator[tuple[str, str]]:
    yield from ((f"fact:{name}", value) for name, value in scene.facts)
    for place in scene.places:
        yield from ((f"seat:{place.seat}:{name}", value) for name, value in place.facts)
        yield f"seat:{place.seat}:hand", str(len(place.hand))
        for piece in place.pieces:
            yield f"piece:{piece.name}", ""
            yield from ((f"piece:{piece.name}:{name}", value) for name, value in piece.facts)


def _rows_of_cards(scene: Scene) -> Iterator[tuple[str, tuple[str, ...]]]:
    for place in scene.places:
        yield f"seat:{place.seat}:hand", place.hand
        yield from ((f"piece:{piece.name}:card", piece.cards) for piece in place.pieces)


# ---- The game entry by entry

_ROLLED = re.compile(r" (\d{1,2})$")


class Step(Value):
    """One entry of the log: its sentences, and the scene after the entry."""

    turn: int
    die: int
    """The number that a die shows, if one was rolled; else 0."""
    headings: Sequence[str]
    """The headings before the entry, if a turn, round or phase begins with it."""
    sentences: Sequence[str]
    """The sentences of the entry."""
    effects: Sequence[str]
    """Sentences on what followed automatically."""
    scene: Scene
    """The table after the entry."""


class History:
    """All entries of one view, each with its sentences and table.

    `of_view` continues an earlier history if the game only has new entries.
    """

    def __init__(self, view: View) -> None:
        """Begin an empty history of a view; `of_view` fills it."""
        self.view = view
        self.start: Scene = view.play.ruleset.scene(view.play.start())
        self.steps: list[Step] = []
        self._entries: list[tuple[str, str, str, str, str]] = []
        self._unreported_changes = UnreportedChanges(view)
        self._teller = Teller(view.play.ruleset, view.names)
        self._phases = phase_names(view)
        self._last_moment = (0, "")

    @classmethod
    def of_view(cls, view: View, known_history: History | None) -> History:
        """Return the history of a view; entries of `known_history` are taken from there."""
        is_continued = (
            known_history is not None
            and known_history.view.seat == view.seat
            and known_history._entries == view.entries[: len(known_history._entries)]
        )
        history = known_history if known_history is not None and is_continued else cls(view)
        history.view = view
        turn, log_lengths = 1, history.view.log_lengths
        for entry_index in range(len(history._entries), len(history.view.log)):
            entry = history.view.log[entry_index]
            while turn < len(log_lengths) and entry_index >= log_lengths[turn - 1]:
                turn += 1
            moment = (turn, entry.key.rsplit(".", 3)[0])
            headings, history._last_moment = (
                heading(moment, history._last_moment, history._phases),
                moment,
            )
            sentences, effects = (
                history._teller.entry(entry),
                history._unreported_changes.changes_after(entry),
            )
            scene = history._unreported_changes.scene or history.start
            roll_match = _ROLLED.search(entry.text) if entry.kind == "die" else None
            die = int(roll_match[1]) if roll_match else 0
            history.steps.append(Step(turn, die, headings, sentences, effects, scene))
            history._entries.append(history.view.entries[entry_index])
        return history

    def scene_after(self, step: int) -> Scene:
        """Return the scene after the first `step` entries."""
        return self.steps[step - 1].scene if step else self.start

    def end_of(self, turn: int) -> int:
        """Return the number of entries up to the end of a turn."""
        return self.view.log_lengths[turn - 1] if turn else 0

    def turn_at(self, step: int) -> int:
        """Return the turn to which entry number `step` belongs."""
        return self.steps[step - 1].turn if step else 0

    def changed(self, previous_count: int, next_count: int) -> list[str]:
        """Return the keys that differ between the scenes after these two numbers of entries."""
        return find_changed_keys(self.scene_after(previous_count), self.scene_after(next_count))

    def of_turns(self, turns: range) -> list[Step]:
        """Return the entries of these turns."""
        begin = self.end_of(turns.start - 1)
        return self.steps[begin : self.end_of(turns.stop - 1)]


# ---- The steps of the replay, as data

Data = dict[str, Any]
_COUNT = re.compile(r"\d+(/\d+)?")
_NAME = re.compile(r"(?<!\w)[a-p][1-9]\d*(?!\w)")


class Steps:
    """Steps of some turns of a view, as plain data for the player (`player.js`)."""

    def __init__(
        self,
        history: History,
        turns: range,
        messages: Sequence[Message] = (),
        at_once: bool = False,
        most_steps: int = 0,
    ) -> None:
        """Draw these turns; `at_once` adds a last step in which all of them happen together.

        With `most_steps`, what one player does without a break is one step, and so are neighbours
        if there would still be more steps than that.
        """
        self.history, self.view = history, history.view
        self.icons = icons_of(self.view.play.ruleset)
        self.pictures: list[str] = []
        """Each different part of a table once, as HTML; steps have its number."""
        self._numbers: dict[Any, int] = {}
        start_count, end_count = (history.end_of(turn) for turn in (turns.start - 1, turns[-1]))
        # the first step is the table before these turns
        self.steps = [self._step(start_count, start_count)]
        counts = [start_count, *range(start_count + 1, end_count + 1)]
        if most_steps:
            counts = [start_count, *self._ends_of_deeds(start_count, end_count, most_steps)]
        self.steps += [self._step(*pair) for pair in pairwise(counts)]
        self._add_notices(turns)
        for message in messages:
            if message.turn not in turns:
                continue
            last_step = next(step for step in reversed(self.steps) if step["turn"] <= message.turn)
            row = {
                "after": message.turn,
                "from": writer_of(message),
                "to": clean(message.recipient_name),
                "text": "\n".join(safe_message_text(line) for line in message.lines),
            }
            last_step["messages"].append(row)
        if at_once and end_count - start_count > 1:
            joint_step = {"where": f"all steps from turn {turns[0]} on, at once", "whole": True}
            self.steps.append(self._step(start_count, end_count) | joint_step)

    def _ends_of_deeds(self, start_count: int, end_count: int, most_steps: int) -> list[int]:
        """Return the number of entries after each of at most so many steps."""
        entries = self.view.log[start_count:end_count]
        seats = [entry.seat for entry in entries]
        ends_of_runs = [
            start_count + n for n, seat in enumerate(seats, 1) if [seat] != seats[n : n + 1]
        ]
        runs_in_step = ceil(len(ends_of_runs) / most_steps) or 1
        return ends_of_runs[::-runs_in_step][::-1]  # the last is among them

    def data(self) -> Data:
        """Return what the player needs."""
        view = self.view
        seats = [
            {"seat": seat, "name": view.names.get(seat, seat), "you": seat == view.seat}
            for seat in view.play.seats
        ]
        return {"steps": self.steps, "pictures": self.pictures, "seats": seats}

    def _number(self, draw: Callable[..., str], *arguments: Any) -> int:
        if (draw, arguments) not in self._numbers:
            self._numbers[draw, arguments] = len(self.pictures)
            self.pictures.append(draw(*arguments))
        return self._numbers[draw, arguments]

    def _add_notices(self, turns: range) -> None:
        """A notice goes to the first later step, a removed player to the last earlier one."""
        for turn, _, _, sentence in notices_of(self.view, turns):
            later_steps = (step for step in self.steps[1:] if step["turn"] >= turn)
            next(later_steps, self.steps[-1])["notices"].append(f"turn {turn}: {clean(sentence)}")
        for turn, sentence in removals_in(self.view, turns):
            last_step = [step for step in self.steps if step["turn"] <= turn][-1]
            last_step["notices"].append(f"turn {turn}: {clean(sentence)}")

    def _step(self, previous_count: int, entry_count: int) -> Data:
        """Return the table after `entry_count` entries, and the deeds since there were
        `previous_count`."""
        history = self.history
        previous_scene, scene = (
            history.scene_after(previous_count),
            history.scene_after(entry_count),
        )
        new_entries = [
            *zip(
                self.view.log[previous_count:entry_count],
                history.steps[previous_count:entry_count],
                strict=True,
            )
        ]
        flags_by_seat, lost_pieces = (
            flag_labels_by_seat(scene),
            [*self._lost_pieces(previous_scene, scene)],
        )
        middle_facts = middle(scene, self.icons)
        phases = phase_names(self.view)
        return {
            "turn": history.turn_at(entry_count),
            "where": describe_scope(new_entries[-1][0].key, phases) if new_entries else "",
            "said": [
                line
                for _, step in new_entries
                for line in [*step.sentences, *(f"→ {line}" for line in step.effects)]
            ],
            **(self._deed(entry_count) if previous_count + 1 == entry_count else _NO_DEED),
            "notices": [],
            "messages": [],
            "tracks": [self._number(track_html, *fact, self.icons) for fact in middle_facts.tracks],
            "facts": [
                self._number(fact_html, *fact, self.icons, f"fact:{fact[0]}")
                for fact in middle_facts.chips
            ],
            "tiles": [
                self._number(fact_html, *fact, self.icons, f"fact:{fact[0]}")
                for fact in middle_facts.tiles
            ],
            "words": middle_facts.words,
            "places": [
                self._place(place, number, flags_by_seat.get(place.seat, ""), lost_pieces[number])
                for number, place in enumerate(scene.places)
            ],
            "changed": find_changed_keys(previous_scene, scene),
        }

    def _deed(self, entry_number: int) -> Data:
        """Return the deed of an entry: the seat, the keys of the pieces that it names, the numbers
        that it changed, and the dice that it rolled."""
        history, entry, step = (
            self.history,
            self.view.log[entry_number - 1],
            self.history.steps[entry_number - 1],
        )
        previous_scene, scene = (
            history.scene_after(entry_number - 1),
            history.scene_after(entry_number),
        )
        # a piece that has just died, or was just made, is in one of the scenes only
        table_keys = dict((*_values(previous_scene), *_values(scene))).keys()
        keys = [key for key in _named_keys(entry) if key in table_keys]
        if step.die:  # the dice that were rolled together lie on what they decided
            numbers = self._dice_rolled_together(entry_number)
            pools = [key for key in find_changed_keys(previous_scene, scene) if self._pool(key)]
            dice = [self._number(die_svg, number) for number in numbers]
            return {"by": "", "named": pools or keys, "counts": [], "dice": dice}
        if entry.seat not in self.view.play.seats:
            return _NO_DEED
        counts = [*self._counts(previous_scene, scene, step.effects)]
        return {"by": entry.seat, "named": keys, "counts": counts, "dice": []}

    def _dice_rolled_together(self, entry_number: int) -> list[int]:
        """Return the dice of this entry and of the entries directly before it that have the same
        scope and the same roller."""

        def scope_and_roller(number: int) -> tuple[str, str]:
            """Return the key of an entry without its last number, and who rolls: the first word of
            its text, such as `b rolls 5`."""
            entry = self.view.log[number - 1]
            scope, roller = entry.key.rpartition(".")[0], entry.text.partition(" ")[0]
            return scope, roller

        first_number, own_pair = entry_number, scope_and_roller(entry_number)
        while first_number > 1 and scope_and_roller(first_number - 1) == own_pair:
            first_number -= 1
        return [step.die for step in self.history.steps[first_number - 1 : entry_number]]

    def _pool(self, key: str) -> bool:
        kind, _, name = key.partition(":")
        look = self.icons.looks.get(name)
        return kind == "fact" and look is not None and look.shape == "pool"

    def _counts(
        self, previous_scene: Scene, scene: Scene, sentences: Sequence[str]
    ) -> Iterator[str]:
        """Yield changed numbers of pieces and food supplies that no sentence reports yet."""
        previous_values = dict(_values(previous_scene))
        for key, value in reversed([*_values(scene)]):
            previous_value, (kind, *names) = previous_values.get(key, ""), key.split(":")
            is_pool = self._pool(key)
            has_changed = (
                previous_value != value
                and _COUNT.fullmatch(previous_value)
                and _COUNT.fullmatch(value)
            )
            text = f"{names[-1].replace('_', ' ')} {previous_value} → {value}"
            if (
                has_changed
                and (kind == "piece" or is_pool)
                and not any(text in line for line in sentences)
            ):
                yield text if is_pool else f"{names[0]} {text}"

    @staticmethod
    def _lost_pieces(previous_scene: Scene, next_scene: Scene) -> Iterator[list[tuple[int, Piece]]]:
        """Yield, for each place, the pieces that are gone, each with its former index."""
        for previous_place, next_place in zip(
            previous_scene.places, next_scene.places, strict=True
        ):
            names = {piece.name for piece in next_place.pieces}
            yield [
                (n, piece)
                for n, piece in enumerate(previous_place.pieces)
                if piece.name not in names
            ]

    def _place(
        self, place: Place, seat_index: int, flag: str, lost_pieces: list[tuple[int, Piece]]
    ) -> Data:
        """Return a place as data for the player: pictures by number, pieces that are gone at their
        former indexes, the hand or the number of its backs."""
        is_known_hand, key = any(card != UNKNOWN for card in place.hand), f"seat:{place.seat}"
        shown_pieces = [*place.pieces]
        for index, piece in lost_pieces:
            shown_pieces.insert(index, piece)
        return {
            "flag": flag,
            "facts": [
                self._number(fact_html, name, value, self.icons, f"{key}:{name}")
                for name, value in place.facts
            ],
            "pieces": [
                self._number(piece_html, piece, self.icons, seat_index) for piece in shown_pieces
            ],
            "gone": [shown_pieces.index(piece) for _, piece in lost_pieces],
            "hand": [
                self._number(card_html, card, self.icons) for card in place.hand if is_known_hand
            ],
            "backs": 0 if is_known_hand else len(place.hand),
            "known": is_known_hand,
        }


_NO_DEED: Data = {"by": "", "named": [], "counts": [], "dice": []}


def _named_keys(entry: Entry) -> list[str]:
    """Return the keys of the pieces and of the seat that an entry names, in its order."""
    first_word = entry.text.partition(" ")[0]
    return [*(f"piece:{name}" for name in _NAME.findall(entry.text)), f"seat:{first_word}:hand"]


def view_with_all_hands(view: View, log: list[Entry]) -> View:
    """Return the view with every hidden card shown, from the log that `final` reveals."""
    entries = [(e.key, e.seat, e.text, e.by, e.to) for e in log]
    return view.changed(seat=ALL, entries=entries)
