"""Studies in words: the results, how far one is, and how to go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Final

from engine.counts_and_lists_in_prose import counted
from pbem.simulation.estimates import MARGIN_ERRORS

_GO_ON_FROM_FILE: Final = (
    "{done} of {total} games have been played; to continue: pbem sim --from {path} --save {path}"
)
_GO_ON_FROM_OUTPUT: Final = (
    "{done} of {total} games have been played; to continue, save this output to a file, then run "
    "`pbem sim --from` with that file"
)
_SAVE_NEXT_TIME: Final = (
    "{done} of {total} games have been played, and none is kept; to continue a study later, begin "
    "it with --save FILE"
)

NO_WORKERS_SENTENCE: Final = "the scheduler has no workers yet; waiting for the first one"


def progress_line(game_count: int, total: int, quoted_path: str, *, has_json: bool) -> str:
    """Say how many games of a study have been played, and how to play the others.

    `quoted_path` is the file of the study, as a shell reads it; empty if there is none. With
    `has_json`, the output itself can be continued.
    """
    if quoted_path:
        template = _GO_ON_FROM_FILE
    else:
        template = _GO_ON_FROM_OUTPUT if has_json else _SAVE_NEXT_TIME
    return template.format(done=game_count, total=total, path=quoted_path)


# ---- The results as tables

_STUDY: Final = "{game}: {games}, {players} players, seed {seed}, {seconds} seconds"
_COURSE: Final = (
    "{rounds} rounds a game ({least} to {most}), {decisions} choices; the winner has {points} "
    "points"
)
_MARGIN_NOTE: Final = (
    "±: in 95 of 100 studies the true value is within this margin. pbem computes the margin from "
    "whole games, because the seats of one game depend on each other."
)
_EFFECT_NOTE: Final = (
    "Played: how many of 100 seats played the card or trait at least once in a game. With, "
    "without: the points of the seats that played the card or trait, and of the other seats."
)
_NO_MARGIN_NOTE: Final = "Fewer than 30 games are too few for margins of error."
_UNCLEAR: Final = "unclear"
"""The mark of a row whose difference is within its margin."""
_UNCLEAR_NOTE: Final = (
    "Unclear: the difference is within its margin, so chance alone could be the cause."
)
_CARDS_NOTE: Final = "--by-card adds the same tables for each card."
_TOO_FEW_NOTE: Final = (
    "-: too few seats to tell. Fewer than 30 played the card or trait, or fewer than 30 did not."
)
_SAME: Final = "same"
"""The word for a difference if no game differed."""
_CARD_FILE: Final = " (card file)"
_COMPARED: Final = (
    "{game} compared with {other}: games with the same number start from the same seed. "
    "Differences are {game} minus {other}."
)
_CHANGE: Final = (
    "With {game}, a seat has {amount} {more} than with {other} (± {margin}). If both games gave "
    "the same points, {chance} studies would differ by so much."
)
_NO_CHANGE: Final = (
    "With {game}, a seat has {amount} {more} than with {other} (± {margin}). The difference may "
    "be chance: if both games gave the same points, {chance} studies would differ by so much."
)
_MEASURE_NAMES: Final = {
    "score": "points of a seat",
    "winning_score": "points of the winner",
    "rounds": "rounds",
    "decisions": "choices",
}
_CLEAR_CHANCE: Final = 0.05
"""A difference is called clear if it comes by chance in fewer studies than this share."""
MIN_GAMES: Final = 30
"""The least number of games whose margins of error are worth printing."""
Data = Mapping[str, Any]
"""The results of a study as `pbem sim --json` prints them."""


def study_lines(data: Data, *, by_card: bool = False) -> list[str]:
    """Return the results of a study as tables; those of cards only with `by_card`."""
    kinds = ("trait", "card") if by_card else ("trait",)
    games = counted(data["games"], "game")
    if data["games"] < MIN_GAMES:
        data = _without_errors(data)
    lines = [_STUDY.format(**{**data, "games": games, "seconds": round(data["seconds"])})]
    if settings := {**data["options"], **({"orders": data["orders"]} if "orders" in data else {})}:
        lines.append(", ".join(f"{name}={value}" for name, value in settings.items()))
    if not data["games"]:
        return lines
    lines.append(
        _COURSE.format(
            rounds=data["rounds_mean"],
            least=data["rounds_least"],
            most=data["rounds_most"],
            decisions=data["decisions_mean"],
            points=data["winning_score_mean"],
        )
    )
    lines += [*_waves(data), *_ties(data), "", *_table(_seat_rows(data))]
    for kind in kinds:
        if effects := data[f"{kind}s"]:
            lines += ["", *_table(_effect_rows(kind, effects))]
    lines += ["", _MARGIN_NOTE if data["games"] >= MIN_GAMES else _NO_MARGIN_NOTE]
    if data["traits"] or data["cards"]:
        lines += [_EFFECT_NOTE, _TOO_FEW_NOTE]
        lines += [_UNCLEAR_NOTE] if data["games"] >= MIN_GAMES else []
    if data["cards"] and not by_card:
        lines.append(_CARDS_NOTE)
    return [*lines, *_comparison(data, kinds)] if "against" in data else lines


def _without_errors(data: Any) -> Any:
    """Return the data with None for every error."""
    if isinstance(data, list):
        return [_without_errors(part) for part in data]
    if not isinstance(data, dict):
        return data
    return {
        name: None if name.endswith("error") else _without_errors(part)
        for name, part in data.items()
    }


def _waves(data: Data) -> list[str]:
    if "waves_per_round_mean" not in data:
        return []
    mean, most = data["waves_per_round_mean"], data["waves_per_round_p95"]
    return [f"{mean} exchanges of mail (waves) a round; 95 of 100 rounds have at most {most}"]


def _ties(data: Data) -> list[str]:
    parts = [f"{reason} {count}" for reason, count in data["decided_by"].items()]
    return [f"ties decided by: {', '.join(parts)}"] if parts else []


def _seat_rows(data: Data) -> list[list[str]]:
    """Return a heading and a row for each seat: wins, mean points with their error, and spread."""
    rows = [
        [
            seat["seat"],
            seat["bot"],
            str(seat["wins"]),
            str(seat["shared_wins"]),
            _amount(seat["score_mean"], seat.get("score_error")),
            f"{seat['score_spread']:.2f}" if "score_spread" in seat else "-",
        ]
        for seat in data["seats"]
    ]
    return [["seat", "bot", "wins", "shared wins", "points", "spread"], *rows]


def _effect_rows(kind: str, effects: Data, sign: str = "") -> list[list[str]]:
    """Return the rows of a table of traits or cards, the largest difference first; those without
    one are last."""

    def rank(item: tuple[str, Data]) -> tuple[bool, float]:
        difference = item[1]["difference"]
        return difference is None, -(difference or 0)

    rows = [[kind, "played %", "with", "without", "difference", ""]]
    rows += [
        [
            name,
            _amount(100 * effect["played"], effect["played_error"], sign, scale=100),
            _amount(effect["with"], effect["with_error"], sign),
            _amount(effect["without"], effect["without_error"], sign),
            _amount(effect["difference"], effect["difference_error"], "+"),
            _UNCLEAR if _is_unclear(effect["difference"], effect["difference_error"]) else "",
        ]
        for name, effect in sorted(effects.items(), key=rank)
    ]
    return rows


def _is_unclear(difference: float | None, error: float | None) -> bool:
    """Return whether a difference is within its margin; false if either is unknown or 0."""
    return bool(difference and error) and abs(difference or 0) < MARGIN_ERRORS * (error or 0)


def _comparison(data: Data, kinds: Sequence[str]) -> list[str]:
    """Return the lines that compare two rulesets: a table of measures, a table for each of the
    `kinds` (traits or cards), and a verdict."""
    against, names = data["against"], {"game": data["game"], "other": data["compared_with"]}
    if "card_file" in data:
        names["game"] += _CARD_FILE
    rows = [["", names["game"], names["other"], "difference", "by chance"]]
    for measure, row in against["measures"].items():
        label = _MEASURE_NAMES.get(measure, f"points of seat {measure[-1]}")
        change = _amount(row["difference"], row["difference_error"], "+")
        chance = _chance(row["by_chance"])
        rows.append([label, f"{row['here']:.2f}", f"{row['there']:.2f}", change, chance])
    lines = ["", _COMPARED.format(**names), "", *_table(rows)]
    for kind in kinds:
        if against[f"{kind}s"]:
            lines += ["", *_table(_effect_rows(kind, against[f"{kind}s"], "+"))]
    return [*lines, "", *_verdict(against["measures"]["score"], names)]


def _verdict(points: Data, names: Data) -> list[str]:
    """Return a sentence on whether players score more or fewer points, and by how many; nothing if
    too few games were played for an error."""
    change, error = points["difference"], points["difference_error"]
    if error is None:
        return []
    is_clear = points["by_chance"] < _CLEAR_CHANCE
    return [
        (_CHANGE if is_clear else _NO_CHANGE).format(
            **names,
            amount=f"{abs(change):.3f} points",
            more="more" if change >= 0 else "fewer",
            margin=f"{MARGIN_ERRORS * error:.3f}",
            chance=_chance(points["by_chance"]),
        )
    ]


def _chance(share: float) -> str:
    """Write a share of studies, rounded up."""
    if share >= 0.01:
        return f"{ceil(100 * share)} of 100"
    return "at most 1 of 1000" if share <= 0.001 else f"{ceil(1000 * share)} of 1000"


def _amount(value: float | None, error: float | None, sign: str = "", *, scale: int = 1) -> str:
    if value is None:
        return "-"
    if sign and not value and not error:
        return _SAME
    amount = f"{value:{sign}.2f}"
    return amount if error is None else f"{amount} ± {MARGIN_ERRORS * error * scale:.2f}"


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align the columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if n else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
