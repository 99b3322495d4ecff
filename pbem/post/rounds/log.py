"""Print what `pbem run` does, one line for each event, as a sentence or as JSON."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from pbem.screen.terminal import clean


class Log:
    """Prints events. A problem that lasts is printed only once."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json
        self._going_on: dict[str, str] = {}
        self._troubles: set[str] = set()
        self._new_troubles: list[str] = []
        self.failed = False
        """Whether anything has gone wrong in this run."""

    def say(self, event: str, sentence: str, game: str = "", **data: Any) -> None:
        """Print one event: a word for programs, a sentence for people, and the game's title."""
        from pbem.cli.clock import now

        if self.as_json:
            row = {"time": now(), "event": event, "text": sentence, "game": game, **data}
            print(json.dumps(row, sort_keys=True), flush=True)
            return
        when = datetime.fromtimestamp(now()).strftime("%m-%d %H:%M")
        title = f"{clean(game)}: " if game else ""
        print(f"{when} {title}{clean(sentence)}", flush=True)

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
        told = f"error: {sentence}" + (f" (try: {hint})" if hint else "")
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
