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
from tools.mutants.known import Known, Memory, Tried
from tools.mutants.table import ROOT

Code = types.CodeType

KILLED, SURVIVED, LATE, NOT_LOADED = "killed", "survived", "timeout", "not loaded"
WAIT = 300
"""Seconds after which a fork that hangs is ended."""
CPU = 120
MEMORY = 3 << 30
WORKED, FAILED, UNABLE = 10, 11, 12


def forked(work: Callable[[], int], limited: bool = True, quiet: bool = True) -> int | None:
    """What the work returns, done in a fork; None if it had to be ended."""
    child = os.fork()
    if not child:
        code = 1
        try:
            if limited:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(WAIT)
                resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            for fd in (1, 2) if quiet else ():
                os.dup2(os.open(os.devnull, os.O_WRONLY), fd)
            code = work()
        except BaseException:  # noqa: BLE001 nothing may go on in a fork
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else None


def verdict(code: int | None) -> str:
    """The verdict in one word."""
    return {None: LATE, WORKED: SURVIVED, UNABLE: NOT_LOADED}.get(code, KILLED)


def codes(code: Code) -> Iterator[Code]:
    """The code in this code."""
    return (const for const in code.co_consts if isinstance(const, Code))


def swapped(old: Code, new: Code) -> dict[Code, Code] | None:
    """The functions that differ, inner ones too; None if something outside of functions does."""
    if [inner.co_name for inner in codes(old)] != [inner.co_name for inner in codes(new)]:
        return {} if is_function(old) else None
    if not is_function(old) and outside(old) != outside(new):
        return None
    found: dict[Code, Code] = {}
    for one, other in zip(codes(old), codes(new), strict=True):
        if one != other:
            inner = swapped(one, other)
            if inner is None:
                return None
            found |= inner | ({one: other} if is_function(one) else {})
    return found


def is_function(code: Code) -> bool:
    """Whether it is a function's and not a class's or a module's."""
    return bool(code.co_flags & inspect.CO_NEWLOCALS and code.co_flags & inspect.CO_OPTIMIZED)


def outside(code: Code) -> str:
    """What a class or a module does besides defining functions."""
    consts = [const for const in code.co_consts if not isinstance(const, Code)]
    return repr((code.co_code, code.co_names, consts))


class Asker:
    """A pytest plugin: the tests are collected once and asked about many changes."""

    def __init__(self, paths: list[Path], work: Callable[[Asker], None]) -> None:
        self.work = work
        self.paths = paths
        self.cover = covering(paths)
        self.cover.start()
        self.items: dict[str, Any] = {}
        self.known = Known()
        self.base = Path(tempfile.mkdtemp(prefix="mutants-"))
        self.functions: list[Any] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Replace pytest's own run of the tests."""
        self.items = {item.nodeid: item for item in session.items}
        calm(session.items)
        prepare(session.items)
        self.cover.stop()
        gc.unfreeze()  # tests/conftest.py hides what is loaded
        gc.collect()
        found = (f for f in gc.get_objects() if isinstance(f, types.FunctionType))
        self.functions = [f for f in found if f.__code__.co_filename.startswith(str(ROOT))]
        gc.freeze()
        try:
            self.work(self)
        finally:
            shutil.rmtree(self.base, ignore_errors=True)
        return True

    def run(
        self,
        tests: list[str],
        seen: Callable[[str, Any], None] | None = None,
        begin: Callable[[str], None] = lambda _: None,
    ) -> int:
        """Run the tests here, in a fork, until the first fails (or all, to see the result of
        each)."""
        items = [self.items[name] for name in tests]
        for item, after in zip(items, [*items[1:], None], strict=True):
            if item is items[0]:
                fresh_folder(item.config, self.base)
            begin(item.nodeid)
            if item.nodeid in self.known.seconds:  # its processor time is up: the default ends us
                signal.setitimer(signal.ITIMER_PROF, 2 + 5 * self.known.seconds[item.nodeid])
            reports = runtestprotocol(item, log=False, nextitem=after)
            if seen is not None:
                seen(item.nodeid, reports)
            elif any(report.failed for report in reports):
                return FAILED
        return WORKED

    def ask(self, path: Path, change: Change) -> str:
        """The result of a change inside a function."""
        tests = self.known.asked(path, change.first, change.last)
        if not tests:
            return NOT_LOADED
        old = compile(change.before, str(path), "exec", dont_inherit=True)
        new = compile(change.text, str(path), "exec", dont_inherit=True)
        pairs = swapped(old, new)
        if not pairs:
            return NOT_LOADED
        live = {f: pairs[f.__code__] for f in self.functions if f.__code__ in pairs}
        if not live:
            return NOT_LOADED
        return verdict(forked(lambda: self._changed(live, tests)))

    def _changed(self, live: dict[Any, Code], tests: list[str]) -> int:
        try:
            for function, code in live.items():
                function.__code__ = code
        except ValueError:  # it has other free variables
            return UNABLE
        return self.run(tests)

    def learn(self, enough: float) -> None:
        """Let all tests run once, unchanged, and remember what they did."""
        kept = self.base / "known"
        forked(lambda: self._learnt(kept), limited=False, quiet=False)
        self.known = pickle.loads(kept.read_bytes())
        self.known.enough = enough

    def _learnt(self, kept: Path) -> int:
        known = Known()
        early = self.cover.get_data()
        known.before = {str(p): set(early.lines(str(p)) or ()) for p in self.paths}
        memory = Memory(self.paths, self.items)
        fresh = [test for test in self.items if test not in memory.known]
        if fresh:
            memory.add(self._try(fresh))
        known.take(memory.known, self.items)
        kept.write_bytes(pickle.dumps(known))
        return WORKED

    def _try(self, tests: list[str]) -> dict[str, Tried]:
        """Run these tests once."""
        tried: dict[str, Tried] = {}
        cover = covering(self.paths)
        cover.start()
        began = time.process_time()

        def seen(name: str, reports: Any) -> None:
            seconds = time.process_time() - began - sum(one.seconds for one in tried.values())
            tried[name] = Tried(seconds, any(r.failed or r.skipped for r in reports))

        self.run(tests, seen, cover.switch_context)
        cover.stop()
        for path in map(str, self.paths):
            for line, names in cover.get_data().contexts_by_lineno(path).items():
                for name in set(names) - {""}:
                    tried[name].lines.setdefault(path, set()).add(line)
        return tried


def covering(paths: list[Path]) -> coverage.Coverage:
    """Which lines of these modules are run."""
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
    """Make what is made once for all tests before any fork, with nothing changed."""
    made: set[str] = set()
    for item in items:
        wanted = {
            name
            for name, found in item._fixtureinfo.name2fixturedefs.items()
            if found[-1].scope == "session" and found[-1].baseid != ""
        }
        if wanted - made:
            made |= wanted
            runtestprotocol(item, log=False, nextitem=items[-1])


def calm(items: list[pytest.Item]) -> None:
    """A failing example is enough: hypothesis need not look for a smaller one."""
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutants", parent=settings.default, phases=phases)
    settings.load_profile("mutants")
    for item in items:
        test = getattr(item, "obj", None)
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if own is not None:
            test._hypothesis_internal_use_settings = settings(own, phases=phases)
