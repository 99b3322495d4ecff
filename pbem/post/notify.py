"""Notifications: where they go, which are due, and the log of `pbem run`."""

from __future__ import annotations

import contextlib
import json
import logging
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from pbem.errors import CliError, extra
from pbem.files.home import Home
from pbem.files.notebook import Notebook, Notes
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.standing import AnnouncedAct
from pbem.judge.view import View
from pbem.person.losses import announced_losses
from pbem.person.session import Session
from pbem.person.situation import in_view
from pbem.terminal.failures import bug_sentence, sentence_of
from pbem.terminal.terminal import clean, with_tilde
from pbem.text.clock import now
from pbem.wording.losses import cancel_command, describe_loss
from pbem.wording.mailboxes import UNKNOWN_ADDRESS_CLAUSE
from pbem.wording.notifications import (
    deadline_notification,
    game_over_notification,
    loss_notification,
    more_notifications,
    move_notification,
    trouble_notification,
)
from pbem.wording.scores import end_sentence

# ---- Print what `pbem run` does, one line for each event, as a sentence or as JSON


class Log:
    """Prints events. A problem that lasts is printed only once."""

    def __init__(self, as_json: bool = False, write: Callable[[str], None] | None = None) -> None:
        """`write` writes a line; without it, the line is printed with the time before it."""
        self.as_json, self._write = as_json, write or _print_with_time
        self._going_on: dict[str, str] = {}
        self._troubles: set[str] = set()
        self._bugs: dict[str, str] = {}
        self._new_troubles: list[str] = []
        self.failed = False
        """Whether anything has gone wrong in this run."""

    def say(self, event: str, sentence: str, game: str = "", **data: Any) -> None:
        """Print one event: a word for programs, a sentence for people, and the game's title."""
        if self.as_json:
            row = {"time": now(), "event": event, "text": sentence, "game": game, **data}
            print(json.dumps(row, sort_keys=True), flush=True)
            return
        title = f"{clean(game)}: " if game else ""
        self._write(f"{title}{clean(sentence)}")

    def why(self, about: str, error: Exception) -> str:
        """Return what went wrong; the details of a bug are written only once."""
        bug = f"{about} {error!r}"
        if bug not in self._bugs:
            self._bugs[bug] = sentence_of(error) or bug_sentence(error)
        return self._bugs[bug]

    def trouble(
        self, key: str, sentence: str, in_short: str, hint: str = "", *, server: bool = False
    ) -> None:
        """Print what is wrong with one thing, unless the last message about that thing said the
        same.

        `in_short` is the text of a notification, which strangers may read, so it has no addresses,
        no paths and nothing that a server said. With `server`, a mail server cannot be used, so it
        is contacted less often.
        """
        self.failed = True
        if server:
            self._troubles.add(key)
        if self._going_on.get(key) == sentence:
            return
        self._going_on[key] = sentence
        self._new_troubles.append(in_short)
        told = with_tilde(f"error: {sentence}" + (f" (try: {hint})" if hint else ""))
        self.say("trouble", told, about=key)

    def fine(self, key: str, sentence: str) -> None:
        """Note that nothing is wrong with this thing; print the sentence if something was wrong
        before."""
        self._troubles.discard(key)
        if self._going_on.pop(key, ""):
            self.say("fine", sentence, about=key)

    def note(self, key: str, sentence: str, game: str = "") -> None:
        """Print something that stays true for a while, but only once."""
        if self._going_on.get(key) != sentence:
            self._going_on[key] = sentence
            self.say("note", sentence, game)

    def new_troubles(self) -> list[str]:
        """Return what has gone wrong since the last call, in short and each thing once."""
        found, self._new_troubles = self._new_troubles, []
        return list(dict.fromkeys(found))

    @property
    def no_server(self) -> bool:
        """Return whether a mail server cannot be used at the moment."""
        return bool(self._troubles)


def _print_with_time(line: str) -> None:
    print(f"{datetime.fromtimestamp(now()):%m-%d %H:%M} {line}", flush=True)


# ---- Where notifications are sent, and which were sent; addresses are secret

EXAMPLE: Final = "pbem notify add ntfy://my-games (https://appriseit.com lists the services)"
MOST_TOLD: Final = 5_000
"""How many notifications are remembered, so that none is sent twice; the oldest are forgotten."""


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
        with _quiet() as apprise:
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
            return replace(notes, told=all_keys[-MOST_TOLD:])

        self.notes = self.change(with_keys)


@contextlib.contextmanager
def _quiet() -> Iterator[Any]:
    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # pbem reports its troubles itself
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its services use old modules
        with extra(["apprise"], "notifications need a library that is not installed"):
            import apprise
        yield apprise


def shown(url: str) -> str:
    """Return an address without its secrets."""
    with _quiet() as apprise:
        found = apprise.Apprise.instantiate(url)
    if not found:
        return UNKNOWN_ADDRESS_CLAUSE
    return str(found.url(privacy=True)).partition("?")[0]


def send(urls: Iterable[str], title: str, text: str) -> list[str]:
    """Send one notification to all addresses; return the addresses that did not accept it."""
    refused = list[str]()
    with _quiet() as apprise:
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

NEAR: Final = 0.25
"""A deadline is near when this part of the time is left."""


class News(NamedTuple):
    """One notification."""

    key: str
    """A name for the news, so that the same news is told only once."""
    title: str
    text: str
    """The sentence to send; if empty, nothing is sent, but the key is remembered."""
    after: str = ""
    """The key of earlier news without which this one is not sent."""


def news_of(session: Session) -> tuple[list[News], int]:
    """Return what is new in a game for the owner of this home, and when the deadline of the last
    turn will be near (0: there is none to wait for). Raises what commands raise."""
    news, near, roles = list[News](), 0, session.roles
    if not session.listing.reached:
        return news, near
    mine = sorted(roles.seats.keys() - roles.held_seats - roles.mail_seats)
    for seat in mine or ([""] if roles.referee else []):
        one = Session(session.place, seat or None, home=session.home, keyring=session.keyring)
        view = one.view()
        news += _of_view(one, view)
        if mine and not near and not view.is_over and (status := deadline_status_of(view)):
            near = status.deadline - int((status.deadline - status.asked_at) * NEAR)
    return news, near


def _loss_key(game: str, seat: str, act: AnnouncedAct) -> str:
    return f"{game} {act.turn} {seat} {act.kind} {act.seat}"


def _of_view(session: Session, view: View) -> list[News]:
    game, title, seat = view.game[:16], clean(view.title), view.seat
    seen = f"{game} goes on"  # games that were over before are not news
    news = [
        News(_loss_key(game, seat, loss.announced_act), title, told)
        for loss in announced_losses(session, view)
        if (told := loss_notification(describe_loss(loss), cancel_command(loss)))
    ]
    if view.is_over:
        end = game_over_notification(end_sentence(view))
        return [News(f"{game} over", title, end, after=seen)]
    if seat not in view.awaited or not in_view(session, view).is_your_move:
        return [News(seen, title, ""), *news]
    status, kinds = deadline_status_of(view), ", ".join(view.awaited[seat])
    found = [News(seen, title, ""), *news]
    found += [News(f"{game} {view.turn} {seat}", title, move_notification(kinds, status))]
    if status and 0 < status.share_left(now()) <= NEAR:
        told = deadline_notification(kinds, status)
        found.append(News(f"{game} {view.turn} {seat} near", title, told))
    return found


# ---- Send notifications during `pbem run`: each only once, and several together as one

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
        return bool(self.book.notes.urls)

    def add(self, news: list[News]) -> None:
        """Plan to send this notification at the end of the pass, unless it was sent before."""
        for one in news:
            if one.key in self.book.notes.told:
                continue
            if one.text and (not one.after or one.after in self.book.notes.told):
                self._new.append(one)
            else:
                self._quiet.append(one.key)

    def send(self) -> None:
        """Send what is new. What cannot be sent is printed, and not tried again."""
        wrong = self.log.new_troubles()
        troubles = [News("", "pbem", trouble_notification(told)) for told in wrong]
        new, self._new = [*self._new, *troubles], []
        if not self.wanted or not (new or self._quiet):
            return
        keys = [*self._quiet, *(one.key for one in new if one.key)]
        self._quiet = []
        if keys:
            self.book.note_told(keys)  # noted before it is sent, so that it is never sent twice
        if not new:
            return
        more = News("", "pbem", more_notifications(len(new) - MOST))
        some = [*new[:MOST], more] if len(new) > MOST else new
        try:
            failed = {
                one for news in some for one in send(self.book.notes.urls, news.title, news.text)
            }
        except CliError as error:
            self.log.note("notify", f"{error} (try: {error.hint})")
            return
        for url in sorted(map(shown, failed)):
            self.log.note(f"notify {url}", f"a notification to {url} was not accepted")
        told = f"{len(some)} things" if len(some) > 1 else f"{new[0].title}: {new[0].text}"
        self.log.say("notified", f"notified you: {told}")
