"""Ask the tests about one changed module after the other, each in a separate fork.

A change inside a function is put into the functions that are loaded, in a fork made after the tests
were collected: a few hundredths of a second. Any other change (a constant, a class) is imported
anew in a fork made before. Either way only the tests that run the changed lines are asked, the
quick ones first, and the first that fails ends it.
"""

from __future__ import annotations

import gc
import inspect
import os
import pickle
import resource
import shutil
import signal
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol

from tools.mutants.changes import Change
from tools.mutants.folders_of_tests_by_module import ROOT
from tools.mutants.unchanged_run import Memory, TestRun, UnchangedRuns

Code = types.CodeType

KILLED, SURVIVED, TIMED_OUT, NOT_LOADED = "killed", "survived", "timeout", "not loaded"
MAX_WAIT_SECONDS = 300
"""The time after which a fork that hangs is ended."""
MAX_CPU_SECONDS = 120
MAX_MEMORY_BYTES = 3 << 30
PASSED_CODE, FAILED_CODE, UNABLE_CODE = 10, 11, 12
"""The exit codes of a fork: all tests passed, one failed, the change cannot be put in."""


def forked(work: Callable[[], int], is_limited: bool = True, is_quiet: bool = True) -> int | None:
    """Do the work in a fork; return its result, or None if the fork had to be ended."""
    child = os.fork()
    if not child:
        code = 1
        try:
            if is_limited:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(MAX_WAIT_SECONDS)
                resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
                resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
            for fd in (1, 2) if is_quiet else ():
                os.dup2(os.open(os.devnull, os.O_WRONLY), fd)
            code = work()
        except BaseException:  # noqa: BLE001 nothing may go on in a fork
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else None


def verdict(code: int | None) -> str:
    """Return the verdict for the exit code of a fork in one word."""
    return {None: TIMED_OUT, PASSED_CODE: SURVIVED, UNABLE_CODE: NOT_LOADED}.get(code, KILLED)


def codes(code: Code) -> Iterator[Code]:
    """Return the code objects directly in this one."""
    return (const for const in code.co_consts if isinstance(const, Code))


def swapped(old_code: Code, new_code: Code) -> dict[Code, Code] | None:
    """Return the changed code of each function that differs, inner ones too; None if something
    outside of functions does."""
    old_names, new_names = ([x.co_name for x in codes(code)] for code in (old_code, new_code))
    if old_names != new_names:
        return {} if is_function(old_code) else None
    if not is_function(old_code) and module_code(old_code) != module_code(new_code):
        return None
    changed_functions: dict[Code, Code] = {}
    for old_inner, new_inner in zip(codes(old_code), codes(new_code), strict=True):
        if old_inner != new_inner:
            inner_changes = swapped(old_inner, new_inner)
            if inner_changes is None:
                return None
            changed_functions |= inner_changes | (
                {old_inner: new_inner} if is_function(old_inner) else {}
            )
    return changed_functions


def is_function(code: Code) -> bool:
    """Return whether it is a function's and not a class's or a module's."""
    return bool(code.co_flags & inspect.CO_NEWLOCALS and code.co_flags & inspect.CO_OPTIMIZED)


def module_code(code: Code) -> str:
    """Return the code of a class or a module without its functions, as a text to compare."""
    consts = [const for const in code.co_consts if not isinstance(const, Code)]
    return repr((code.co_code, code.co_names, consts))


class Asker:
    """A pytest plugin: the tests are collected once and asked about many changes."""

    def __init__(self, paths: list[Path], work: Callable[[Asker], None]) -> None:
        """`paths` are the modules to change; `work` is called with this plugin once the tests are
        collected."""
        self.work = work
        self.paths = paths
        self.cover = covering(paths)
        self.cover.start()
        self.items: dict[str, Any] = {}
        """The collected tests, by name."""
        self.unchanged_runs = UnchangedRuns()
        self.base = Path(tempfile.mkdtemp(prefix="mutants-"))
        self.functions: list[Any] = []
        """The functions of the project that are loaded."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Replace pytest's own run of the tests."""
        self.items = {item.nodeid: item for item in session.items}
        shrink_nothing(session.items)
        prepare(session.items)
        self.cover.stop()
        gc.unfreeze()  # tests/conftest.py hides what is loaded
        gc.collect()
        functions = (f for f in gc.get_objects() if isinstance(f, types.FunctionType))
        self.functions = [f for f in functions if f.__code__.co_filename.startswith(str(ROOT))]
        gc.freeze()
        try:
            self.work(self)
        finally:
            shutil.rmtree(self.base, ignore_errors=True)
        return True

    def run(
        self,
        tests: list[str],
        take_reports: Callable[[str, Any], None] | None = None,
        begin: Callable[[str], None] = lambda _: None,
    ) -> int:
        """Run the tests here, in a fork, until the first fails; return the exit code.

        With `take_reports`, which gets the name and the reports of each test, run all. `begin` is
        called with the name before each test.
        """
        items = [self.items[name] for name in tests]
        for item, next_item in zip(items, [*items[1:], None], strict=True):
            if item is items[0]:
                fresh_folder(item.config, self.base)
            begin(item.nodeid)
            seconds = self.unchanged_runs.seconds.get(item.nodeid)
            if seconds is not None:  # when its processor time is up, the signal ends this process
                signal.setitimer(signal.ITIMER_PROF, 2 + 5 * seconds)
            reports = runtestprotocol(item, log=False, nextitem=next_item)
            if take_reports is not None:
                take_reports(item.nodeid, reports)
            elif any(report.failed for report in reports):
                return FAILED_CODE
        return PASSED_CODE

    def ask(self, path: Path, change: Change) -> str:
        """Return the verdict on a change inside a function; `not loaded` if it needs a new import,
        or if no test runs its lines."""
        tests = self.unchanged_runs.tests_of_lines(path, change.first_line, change.last_line)
        if not tests:
            return NOT_LOADED
        old_code = compile(change.original_text, str(path), "exec", dont_inherit=True)
        new_code = compile(change.changed_text, str(path), "exec", dont_inherit=True)
        pairs = swapped(old_code, new_code)
        if not pairs:
            return NOT_LOADED
        changed_functions = {f: pairs[f.__code__] for f in self.functions if f.__code__ in pairs}
        if not changed_functions:
            return NOT_LOADED
        return verdict(forked(lambda: self._changed(changed_functions, tests)))

    def _changed(self, changed_functions: dict[Any, Code], tests: list[str]) -> int:
        """Put the changed code into the functions, and run the tests; return the exit code."""
        try:
            for function, code in changed_functions.items():
                function.__code__ = code
        except ValueError:  # it has other free variables
            return UNABLE_CODE
        return self.run(tests)

    def learn(self, max_seconds: float) -> None:
        """Let all tests run once, unchanged, and remember their times and lines; `max_seconds` is
        the time for the tests about one change."""
        result_path = self.base / "known"
        forked(lambda: self._learnt(result_path), is_limited=False, is_quiet=False)
        self.unchanged_runs = pickle.loads(result_path.read_bytes())
        self.unchanged_runs.max_seconds = max_seconds

    def _learnt(self, result_path: Path) -> int:
        """Write the unchanged runs as a pickle to this path; return the exit code."""
        unchanged_runs = UnchangedRuns()
        import_data = self.cover.get_data()
        unchanged_runs.import_lines = {
            str(p): set(import_data.lines(str(p)) or ()) for p in self.paths
        }
        memory = Memory(self.paths, self.items)
        new_tests = [test for test in self.items if test not in memory.runs]
        if new_tests:
            memory.add(self._try(new_tests))
        unchanged_runs.add_runs(memory.runs, self.items)
        result_path.write_bytes(pickle.dumps(unchanged_runs))
        return PASSED_CODE

    def _try(self, tests: list[str]) -> dict[str, TestRun]:
        """Run these tests once, and return the run of each."""
        runs: dict[str, TestRun] = {}
        cover = covering(self.paths)
        cover.start()
        started_at = time.process_time()

        def take_reports(name: str, reports: Any) -> None:
            seconds = time.process_time() - started_at - sum(run.seconds for run in runs.values())
            runs[name] = TestRun(seconds, any(r.failed or r.skipped for r in reports))

        self.run(tests, take_reports, cover.switch_context)
        cover.stop()
        for path in map(str, self.paths):
            for line, names in cover.get_data().contexts_by_lineno(path).items():
                for name in set(names) - {""}:
                    runs[name].lines.setdefault(path, set()).add(line)
        return runs


def covering(paths: list[Path]) -> coverage.Coverage:
    """Return a tracer of the lines of these modules."""
    include = [str(path) for path in paths]
    cover = coverage.Coverage(data_file=None, include=include, config_file=False)
    cover.set_option("run:disable_warnings", ["no-data-collected"])  # constants only
    return cover


def fresh_folder(config: pytest.Config, base: Path) -> None:
    """Give this fork separate temporary folders."""
    factory = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._basetemp = None
    factory._given_basetemp = base / str(os.getpid())


def prepare(items: list[Any]) -> None:
    """Set up the fixtures of whole sessions before any fork, with nothing changed."""
    made_fixtures: set[str] = set()
    for item in items:
        needed_fixtures = {
            name
            for name, definitions in item._fixtureinfo.name2fixturedefs.items()
            if definitions[-1].scope == "session" and definitions[-1].baseid != ""
        }
        if needed_fixtures - made_fixtures:
            made_fixtures |= needed_fixtures
            runtestprotocol(item, log=False, nextitem=items[-1])


def shrink_nothing(items: list[pytest.Item]) -> None:
    """Tell hypothesis not to look for smaller failing examples: any is enough."""
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutants", parent=settings.default, phases=phases)
    settings.load_profile("mutants")
    for item in items:
        test = getattr(item, "obj", None)
        own_settings = getattr(test, "_hypothesis_internal_use_settings", None)
        if own_settings is not None:
            test._hypothesis_internal_use_settings = settings(own_settings, phases=phases)
