"""Keep `pbem run` running: one round after another, until Ctrl-C."""

from __future__ import annotations

import time
from typing import Final

from pbem.post.notify import Log
from pbem.post.rounds import Post, PostRound

LOOK: Final = 2.0
"""Seconds between two looks at the folders, if looking takes no time."""
SHARE: Final = 20
"""Looking at folders may take at most 1/SHARE of the time."""
LONGEST_BACKOFF: Final = 900.0


class Runner:
    """Repeats passes over all games until Ctrl-C."""

    def __init__(self, post_round: PostRound, log: Log, every: float) -> None:
        self.round, self.log, self.every = post_round, log, every
        self._backoff = 0.0
        self._deaf = False
        """Whether waiting for new mail failed since the last whole pass."""

    def run(self) -> None:
        """Run passes for ever; Ctrl-C raises KeyboardInterrupt."""
        while True:
            begun = time.monotonic()
            self._deaf = False
            self.round.whole()
            self._back_off()
            self._wait(begun + max(self.every, self._backoff), begun + LOOK)

    def _back_off(self) -> None:
        """Wait longer after each problem with a server, but continue to look at the folders."""
        if self.log.no_server:
            self._backoff = min(max(self.every, 2 * self._backoff), LONGEST_BACKOFF)
        else:
            self._backoff = 0.0

    def _wait(self, until: float, earliest: float) -> None:
        """Wait for new mail until the next whole pass, and look at the folders meanwhile.

        The next pass never begins before `earliest`: a server may announce new mail all the time.
        """
        pause = LOOK
        while (left := until - time.monotonic()) > 0:
            if self._mail_came(min(pause, left)):
                time.sleep(max(0.0, earliest - time.monotonic()))
                return
            begun = time.monotonic()
            self.round.games(stores=False)
            pause = max(LOOK, SHARE * (time.monotonic() - begun))

    def _mail_came(self, seconds: float) -> bool:
        """Wait; return whether there is new mail. Only one mailbox can end the wait."""
        post = self._first()
        if post is None or self._backoff or self._deaf:
            time.sleep(seconds)
            return False
        try:
            return post.wait(seconds)
        except Exception:  # noqa: BLE001 - the next pass gets the same error and reports it
            post.close()
            self._deaf = True  # else a server that hangs up here would be asked all the time
            return False

    def _first(self) -> Post | None:
        return next(iter(self.round.posts.values()), None)
