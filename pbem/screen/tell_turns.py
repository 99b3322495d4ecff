"""Tell what happened, turn by turn, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine import Entry
from pbem.play.seats.standing import told_removed
from pbem.play.view import View
from pbem.screen.tell_entries import Teller
from pbem.screen.terminal import clean
from pbem.screen.what_changed import Following


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
    teller = Teller(view.play.ruleset, view.names)
    phases = phase_names(view)
    following = Following(view)
    for entry in view.log[: _begin(view, turns)]:
        following.skip(entry)
    last = (0, "")
    notices = notices_of(view, turns)
    removed = removed_in(view, turns)
    for number, entry in entries_of(view, turns):
        yield from _removals(removed, number - 1)
        yield from _notices(notices, number)
        scope = entry.key.rsplit(".", 3)[0]
        if (number, scope) != last:
            yield from ((number, line) for line in heading(number, scope, last, phases))
            last = (number, scope)
        yield from ((number, f"  {sentence}") for sentence in teller.entry(entry))
        yield from ((number, f"    {line}") for line in following.after(entry))
    yield from _notices(notices, view.turn)
    yield from _removals(removed, view.turn)


def notices_of(view: View, turns: range) -> list[tuple[int, str, str, str]]:
    """Return the notices that these turns list: turn, writer, kind, what happened."""
    return [one for one in view.notices if one[0] in turns]


def as_rows(view: View, turns: range) -> list[dict[str, str | int]]:
    """Return the log of these turns as data for programs."""
    named = ("turn", "from", "about", "text")
    removed = [(turn, "", "removed", told) for turn, told in removed_in(view, turns)]
    rows = sorted([*notices_of(view, turns), *removed], key=lambda one: one[0])
    return [dict(zip(named, one, strict=True)) for one in rows]


def removed_in(view: View, turns: range) -> list[tuple[int, str]]:
    """Return the players who were removed at the end of one of these turns: the turn, and a
    sentence."""
    removed = sorted((turn, seat) for seat, turn in view.removed.items() if turn in turns)
    return [(turn, told_removed(view.names[seat])) for turn, seat in removed]


def _removals(left: list[tuple[int, str]], upto: int) -> Iterator[tuple[int, str]]:
    """Yield who was removed in turns up to `upto`, each only once."""
    while left and left[0][0] <= upto:
        turn, told = left.pop(0)
        yield turn, f"  {clean(told)}"


def _notices(left: list[tuple[int, str, str, str]], upto: int) -> Iterator[tuple[int, str]]:
    """Yield the notices of turns up to `upto`, each only once."""
    last = 0
    while left and left[0][0] <= upto:
        turn, _, _, told = left.pop(0)
        if turn != last:
            yield turn, f"turn {turn}: notices"
        yield turn, f"  {clean(told)}"
        last = turn


def phase_names(view: View) -> dict[str, str]:
    """Return the rulebook's name for each phase of the game."""
    ruleset = view.play.ruleset
    return {phase.name: phase.doc or phase.name for phase in (ruleset.opening, *ruleset.phases)}


def _begin(view: View, turns: range) -> int:
    """Return the number of entries in the log before these turns."""
    return view.ends[turns.start - 2] if turns.start > 1 else 0


def heading(
    number: int, scope: str, last: tuple[int, str], phases: Mapping[str, str]
) -> Iterator[str]:
    """Yield a heading if the turn, round or phase changes; `last` is the turn and scope of the
    entry before."""
    where = where_in(scope, phases)
    yield f"turn {number}: {where}" if number != last[0] else f"  {where}:"


def where_in(key: str, phases: Mapping[str, str]) -> str:
    """Return the round and phase that a key (or the start of one) names: `round 2, Feeding`."""
    round_, phase = key.split(".")[:2]
    where = phases.get(phase, phase)
    return where if round_ == "0" else f"round {round_}, {where}"


def entries_of(view: View, turns: range) -> Sequence[tuple[int, Entry]]:
    """Return the entries of these turns, each with the number of its turn."""
    found: list[tuple[int, Entry]] = []
    begin = 0
    for turn, end in enumerate(view.ends, start=1):
        if turn in turns:
            found += [(turn, entry) for entry in view.log[begin:end]]
        begin = end
    return found
