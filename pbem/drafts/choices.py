"""The choices in a draft: every option as a comment, grouped by card or piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine import DONE, Ruleset, Unreadable, bare
from pbem.screen.tell_entries import spaced

Listed = Callable[[Sequence[str]], Sequence[str]]
"""Takes the steps so far, and returns the options for the next step."""
MOST_FIRST: Final = 12
"""How many first steps are tried, to find out what the second step may be."""


def choice_lines(
    ruleset: Ruleset[Any],
    options: Sequence[str],
    after: Listed | None = None,
    names: Mapping[str, str] | None = None,
) -> list[str]:
    """Write the options as comments, each once, grouped by the card or piece that acts.

    With `after` (for scripts), the line of an option that makes a new piece says the piece's name:
    `# it will be b3`. Options that harm another player's pieces also get a line for all of these
    pieces: `a1 attacks b*`.
    """
    groups: dict[str, list[str]] = {}
    for option in dict.fromkeys(options):
        groups.setdefault(group_of(ruleset, option), []).append(option)
    made = Made(ruleset, options, after)
    lines: list[str] = []
    headed = any(len(found) > 1 for head, found in groups.items() if head) and len(groups) > 1
    for head, found in sorted(groups.items(), key=lambda one: one[0] == ""):
        if headed:
            lines.append(f"    # {spaced(head) or 'or'}:")
        lines += [f"    # {written(option)},{made.remark(option)}" for option in found]
        lines += [
            f"    # {written(wide)},   # any of {(names or {}).get(seat, seat)}'s"
            for wide, seat in wide_lines(ruleset, found).items()
        ]
    return lines


def second_steps(options: Sequence[str], after: Listed, ends: str) -> list[str]:
    """Return the choices for the second step of a list that may not end with the first step.

    `options` are those for the first step, and `ends` is the sentence that ends the list. The
    answer is empty if the list may be empty, because the choices for both steps are then the same.
    """
    if ends in options:
        return []
    later = [option for first in options[:MOST_FIRST] for option in after([first])]
    return [option for option in dict.fromkeys(later) if option not in options]


def wide_lines(ruleset: Ruleset[Any], options: Sequence[str]) -> dict[str, str]:
    """Return lines with `*` that harm any piece of one other player, each with that player's
    seat."""
    found = {}
    for option in options:
        form, said = form_of(ruleset, option)
        if form in ruleset.harms and set(said) == {"sp", "who"}:
            seat = said["who"][0]
            if seat != said["sp"][0]:
                found[ruleset.forms.say(form, sp=said["sp"], who=f"{seat}*")] = seat
    return found


def written(option: str) -> str:
    """Write the option as a TOML string for an order file."""
    text = spaced(bare(option)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def form_of(ruleset: Ruleset[Any], option: str) -> tuple[str, dict[str, str]]:
    """Return the form of an option and its fields; both empty if no form matches it."""
    try:
        return ruleset.forms.parse(option)
    except Unreadable:
        return "", {}


def group_of(ruleset: Ruleset[Any], option: str) -> str:
    """Return the card or piece that acts in an option; empty if the option names none."""
    _, fields = form_of(ruleset, option)
    return fields.get("card") or fields.get("sp", "")


class Made:
    """Finds the names of new pieces: those that appear in the options only after a line was carried
    out."""

    def __init__(self, ruleset: Ruleset[Any], options: Sequence[str], after: Listed | None) -> None:
        self.ruleset, self.after = ruleset, after
        self.makes = {f for f, told in ruleset.prose().orders.items() if "{new}" in told}
        self.before = pieces_in(ruleset, options)
        self.known: dict[str, str] = {}

    def remark(self, option: str) -> str:
        """Write a comment with the name of the piece that the option makes, if any."""
        made = self.by(option)
        return f"   # it will be {made}" if made else ""

    def by(self, option: str) -> str:
        """Return the name of the piece that the option makes; empty if it makes none."""
        form, _ = form_of(self.ruleset, option)
        if self.after is None or form not in self.makes:
            return ""
        if form not in self.known:
            self.known[form] = new_piece(self.ruleset, self.before, self.after([option]))
        return self.known[form]


def new_piece(ruleset: Ruleset[Any], before: set[str], options: Sequence[str]) -> str:
    """Return the one new piece that these options name.

    The answer is empty if there is none, or more than one.
    """
    new = pieces_in(ruleset, options) - before
    return new.pop() if len(new) == 1 else ""


def pieces_in(ruleset: Ruleset[Any], options: Sequence[str]) -> set[str]:
    """Return the pieces that these options name."""
    found = set()
    for option in options:
        if option != DONE:
            fields = form_of(ruleset, option)[1]
            found |= {value for field, value in fields.items() if field in ("sp", "who")}
    return found
