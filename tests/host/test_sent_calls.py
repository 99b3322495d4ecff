"""How often a host calls one browser or mailbox, of all games that its person plays."""

import pytest

from pbem.host import player_call_limits
from pbem.host.player_call_limits import SentCalls
from pbem.host.taken_call_requests import TakenRequest, address_name_of
from pbem.records.player_call_request import CallRequest
from tests.kit.people import NOW, key_of

ANN = key_of("ann").public
GAMES = ["5f" * 16, "60" * 16, "61" * 16]
DEVICE = "https://fcm.googleapis.com/1"


class CallClock:
    """A clock that a test sets."""

    seconds = 1_000_000.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def call_clock(monkeypatch: pytest.MonkeyPatch) -> CallClock:
    clock = CallClock()
    monkeypatch.setattr(player_call_limits, "time", clock)
    return clock


def request_of(game_name: str, address: str, key: bytes = b"\4" * 65) -> TakenRequest:
    """A request of Ann's seat in a game to be called at an address."""
    way = "push" if "://" in address else "mail"
    keys = {"p256dh": key, "auth": b"\1" * 16} if way == "push" else {}
    content = CallRequest(
        game=bytes(32), host="https://pond.example.org", seat="a", time=NOW, way=way, on=True,
        address=address, **keys,
    )  # fmt: skip
    return TakenRequest(f"{address_name_of(game_name, ANN, address)}-{NOW:012}", ANN, content)


def calls_in(
    calls: SentCalls, call_clock: CallClock, request: TakenRequest, tries: int, gap: float
) -> int:
    """Try to call for a request after each gap; return how many calls were sent."""
    count = 0
    for _ in range(tries):
        call_clock.seconds += gap
        if calls.has_room(request):
            calls.add(request)
            count += 1
    return count


@pytest.mark.parametrize(
    ("address", "gap", "half", "few"), [("ann@example.org", 601, 12, 3), (DEVICE, 61, 100, 25)]
)
def test_a_fast_game_leaves_calls_of_a_device_for_its_other_games(
    call_clock: CallClock, address: str, gap: float, half: int, few: int
):
    calls = SentCalls()
    fast_game, *slow_games = (request_of(game, address) for game in GAMES)
    assert calls_in(calls, call_clock, fast_game, 2 * half, gap) == half
    assert [calls_in(calls, call_clock, game, 2 * few, gap) for game in slow_games] == [few, few]
    assert calls_in(calls, call_clock, fast_game, 1, gap) == 0
    call_clock.seconds += 86_400
    calls.forget_old()
    assert calls_in(calls, call_clock, fast_game, 1, 0) == 1


def test_the_calls_to_one_mailbox_are_limited_over_all_games(call_clock: CallClock):
    calls = SentCalls()
    games = [request_of(f"{number:032x}", "ann@example.org") for number in range(30)]
    assert sum(calls_in(calls, call_clock, game, 4, 601) for game in games) == 24
    assert calls_in(calls, call_clock, request_of(GAMES[0], "bo@example.org"), 1, 0) == 1


def test_another_spelling_of_its_address_gets_no_browser_more_calls(call_clock: CallClock):
    calls = SentCalls()
    calls.add(request_of(GAMES[0], DEVICE))
    for address, key in ((DEVICE, b"\4" * 65), (f"{DEVICE}?", b"\4" * 65), (DEVICE, b"\5" * 65)):
        assert not calls.has_room(request_of(GAMES[1], address, key))
    assert calls.has_room(request_of(GAMES[1], f"{DEVICE}2", b"\5" * 65))
    call_clock.seconds += 60
    assert calls.has_room(request_of(GAMES[1], DEVICE))
