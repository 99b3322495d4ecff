"""The story of a game: what happened in its turns, as lines with headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from engine import Entry
from pbem.judge.game_view import View
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import Teller, phase_names
from pbem.terminal.unreported_table_changes import UnreportedChanges
from pbem.wording.notices import describe_event, describe_removal


def story(view: View, turns: range) -> list[str]:
    """Return the log of these turns in sentences.

    A heading stands wherever the turn, round or phase changes. Below each sentence stand the
    automatic effects.
    """
    return [line for _, line in _numbered_lines(view, turns)]


def story_by_turn(view: View, turns: range) -> dict[int, list[str]]:
    """Return the lines of `story` for each of these turns, by turn."""
    lines_by_turn: dict[int, list[str]] = {turn: [] for turn in turns}
    for turn, line in _numbered_lines(view, turns):
        lines_by_turn[turn].append(line)
    return lines_by_turn


def _numbered_lines(view: View, turns: range) -> Iterator[tuple[int, str]]:
    """Yield the lines of `story`, each with the number of its turn: first the notices of a turn,
    then its entries, then the removals at its end."""
    teller, following = Teller(view.play.ruleset, view.names), UnreportedChanges(view)
    phases, last_position = phase_names(view), (0, "")
    for entry in view.log[: view.log_lengths[turns.start - 2] if turns.start > 1 else 0]:
        following.skip(entry)
    removals = [(turn, f"  {clean(sentence)}") for turn, sentence in removals_in(view, turns)]
    notices: list[tuple[int, str]] = []
    for turn, events in groupby(notices_of(view, turns), key=itemgetter(0)):
        notices.append((turn, f"turn {turn}: notices"))
        notices += [(turn, f"  {clean(sentence)}") for *_, sentence in events]
    for number, entry in entries_of(view, turns):
        yield from _take_upto(removals, number - 1)
        yield from _take_upto(notices, number)
        position = (number, entry.key.rsplit(".", 3)[0])
        lines = [*heading(position, last_position, phases)]
        lines += [f"  {line}" for line in teller.entry(entry)]
        lines += [f"    {line}" for line in following.changes_after(entry)]
        yield from ((number, line) for line in lines)
        last_position = position
    yield from _take_upto(notices, view.turn)
    yield from _take_upto(removals, view.turn)


def notices_of(view: View, turns: range) -> list[tuple[int, str, str, str]]:
    """Return the notices that these turns list: turn, writer, kind, and the event as a sentence."""
    return [
        (turn, writer, kind_name, describe_event(kind_name, fields))
        for turn, writer, kind_name, fields in view.notices
        if turn in turns
    ]


def events_as_rows(view: View, turns: range) -> list[dict[str, str | int]]:
    """Return the notices and removals of these turns as data for programs."""
    columns = ("turn", "from", "about", "text")
    removals = [(turn, "", "removed", sentence) for turn, sentence in removals_in(view, turns)]
    rows = sorted([*notices_of(view, turns), *removals], key=itemgetter(0))
    return [dict(zip(columns, row, strict=True)) for row in rows]


def removals_in(view: View, turns: range) -> list[tuple[int, str]]:
    """Return each removal at the end of one of these turns: the turn, and a sentence."""
    removals = sorted((turn, seat) for seat, turn in view.removed.items() if turn in turns)
    return [(turn, describe_removal(view.names[seat])) for turn, seat in removals]


def _take_upto(remaining_lines: list[tuple[int, str]], turn: int) -> Iterator[tuple[int, str]]:
    """Take the lines of turns up to this one, each only once."""
    while remaining_lines and remaining_lines[0][0] <= turn:
        yield remaining_lines.pop(0)


def heading(
    position: tuple[int, str], last_position: tuple[int, str], phases: Mapping[str, str]
) -> list[str]:
    """Return a heading if the turn or the scope of the key differs from the last entry's."""
    if position == last_position:
        return []
    turn, key = position
    scope = describe_scope(key, phases)
    return [f"turn {turn}: {scope}" if turn != last_position[0] else f"  {scope}:"]


def describe_scope(key: str, phases: Mapping[str, str]) -> str:
    """Return the round and phase that a key, or the start of a key, names: `round 2, Feeding`."""
    round_number, phase = key.split(".")[:2]
    phase_name = phases.get(phase, phase)
    return phase_name if round_number == "0" else f"round {round_number}, {phase_name}"


def entries_of(view: View, turns: range) -> Sequence[tuple[int, Entry]]:
    """Return the entries of these turns with their turn numbers."""
    spans = enumerate(zip([0, *view.log_lengths], view.log_lengths, strict=False), start=1)
    return [
        (turn, entry)
        for turn, (start, end) in spans
        if turn in turns
        for entry in view.log[start:end]
    ]
