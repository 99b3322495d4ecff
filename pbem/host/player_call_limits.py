"""The calls that a host has sent in the last day, and how many it may send."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from pbem.host.player_call_letters import mailbox_of
from pbem.host.taken_call_requests import TakenRequest
from pbem.records.player_call_request import MAIL, PUSH

MIN_CALL_SECONDS: Final = {PUSH: 60.0, MAIL: 600.0}
"""By way, the fewest seconds between two calls at one address, however fast a referee is."""
MAX_DAY_CALLS: Final = {PUSH: 200, MAIL: 24}
"""By way, the most calls a day at one address. The last half is for games with few calls there."""
FEW_CALLS: Final = {PUSH: 25, MAIL: 3}
"""By way, the most calls of a game in a day at one address that may be from the last half."""
DAY_SECONDS: Final = 86_400.0


class SentCall(NamedTuple):
    """A call that was sent."""

    game_name: str
    sent_at: float
    """The time by the monotonic clock."""


class SentCalls:
    """Counts the calls to each browser and mailbox, of all games together, in the last day."""

    def __init__(self) -> None:
        self._calls: dict[str, list[SentCall]] = {}
        """By browser or mailbox."""

    def add(self, request: TakenRequest) -> None:
        """Count a call that is sent for a request."""
        call = SentCall(request.game_name, time.monotonic())
        for name in _counted_names(request):
            self._calls.setdefault(name, []).append(call)

    def has_room(self, request: TakenRequest) -> bool:
        """Return whether one more call may be sent for a request: there was none just now, and not
        too many today. A fast referee leaves enough for the other games of a person."""
        way = request.content.way
        for calls in (self._calls.get(name, []) for name in _counted_names(request)):
            if calls and time.monotonic() - calls[-1].sent_at < MIN_CALL_SECONDS[way]:
                return False
            own_count = sum(call.game_name == request.game_name for call in calls)
            is_among_few = own_count < FEW_CALLS[way]
            if len(calls) >= (MAX_DAY_CALLS[way] if is_among_few else MAX_DAY_CALLS[way] // 2):
                return False
        return True

    def forget_old(self) -> None:
        """Forget the calls that were more than a day ago."""
        oldest_time = time.monotonic() - DAY_SECONDS
        for name, calls in [*self._calls.items()]:
            self._calls[name] = [call for call in calls if call.sent_at > oldest_time]
            if not self._calls[name]:
                del self._calls[name]


def _counted_names(request: TakenRequest) -> tuple[str, ...]:
    """Return the names under which the calls at an address count. A browser has two: one address
    can be written in several ways, and the key of another browser may stand beside it."""
    content = request.content
    if content.way == MAIL:
        return (mailbox_of(content.address),)
    return content.address, content.p256dh.hex()
