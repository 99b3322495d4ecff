"""Notifications: where they go, which are due, and sending each only once."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pbem.errors import CliError
from pbem.files.home import Home
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.game_view import View
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct
from pbem.missing_libraries import needing_libraries
from pbem.person.announced_acts_against_user import announced_losses
from pbem.person.session import Session
from pbem.person.situation import situation_in_view
from pbem.post.event_printer import Log
from pbem.terminal.clean_text import clean
from pbem.text.clock import now
from pbem.wording.announced_acts import cancel_command, describe_loss
from pbem.wording.notifications import (
    UNKNOWN_ADDRESS_CLAUSE,
    deadline_notification,
    game_over_notification,
    loss_notification,
    more_notifications,
    move_notification,
    trouble_notification,
)
from pbem.wording.results import end_sentence

# ---- Where notifications are sent, and which were sent; addresses are secret

EXAMPLE: Final = "pbem notify add ntfy://my-games (https://appriseit.com lists the services)"
MAX_KEYS: Final = 5_000
"""The number of notifications that are remembered, and so not sent twice; the oldest are
forgotten."""


class NotifyNotes(Notes):
    """The addresses (URLs) of one home, and the keys of the notifications that they were sent."""

    file = "notify.toml"
    told: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


class NotifyBook(Notebook[NotifyNotes]):
    """The addresses (URLs) of one home, and their notifications, as this object last read or
    changed the book."""

    schema = NotifyNotes

    def __init__(self, home: Home) -> None:
        super().__init__(home.root)
        self.notes = self.read()

    def add(self, url: str) -> None:
        """Note an address. Raises CliError if no service understands it, StorageError."""
        with _silenced_apprise() as apprise:
            understood = apprise.Apprise().add(url)
        if not understood:
            raise CliError("no service understands this address", EXAMPLE)

        def with_url(notes: NotifyNotes) -> NotifyNotes:
            return replace(notes, urls=tuple(dict.fromkeys([*notes.urls, url])))

        self.notes = self.change(with_url)

    def remove(self, number: int) -> str:
        """Remove the address (URL) with this number, which counts from 1, and return it.

        Raises CliError, StorageError.
        """
        if not 1 <= number <= len(self.notes.urls):
            raise CliError(f"there is no address number {number}", "pbem notify list")
        removed_url = self.notes.urls[number - 1]

        def without_url(notes: NotifyNotes) -> NotifyNotes:
            return replace(notes, urls=tuple(url for url in notes.urls if url != removed_url))

        self.notes = self.change(without_url)
        return removed_url

    def note_told(self, keys: Iterable[str]) -> None:
        """Note that these notifications were sent. Raises StorageError."""
        new_keys = tuple(keys)

        def with_keys(notes: NotifyNotes) -> NotifyNotes:
            all_keys = tuple(dict.fromkeys([*notes.told, *new_keys]))
            return replace(notes, told=all_keys[-MAX_KEYS:])

        self.notes = self.change(with_keys)


@contextlib.contextmanager
def _silenced_apprise() -> Iterator[Any]:
    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # pbem reports its troubles itself
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its services use old modules
        with needing_libraries(["apprise"], "notifications need a library that is not installed"):
            import apprise
        yield apprise


def censored_url(url: str) -> str:
    """Return an address without its secrets."""
    with _silenced_apprise() as apprise:
        service = apprise.Apprise.instantiate(url)
    if not service:
        return UNKNOWN_ADDRESS_CLAUSE
    return str(service.url(privacy=True)).partition("?")[0]


def send(urls: Iterable[str], title: str, text: str) -> list[str]:
    """Send one notification to all addresses; return the addresses that did not accept it."""
    refused = list[str]()
    with _silenced_apprise() as apprise:
        for url in urls:
            service = apprise.Apprise()
            if not (service.add(url) and service.notify(title=title, body=text)):
                refused.append(url)
    return refused


# ---- Find what a person wants to be told about a game: their move, a deadline that is near, the
# end
#
# A notification contains only what every player sees: the game's title, the turn, the kinds of
# question.

NEAR_SHARE: Final = 0.25
"""The part of the time that is left when a deadline is near."""


class News(NamedTuple):
    """One notification."""

    key: str
    """A name for the news, so that the same news is told only once."""
    title: str
    text: str
    """The sentence to send; if empty, nothing is sent, but the key is remembered."""
    earlier_key: str = ""
    """The key of earlier news without which this one is not sent."""


def news_of(session: Session) -> tuple[list[News], int]:
    """Return the news in a game for the owner of this home, and the time at which the deadline of
    the last turn will be near (0 without a deadline to wait for). Raises what commands raise."""
    news, near_at, roles = list[News](), 0, session.roles
    if not session.listing.reached:
        return news, near_at
    user_seats = sorted(roles.seats.keys() - roles.referee_seats - roles.mail_seats)
    for seat in user_seats or ([""] if roles.referee else []):
        seat_session = Session(
            session.place, seat or None, home=session.home, keyring=session.keyring
        )
        view = seat_session.view()
        news += _of_view(seat_session, view)
        if user_seats and not near_at and not view.is_over and (status := deadline_status_of(view)):
            near_at = status.deadline - int((status.deadline - status.asked_at) * NEAR_SHARE)
    return news, near_at


def _loss_key(game: str, seat: str, act: AnnouncedAct) -> str:
    return f"{game} {act.turn} {seat} {act.kind} {act.seat}"


def _of_view(session: Session, view: View) -> list[News]:
    """Return the news for the owner of a view, also what is not new any more: the keys tell."""
    game, title, seat = view.game[:16], clean(view.title), view.seat
    running_key = f"{game} goes on"  # games that were over before are not news
    news = [
        News(_loss_key(game, seat, loss.announced_act), title, sentence)
        for loss in announced_losses(session, view)
        if (sentence := loss_notification(describe_loss(loss), cancel_command(loss)))
    ]
    if view.is_over:
        end = game_over_notification(end_sentence(view))
        return [News(f"{game} over", title, end, earlier_key=running_key)]
    if seat not in view.awaited or not situation_in_view(session, view).is_your_move:
        return [News(running_key, title, ""), *news]
    status, kinds = deadline_status_of(view), ", ".join(view.awaited[seat])
    items = [News(running_key, title, ""), *news]
    items += [News(f"{game} {view.turn} {seat}", title, move_notification(kinds, status))]
    if status and 0 < status.share_left(now()) <= NEAR_SHARE:
        sentence = deadline_notification(kinds, status)
        items.append(News(f"{game} {view.turn} {seat} near", title, sentence))
    return items


# ---- Send notifications during `pbem run`: each only once, and several together as one

MAX_LISTED_NEWS: Final = 5
"""The greatest number of events that are listed; if there are more, one notification says how
many."""


class Notifier:
    """Sends the notifications of one home; does nothing if there is no address."""

    def __init__(self, home: Home, log: Log) -> None:
        self.book, self.log = NotifyBook(home), log
        self._new_items: list[News] = []
        """The news to send at the end of the pass."""
        self._silent_keys: list[str] = []
        """The keys of news without a text, to be remembered then."""

    @property
    def is_wanted(self) -> bool:
        """Whether anybody wants notifications."""
        return bool(self.book.notes.urls)

    def add(self, news: list[News]) -> None:
        """Plan to send this notification at the end of the pass, unless it was sent before."""
        for item in news:
            if item.key in self.book.notes.told:
                continue
            if item.text and (not item.earlier_key or item.earlier_key in self.book.notes.told):
                self._new_items.append(item)
            else:
                self._silent_keys.append(item.key)

    def send(self) -> None:
        """Send each new notification. Print a notification that no address took; do not try it
        again."""
        sentences = map(trouble_notification, self.log.new_troubles())
        trouble_items = [News("", "pbem", sentence) for sentence in sentences]
        new_items, self._new_items = [*self._new_items, *trouble_items], []
        if not self.is_wanted or not (new_items or self._silent_keys):
            return
        keys = [*self._silent_keys, *(item.key for item in new_items if item.key)]
        self._silent_keys = []
        if keys:
            self.book.note_told(keys)  # noted before it is sent, so that it is never sent twice
        if not new_items:
            return
        summary = News("", "pbem", more_notifications(len(new_items) - MAX_LISTED_NEWS))
        is_long = len(new_items) > MAX_LISTED_NEWS
        shown_news = [*new_items[:MAX_LISTED_NEWS], summary] if is_long else new_items
        urls, refused_urls = self.book.notes.urls, set[str]()
        try:
            for item in shown_news:
                refused_urls |= {*send(urls, item.title, item.text)}
        except CliError as error:
            self.log.note("notify", f"{error} (try: {error.hint})")
            return
        for url in sorted(map(censored_url, refused_urls)):
            self.log.note(f"notify {url}", f"pbem could not send a notification to {url}")
        sentence = f"{new_items[0].title}: {new_items[0].text}"
        if len(shown_news) > 1:
            sentence = f"{len(shown_news)} things"
        self.log.say("notified", f"notified you: {sentence}")
