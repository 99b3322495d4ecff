"""A rematch at phones: a host deals both games, one press seats the same people."""

import json

import pytest

from tests.host.dealing import POOL, wait_for_turn
from tests.kit.processes import until
from tests.site.evening import Evening, join_at_phone, look_until
from tests.site.lying_host import lying, response


def answer_to_new_game(evening: Evening, **form: str):
    """What the host answers to its form for a new game."""
    fields = {"players": "Ann\nBo", "game": "evolution", "pace": "day", "title": "savannah"} | form
    answer = POOL.request(
        "POST", f"{evening.host.url}/new", fields=fields, encode_multipart=False,
        headers={"Accept": "application/json"}, redirect=False,
    )  # fmt: skip
    assert answer.status == 201, answer.data
    return answer


@pytest.fixture
def two_at_the_end(chromium, tmp_path, site):
    """Ann and Bo at phones; the host deals their game."""
    evening = Evening(tmp_path, chromium, "--deal")
    (game,) = json.loads(answer_to_new_game(evening).data)
    phones = []
    for seat in game["seats"]:
        phone = evening.phone()
        join_at_phone(phone, seat["link"])
        phones.append(phone)
    assert not wait_for_turn(game["address"], 1)
    yield evening, game["address"], phones
    evening.end()


def end_game(address: str, phones) -> None:
    """Both vote to end the game with the scores as they are, and look at the end."""
    for phone in phones:
        look_until(phone, "#send")
        phone.press("nav a >> text=Notices")
        phone.press("form[aria-label='End the game now'] button")
        phone.sent()
    until(lambda: b"final.toml" in POOL.request("GET", f"{address}/").data)
    for phone in phones:
        phone.page.goto(f"{address}/play")
        phone.page.reload()
        phone.shown()
        look_until(phone, "#rematch")


def test_one_press_starts_a_rematch_with_the_same_people(two_at_the_end):
    evening, address, (ann, bo) = two_at_the_end
    end_game(address, (ann, bo))
    for answer, sentence in (
        (b'[{"seats": []}]', "the server at this address is not a host of pbem games"),
        (answer_to_new_game(evening, players="Bo\nMallory").data, "its players are Bo and Mallory"),
    ):
        lying(ann, "**/new", response(answer, 201, "application/json"))
        ann.press("[data-rematch]")
        ann.frame.wait_for_selector(f"#rematch:has-text('{sentence}')")
        ann.context.unroute("**/new")
    ann.said.clear()  # the browser's own words about what failed
    ann.press("[data-rematch]")
    ann.frame.wait_for_selector("h1:has-text('savannah 2')")
    ann.press("button:has-text('Take my seat')")
    ann.frame.wait_for_selector("p.good:has-text('in seat b')")
    look_until(bo, "#rematch:has-text('Ann is in:')")
    bo.press("button:has-text('Rematch')")
    bo.frame.wait_for_selector("h1:has-text('savannah 2')")
    bo.press("button:has-text('Take my seat')")
    bo.frame.wait_for_selector("p.good:has-text('in seat a')")
    for phone in (ann, bo):
        phone.sent()
        phone.press("p.buttons a.primary")
        look_until(phone, "#send")
