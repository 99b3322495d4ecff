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
    """Check keys, clock, folder and stray files; say what is wrong and how to fix it.

    The exit code is that of the worst warning, or 0.
    """
    from pbem.cli.json_output import print_data
    from pbem.cli.session.session import Session
    from pbem.cli.tools.doctor_findings import drop_caches, findings, worst
    from pbem.screen.few_of_many import FewOfMany

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
    found, few = [], FewOfMany()
    for one in findings(session, named=folder is not None):
        found.append(one)
        said = one.text.replace(one.file, "")
        if not json and (not one.file or few.shows(one.file, one.reason, said)):
            print(one.line)  # not wrapped: people copy paths and commands from here
    if not json:
        for line in few.rest("pbem doctor --json"):
            print(f"note: {line}")
    if json:
        rows = [{"grade": x.grade, "text": x.text, "cure": x.cure} for x in found]
        print_data("doctor", {"dropped": 0, "findings": rows})
    if code := worst(found):
        raise SystemExit(code)
