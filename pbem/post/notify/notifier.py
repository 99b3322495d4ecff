"""Send notifications during `pbem run`: each only once, and several together as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.cli.failure import CliError
from pbem.post.notify.addresses import NotifyBook, send, shown
from pbem.post.notify.news import News

if TYPE_CHECKING:
    from pbem.post.rounds.log import Log
    from pbem.storage.private.home import Home

MOST: Final = 5
"""The most events that are listed; if there are more, one notification says how many."""


class Notifier:
    """Sends the notifications of one home; does nothing if there is no address."""

    def __init__(self, home: Home, log: Log) -> None:
        self.book, self.log = NotifyBook(home), log
        self._new: list[News] = []
        self._quiet: list[str] = []

    @property
    def wanted(self) -> bool:
        """Whether anybody wants notifications."""
        return bool(self.book.urls)

    def add(self, news: list[News]) -> None:
        """Plan to send this notification at the end of the pass, unless it was sent before."""
        for one in news:
            if self.book.is_told(one.key):
                continue
            if one.text and (not one.after or self.book.is_told(one.after)):
                self._new.append(one)
            else:
                self._quiet.append(one.key)

    def send(self) -> None:
        """Send what is new. What cannot be sent is printed, and not tried again."""
        wrong = self.log.new_troubles()
        troubles = [
            News("", "pbem", f"Something is wrong: {told}. `pbem run` says more.") for told in wrong
        ]
        new, self._new = [*self._new, *troubles], []
        if not self.wanted or not (new or self._quiet):
            return
        keys = [*self._quiet, *(one.key for one in new if one.key)]
        self._quiet = []
        if keys:
            self.book.told(keys)  # noted before it is sent, so that it is never sent twice
        if not new:
            return
        some = new
        if len(new) > MOST:
            some = [*new[:MOST], News("", "pbem", f"And {len(new) - MOST} more notifications.")]
        try:
            failed = {one for news in some for one in send(self.book.urls, news.title, news.text)}
        except CliError as error:
            self.log.note("notify", f"{error} (try: {error.hint})")
            return
        for url in sorted(map(shown, failed)):
            self.log.note(f"notify {url}", f"a notification to {url} was not accepted")
        told = f"{len(some)} things" if len(some) > 1 else f"{new[0].title}: {new[0].text}"
        self.log.say("notified", f"notified you: {told}")
