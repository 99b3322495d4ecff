"""The steps of a game, as a player shows them on a board, and the page that has all of them."""

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

from engine import ALL, UNKNOWN, Entry, Piece, Place, Scene
from engine.values import Value
from pbem.drawing.svg import stylesheet
from pbem.drawing.table import (
    card_svg,
    chip_svg,
    die_svg,
    fact_svg,
    flags,
    icons_of,
    middle,
    piece_svg,
    track_svg,
)
from pbem.judge.press import Message
from pbem.judge.view import View
from pbem.records.words import words_of
from pbem.terminal.tell import Following, Teller, phase_names, safe, writer_of
from pbem.terminal.terminal import clean
from pbem.wording.story import describe_scope, heading, notices_of, removals_in

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

_ROLLED = re.compile(r" (\d{1,2})$")


class Step(Value):
    """One entry of the log, with its sentences and the table after it."""

    turn: int
    die: int
    """The number that a die shows, if one was rolled; else 0."""
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
        turn, ends = 1, found.view.log_lengths
        for at in range(len(found._entries), len(found.view.log)):
            entry = found.view.log[at]
            while turn < len(ends) and at >= ends[turn - 1]:
                turn += 1
            here = (turn, entry.key.rsplit(".", 3)[0])
            headings, found._last = heading(here, found._last, found._phases), here
            told, followed = found._teller.entry(entry), found._following.changes_after(entry)
            scene = found._following.scene or found.start
            rolled = _ROLLED.search(entry.text) if entry.kind == "die" else None
            die = int(rolled[1]) if rolled else 0
            found.steps.append(Step(turn, die, headings, told, followed, scene))
            found._entries.append(found.view.entries[at])
        return found

    def scene_after(self, step: int) -> Scene:
        """Return the scene after the first `step` entries."""
        return self.steps[step - 1].scene if step else self.start

    def end_of(self, turn: int) -> int:
        """Return the number of entries up to the end of a turn."""
        return self.view.log_lengths[turn - 1] if turn else 0

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
_COUNT = re.compile(r"\d+(/\d+)?")
_NAME = re.compile(r"(?<!\w)[a-p][1-9]\d*(?!\w)")


class Steps:
    """Some turns of a view step by step, as plain data for the player (`player.js`)."""

    def __init__(
        self,
        history: History,
        turns: range,
        messages: Sequence[Message] = (),
        at_once: bool = False,
    ) -> None:
        """Draw these turns; `at_once` adds a last step in which all of them happen together."""
        self.history, self.view = history, history.view
        self.icons = icons_of(self.view.play.ruleset)
        self.drawn: list[str] = []
        """Each different picture once; steps have its number."""
        self._numbers: dict[Any, int] = {}
        begin, end = (history.end_of(turn) for turn in (turns.start - 1, turns[-1]))
        # the first step is the table before these turns
        self.steps = [self._step(begin, begin)]
        self.steps += [self._step(at - 1, at) for at in range(begin + 1, end + 1)]
        self._add_notices(turns)
        for message in messages:
            if message.turn not in turns:
                continue
            last = next(step for step in reversed(self.steps) if step["turn"] <= message.turn)
            row = {
                "after": message.turn,
                "from": writer_of(message),
                "to": clean(message.recipient_name),
                "text": "\n".join(safe(line) for line in message.lines),
            }
            last["messages"].append(row)
        if at_once and end - begin > 1:
            whole = {"where": f"all at once, from turn {turns[0]}", "whole": True}
            self.steps.append(self._step(begin, end) | whole)

    def data(self) -> Plain:
        """Return what the player needs."""
        view = self.view
        seats = [
            {"seat": seat, "name": view.names.get(seat, seat), "you": seat == view.seat}
            for seat in view.play.seats
        ]
        return {"steps": self.steps, "pictures": self.drawn, "seats": seats}

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
        for turn, told in removals_in(self.view, turns):
            last = [step for step in self.steps if step["turn"] <= turn][-1]
            last["notices"].append(f"turn {turn}: {clean(told)}")

    def _step(self, before: int, at: int) -> Plain:
        """Return the table after `at` entries, and what happened since there were `before`."""
        history = self.history
        was, scene = history.scene_after(before), history.scene_after(at)
        happened = [*zip(self.view.log[before:at], history.steps[before:at], strict=True)]
        flagged, gone = flags(scene), [*self._gone(was, scene)]
        found = middle(scene, self.icons)
        phases = phase_names(self.view)
        return {
            "turn": history.turn_at(at),
            "where": describe_scope(happened[-1][0].key, phases) if happened else "",
            "said": [
                line
                for _, step in happened
                for line in [*step.told, *(f"→ {line}" for line in step.followed)]
            ],
            **(self._one(at) if before + 1 == at else _NOTHING),
            "notices": [],
            "messages": [],
            "tracks": [self._number(track_svg, *fact, self.icons) for fact in found.tracks],
            "facts": [
                self._number(chip_svg, *fact, self.icons, f"fact:{fact[0]}") for fact in found.chips
            ],
            "tiles": [self._number(fact_svg, *fact, self.icons) for fact in found.tiles],
            "words": found.words,
            "places": [
                self._place(place, number, flagged.get(place.seat, ""), gone[number])
                for number, place in enumerate(scene.places)
            ],
            "changed": changes(was, scene),
        }

    def _one(self, at: int) -> Plain:
        """Return who did what to whom in entry number `at`, and which dice decided what."""
        history, entry, step = self.history, self.view.log[at - 1], self.history.steps[at - 1]
        was, scene = history.scene_after(at - 1), history.scene_after(at)
        there = dict((*_values(was), *_values(scene)))
        keys, counts = [key for key in _named(entry) if key in there], list[str]()
        if step.die:  # the dice that were rolled together lie on what they decided
            pools = [key for key in changes(was, scene) if self._pool(key)]
            dice = [self._number(die_svg, number) for number in self._dice(at)]
            return {"by": "", "named": pools or keys, "counts": counts, "dice": dice}
        if entry.seat not in self.view.play.seats:
            return _NOTHING
        counts += self._counts(was, scene, step.followed)
        return {"by": entry.seat, "named": keys, "counts": counts, "dice": []}

    def _dice(self, at: int) -> list[int]:
        """Return the numbers of the dice that one player rolled for one thing, up to this one."""

        def rolled_for(step: int) -> tuple[str, str]:
            entry = self.view.log[step - 1]
            return entry.key.rpartition(".")[0], entry.text.partition(" ")[0]

        first = at
        while first > 1 and rolled_for(first - 1) == rolled_for(at):
            first -= 1
        return [step.die for step in self.history.steps[first - 1 : at]]

    def _pool(self, key: str) -> bool:
        kind, _, name = key.partition(":")
        look = self.icons.looks.get(name)
        return kind == "fact" and look is not None and look.shape == "pool"

    def _counts(self, was: Scene, scene: Scene, told: Sequence[str]) -> Iterator[str]:
        """Yield the numbers that a choice changed, except those that were told: what was eaten, and
        from where."""
        before = dict(_values(was))
        for key, now in reversed([*_values(scene)]):
            old, (kind, *names) = before.get(key, ""), key.split(":")
            pool = self._pool(key)
            counted = old != now and _COUNT.fullmatch(old) and _COUNT.fullmatch(now)
            text = f"{names[-1].replace('_', ' ')} {old} → {now}"
            if counted and (kind == "piece" or pool) and not any(text in line for line in told):
                yield text if pool else f"{names[0]} {text}"

    @staticmethod
    def _gone(before: Scene, after: Scene) -> Iterator[list[tuple[int, Piece]]]:
        """Yield what was before each player and is there no more, each with where it lay."""
        for was, now in zip(before.places, after.places, strict=True):
            names = {piece.name for piece in now.pieces}
            yield [(n, piece) for n, piece in enumerate(was.pieces) if piece.name not in names]

    def _place(self, place: Place, at: int, flag: str, gone: list[tuple[int, Piece]]) -> Plain:
        known, key = any(card != UNKNOWN for card in place.hand), f"seat:{place.seat}"
        lie = [*place.pieces]
        for where, piece in gone:
            lie.insert(where, piece)
        return {
            "flag": flag,
            "facts": [
                self._number(chip_svg, name, value, self.icons, f"{key}:{name}")
                for name, value in place.facts
            ],
            "pieces": [self._number(piece_svg, piece, self.icons, at) for piece in lie],
            "gone": [lie.index(piece) for _, piece in gone],
            "hand": [self._number(card_svg, card, self.icons) for card in place.hand if known],
            "backs": 0 if known else len(place.hand),
            "known": known,
        }


_NOTHING: Plain = {"by": "", "named": [], "counts": [], "dice": []}


def _named(entry: Entry) -> list[str]:
    """Return the keys of the pieces and of the seat that an entry names, in its order."""
    first = entry.text.partition(" ")[0]
    return [*(f"piece:{name}" for name in _NAME.findall(entry.text)), f"seat:{first}:hand"]


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
    steps = Steps(History.of(view, None), turns, messages)
    style, script = styles() + _text("replay.css"), player_script() + _text("replay.js")
    heads = {turn: " ".join(words_of(bytes.fromhex(view.heads[turn]))) for turn in turns}
    data = steps.data() | {"words": heads, "end": end}
    # in letters and digits, so that no text in it can be markup
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
    return Template(_text("page.html")).substitute(
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        title=escape(clean(view.title)),
        about=escape(about),
        style=style,
        player=player_bar(),
        symbols=steps.icons.symbols(),
        data=packed,
        script=script,
    )


def styles() -> str:
    """Return the style sheet of a page with a board: its pictures, and the player."""
    return stylesheet() + _text("player.css")


def player_script() -> str:
    """Return the script that shows steps on a board."""
    return _text("player.js")


def player_bar() -> str:
    """Return the buttons of the player, and the place where it says what happened, as HTML."""
    return _text("player.html")


def _text(name: str) -> str:
    data = get_data("pbem.replay", name)
    assert data is not None
    return data.decode("utf-8")


def _hash(text: str) -> str:
    """A Content-Security-Policy allows the style sheet or script with this hash, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
