"""What all tests share: settings, what saves them time, the count of those without `../shared`."""

import gc
import os
import signal
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache, lru_cache
from pathlib import Path
from shutil import disk_usage
from typing import Any

import pytest
import typer.main
from hypothesis import settings

from pbem.cli import command_list_and_help
from pbem.format import crypto, curve_group
from pbem.judge import sealed_dealer
from pbem.records import seeded_decks_and_dice

pytest.register_assert_rewrite("tests.kit")

from tests.kit.fixtures import game, kept, table  # noqa: E402

__all__ = ["game", "kept", "table"]

# Wall time says nothing on a shared machine; the same examples each time, so a red run is a bug.
settings.register_profile("all", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("short", settings.get_profile("all"), max_examples=15)

# A shell starts what runs in the background with Ctrl-C ignored, and commands inherit that: the
# tests that interrupt one would wait for it for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""How many bytes have to be free in memory; a whole run of all tests needs less than half."""


@pytest.fixture(autouse=True, scope="session")
def quick() -> Iterator[None]:
    """Many commands run in this process: each is built once, none waits for the disk, and the dice
    and hidden cards of a game are computed once.

    tests/storage waits for it (see the conftest there), and so does every command in a process of
    its own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        patch.setattr(command_list_and_help, "load", cache(command_list_and_help.load))
        patch.setattr(os, "fsync", lambda fd: None)
        patch.setattr(
            seeded_decks_and_dice,
            "all_links",
            lru_cache(maxsize=32)(seeded_decks_and_dice.all_links),
        )
        for name in ("open_key_file", "signed_by", "signer", "x25519_public", "x25519_shared"):
            patch.setattr(crypto, name, lru_cache(maxsize=2048)(getattr(crypto, name)))
        made = lru_cache(maxsize=512)(seeded_decks_and_dice.Dealing.commitments)
        patch.setattr(
            seeded_decks_and_dice.Dealing,
            "commitments",
            lambda *args: made(*args[:-1], tuple(args[-1])),
        )
        patch.setattr(
            sealed_dealer, "Dealing", lru_cache(maxsize=64)(seeded_decks_and_dice.Dealing)
        )
        patch.setattr(curve_group, "_library", remembering_curve_library)
        yield


@cache
def remembering_curve_library() -> curve_group.CurveLibrary:
    """The library of points, which computes each sum and product once: all seats and dealers of a
    game in this process check the same proofs."""
    library = curve_group.load_library()
    functions = {field.name: getattr(library, field.name) for field in fields(library)}
    return replace(
        library,
        **{name: lru_cache(maxsize=1 << 15)(one) for name, one in functions.items() if one},
    )


def pytest_configure(config: pytest.Config) -> None:
    """`make test` tries fewer examples of each property than the long run."""
    short = "not long" in config.option.markexpr
    settings.load_profile("short" if short else "all")
    # Thousands of small files are made: a file system in memory takes a fifth off the whole run.
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors, because some tests wait for other processes."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as long what `sample(n)` leaves out: all but n of a test's parameters, spread evenly.

    Nothing is left out if `-k` says which tests to run; no `sample(0)` if paths do.
    """
    if config.option.keyword:
        return
    paths_are_named = config.args != config.getini("testpaths")
    sampled: dict[tuple[str, int], list[pytest.Item]] = {}
    for item in items:
        mark = item.get_closest_marker("sample")
        if mark and not item.get_closest_marker("long"):
            sampled.setdefault((item.nodeid.partition("[")[0], *mark.args), []).append(item)
    for (_, wanted), found in sampled.items():
        if paths_are_named and not wanted:
            continue
        kept = {n * len(found) // wanted for n in range(wanted)}
        for number, item in enumerate(found):
            if number not in kept:
                item.add_marker(pytest.mark.long)


IN_A_BROWSER = {"browser": ("not browser", "not host"), "site": ("not host",)}
"""Folders in which every test has one of these markers."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no module of which no test would run."""
    left_out = IN_A_BROWSER.get(collection_path.name, ())
    is_folder_of_tests = collection_path.parent == Path(__file__).parent
    if is_folder_of_tests and left_out:
        return all(words in config.option.markexpr for words in left_out) or None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """The collector of garbage need not look through thousands of tests again and again."""
    gc.disable()
    collected = yield
    gc.enable()
    gc.freeze()
    return collected


NEEDS_SHARED = "needs ../shared"


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    missing = [r for r in skipped if NEEDS_SHARED in str(r.longrepr)]
    terminalreporter.write_line(f"{NEEDS_SHARED}: {len(missing)} tests skipped for want of it")
