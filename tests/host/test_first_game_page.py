"""Many people look at the link of one game at once: its page is drawn once for each list of files,
and few pages are kept."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.host import first_game_page
from pbem.host.first_game_page import MAX_KEPT_PAGES, PLACE_FOR_SUMMARY, ArrivalPages
from tests.kit.phone import DIGITS, OneGame
from tests.kit.running_host import RunningHost

pytestmark = pytest.mark.host
INDEX = f'<link href="shell.css">{PLACE_FOR_SUMMARY}'


@pytest.fixture
def drawn_tables(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list that gets an item for each table that is drawn."""
    draw, tables = first_game_page.draw, list[object]()

    def counting_draw(*values, **more):
        tables.append(values)
        return draw(*values, **more)

    monkeypatch.setattr(first_game_page, "draw", counting_draw)
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


def test_a_hundred_looks_at_once_draw_one_table(host_of, drawn_tables) -> None:
    games = host_of("middle").games
    pages = ArrivalPages(games, INDEX)
    game = games.peek(DIGITS)
    with ThreadPoolExecutor(20) as pool:
        texts = [*pool.map(lambda _: pages.page(game), range(100))]
    assert len(set(texts)) == 1
    assert "Turn 14." in texts[0]
    assert len(drawn_tables) == 1


def test_few_pages_are_kept(host_of, drawn_tables, monkeypatch) -> None:
    games = host_of("middle").games
    pages = ArrivalPages(games, INDEX)
    game = games.peek(DIGITS)
    for number in range(3 * MAX_KEPT_PAGES):
        monkeypatch.setattr(game, "tagged_list", lambda tag=f"{number}": (tag, b""))
        pages.page(game)
    assert len(pages._pages) == MAX_KEPT_PAGES
    assert len(pages._readers) == 1
    assert len(drawn_tables) == 3 * MAX_KEPT_PAGES


def test_a_program_that_makes_previews_costs_no_drawing(host_of, drawn_tables) -> None:
    pages = ArrivalPages(host_of("middle").games, INDEX)
    texts = {pages.without_summary() for _ in range(100)}
    assert texts == {f'<link href="../../shell.css">{PLACE_FOR_SUMMARY}'}
    assert not drawn_tables


def test_a_game_too_long_to_read_is_shown_without_its_table(
    host_of, drawn_tables, monkeypatch
) -> None:
    monkeypatch.setattr(first_game_page, "MAX_UNREAD_TURNS", 5)
    games = host_of("middle").games
    text = ArrivalPages(games, INDEX).page(games.peek(DIGITS))
    assert "Turn 14." in text
    assert "<svg" not in text
    assert not drawn_tables
