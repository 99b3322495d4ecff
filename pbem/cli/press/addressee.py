"""Find out who writes a message, and who gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import CliError
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.session.session import Session
    from pbem.play.view import View

ALL = "all"
"""What to type for all players, as the recipient of a message."""


def writer_here(session: Session, as_referee: bool) -> str:
    """Return who you write as: your seat, or `referee` if you say so or have no seat.

    Raises CliError for somebody who only watches.
    """
    from pbem.records.press.message_record import REFEREE

    if as_referee:
        session.referee_key()
        return REFEREE
    if not session.seat and session.roles.referee:
        return REFEREE
    return session.need_seat()


def addressee(view: View, to: str, writer: str) -> str:
    """Return the seat, or `referee`, that a typed letter or name means; empty for `all`. Raises
    CliError."""
    import difflib

    from pbem.records.press.message_record import REFEREE

    wanted = to.strip().casefold()
    known = {name.casefold(): seat for seat, name in view.names.items()}
    known |= {seat: seat for seat in view.names} | {REFEREE: REFEREE}
    known.setdefault(view.referee.casefold(), REFEREE)
    if wanted == ALL and ALL not in known:
        return ""
    if wanted not in known:
        close = difflib.get_close_matches(wanted, known, 1)
        seats = ", ".join(f"{seat} ({clean(name)})" for seat, name in sorted(view.names.items()))
        hint = (
            f"did you mean {clean(close[0])}?" if close else f"--to takes {seats}, referee or all"
        )
        raise CliError(f"nobody here is called {to!r}", hint)
    if known[wanted] == writer:
        raise CliError("you cannot write to yourself", "without --to you write to all")
    if known[wanted] in view.bots:
        raise CliError(f"{name_of(view, known[wanted])} is a bot: nobody reads what you write")
    return known[wanted]


def ask_who(view: View, words: Sequence[str]) -> None:
    """Raise CliError if a message without `--to` begins as if it were for one person only.

    `tell Bo hello` and `tell "Bo: hello"` do; `tell "Bo, hello"` does not. Nobody can take a
    message back, so it is better to ask.
    """
    first, _, rest = " ".join(words).strip().partition(" ")
    who = first.removesuffix(":")
    if not rest or (who == first and len(words) == 1):
        return
    known = {*view.names, *(name.casefold() for name in (*view.names.values(), view.referee))}
    if who.casefold() not in {*known, "referee"}:
        return
    told = f"is this message only for {clean(who)}, or for all? Nothing was written"
    raise CliError(told, f"add --to {clean(who)}, or --to all")


def name_of(view: View, who: str) -> str:
    """Return the person's name and seat, as `Bo (b)`; empty if the message is for everybody."""
    return f"{clean(view.names.get(who, view.referee))} ({who})" if who else ""
