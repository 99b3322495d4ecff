"""All games of a person, a line for each; first the games in which it is their move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.package_faults import fault_sentence
from pbem.errors import KEY, PbemError
from pbem.files.file_errors import StorageError
from pbem.files.game_folder_places import Place
from pbem.files.home import Home
from pbem.judge.deadline_status import DeadlineStatus, deadline_status_of
from pbem.person.cache_freshness import Freshness, Stamp, stamp_of_game, stamp_of_keys
from pbem.person.keyring import Keyring
from pbem.person.next_step import next_step
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.text.clock import now
from pbem.text.dates import DAY
from pbem.text.terminal_and_page_wording import TerminalText, off_terminal
from pbem.wording.announced_acts import announced_acts_data
from pbem.wording.game_list import (
    GONE_FOLDER_STATE,
    NOT_BEGUN_CLAUSE,
    OTHER_GAME_SENTENCE,
    forget_game_step,
    game_state,
    state_with_deadline,
    unreadable_state,
)
from pbem.wording.next_step import say_step_in_list, say_wait_in_list

Line = dict[str, Any]
UNREAD_TITLE = "?"
"""The title of a game whose charter was not read."""
MAX_ID_DIGITS: Final = 6
"""Number of digits of a game's id in the list."""


def places_of(home: Home) -> dict[str, Place | None]:
    """Return where each game is, by its id; games that were forgotten are left out."""
    games = {ident: home.game(ident) for ident in home.games()}
    places = {ident: game_home.place for ident, game_home in games.items()}
    return {x: place for x, place in places.items() if place or not games[x].is_forgotten}


def games_of(keyring: Keyring) -> list[dict[str, Any]]:
    """Return data on each of your games, those that wait for you first. In a terminal, the state of
    a game says what to type."""
    cache = ListCache(keyring.home)
    places = places_of(keyring.home)
    cache.look_ahead({ident: place for ident, place in places.items() if place})
    games = [_game(keyring, ident, place, cache) for ident, place in places.items()]
    return sorted(
        games,
        key=lambda one: (
            not one["asked"],
            not (one["ready"] or one["may_deal"]),
            one["title"],
            one["game"],
        ),
    )


def _game(keyring: Keyring, ident: str, place: Place | None, cache: ListCache) -> Line:
    """Return a game's line. Its deadline is put into words here, not in the cache, because the
    words change with time."""
    line: Line = {"game": ident, "title": UNREAD_TITLE, "folder": str(place or "")}
    line |= {"asked": False, "ready": False, "may_deal": False}
    line |= {"deadline": 0, "grace": 0, "held_until": 0, "step": "", "wait": ""}
    if place is None or place.is_gone():
        line |= {"state": GONE_FOLDER_STATE, "step": forget_game_step(ident[:MAX_ID_DIGITS])}
    else:
        empty = dict(line)
        try:
            line = dict(cache.line(ident, place, lambda: empty | _state(place, keyring, ident)))
        except StorageError as error:  # the game's store cannot be reached
            line["state"] = unreadable_state(off_terminal(error.full_sentence))
    status = DeadlineStatus(0, line["deadline"], line["grace"])
    step = TerminalText.of_wordings(line.pop("step"), line.pop("wait"))
    line["state"] = state_with_deadline(line["state"], status, step)
    return line


def _state(place: Place, keyring: Keyring, ident: str) -> Line:
    """Return the fields of a game's line that come from its folder: its state in words, the next
    step, whether the user must act, and times.

    A field `passing` is set if the line may change without a new file, so that it cannot be cached.
    """
    title = UNREAD_TITLE
    try:
        session = Session(place, home=keyring.home, keyring=keyring)
        title = session.charter.title
        if session.game_folder.game.hex() != ident:
            return {"title": UNREAD_TITLE, "state": OTHER_GAME_SENTENCE}
        situation = situation_of(session)
    except PbemError as error:
        passing = error.exit == KEY  # the user may give the passphrase to the next command
        state = unreadable_state(off_terminal(error.full_sentence))
        return {"title": title, "state": state, "passing": passing}
    except Exception as error:
        # one faulty package must not hide the other games
        if not (sentence := fault_sentence(error)):
            raise
        return {"title": title, "state": unreadable_state(sentence), "passing": True}
    step = next_step(situation)
    line: Line = {
        "title": title, "ready": situation.is_ready, "may_deal": situation.may_deal,
        "step": say_step_in_list(step, situation), "wait": say_wait_in_list(step, situation),
    }  # fmt: skip
    if (view := situation.view) is None:
        return line | {"state": NOT_BEGUN_CLAUSE}
    deadline = 0 if view.is_over or view.preview or not view.awaited else view.deadline
    grace = deadline_status_of(view).grace_seconds if deadline else 0
    times = {"deadline": deadline, "grace": grace, "held_until": situation.revisable_until}
    if announced_acts_data(session, view):  # what waits takes effect without a new file
        times["passing"] = True
    must_act = situation.is_your_move or bool(situation.losses)
    return line | {"asked": must_act, "state": game_state(view, situation)} | times


# ---- Cache the line that `list` prints about each game, as long as nothing has changed

PURPOSE = "list-10"


class ListCache:
    """The cached lines of all games of a home.

    A line is valid until a file changes in the game's folder, in the home's data of the game, or
    among the keys. It also becomes invalid at the deadline (or when players may no longer change
    their orders), because the game can then go on without a new file. A line that is `passing` is
    not cached.
    """

    def __init__(self, home: Home) -> None:
        self.home = home
        self._keys = stamp_of_keys(home)
        self._fingerprints_ahead: dict[str, str | StorageError] = {}

    def look_ahead(self, places: Mapping[str, Place]) -> None:
        """Ask the object stores of these games for their lists, several at the same time.

        The answers, and errors, are used when the line of each game is asked for.
        """
        from pbem.files.game_folder_in_store import side_by_side

        if sum(place.is_remote for place in places.values()) < 2:
            return

        def look(place: Place) -> str | StorageError:
            try:
                return self.home.folder(place).fingerprint()
            except StorageError as error:
                return error

        # other connections belong to one thread: they would be made anew for each
        shared_stores = {
            ident: place for ident, place in places.items() if place.has_shared_connection
        }
        answers = side_by_side(look, [*shared_stores.values()])
        self._fingerprints_ahead = dict(zip(shared_stores, answers, strict=True))

    def line(self, ident: str, place: Place, make: Callable[[], Line]) -> Line:
        """Return the line of the game with this id in this folder: the cached one, else a new one.

        Raises StorageError if the folder cannot be read now.
        """
        cache = self.home.game(ident).cache(PURPOSE)
        cache_entry = cache.load()
        if cache_entry and Freshness(*cache_entry["fresh"]).is_valid(self._stamp(ident, place)):
            cached_line: Line = cache_entry["line"]
            return cached_line
        made_at, line = now(), make()
        if line.pop("passing", False):
            return line
        # compute the stamp last, because making a line can write what this machine saw into the
        # home
        moments = [line["deadline"], line["held_until"], made_at + DAY]
        fresh = Freshness(self._stamp(ident, place), made_at, moments)
        cache.save({"line": line, "fresh": fresh})
        return line

    def _stamp(self, ident: str, place: Place) -> Stamp:
        folder_fingerprint = self._fingerprints_ahead.pop(ident, "")
        if isinstance(folder_fingerprint, StorageError):
            raise folder_fingerprint
        return [self._keys, *stamp_of_game(self.home, ident, place, folder_fingerprint)]
