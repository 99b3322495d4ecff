"""A first draft of orders: what the player needs to see, and every legal choice, as comments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from engine import Decision, Kind, Line, bare
from pbem.drafts.reading import position
from pbem.play.lines import LineChecker
from pbem.play.view import View

MOST_SHOWN = 60
"""Options listed for one kind of decision; the rest is counted."""


def write_draft(view: View) -> str:
    """The text of a draft for the view's seat: what is asked, empty, with the choices beside it."""
    kinds = view.play.ruleset.kinds
    asked = {d.kind: d for _, d in view.table.pending if d.seat == view.seat}
    parts = [_head(view, asked), *(_asked(view, kinds[kind], d) for kind, d in asked.items())]
    parts += [
        _ahead(view, kind) for kind in kinds.values() if kind.name not in asked and kind.name != ""
    ]
    parts.append(_always(view))
    return "\n".join(part for part in parts if part)


def _head(view: View, asked: Iterable[str]) -> str:
    table = view.table
    scene = table.game.ruleset.scene(table.state)
    mine = next(place for place in scene.places if place.seat == view.seat)
    name = view.names[view.seat]
    questions = ", ".join(asked) or "nothing (lines for later are welcome)"
    lines = [
        f"# {view.title} · turn {view.turn} · seat {view.seat} ({name})",
        f"# You are asked for: {questions}",
        f"# Your hand: {' · '.join(mine.hand) or 'empty'}",
        f"# {'   '.join(f'{label}: {value}' for label, value in scene.facts)}",
    ]
    for place in scene.places:
        for piece in place.pieces:
            facts = ", ".join(f"{label} {value}" for label, value in piece.facts)
            cards = f" | {', '.join(piece.cards)}" if piece.cards else ""
            lines.append(f"#   {piece.name}: {facts}{cards}")
    lines += [
        "",
        f'game = "{view.game[:6]}"',
        f'answers = "{position(view)}"',
        f'seat = "{view.seat}"',
        "",
    ]
    return "\n".join(lines)


def _asked(view: View, kind: Kind, decision: Decision) -> str:
    options = decision.listed([]) if decision.script else decision.listed()
    how = "each line in turn, then done" if kind.script else "the first line that fits counts"
    lines = [f"# {kind.question} ({how}); take the # off what you want, and sort"]
    return "\n".join([*lines, f"{kind.name} = [", *_choices(options, "    # "), "]", ""])


def _ahead(view: View, kind: Kind) -> str:
    """A kind that may still be asked this round: commented out, with what is known of it."""
    script = LineChecker(view.table, view.seat, []).script(kind.name) if kind.script else None
    choices = _choices(script.listed([]), "#     ") if script else []
    lines = [f"# Could be asked later this round: {kind.question}"]
    if not choices:
        return "\n".join([*lines, f"# {kind.name} = []", ""])
    return "\n".join([*lines, f"# {kind.name} = [", *choices, "# ]", ""])


def _choices(options: Sequence[str], mark: str) -> list[str]:
    """The options as comments, each as it may be written, those that start alike together."""
    distinct = sorted(dict.fromkeys(options), key=_group)
    shown = [f"{mark}{toml_string(bare(option))}," for option in distinct[:MOST_SHOWN]]
    if len(distinct) > MOST_SHOWN:
        shown.append(f"{mark}… and {len(distinct) - MOST_SHOWN} more of the same kinds")
    return shown


def _group(option: str) -> tuple[str, str]:
    first = bare(option).partition(":")[0].partition(" on ")[0]
    return first, option


def _always(view: View) -> str:
    """Standing lines: those in force go on; a first draft proposes the ruleset's."""
    kept = [line for line in view.lines if line.always]
    lines = ["[always]          # kept until you send other orders; what stands here stays closed"]
    if not view.texts:
        kept = [
            Line(0, kind.name, kind.suggestion, True)
            for kind in view.play.ruleset.kinds.values()
            if kind.suggestion
        ]
    kinds: dict[str, list[str]] = {}
    for line in kept:
        kinds.setdefault(line.kind, []).append(toml_string(bare(line.text)))
    lines += [f"{kind} = [{', '.join(texts)}]" for kind, texts in kinds.items()]
    return "\n".join(lines) + "\n"


def toml_string(text: str) -> str:
    """The text as a basic string of TOML (ASCII sentences are the same in JSON)."""
    return json.dumps(text)
