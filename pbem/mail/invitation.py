"""Say in a mail to somebody new what the game is, and how to get `pbem`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.records.charter_join_orders import Charter


def about_the_game(charter: Charter, seat: str) -> str:
    """Say to the invited player of a seat which game it is, who plays, and how it goes on."""
    from pbem.play.calendar.charter_deadlines import DEADLINE

    rules = _rules(charter)
    others = [plan.name for plan in charter.seats if plan.seat != seat]
    rule = charter.policies.get(DEADLINE, "never")
    due = "There is no deadline." if rule == "never" else f"The deadline of each turn: {rule}."
    told = f"{charter.referee} invites you to a card game, {rules}. The other players: "
    told += f"{', '.join(others)}. You play by mail, or in a folder that you share, over several "
    return f"{told}days: a turn takes you a few minutes, when it suits you. {due}"


def how_to_get_pbem(who: str) -> list[str]:
    """Say how to install `pbem`, which this person can send you while it is on no index: a
    paragraph, and the line to type."""
    from pbem import __version__

    told = "You need pbem, a free program for Linux, macOS and Windows, with Python 3.11 or newer. "
    told += f"It is not in the Python package index yet: {who} can send you the file "
    told += f"pbem-{__version__}-py3-none-any.whl. Install pipx (pipx.pypa.io), and type in the "
    line = f'    pipx install "./pbem-{__version__}-py3-none-any.whl[table]"'
    return [f"{told}folder of the file:", line]


def _rules(charter: Charter) -> str:
    """Return what the ruleset is called, with a sentence about it if it is installed here."""
    from pbem.format.errors import RecordError
    from pbem.play.checking.charter_rules import ruleset_of

    try:
        rules = ruleset_of(charter)
    except RecordError:
        return charter.ruleset
    about = rules.about.rstrip(".")
    return f"{rules.title} ({about[:1].lower()}{about[1:]})" if about else rules.title
