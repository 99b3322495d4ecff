"""The page that replays a game: it has all steps in it, and loads nothing."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from html import escape
from pkgutil import get_data
from string import Template

from pbem.drawing.svg import stylesheet
from pbem.judge.game_view import View
from pbem.judge.read_and_make_messages import Message
from pbem.records.twelve_words import words_of
from pbem.replay.steps import History, Steps
from pbem.terminal.clean_text import clean

DOCTYPE = "<!doctype html>\n"
"""The first characters of every page."""


def replay_page(
    view: View,
    turns: range,
    description: str,
    end_sentences: list[str],
    messages: Sequence[Message] = (),
) -> str:
    """Return the replay page for these turns of a view, as HTML.

    `description` is a sentence on what the page shows; `end_sentences` say who won, if the game is
    over; `messages` are those that this viewpoint may read.
    """
    steps = Steps(History.of_view(view, None), turns, messages)
    style, script = styles() + _text("replay.css"), player_script() + _text("replay.js")
    heads = {turn: " ".join(words_of(bytes.fromhex(view.heads[turn]))) for turn in turns}
    data = steps.data() | {"words": heads, "end": end_sentences}
    # in letters and digits, so that no text in it can be markup
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
    return Template(_text("page.html")).substitute(
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        title=escape(clean(view.title)),
        about=escape(description),
        style=style,
        player=player_bar(),
        symbols=steps.icons.symbols(),
        data=packed,
        script=script,
    )


def styles() -> str:
    """Return the style sheet of a page with a board: its pictures, and the player."""
    return stylesheet() + _text("player.css")


def player_script() -> str:
    """Return the script that shows steps on a board."""
    return _text("player.js")


def player_bar() -> str:
    """Return the buttons of the player, and the place where it says what happened, as HTML."""
    return _text("player.html")


def _text(name: str) -> str:
    data = get_data("pbem.replay", name)
    assert data is not None
    return data.decode("utf-8")


def _hash(text: str) -> str:
    """A Content-Security-Policy allows the style sheet or script with this hash, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
