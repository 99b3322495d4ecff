"""Audit several folders: one verdict for each, in their order, and the worst exit code."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.cli.failure import BUG, NOT_YET, CliError
from pbem.cli.progress import progress
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.play.auditing.report import Report
    from pbem.storage.folder import SharedFolder

WORST_FIRST = (BUG, 6, 4, 3, 7, 2, 1, 5)


class Audited(NamedTuple):
    """The result for one folder: a report, or the reason why there is none."""

    report: Report | None
    exit: int
    error: str = ""
    hint: str = ""

    @property
    def kind(self) -> str:
        """The name under which the summary counts this result."""
        if self.report is None:
            return "not audited"
        if self.report.broken:
            return "broken"
        return "proven" if self.report.proven else "correct so far"

    def lines(self, folder: str) -> Iterator[str]:
        """Yield the verdict, then what is wrong."""
        from pbem.cli.viewing.audit_report import finding_text

        if self.report is None:
            yield f"{clean(folder)}: not audited: {clean(self.error)}"
            if self.hint:
                yield f"  try: {clean(self.hint)}"
            return
        yield f"{clean(folder)}: {self.report.verdict()}"
        for finding in sorted(self.report.broken, key=lambda found: found.path):
            yield f"  {finding_text(finding)}"

    def to_json(self, folder: str) -> dict[str, Any]:
        """Return the folder's name with its report or its error, as JSON data."""
        if self.report is None:
            return {"folder": folder, "error": self.error, "next": self.hint, "exit": self.exit}
        return {"folder": folder, **self.report.to_json()}


def folder_to_audit(folder: str | None) -> SharedFolder:
    """Return the folder to audit. Raises CliError if it is a file, StorageError for a wrong
    address."""
    from pbem.cli.places.chosen_place import chosen_place
    from pbem.storage.folder import Folder

    place = chosen_place(folder)
    if isinstance(place, Path):
        if os.path.isfile(place):  # False for any path that cannot be looked up
            told = f"{folder} is a file; an audit needs a folder"
            hint = (
                "if the file is a zip, unpack it; then give the path of the folder that "
                "contains game.toml"
            )
            raise CliError(told, hint)
        return Folder(place)
    from pbem.storage.store.store_folder import StoreFolder

    return StoreFolder(place)  # without local copies: an audit reads the files of the store itself


def audit_many(folders: Sequence[str], jobs: int | None, json: bool) -> int:
    """Audit the folders, print the verdicts, and return the worst exit code."""
    from pbem.cli.json_output import print_data

    audited: list[Audited] = []
    with progress(len(folders)) as show, closing(_in_order(folders, jobs)) as found:
        for one in found:
            folder = str(folders[len(audited)])
            audited.append(one)
            for line in () if json else one.lines(folder):
                print(line, flush=True)
            show(len(audited))
    if json:
        pairs = zip(folders, audited, strict=True)
        print_data("audit", [one.to_json(str(folder)) for folder, one in pairs])
    else:
        print(_summary(audited))
    return worst({one.exit for one in audited})


def worst(codes: Collection[int]) -> int:
    """Return the exit code that tells most about what went wrong in several games; 0 if nothing
    did."""
    return next((code for code in WORST_FIRST if code in codes), 0)


def _in_order(folders: Sequence[str], jobs: int | None) -> Generator[Audited]:
    """Audit each folder; yields the results in the order of the folders."""
    from pbem.workers.crew import Here, Processes, cores
    from pbem.workers.spread import Lost, spread

    number = min(jobs or cores(), len(folders))
    tasks = [(place, str(folder)) for place, folder in enumerate(folders)]
    early: dict[int, Audited] = {}
    turn = 0
    crew = Processes(number) if number > 1 else Here()
    with closing(spread(audit_one, tasks, crew)) as results:
        for (place, _), done in results:
            lost = (
                "the processes that were auditing it died; the computer may have run out of memory"
            )
            early[place] = Audited(None, NOT_YET, lost) if isinstance(done, Lost) else done
            while turn in early:
                yield early.pop(turn)
                turn += 1


def audit_one(task: tuple[int, str]) -> Audited:
    """Audit one folder. Every error becomes a sentence, so that the next folder can be audited."""
    from pbem.cli.failure import bug_sentence
    from pbem.format.errors import RecordError
    from pbem.play.auditing.audit import audit
    from pbem.play.checking.game_folder import NoGameError
    from pbem.storage.errors import StorageError

    try:
        report = audit(folder_to_audit(task[1]))
    except CliError as error:
        return Audited(None, error.exit, str(error), error.hint)
    except (RecordError, StorageError, NoGameError) as error:
        return Audited(None, error.exit, str(error))
    except Exception as error:  # noqa: BLE001 - a bug in one audit must not end the others
        return Audited(None, BUG, bug_sentence(error))
    return Audited(report, report.exit)


def _summary(audited: Sequence[Audited]) -> str:
    """Return a line with the number of folders of each kind."""
    number = Counter(one.kind for one in audited)
    kinds = [f"{number[kind]} {kind}" for kind in _KINDS if number[kind]]
    return f"{len(audited)} folders: {', '.join(kinds)}."


_KINDS = ("proven", "correct so far", "broken", "not audited")
