"""The paragraphs of a mail to somebody new: what the game is, and how to get `pbem`."""

from __future__ import annotations

from contextlib import suppress

from pbem import __version__
from pbem.format.record_error import RecordError
from pbem.judge.game_ruleset import ruleset_of
from pbem.records.charter import Charter


def about_the_game(charter: Charter, seat: str) -> str:
    """Return a paragraph for the invited player of a seat: the game, the other players, its pace,
    and the way to its rules."""
    rules = charter.ruleset
    with suppress(RecordError):  # it is not installed here
        ruleset = ruleset_of(charter)
        description = ruleset.about.rstrip(".")
        rules = ruleset.title + (
            f" ({description[:1].lower()}{description[1:]})" if description else ""
        )
    other_names = ", ".join(plan.name for plan in charter.seats if plan.seat != seat)
    rule = charter.policies.get("deadline", "never")
    deadline_clause = (
        "There is no deadline" if rule == "never" else f"The deadline of each turn: {rule}"
    )
    return (
        f"{charter.referee} invites you to a card game, {rules}. The other players: {other_names}. "
        "You play over several days, in your own time, and a turn takes you a few minutes. "
        f"{deadline_clause}. You need not know the rules: “How to play” at the top of the game's "
        f"page teaches them, and so does `pbem explain rules --game {charter.ruleset}`."
    )


def how_to_get_pbem(sender_name: str) -> list[str]:
    """Say how to install `pbem`, which this person can send you while it is on no index: a
    paragraph, and the line to type."""
    instructions = (
        "You need pbem, a free program for Linux, macOS and Windows, with Python 3.11 or newer. "
        f"pbem is not in the Python package index yet: {sender_name} can send you the file "
        f"pbem-{__version__}-py3-none-any.whl. Install pipx (pipx.pypa.io), and type in the "
        "folder of the file:"
    )
    line = f'    pipx install "./pbem-{__version__}-py3-none-any.whl[table]"'
    return [instructions, line]
