"""Tell what happened, what people wrote and who won, in sentences."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from engine import (
    CHANCE,
    DONE,
    UNKNOWN,
    Entry,
    Forms,
    Place,
    Ruleset,
    Scene,
    Score,
    Table,
    Unreadable,
    bare,
    cards_in,
)
from pbem.files.folder import Place as FolderPlace
from pbem.judge.press import Message
from pbem.judge.standing import LAST_TURN
from pbem.judge.view import View
from pbem.records.notice import REFEREE
from pbem.screen.notice_words import END_WORDS, describe_event, describe_removal, name_people
from pbem.screen.terminal import NARROW, brief, clean, typed
from pbem.text.names import counted, join_words

# ---- Entries and orders as sentences

_PIECE = re.compile(r"([a-p])[1-9][0-9]*")
_SETTLED = {
    "forced": "no other choice",
    "default": "by default",
    "bot": "chosen by a bot",
    "always": "a standing order",
}


class Teller:
    """Writes what happened and what is ordered as sentences with the players' names."""

    def __init__(self, ruleset: Ruleset[Any], names: Mapping[str, str]) -> None:
        self.ruleset = ruleset
        self.names = {seat: clean(name) for seat, name in names.items()}
        self.prose = ruleset.prose()

    def entry(self, entry: Entry) -> list[str]:
        """Return a sentence for each step of an entry, and how it was settled, if that matters."""
        if entry.by == "fact":
            return [self._fact(entry.text)]
        if entry.seat == CHANCE:
            return [self._chance(entry)]
        steps = entry.text.split("; ")
        told = steps[:-1] if len(steps) > 1 and steps[-1] == DONE else steps
        kind = entry.kind
        how = _SETTLED.get(entry.by.split(" ")[0], "")
        return [self.told(kind, entry.seat, step) + (f" ({how})" if how else "") for step in told]

    def told(self, kind: str, seat: str, text: str) -> str:
        """Return a choice as a sentence: `Bo's b1 attacks Ann's a1`."""
        name, (form, fields) = self.names.get(seat, seat), self.ruleset.forms.read(text)
        template = self.prose.deeds.get(f"{kind}.{form}") or self.prose.deeds.get(form)
        if not template:
            return f"{name}: {spaced(bare(text))}"
        return self._owners(template.format(name=name, **self._fields(fields, owned=True)))

    def _owners(self, text: str) -> str:
        """Name each owner once: `Bo plays horns 4 on b1`, `Bo's b1 attacks Ann's a1`."""

        def piece(found: re.Match[str]) -> str:
            name = self.names[found[1][0]]
            before = text[: found.start()]
            known = name in before or f"\0{found[1][0]}" in before
            return found[1] if known else f"{name}'s {found[1]}"

        return re.sub(r"\0(\w+)", piece, text)

    def _fact(self, text: str) -> str:
        for form, template in self._facts:
            try:
                _, fields = form.parse(text)
            except Unreadable:
                continue
            seat = self.names.get(fields.get("seat", ""), fields.get("seat", ""))
            return self._owners(
                template.format(**{**self._fields(fields, owned=True), "seat": seat})
            )
        return f"turned up: {spaced(text)}"

    @cached_property
    def _facts(self) -> list[tuple[Forms, str]]:
        return [(Forms(fact=form), template) for form, template in self.prose.facts.items()]

    def _chance(self, entry: Entry) -> str:
        text, kind = entry.text, entry.kind
        first, _, rest = text.partition(" ")
        name = self.names.get(first, first)
        if kind == "deal" and first in self.names:
            cards = cards_in(text)
            hidden = _counted(str(len(cards))) if UNKNOWN in cards else ""
            return f"{name} draws {hidden or join_words(map(spaced, cards)) or 'nothing'}"
        if kind == "deal":
            return f"{_deck(first)} turns up {spaced(rest.removeprefix('shows '))}"
        if kind == "shuffle":
            return f"{_deck(first)} is shuffled: {_counted(rest.rsplit(' ', 1)[-1])}"
        if kind == "under":
            count, below = re.findall(r"\d+", rest)[:2] or ["?", "?"]
            return f"{_counted(count)} put back into {_deck(first)}, {below} cards down"
        return f"{name} {spaced(rest)}"

    def order(self, text: str, new: str = "") -> str:
        """Return orders in prose: `carnivore 2 on b1`; `new` names the piece that is made."""
        form, fields = self.ruleset.forms.read(text)
        if template := self.prose.orders.get(form):
            made = f" {new}" if new else ""
            return template.format(new=made, **self._fields(fields, owned=False))
        said = spaced(bare(text)) + (f" ({new})" if new else "")
        return " ".join(map(self._starred, said.split(" ")))

    def _starred(self, word: str) -> str:
        """Return what a word with a star means: `any species`, `any species of Bo`, `any like
        b1*`."""
        if not word.strip("*"):
            return f"any {self.prose.piece}" if word else word
        seat = word.rstrip("*")
        if seat != word and seat in self.names:
            return f"any {self.prose.piece} of {self.names[seat]}"
        return f"any like {word}" if "*" in word else word

    def _fields(self, fields: Mapping[str, str], *, owned: bool) -> dict[str, str]:
        return {field: self._field(field, value, owned) for field, value in fields.items()}

    def _field(self, field: str, value: str, owned: bool) -> str:
        if value == UNKNOWN:
            return "a card" if field.startswith("card") else "something"
        if "*" in value:
            return self._starred(value)
        if owned and value in self.names:
            return self.names[value]
        if owned and (piece := _PIECE.fullmatch(value)) and piece[1] in self.names:
            return f"\0{value}"
        return spaced(value)


def spaced(text: str) -> str:
    """Return a card's name in prose: `long neck 4` for `long_neck 4`."""
    return text.replace("_", " ")


def _counted(number: str) -> str:
    return f"{number} card{'' if number == '1' else 's'}"


def _deck(name: str) -> str:
    return "the deck" if name == "deck" else f"the {spaced(name)} deck"


# ---- Messages: none can look like a sentence of the game

OLD_KEY = ", or somebody with a key that no longer counts,"
"""What follows the writer's name if this machine first saw the message when its key no longer
counted."""
MARKS = 2
"""The most accents and other marks on one letter; more would cover the lines around it."""


def message_lines(
    messages: Iterable[Message], mine: Collection[str], width: int = 0
) -> Iterator[str]:
    """Yield the lines that show these messages, wrapped at `width` (0: not wrapped).

    `mine` are the reader's seats, and `referee` if they are the referee. A message of one line
    follows its writer's name. In a longer message each line begins with `>`.
    """
    for message in messages:
        lead = f"  {_lead(message, mine)}:"
        said = [safe(line) for line in message.lines]
        inline = f"{lead} {said[0]}"
        if len(said) == 1 and (not width or len(inline) <= width):
            yield inline
            continue
        yield lead
        for line in said:
            for part in textwrap.wrap(line, max(NARROW, width) - 6) if width else [line]:
                yield f"    > {part}"
            if not line:
                yield "    >"


def _lead(message: Message, mine: Collection[str]) -> str:
    own = is_own(message, mine)
    writer = "You" if own else f"{clean(message.name)} ({message.writer})"
    if message.signer_state == "old key":
        writer += OLD_KEY
    if not message.recipient:
        return f"{writer} say" if own else f"{writer} says"
    return (
        f"{writer} to {f'{clean(message.recipient_name)} ({message.recipient})' if own else 'you'}"
    )


def is_own(message: Message, mine: Collection[str]) -> bool:
    """Return whether the reader, who has these roles, wrote a message."""
    return message.writer in mine and message.signer_state == "now"


def writer_of(message: Message) -> str:
    """Return the name of a message's writer, and a warning if an old key signed it."""
    return clean(message.name) + OLD_KEY * (message.signer_state == "old key")


def safe(text: str) -> str:
    """Make a message's text safe: it can neither control the terminal nor cover other lines."""
    out, marks = [], 0
    for character in clean(text):
        marks = marks + 1 if unicodedata.combining(character) else 0
        out.append(character if marks <= MARKS else f"\\u{ord(character):04x}")
    return "".join(out)


# ---- Automatic effects of an entry

FOOD = "food"
"""The label of the food that lies on a piece."""
_NUMBER = re.compile(r"(\d+)(/\d+)?")
_Facts = Mapping[str, str]
_Piece = str
"""A piece's name; empty means the table itself."""


class Following:
    """Replays the log and finds, after each entry, the changes that no sentence reports.

    It compares only what this view may see of the table.
    """

    def __init__(self, view: View) -> None:
        self.names = {seat: clean(name) for seat, name in view.names.items()}
        self.ruleset = view.play.ruleset
        self.prose = self.ruleset.prose()
        self.table: Table[Any] = Table(view.play, view.table.viewpoint)
        self.scene: Scene | None = None
        self.eaten: Mapping[_Piece, int] = {}
        """How much each piece had eaten before the entry, as the ruleset counts it."""
        self.said: Counter[tuple[_Piece, str]] = Counter()

    def skip(self, entry: Entry) -> None:
        """Apply an entry without looking for changes."""
        self._take(entry)
        self.scene = None

    def after(self, entry: Entry) -> list[str]:
        """Apply an entry; return a line for each change that its sentence does not report.

        Choices made at the same time take effect together, so their changes follow the last of
        them.
        """
        if self.scene is None:
            self.scene, self.eaten = self._seen()
        before = self.scene
        self._take(entry)
        if len(self.table.pending) < len(self.table.open_decisions):
            return []
        ate, (self.scene, self.eaten) = self.eaten, self._seen()
        changes, old, new = [], dict(before.facts), dict(self.scene.facts)
        for label, template in self.prose.common.items():
            was, now = old.get(label, ""), new.get(label, "")
            if now != was and not self._known("", label, was, now):
                changes.append(template.format(before=spaced(was), after=spaced(now)))
        for one, other in zip(before.places, self.scene.places, strict=True):
            if told := "; ".join([*self._fed(one, other, ate), *self._place(one, other)]):
                changes.append(f"{self.names.get(one.seat, one.seat)}: {told}")
        return changes

    def _seen(self) -> tuple[Scene, Mapping[_Piece, int]]:
        """Return what the table shows now, and how much each piece has eaten."""
        state = self.table.state
        return self.ruleset.scene(state), self.ruleset.eaten(state)

    def _take(self, entry: Entry) -> None:
        """Apply an entry, and remember which changes of numbers its sentences report."""
        if len(self.table.pending) == len(self.table.open_decisions):
            self.said.clear()
        self.table.send(entry.text)
        kind = entry.kind
        for step in entry.text.split("; ") if entry.by != "fact" and entry.seat != CHANCE else ():
            try:
                form, fields = self.ruleset.forms.parse(step)
            except Unreadable:
                continue
            told = self.prose.reported_changes.get(
                f"{kind}.{form}"
            ) or self.prose.reported_changes.get(form, {})
            for label, more in told.items():
                piece = "" if label in self.prose.common else fields.get("sp", "")
                self.said[piece, label] += more

    def _place(self, before: Place, after: Place) -> Iterator[str]:
        old, new = dict(before.facts), dict(after.facts)
        for label, name in self.prose.seat_facts.items():
            if old.get(label) != new.get(label):
                yield f"{name} {old.get(label, '0')} → {new.get(label, '0')}"
        there = {piece.name: dict(piece.facts) for piece in before.pieces}
        here = {piece.name: dict(piece.facts) for piece in after.pieces}
        changes: dict[str, list[str]] = {}
        for name in (name for name in there if name in here):
            told = " and ".join(self._numbers(name, there[name], here[name]))
            changes.setdefault(told, []).append(name)
        yield from (f"{join_words(names)} {told}" for told, names in changes.items() if told)
        yield from _told(self.prose.departures, [name for name in there if name not in here])
        yield from _told(self.prose.arrivals, [name for name in here if name not in there])

    def _fed(self, before: Place, after: Place, ate: Mapping[_Piece, int]) -> Iterator[str]:
        """Yield what pieces ate that neither a sentence nor the table shows: food that came and was
        swept away again before anybody was asked."""
        there = {piece.name: dict(piece.facts) for piece in before.pieces}
        here = {piece.name: dict(piece.facts) for piece in after.pieces}
        fed: dict[str, list[_Piece]] = {}
        for name in (name for name in here if name in self.eaten):
            more = self.eaten[name] - ate.get(name, 0) - self.said[name, FOOD]
            was, now = (facts.get(name, {}).get(FOOD, "0") for facts in (there, here))
            if more > 0 and self._known(name, FOOD, was, now):
                again = " more" if self.said[name, FOOD] else ""
                fed.setdefault(f"{more}{again}", []).append(name)
        for much, names in fed.items():
            eats = f"eats {much}" if len(names) == 1 else f"eat {much} each"
            yield f"{join_words(names)} {eats}"

    def _numbers(self, piece: str, before: _Facts, after: _Facts) -> Iterator[str]:
        """A missing number counts as 0."""
        for label in dict.fromkeys((*before, *after)):
            was = before.get(label) or _none(after[label])
            now = after.get(label) or _none(was)
            if not _NUMBER.fullmatch(was) or not _NUMBER.fullmatch(now):
                continue
            if now != was and not self._known(piece, label, was, now):
                yield f"{spaced(label)} {was} → {now}"

    def _known(self, piece: _Piece, label: str, was: str, now: str) -> bool:
        """Return whether a sentence reports the change, or nobody needs to know about it."""
        grown, number = was, _NUMBER.fullmatch(was)
        if number:
            grown = f"{int(number[1]) + self.said[piece, label]}{number[2] or ''}"
        emptied = now[:1] == "0" and was[:1] != "0" and label in self.prose.emptied
        return emptied or now == grown


def _told(templates: tuple[str, str], names: Sequence[str]) -> Iterator[str]:
    if names:
        yield templates[len(names) > 1].format(pieces=join_words(names))


def _none(number: str) -> str:
    return re.sub(r"^\d+", "0", number)


# ---- What happened, turn by turn


def story(view: View, turns: range) -> list[str]:
    """Return the log of these turns in sentences: a heading wherever the turn, round or phase
    changes, then the sentences, and below each of them what followed automatically."""
    return [line for _, line in _story(view, turns)]


def story_by_turn(view: View, turns: range) -> dict[int, list[str]]:
    """Return the lines of `story` for each of these turns, by turn."""
    told: dict[int, list[str]] = {turn: [] for turn in turns}
    for turn, line in _story(view, turns):
        told[turn].append(line)
    return told


def _story(view: View, turns: range) -> Iterator[tuple[int, str]]:
    teller, following = Teller(view.play.ruleset, view.names), Following(view)
    phases, last = phase_names(view), (0, "")
    for entry in view.log[: view.ends[turns.start - 2] if turns.start > 1 else 0]:
        following.skip(entry)
    removed = [(turn, f"  {clean(told)}") for turn, told in removed_in(view, turns)]
    notices: list[tuple[int, str]] = []
    for turn, ones in groupby(notices_of(view, turns), key=itemgetter(0)):
        notices.append((turn, f"turn {turn}: notices"))
        notices += [(turn, f"  {clean(sentence)}") for *_, sentence in ones]
    for number, entry in entries_of(view, turns):
        yield from _upto(removed, number - 1)
        yield from _upto(notices, number)
        here = (number, entry.key.rsplit(".", 3)[0])
        told = [*heading(here, last, phases), *(f"  {line}" for line in teller.entry(entry))]
        told += [f"    {line}" for line in following.after(entry)]
        yield from ((number, line) for line in told)
        last = here
    yield from _upto(notices, view.turn)
    yield from _upto(removed, view.turn)


def notices_of(view: View, turns: range) -> list[tuple[int, str, str, str]]:
    """Return the notices that these turns list: turn, writer, kind, what happened as a sentence."""
    return [
        (turn, writer, about, describe_event(about, fields))
        for turn, writer, about, fields in view.notices
        if turn in turns
    ]


def as_rows(view: View, turns: range) -> list[dict[str, str | int]]:
    """Return the log of these turns as data for programs."""
    named = ("turn", "from", "about", "text")
    removed = [(turn, "", "removed", told) for turn, told in removed_in(view, turns)]
    rows = sorted([*notices_of(view, turns), *removed], key=lambda one: one[0])
    return [dict(zip(named, one, strict=True)) for one in rows]


def removed_in(view: View, turns: range) -> list[tuple[int, str]]:
    """Return who was removed at the end of one of these turns: the turn, and a sentence."""
    removed = sorted((turn, seat) for seat, turn in view.removed.items() if turn in turns)
    return [(turn, describe_removal(view.names[seat])) for turn, seat in removed]


def _upto(left: list[tuple[int, str]], turn: int) -> Iterator[tuple[int, str]]:
    """Take the lines of turns up to this one, each only once."""
    while left and left[0][0] <= turn:
        yield left.pop(0)


def phase_names(view: View) -> dict[str, str]:
    """Return the rulebook's name for each phase of the game."""
    ruleset = view.play.ruleset
    return {phase.name: phase.doc or phase.name for phase in (ruleset.opening, *ruleset.phases)}


def heading(here: tuple[int, str], last: tuple[int, str], phases: Mapping[str, str]) -> list[str]:
    """Return a heading if the turn and the scope of the key are not the last entry's."""
    if here == last:
        return []
    where = where_in(here[1], phases)
    return [f"turn {here[0]}: {where}" if here[0] != last[0] else f"  {where}:"]


def where_in(key: str, phases: Mapping[str, str]) -> str:
    """Return the round and phase that a key (or the start of one) names: `round 2, Feeding`."""
    round_, phase = key.split(".")[:2]
    where = phases.get(phase, phase)
    return where if round_ == "0" else f"round {round_}, {where}"


def entries_of(view: View, turns: range) -> Sequence[tuple[int, Entry]]:
    """Return the entries of these turns, each with the number of its turn."""
    spans = enumerate(zip([0, *view.ends], view.ends, strict=False), start=1)
    return [(turn, e) for turn, (a, z) in spans if turn in turns for e in view.log[a:z]]


# ---- The final scores: what decided a tie, and who comes last or shares a draw


def score_lines(view: View) -> list[str]:
    """Return one line for each seat, best first, and who won."""
    rows, end = _scores(view)
    return [*rows, *end]


def end_sentence(view: View) -> str:
    """Return who won a game that is over, and how it ended, in one sentence."""
    return "; ".join(_scores(view)[1])


def play_again(place: FolderPlace) -> str:
    """Return what to type to play again with the same people; `place` is the game's folder."""
    what = "to play again with the same people, in other seats:"
    if isinstance(place, Path) and place == Path.cwd():  # a game is not put into another one
        return f"{what} cd .. && pbem new NAME --like {typed(place.name)}"
    return f"{what} pbem new NAME --like {typed(brief(place))}"


def _scores(view: View) -> tuple[list[str], list[str]]:
    """Return one line for each seat, best first, and who won, with the tie-break if one was needed.

    Seats that conceded or were removed come last, whatever their scores are. A draw has no order,
    and neither has an end without a winner.
    """
    result, ranks = view.play.ruleset.result(view.table.state), places(view)
    if 0 in ranks.values():
        return [_line(view, "-", score) for score in result.scores], [_how_it_ended(view)]
    out = last_of_all(view)
    lines = [
        _line(view, f"{ranks[score.seat]}.", score, out.get(score.seat, ""))
        for score in sorted(result.scores, key=lambda score: score.seat in out)
    ]
    winners = [s.seat for s in result.scores if ranks[s.seat] == 1 and s.seat not in out]
    names = join_words(clean(view.names[seat]) for seat in winners)
    if not winners:
        end = "everybody has conceded, so nobody wins"
    elif len(winners) > 1:
        end = f"{names} share the win"
    elif result.decided_by not in ("", "shared") and winners == list(result.winners):
        end = f"{names} wins, because {result.decided_by} decided the tie"
    else:
        end = f"{names} wins"
    agreed = view.ended_by or view.ended == LAST_TURN  # not if everybody but a bot has conceded
    return lines, [end, *([_how_it_ended(view)] if agreed and winners else [])]


def scores_of(view: View) -> Sequence[Score]:
    """Return what each seat has, or would have if the game ended now, best first."""
    return view.play.ruleset.result(view.table.state).scores


def last_of_all(view: View) -> dict[str, str]:
    """Return the seats that come last, whatever their scores are, and why: `conceded` or
    `removed`."""
    return {**dict.fromkeys(view.conceded, "conceded"), **dict.fromkeys(view.removed, "removed")}


def ranked(view: View) -> list[dict[str, Any]]:
    """Return data on each player of a game that is over, best first."""
    ranks, out = places(view), last_of_all(view)
    return [
        {
            "seat": score.seat,
            "name": view.names[score.seat],
            "bot": view.bots.get(score.seat, ""),
            "points": score.total,
            "rank": ranks[score.seat],
            "won": ranks[score.seat] == 1 and score.seat not in out,
        }
        for score in sorted(scores_of(view), key=lambda score: (ranks[score.seat], score.seat))
    ]


def places(view: View) -> dict[str, int]:
    """Return the rank of each seat of a game that is over; 0 if the end has no order.

    Seats that conceded or were removed are last together; they cannot win, not even if all have.
    """
    scores = scores_of(view)
    if view.ended in ("draw", "no winner"):
        return {score.seat: 0 for score in scores}
    out = last_of_all(view)
    stayed = [score for score in scores if score.seat not in out]
    ranks = {s.seat: 1 + sum(other.rank < s.rank for other in stayed) for s in stayed}
    return {score.seat: ranks.get(score.seat, len(stayed) + 1) for score in scores}


def points_of(score: Score) -> str:
    """Return a score with its parts: `12 points (7 food + 5 population)`."""
    parts = " + ".join(f"{number} {name}" for name, number in score.parts.items())
    return f"{counted(score.total, 'point')} ({parts})"


def _line(view: View, rank: str, score: Score, out: str = "") -> str:
    name = clean(view.names[score.seat])
    return f"{rank} {score.seat} {name}: {points_of(score)}" + (f", {out}" if out else "")


def _how_it_ended(view: View) -> str:
    if view.ended == LAST_TURN:
        last = f"turn {view.turn}, the last that a game can have"
        return f"the game ended with {last}, with the scores as they are"
    names = {**view.names, REFEREE: view.referee}
    people = clean(name_people(view.ended_by, names, view.by_mail))
    return f"{people} agreed to end the game {END_WORDS[view.ended]}"
