"""List the ready lines in a draft as comments that say what each does.

Players can uncomment them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from engine import STOP, ReadyLine, Ruleset, bare
from pbem.drafts.choices import written
from pbem.play.orders.bot_lines import total_line
from pbem.screen.tell_entries import spaced

Now = Callable[[ReadyLine], "str | None"]
"""Takes a ready line, and returns what it would choose now."""
_ALWAYS = "   # always answers"


def ready_choices(
    ruleset: Ruleset[Any], kind: str, seat: str, names: Mapping[str, str], now: Now | None
) -> list[str]:
    """List the ready lines of a kind that may be plain lines, one for each player if they name a
    player.

    If the question is open, `now` tells what a line would choose.
    """
    lines = [line for line in ruleset.ready_lines.of(kind) if not line.own]
    if not lines:
        return []
    seats = sorted(names)
    other = (seats[seats.index(seat) + 1 :] + seats[: seats.index(seat)])[0]
    found = [f"    # {_offer(line, other, names, now)}" for line in lines]
    if not any(line.total for line in lines):
        found.append(f"    # {written(ruleset.kinds[kind].ends)},{_ALWAYS}")
    return [f"    # in words (`pbem explain {kind}` says what they do):", *found]


def _offer(line: ReadyLine, other: str, names: Mapping[str, str], now: Now | None) -> str:
    text = f"{written(line.sentence.replace('{seat}', other))},"
    if line.keeps:
        return f"{text}   # {names.get(other, other)}; this also applies to lines with *"
    always = _ALWAYS if line.total else ""
    if now is None:
        return f"{text}{always}"
    chosen = now(line)
    told = f"   # now: {spaced(bare(chosen))}" if chosen else "   # now: nothing"
    return f"{text}{told}{always.replace('   #', ';')}"


def standing_choices(ruleset: Ruleset[Any], kinds: Collection[str]) -> list[str]:
    """Suggest, for every kind without a standing order, a ready line that always answers."""
    found = []
    for kind in ruleset.kinds.values():
        line = total_line(ruleset, kind)[0]
        if line and kind.name not in kinds and not (kind.cards and kind.script):
            found.append(f"# {kind.name} = [{written(line)}]")
    if ruleset.stops and STOP not in kinds:
        told = ", ".join(f'"{one.sentence}"' for one in ruleset.stops).replace("{n}", "3")
        found += [
            "# When should standing orders stop, so that you are asked again?",
            f"# stop = [{told}]",
        ]
    return found
