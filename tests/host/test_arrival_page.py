"""Many people look at the link of one game at once: its page is drawn once for each list of files,
and few pages are kept."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.files.game_folder import Folder
from pbem.host import first_page_of_game
from pbem.host.first_page_of_game import MAX_KEPT_PAGES, PLACE_FOR_SUMMARY, ArrivalPages
from pbem.host.kept_games import FRESH_SECONDS
from tests.kit.phone import DIGITS, OneGame
from tests.kit.running_host import RunningHost

pytestmark = pytest.mark.host
INDEX = f'<link href="shell.css">{PLACE_FOR_SUMMARY}'


@pytest.fixture
def drawn_tables(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list that gets an item for each table that is drawn."""
    draw, tables = first_page_of_game.draw, list[object]()

    def counting_draw(*values, **more):
        tables.append(values)
        return draw(*values, **more)

    monkeypatch.setattr(first_page_of_game, "draw", counting_draw)
    return tables


@pytest.fixture
def host_of(game) -> Iterator[object]:
    """A function that starts a host with the game of this name."""
    hosts: list[RunningHost] = []

    def start_host(name: str) -> RunningHost:
        hosts.append(RunningHost(game(name).shared / "savannah", games=OneGame))
        return hosts[-1]

    yield start_host
    for host in hosts:
        host.stop()


def test_a_hundred_visits_at_once_draw_the_table_once(host_of, drawn_tables) -> None:
    games = host_of("middle").games
    pages = ArrivalPages(games, INDEX)
    game = games.peek(DIGITS)
    with ThreadPoolExecutor(20) as pool:
        texts = [*pool.map(lambda _: pages.page(game), range(100))]
    assert len(set(texts)) == 1
    assert "Turn 14." in texts[0]
    assert len(drawn_tables) == 1


def test_a_host_keeps_a_limited_number_of_drawn_pages(host_of, drawn_tables, monkeypatch) -> None:
    games = host_of("middle").games
    pages = ArrivalPages(games, INDEX)
    game = games.peek(DIGITS)
    for number in range(3 * MAX_KEPT_PAGES):
        monkeypatch.setattr(game, "tagged_list", lambda tag=f"{number}": (tag, b""))
        pages.page(game)
    assert len(pages._pages) == MAX_KEPT_PAGES
    assert len(pages._readers) == 1
    assert len(drawn_tables) == 3 * MAX_KEPT_PAGES


def test_a_program_that_previews_links_makes_the_host_draw_no_table(host_of, drawn_tables) -> None:
    pages = ArrivalPages(host_of("middle").games, INDEX)
    texts = {pages.without_summary() for _ in range(100)}
    assert texts == {f'<link href="../../shell.css">{PLACE_FOR_SUMMARY}'}
    assert not drawn_tables


def test_a_game_too_long_to_read_is_shown_without_its_table(host_of, drawn_tables, monkeypatch):
    monkeypatch.setattr(first_page_of_game, "MAX_UNREAD_TURNS", 5)
    games = host_of("middle").games
    text = ArrivalPages(games, INDEX).page(games.peek(DIGITS))
    assert "Turn 14." in text
    assert "<svg" not in text
    assert not drawn_tables


MANY_FILES = 19_000
"""The files of a game of a year, in which eight people write and change their minds."""


@pytest.fixture
def folder_uses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that gets the path of each file that is read, and `scan` for each list of files."""
    uses, read, scan = list[str](), Folder.read, Folder.scan

    def noting_read(folder, record):
        uses.append(getattr(record, "path", str(record)))
        return read(folder, record)

    def noting_scan(folder):
        uses.append("scan")
        return scan(folder)

    monkeypatch.setattr(Folder, "read", noting_read)
    monkeypatch.setattr(Folder, "scan", noting_scan)
    return uses


def test_the_page_of_a_game_of_19_000_files_reads_no_more_files(
    host_of, drawn_tables, folder_uses, monkeypatch
) -> None:
    games = host_of("middle").games
    folder = games.place.path
    folder_uses.clear()
    games = OneGame(games.place)  # as after a start of the host
    page = ArrivalPages(games, INDEX).page(games.peek(DIGITS))
    read_paths = sorted({*folder_uses})
    for place in ("press", "orders"):
        (folder / place).mkdir(exist_ok=True)
        for number in range(MANY_FILES // 2):
            name = f"{1 + number % 13:04}-b-1-{number:06x}.toml"
            (folder / place / name).write_text("no record")
    folder_uses.clear()
    games = OneGame(games.place)
    game, pages = games.peek(DIGITS), ArrivalPages(games, INDEX)
    monkeypatch.setattr(game, "fresh_seconds", FRESH_SECONDS)  # as a host's own game
    assert pages.page(game) == page
    assert sorted({*folder_uses}) == read_paths, "no file of them is read"
    folder_uses.clear()
    assert len(game.listing.records) + len(game.listing.press) >= MANY_FILES
    listed_files, digest = list[object](), game._digest
    monkeypatch.setattr(game, "_digest", lambda file: listed_files.append(file) or digest(file))
    with ThreadPoolExecutor(20) as pool:
        texts = {*pool.map(lambda _: pages.page(game), range(100))}
    assert texts == {page}
    assert {*folder_uses} <= {"scan"}
    assert len(folder_uses) < 20, "a hundred looks make few lists of the files"
    file_count = len(game.listing.records) + len(game.listing.press)
    list_count = 1 + len(folder_uses)  # one list was there already
    assert len(listed_files) <= file_count * list_count, "each is written at most once"
    assert len(drawn_tables) == 2
