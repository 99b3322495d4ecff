"""Complete the values of options in a shell; modules are imported only when the shell asks for
values."""

from __future__ import annotations

from typing import Any


def complete_game(incomplete: str) -> list[str]:
    """Complete the name of an installed ruleset."""
    from games.registry import names

    return [name for name in names() if name.startswith(incomplete)]


def complete_seat(ctx: Any, incomplete: str) -> list[str]:
    """Complete one of the user's own seats in the game of the current folder."""
    from pbem.cli.session.session import Session

    with Quiet():
        seats = Session(ctx.params.get("folder")).roles.seats
        return [seat for seat in sorted(seats) if seat.startswith(incomplete.lower())]
    return []


class Quiet:
    """Hides errors while the shell completes a word, so that after an error the shell simply
    completes nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        return isinstance(error, Exception)
