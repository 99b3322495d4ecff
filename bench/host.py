"""A host with many games and many people who wait: how soon it answers, and its memory.

Everything runs on the loopback of this computer, with a bounded number of requests. The aims are
those of a small machine with two cores, which also runs the clients.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

from bench.timed_tasks_and_result_rows import Figure
from pbem.files.home import Home
from pbem.format.secret_and_public_keys import SigningKey
from pbem.host.first_page_of_game import PLACE_FOR_SUMMARY, ArrivalPages
from pbem.host.kept_games import Games
from pbem.judge.read_and_check_record_file import file_name
from pbem.records.game_id_and_chain_heads import next_head
from pbem.records.read_and_sign_record import Content, Record, make
from tests.host.written_records import in_time, path_of
from tests.kit.sample_records import sample

GAMES, WAITING_PEOPLE = 1_000, 200
LISTS, CREATES, JUNK = 1_000, 300, 300
TURNS, LOG_ENTRIES = 30, 7_750
MANY_FILES, LOOKS = 19_000, 100
"""The files of a long game of eight people, and how many look at its first page at once."""
_COUNT = itertools.count()
VECTORS = Path(__file__).parent.parent / "tests" / "vectors" / "sample"


def rows() -> Iterator[Figure]:
    """Yield figures of answers while 200 people wait for news in 1,000 games; then of a new start
    in a game of long turns."""
    with tempfile.TemporaryDirectory() as base:
        data = Path(base) / "data"
        prepare(data)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = [sys.executable, "-m", "pbem", "host", "--data", str(data), "--port", str(port)]
        environment = {**os.environ, "PBEM_HOME": f"{base}/home"}
        devnull = subprocess.DEVNULL
        host = subprocess.Popen(words, env=environment, stdout=devnull, stderr=devnull)
        try:
            yield from asyncio.run(measured(port))
            status = Path(f"/proc/{host.pid}/status")
            if status.exists():
                lines = status.read_text().splitlines()
                peak_line = next(line for line in lines if line.startswith("VmHWM"))
                megabytes = int(peak_line.split()[1]) / 1024
                yield Figure(f"host, memory, {GAMES} games", megabytes, "MB", 300)
        finally:
            host.terminate()
            host.wait()
        yield starting_again(Path(base) / "long turns")
        yield from looking_at_many_files(Path(base) / "many files")


def starting_again(base: Path) -> Figure:
    """Return how long the first new file of a game of long turns takes, after a host that knows the
    game starts again."""
    home = Home(base / "home")
    size, head = put_long_turns(Games(base / "data", home=home))
    answer = replace(sample().public.content, turn=TURNS, prev=head)
    for number in (1, 2):
        games = Games(base / "data", home=home)
        message = make(replace(answer, number=number), sample().bo)
        started_at = time.perf_counter()
        games.game_at(digits(0)).keep_file(file_name(message), message.file)
    ms = (time.perf_counter() - started_at) * 1000
    title = f"host, a first file after a start, {TURNS} turns of {size / 1000:.0f} kB"
    return Figure(title, ms, "ms", 1000)


def looking_at_many_files(base: Path) -> Iterator[Figure]:
    """Yield how long the first page of a game of 19,000 files takes at the first look, and how long
    a hundred looks at once take then."""
    prepare(base, 1)
    games = Games(base)
    game = games.game_at(digits(0))
    folder = base / game.name / "press"
    folder.mkdir(exist_ok=True)
    for number in range(MANY_FILES):
        (folder / f"0001-b-1-{number:06x}.toml").write_bytes(b"no message")
    pages = ArrivalPages(games, PLACE_FOR_SUMMARY)
    started_at = time.perf_counter()
    pages.page(game)
    ms = (time.perf_counter() - started_at) * 1000
    yield Figure(f"host, first page of a game of {MANY_FILES} files", ms, "ms", 1000)
    started_at = time.perf_counter()
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda _: pages.page(game), range(LOOKS)))
    ms = (time.perf_counter() - started_at) * 1000
    yield Figure(f"host, {LOOKS} more looks at it at once", ms, "ms", 1000)


def put_long_turns(games: Games) -> tuple[int, bytes]:
    """Put a game of turns with long logs into its folder; return the bytes of a turn, and the head
    after the last."""
    parts, turn = sample(), sample().turn1.content
    games.make_game(digits(0), parts.charter.file, is_free=False)
    folder = Path(str(games.place)) / games.game_at(digits(0)).name
    log = (*turn.log, *(replace(turn.log[-1], hidden=()) for _ in range(LOG_ENTRIES)))
    records: list[Record[Content]] = [parts.join_a, parts.join_b, parts.own]
    head = turn.prev
    for number in range(1, TURNS + 1):
        is_first = number == 1
        long_turn = replace(
            turn, turn=number, prev=head, log=log, joins=turn.joins if is_first else None,
            link0=turn.link0 if is_first else b"", orders=turn.orders if is_first else (),
        )  # fmt: skip
        records.append(make(long_turn, parts.ann))
        head = next_head(head, records[-1].id)
    for record in records:
        path = folder / file_name(record).path
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(record.file)
    return len(records[-1].file), head


def digits(number: int) -> str:
    """Return the secret part of the address of the game with this number."""
    return f"{number:032x}"


def prepare(data: Path, game_count: int = GAMES) -> None:
    """Make the sample game after turn 1 in the host's folder `data`, and copies of it."""
    games = Games(data)
    for record in in_time(VECTORS):
        if record.content.kind == "turn" and record.content.turn == 2:
            break
        if record.content.kind == "charter":
            games.make_game(digits(0), record.file, is_free=False)
        elif record.content.kind != "press":
            games.game_at(digits(0)).keep_file(file_name(record), record.file)
    first_folder = data / games.game_at(digits(0)).name
    for number in range(1, game_count):
        shutil.copytree(first_folder, data / games.game_at(digits(number)).name)


async def measured(port: int) -> list[Figure]:
    """Ask, with people who wait; return the figures."""
    await started(port)
    waiting_tasks = [
        asyncio.create_task(wait_for_news(port, number)) for number in range(WAITING_PEOPLE)
    ]
    await asyncio.sleep(2)
    lists = [await timed(port, get(digits(n % GAMES))) for n in range(LISTS)]
    files = messages(SigningKey(b"\x02" * 32), 10)
    junk = messages(SigningKey(b"\x66" * 32), 30)
    file_seconds, junk_seconds = [], []
    for number in range(CREATES):  # in turn, so that other work on the machine affects both alike
        address = digits(number % GAMES)
        request = creating(address, *files[number // GAMES % len(files)])
        file_seconds.append(await timed(port, request, 201))
        if number < JUNK:
            path, file = junk[number // GAMES % len(junk)]
            junk_seconds.append(await timed(port, creating(address, path, file), 403))
    for task in waiting_tasks:
        task.cancel()
    junk_ratio = median(junk_seconds) / median(file_seconds)
    return [
        Figure(f"host, a list, p95, {WAITING_PEOPLE} people wait", p95(lists), "ms", 50),
        Figure("host, a new file, p95", p95(file_seconds), "ms", 100),
        Figure("host, junk against a good file (median)", junk_ratio, "×", 2),
    ]


def p95(seconds: list[float]) -> float:
    """Return the time below which 95 of 100 of these are, in milliseconds."""
    return quantiles(seconds, n=20)[-1] * 1000


def messages(key: SigningKey, first_number: int) -> list[tuple[str, bytes]]:
    """Return ten messages of Bo after turn 1, signed with this key and numbered from
    `first_number`: the path and the bytes of each."""
    message = sample().public.content
    records = [
        make(replace(message, number=number), key)
        for number in range(first_number, first_number + 10)
    ]
    return [(path_of(record), record.file) for record in records]


def get(address: str, header_lines: str = "") -> bytes:
    """Return a request for the list of the game at this address."""
    return (
        f"GET /g/{address}/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{header_lines}\r\n".encode()
    )


def creating(address: str, path: str, file: bytes) -> bytes:
    """Return a request to create a file in the game at this address."""
    header = (
        f"PUT /g/{address}/{path} HTTP/1.1\r\nhost: x\r\nif-none-match: *\r\nconnection: close\r\n"
    )
    return f"{header}content-length: {len(file)}\r\n\r\n".encode() + file


async def ask(port: int, request: bytes) -> bytes:
    """Send a request on a connection of its own, each time from another network, as the proxy in
    front of a host would say; return the whole answer."""
    number = next(_COUNT)
    line = f"x-forwarded-for: 10.{number >> 16}.{number >> 8 & 255}.{number & 255}\r\n".encode()
    head, end, body = request.partition(b"\r\n\r\n")
    request = head + b"\r\n" + line.rstrip() + end + body
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    return answer


async def timed(port: int, request: bytes, status: int = 200) -> float:
    """Return the seconds until the answer, which must have this status."""
    started_at = time.perf_counter()
    answer = await ask(port, request)
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:400]
    return time.perf_counter() - started_at


async def started(port: int) -> None:
    """Wait until the host at this port answers a request."""
    for _ in range(400):
        try:
            await ask(port, get(digits(0)))
        except OSError:
            await asyncio.sleep(0.05)
        else:
            return


async def wait_for_news(port: int, number: int) -> None:
    """Wait for news of a game, again and again, as `pbem run` does."""
    while True:
        answer = await ask(port, get(digits(number)))
        etag = answer.partition(b"etag: ")[2].partition(b"\r\n")[0].decode()
        header_lines = f"if-none-match: {etag}\r\nprefer: wait=25\r\n"
        await ask(port, get(digits(number), header_lines))
