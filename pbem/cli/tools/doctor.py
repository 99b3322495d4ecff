"""The command `doctor`: find what is wrong, and say how to fix it."""

from __future__ import annotations

from typing import Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.options import FolderOption, JsonOption


def doctor(
    drop: Annotated[
        bool, Option("--drop-caches", help="Delete the caches; pbem makes them again.")
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Check keys, clock, folder and stray files; say what is wrong and how to fix it."""
    from pbem.cli.json_output import print_data
    from pbem.cli.session.session import Session
    from pbem.cli.tools.doctor_findings import as_data, drop_caches, findings

    session = Session(folder)
    if drop:
        done = drop_caches(session)
        if json:
            print_data("doctor", {"dropped": done.games, "kept": done.kept, "findings": []})
            return
        for line in done.kept:
            print(line)
        games = f"{done.games} game" + ("" if done.games == 1 else "s")
        print(f"deleted the caches of {games}; pbem will rebuild them when it needs them")
        return
    if json:
        print_data("doctor", {"dropped": 0, "findings": [as_data(x) for x in findings(session)]})
        return
    for line in findings(session):
        print(line)  # not wrapped: people copy paths and commands from here
