"""Collect the data that `status --json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.deadlines.due import due_of
from pbem.cli.notices.open_votes import waits_data
from pbem.cli.status.before_turn_one import BeforeTurnOne
from pbem.cli.status.ignored_files import notes
from pbem.cli.status.my_orders import standing_data
from pbem.cli.status.status_warnings import warnings

if TYPE_CHECKING:
    from pbem.cli.status.game_status import GameStatus


def status_data(status: GameStatus | BeforeTurnOne) -> dict[str, Any]:
    """Return the state of a game, for programs."""
    if isinstance(status, BeforeTurnOne):
        told, wrong = status.data(), status.warnings
    else:
        told, wrong = _begun(status), warnings(status)
    return told | {"warnings": wrong, "notes": notes(status.session)}


def _begun(status: GameStatus) -> dict[str, Any]:
    from pbem.records.chain import words_of
    from pbem.screen.tell_turns import as_rows

    view = status.view
    return {
        "game": view.game,
        "title": view.title,
        "ruleset": view.ruleset,
        "turn": view.turn,
        "published": view.published,
        "head": view.published_head,
        "words": words_of(bytes.fromhex(view.published_head)),
        "seat": view.seat,
        "over": view.over,
        "deadline": view.deadline,
        "grace": due_of(view).grace,
        "held_until": status.held_until,
        "seats": {
            seat: {
                "name": name,
                "ready": status.readiness_of(seat),
                "asked": view.awaited.get(seat, []),
                "away": view.away.get(seat, ""),
            }
            for seat, name in sorted(view.names.items())
        },
        "standing": standing_data(view),
        "ended": view.ended,
        "waits": waits_data(status.session, view),
        "notices": as_rows(view, range(1, view.turn + 1)),
        "new_messages": status.new_messages,
        "next": status.next,
    }
