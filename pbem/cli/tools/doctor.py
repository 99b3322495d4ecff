"""`doctor`: what is wrong, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption

if TYPE_CHECKING:
    pass


def doctor(
    drop: Annotated[
        bool, typer.Option("--drop-caches", help="Forget what was computed; it is made again.")
    ] = False,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """What is the matter: keys, clock, folder, strange files; and the cure of each."""
    from pbem.cli.json_output import print_data
    from pbem.cli.session.session import Session
    from pbem.cli.tools.doctor_findings import as_data, drop_caches, findings

    session = Session(folder)
    if drop:
        count = drop_caches(session)
        if json:
            print_data("doctor", {"dropped": count, "findings": []})
        else:
            print(f"caches of {count} games dropped; they fill again by themselves")
        return
    if json:
        print_data("doctor", {"dropped": 0, "findings": [as_data(x) for x in findings(session)]})
        return
    for line in findings(session):
        print(line)  # whole: paths and cures are there to be copied
