"""Write a whole game as one page: its steps, what each changes, the pictures."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pkgutil import get_data
from string import Template
from typing import Any

from engine import ALL, UNKNOWN, Entry, Place, Scene
from engine.values import Value
from pbem.drawing.svg import stylesheet
from pbem.drawing.table import (
    backs_svg,
    card_svg,
    chip_svg,
    die_svg,
    fact_svg,
    flags,
    icons_of,
    piece_svg,
)
from pbem.game.press import Message
from pbem.game.view import View
from pbem.records.words import words_of
from pbem.screen.tell import (
    Following,
    Teller,
    heading,
    notices_of,
    phase_names,
    removed_in,
    safe,
    where_in,
    writer_of,
)
from pbem.screen.terminal import clean

# ---- What differs between two scenes


def changes(before: Scene, after: Scene) -> list[str]:
    """Return the keys of everything that is new or different in `after`, in the order of the
    picture.

    A key is a `data-key` in the picture: `fact:deck`, `seat:a:food`, `seat:a:hand`,
    `seat:a:hand:0`, `piece:a2` (a new piece), `piece:a2:body`, `piece:a2:card:0`.
    """
    was, now = dict(_values(before)), _values(after)
    cards_before = dict(_rows_of_cards(before))
    different = [key for key, value in now if was.get(key) != value]
    for key, cards in _rows_of_cards(after):
        left = Counter(cards_before.get(key, ()))  # a different order is not a change
        for n, card in enumerate(cards):
            left[card] -= 1
            if left[card] < 0:
                different.append(f"{key}:{n}")
    # everything on a new piece is new too: one frame around the whole piece shows this
    new = tuple(f"{key}:" for key in different if key.startswith("piece:") and key.count(":") == 1)
    return [key for key in different if not key.startswith(new)]


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


class Step(Value):
    """One entry of the log, with its sentences and the table after it."""

    turn: int
    headings: Sequence[str]
    """The headings before the entry, if a turn, round or phase begins with it."""
    told: Sequence[str]
    """The sentences of the entry."""
    followed: Sequence[str]
    """Sentences on what followed automatically."""
    scene: Scene
    """The table after the entry."""


class History:
    """All entries of one view, each with its sentences and table.

    `of` continues an earlier history if the game only has new entries.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.start: Scene = view.play.ruleset.scene(view.play.start())
        self.steps: list[Step] = []
        self._entries: list[tuple[str, str, str, str, str]] = []
        self._following = Following(view)
        self._teller = Teller(view.play.ruleset, view.names)
        self._phases = phase_names(view)
        self._last = (0, "")

    @classmethod
    def of(cls, view: View, known: History | None) -> History:
        """Return the history of a view; entries that are in `known` are taken from `known`."""
        fits = (
            known is not None
            and known.view.seat == view.seat
            and known._entries == view.entries[: len(known._entries)]
        )
        found = known if known is not None and fits else cls(view)
        found.view = view
        found._tell()
        return found

    def _tell(self) -> None:
        turn, ends = 1, self.view.ends
        for at in range(len(self._entries), len(self.view.log)):
            entry = self.view.log[at]
            while turn < len(ends) and at >= ends[turn - 1]:
                turn += 1
            here = (turn, entry.key.rsplit(".", 3)[0])
            headings, self._last = heading(here, self._last, self._phases), here
            told, followed = self._teller.entry(entry), self._following.after(entry)
            scene = self._following.scene or self.start
            self.steps.append(Step(turn, headings, told, followed, scene))
            self._entries.append(self.view.entries[at])

    def scene_after(self, step: int) -> Scene:
        """Return the scene after the first `step` entries."""
        return self.steps[step - 1].scene if step else self.start

    def end_of(self, turn: int) -> int:
        """Return the number of entries up to the end of a turn."""
        return self.view.ends[turn - 1] if turn else 0

    def turn_at(self, step: int) -> int:
        """Return the turn to which entry number `step` belongs."""
        return self.steps[step - 1].turn if step else 0

    def changed(self, before: int, after: int) -> list[str]:
        """Return the keys that differ between the scenes after `before` and `after` entries."""
        return changes(self.scene_after(before), self.scene_after(after))

    def of_turns(self, turns: range) -> list[Step]:
        """Return the entries of these turns."""
        begin = self.end_of(turns.start - 1)
        return self.steps[begin : self.end_of(turns.stop - 1)]


# ---- The steps of the replay, as data

Plain = dict[str, Any]
_ROLLED = re.compile(r" (\d{1,2})$")


class Steps:
    """The replay of some turns of a view, as plain data for the page."""

    def __init__(self, view: View, turns: range, messages: Sequence[Message] = ()) -> None:
        self.view = view
        self.icons = icons_of(view.play.ruleset)
        self.drawn: list[str] = []
        """Each different picture once; steps have its number."""
        self._numbers: dict[Any, int] = {}
        self.history = History.of(view, None)
        begin, end = (self.history.end_of(turn) for turn in (turns.start - 1, turns[-1]))
        self.steps = [self._step(at) for at in range(begin, end + 1)]
        # the first step is the table before these turns
        self.steps[0] |= {"said": [], "dice": [], "where": "", "changed": []}
        self._add_notices(turns)
        self._add_messages(turns, messages)

    def _number(self, draw: Callable[..., str], *of: Any) -> int:
        if (draw, of) not in self._numbers:
            self._numbers[draw, of] = len(self.drawn)
            self.drawn.append(draw(*of))
        return self._numbers[draw, of]

    def _add_notices(self, turns: range) -> None:
        """A notice goes to the first later step, a removed player to the last earlier one."""
        for turn, _, _, told in notices_of(self.view, turns):
            later = (step for step in self.steps[1:] if step["turn"] >= turn)
            next(later, self.steps[-1])["notices"].append(f"turn {turn}: {clean(told)}")
        for turn, told in removed_in(self.view, turns):
            last = [step for step in self.steps if step["turn"] <= turn][-1]
            last["notices"].append(f"turn {turn}: {clean(told)}")

    def _add_messages(self, turns: range, messages: Sequence[Message]) -> None:
        for message in messages:
            if message.turn not in turns:
                continue
            last = next(step for step in reversed(self.steps) if step["turn"] <= message.turn)
            row = {
                "after": message.turn,
                "from": writer_of(message),
                "to": clean(message.to_name),
                "text": "\n".join(safe(line) for line in message.lines),
            }
            last["messages"].append(row)

    def _step(self, at: int) -> Plain:
        history, scene = self.history, self.history.scene_after(at)
        flagged = flags(scene)
        where, lines, dice = "", [], []
        if at:
            step, entry = history.steps[at - 1], self.view.log[at - 1]
            where = where_in(entry.key, phase_names(self.view))
            lines = [*step.told, *(f"→ {line}" for line in step.followed)]
            if entry.key.split(".")[2] == "die" and (rolled := _ROLLED.search(entry.text)):
                dice = [self._number(die_svg, int(rolled[1]))]
        return {
            "turn": history.turn_at(at),
            "where": where,
            "said": lines,
            "dice": dice,
            "notices": [],
            "messages": [],
            "facts": [
                self._number(fact_svg, name, value, self.icons)
                for name, value in scene.facts
                if value not in flagged  # the player's place already shows it
            ],
            "places": [
                self._place(place, number, flagged.get(place.seat, ""))
                for number, place in enumerate(scene.places)
            ],
            "changed": history.changed(at - 1, at) if at else [],
        }

    def _place(self, place: Place, at: int, flag: str) -> Plain:
        known, key = any(card != UNKNOWN for card in place.hand), f"seat:{place.seat}"
        return {
            "flag": flag,
            "facts": [
                self._number(chip_svg, name, value, self.icons, f"{key}:{name}")
                for name, value in place.facts
            ],
            "pieces": [self._number(piece_svg, piece, self.icons, at) for piece in place.pieces],
            "hand": [self._number(card_svg, card, self.icons) for card in place.hand]
            if known
            else [self._number(backs_svg, len(place.hand))],
            "known": known,
        }


def all_hands(view: View, log: list[Entry]) -> View:
    """Return the view with every hidden card shown, from the log that `final` reveals."""
    entries = [(e.key, e.seat, e.text, e.by, e.to) for e in log]
    return view.changed(seat=ALL, entries=entries)


# ---- The page, which loads nothing

BEGINS = "<!doctype html>\n"
"""The first characters of every page."""


def replay_page(
    view: View, turns: range, about: str, end: list[str], messages: Sequence[Message] = ()
) -> str:
    """Return the replay page for these turns of a view, as HTML.

    `about` is a sentence on what the page shows; `end` says who won, if the game is over;
    `messages` are those that this viewpoint may read.
    """
    steps = Steps(view, turns, messages)
    style, script = stylesheet() + _text("replay.css"), _text("replay.js")
    heads = {turn: " ".join(words_of(bytes.fromhex(view.heads[turn]))) for turn in turns}
    data = {
        "steps": steps.steps,
        "pictures": steps.drawn,
        "seats": [
            {"seat": seat, "name": view.names.get(seat, seat), "you": seat == view.seat}
            for seat in view.play.seats
        ],
        "words": heads,
        "end": end,
    }
    # in letters and digits, so that no text in it can be markup
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
    return Template(_text("page.html")).substitute(
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        title=escape(clean(view.title)),
        about=escape(about),
        style=style,
        symbols=steps.icons.symbols(),
        data=packed,
        script=script,
    )


def _text(name: str) -> str:
    data = get_data("pbem.replay", name)
    assert data is not None
    return data.decode("utf-8")


def _hash(text: str) -> str:
    """A Content-Security-Policy allows the style sheet or script with this hash, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
