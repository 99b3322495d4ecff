"""The page that plays in a browser: bytes that travel, and how long people wait.

Once at full speed, and once with the network at 10 Mbit/s and the processor a quarter as fast: all
processes of the browser are stopped for three quarters of the time. A real host, Debian's Chromium
with a profile on the disk, as people have. A start is measured in a tab that is open and empty:
from the navigation until the board is painted.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.timed_tasks_and_result_rows import Figure
from tests.kit.phone import Phone
from tests.kit.selection import ROOT
from tests.site.evening import Evening

BYTES_A_SECOND = 10_000_000 // 8
SETTLING_MILLISECONDS = 3000
"""Milliseconds after which a browser has nothing left to do."""
RUNNING_SHARE, PERIOD_SECONDS = 0.25, 0.02
"""The share of each period in which the slowed browser runs, and the length of a period."""
KEPT_SIZE_SCRIPT = """async () => {
  for (const name of await caches.keys()) {
    const kept = await (await caches.open(name)).match("/memory");
    if (kept) return (await kept.blob()).size / 1e6;
  }
  return 0;
}"""
"""MB that the browser keeps for the next start."""
BOARD_SEEN_SCRIPT = """{
  const look = () => requestAnimationFrame(() => {
    if (!document.getElementById("send")?.offsetParent) look();
    else requestAnimationFrame(() => { top.boardAt = performance.timeOrigin + performance.now(); });
  });
  if (window !== top) look();
}"""
"""Notes when the board has been painted."""
FIRST_PAINT_SCRIPT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
"""Milliseconds from the navigation until the browser painted the first text of the page."""
PROGRAM_SHOWN_SCRIPT = "times.page"
"""Milliseconds from the navigation until the program showed its first page."""
CLICK_SCRIPT = """async () => {
  const plan = document.getElementById("plan");
  const offers = [...document.querySelectorAll(".offers .offer")].filter((one) => !one.disabled);
  const begun = performance.now();
  const done = new Promise((go) => new MutationObserver(go).observe(plan, { childList: true }));
  offers[0].click();
  await done;
  return performance.now() - begun;
}"""
"""Add the first choice to the plan; milliseconds until the page shows it."""


def rows() -> Iterator[Figure]:
    """Build the page, and yield its measures: at full speed, then slowed down."""
    from playwright.sync_api import sync_playwright

    import tests.site.evening as site

    site.SITE = ROOT / "build" / "site"
    subprocess.run([sys.executable, "-m", "tools.browser_site"], cwd=ROOT, check=True, stdout=2)
    packed = [Path(f"{p}.br") for p in site.SITE.rglob("*") if p.suffix not in (".br", ".gz")]
    size = sum((p if p.exists() else p.with_suffix("")).stat().st_size for p in packed if p.suffix)
    yield Figure("bytes that travel, brotli", size / 1e6, "MB", 6.5)
    with sync_playwright() as playwright:
        for slow in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                evening = Evening(Path(folder), _Profiles(playwright, Path(folder)))
                try:
                    yield from _evening(evening, slow)
                finally:
                    evening.end()


class _Profiles:
    """Starts a browser with an empty profile for each phone."""

    def __init__(self, playwright: Any, root: Path) -> None:
        self.playwright, self.root, self.number = playwright, root, 0

    def new_context(self, **view: Any) -> Any:
        """Return a page's browser with an empty profile of its own."""
        self.number += 1
        context = self.playwright.chromium.launch_persistent_context(
            self.root / f"profile-{self.number}",
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox", "--disable-gpu"],
            **view,
        )
        context.add_init_script(BOARD_SEEN_SCRIPT)
        return context


def _evening(evening: Evening, is_slow: bool) -> Iterator[Figure]:
    """Ann joins, and comes back to the board: in a fresh browser, in one that knows the page."""
    label = "slow" if is_slow else "full speed"
    with contextlib.ExitStack() as stack:
        if is_slow:
            evening.host.url = stack.enter_context(_narrow(evening.host.url))
            stack.enter_context(_slowed())
        evening.new_game("--players Ann,Bo --game evolution")
        evening.joins("Bo")
        phone = evening.phone().open(evening.link("Ann"))
        first_paint = phone.page.evaluate(FIRST_PAINT_SCRIPT)
        yield Figure(f"{label}: first paint of an invitation", first_paint, "ms", 1000)
        program_shown = phone.page.evaluate(PROGRAM_SHOWN_SCRIPT)
        yield Figure(f"{label}: the program first, its invitation", program_shown, "ms")
        started_at = time.perf_counter()
        phone.press("button[type=submit]")
        phone.frame.wait_for_selector("p.good")
        yield Figure(
            f"{label}: join",
            1e3 * (time.perf_counter() - started_at),
            "ms",
            2000 if is_slow else 600,
        )
        phone.press("a:has-text('Keep my seat')")
        link = phone.frame.locator("#seat-link").inner_text()
        phone.page.wait_for_selector("#line", state="hidden")
        phone.context.close()
        evening.advance()
        fresh_phone = evening.phone()
        yield Figure(
            f"{label}: fresh tab to the board", _board(fresh_phone, link), "s", 15 if is_slow else 3
        )
        first_paint = fresh_phone.page.evaluate(FIRST_PAINT_SCRIPT)
        yield Figure(f"{label}: first paint of the table, fresh tab", first_paint, "ms", 1500)
        board_address = fresh_phone.page.url
        while not fresh_phone.page.evaluate(KEPT_SIZE_SCRIPT):  # somebody looks at the board
            fresh_phone.page.wait_for_timeout(500)
        fresh_phone.page.wait_for_timeout(SETTLING_MILLISECONDS)
        yield Figure(
            f"{label}: kept for the next start", fresh_phone.page.evaluate(KEPT_SIZE_SCRIPT), "MB"
        )
        warm_seconds = _board(fresh_phone, board_address, fresh_phone.page)
        first_paint = fresh_phone.page.evaluate(FIRST_PAINT_SCRIPT)
        yield Figure(f"{label}: first paint of the table, who comes back", first_paint, "ms", 1500)
        yield Figure(f"{label}: warm tab to the board", warm_seconds, "s", 6 if is_slow else 1.5)
        clicks = sorted(fresh_phone.frame.evaluate(CLICK_SCRIPT) for _ in range(5))
        yield Figure(f"{label}: a click", clicks[2], "ms", 500 if is_slow else 150)
        shares = _memory()
        yield Figure(f"{label}: memory of the tab's process", max(shares), "MB")
        yield Figure(f"{label}: memory of all of the browser's processes", sum(shares), "MB")
        for phone in evening.phones:
            phone.said.clear()


def _board(phone: Phone, address: str, previous_page: Any = None) -> float:
    """Open an address in an empty tab; seconds from the navigation until the board is there, with
    the tap that takes a seat back."""
    phone.page = phone.context.new_page()
    phone.page.goto("about:blank")
    if previous_page:
        previous_page.close()
    phone.page.wait_for_timeout(SETTLING_MILLISECONDS)
    phone.page.goto(address, wait_until="commit")
    phone.shown()
    if phone.frame.url.endswith("/take"):  # a link to a seat changes nothing before a tap
        phone.press("main button[type=submit]")
    phone.page.wait_for_function("() => window.boardAt")
    milliseconds: float = phone.page.evaluate("boardAt - performance.timeOrigin")
    return milliseconds / 1e3


# ---- a slow network, and a slow processor


@contextlib.contextmanager
def _narrow(url: str) -> Iterator[str]:
    """Give an address that leads to this host at 10 Mbit/s, for all connections together."""
    host, _, port = url.removeprefix("http://").partition(":")
    server = socket.create_server(("127.0.0.1", 0))
    room = threading.Lock()

    def copy(source: socket.socket, target: socket.socket, is_limited: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(16_384):
                if is_limited:
                    with room:
                        time.sleep(len(data) / BYTES_A_SECOND)
                target.sendall(data)
        for connection in (source, target):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                client_socket, _ = server.accept()
                host_socket = socket.create_connection((host, int(port)))
                for args in (
                    (client_socket, host_socket, False),
                    (host_socket, client_socket, True),
                ):
                    threading.Thread(target=copy, args=args, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}"
    server.close()


@contextlib.contextmanager
def _slowed() -> Iterator[None]:
    """Stop all processes of the browser for three quarters of the time."""
    ended = threading.Event()

    def blink() -> None:
        while not ended.is_set():
            pids = _processes()
            for sign, seconds in (
                (signal.SIGSTOP, 1 - RUNNING_SHARE),
                (signal.SIGCONT, RUNNING_SHARE),
            ):
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, sign)
                time.sleep(seconds * PERIOD_SECONDS)

    thread = threading.Thread(target=blink, daemon=True)
    thread.start()
    yield
    ended.set()
    thread.join()


def _processes() -> list[int]:
    """Return the ids of the processes of the browser that this program started."""
    parents: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            head, _, fields = stat.read_text().rpartition(")")
            pid = int(stat.parent.name)
            parents.setdefault(int(fields.split()[1]), []).append(pid)
            names[pid] = head.partition("(")[2]
    remaining_pids, browser_pids = [os.getpid()], list[int]()
    while remaining_pids:
        for pid in parents.get(remaining_pids.pop(), []):
            remaining_pids.append(pid)
            if names.get(pid, "").startswith("chrom"):
                browser_pids.append(pid)
    return browser_pids


def _memory() -> list[float]:
    """Return the proportional shares of memory of these processes, in MB; the largest is the
    tab's."""
    shares = []
    for pid in _processes():
        with contextlib.suppress(OSError):
            text: Any = Path(f"/proc/{pid}/smaps_rollup").read_text()
            shares.append(int(text.partition("Pss:")[2].split()[0]) / 1e3)
    return shares
