"""Print the events of `pbem run`, one line for each, as a sentence or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from pbem.terminal.clean_text import clean
from pbem.terminal.command_failures import bug_sentence, sentence_of
from pbem.terminal.commands_and_paths_to_type import with_tilde
from pbem.text.clock import now


class Log:
    """Prints events. A problem that lasts is printed only once."""

    def __init__(self, as_json: bool = False, write: Callable[[str], None] | None = None) -> None:
        """`write` writes a line; without it, the line is printed with the time before it."""
        self.as_json, self._write = as_json, write or _print_with_time
        self._going_on: dict[str, str] = {}
        """For each thing that is wrong, or was noted: the last sentence about it."""
        self._troubles: set[str] = set()
        """The mail servers that cannot be used now, by their keys."""
        self._bugs: dict[str, str] = {}
        """The sentence about each error, by subject and error."""
        self._new_troubles: list[str] = []
        """The short sentences about what has gone wrong since `new_troubles` was called."""
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

    def why(self, subject: str, error: Exception) -> str:
        """Return the sentence about an error with this subject; the details of a bug are written
        only once."""
        bug = f"{subject} {error!r}"
        if bug not in self._bugs:
            self._bugs[bug] = sentence_of(error) or bug_sentence(error)
        return self._bugs[bug]

    def trouble(
        self,
        key: str,
        sentence: str,
        short_sentence: str,
        hint: str = "",
        *,
        is_server_trouble: bool = False,
    ) -> None:
        """Print what is wrong with one thing, unless the last message about that thing said the
        same.

        `key` names the thing. `short_sentence` is the text of a notification, which strangers may
        read, so it has no addresses, no paths and nothing that a server said. With
        `is_server_trouble`, a mail server cannot be used, so it is contacted less often.
        """
        self.failed = True
        if is_server_trouble:
            self._troubles.add(key)
        if self._going_on.get(key) == sentence:
            return
        self._going_on[key] = sentence
        self._new_troubles.append(short_sentence)
        line = with_tilde(f"error: {sentence}" + (f" (try: {hint})" if hint else ""))
        self.say("trouble", line, about=key)

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
        sentences, self._new_troubles = self._new_troubles, []
        return list(dict.fromkeys(sentences))

    @property
    def no_server(self) -> bool:
        """Return whether a mail server cannot be used at the moment."""
        return bool(self._troubles)


def _print_with_time(line: str) -> None:
    print(f"{datetime.fromtimestamp(now()):%m-%d %H:%M} {line}", flush=True)
