"""Write the replay page: steps, pictures, style and script in one file that loads nothing."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from html import escape
from pkgutil import get_data
from string import Template
from typing import Any

from pbem.drawing.stylesheet import stylesheet
from pbem.play.press.read_messages import Message
from pbem.play.view import View
from pbem.records.chain import words_of
from pbem.replay.steps import Steps, seats_of
from pbem.screen.terminal import clean

BEGINS = "<!doctype html>\n"
"""The first characters of every page."""


def replay_page(
    view: View, turns: range, about: str, end: list[str], messages: Sequence[Message] = ()
) -> str:
    """Return the replay page for these turns of a view, as HTML.

    `about` is a sentence on what the page shows; `end` says who won, if the game is over;
    `messages` are those that this viewpoint may read.
    """
    steps = Steps(view, turns, messages)
    heads = {turn: " ".join(words_of(bytes.fromhex(view.heads[turn]))) for turn in turns}
    data = {
        "steps": steps.steps,
        "pictures": steps.pictures.drawn,
        "seats": seats_of(view),
        "words": heads,
        "end": end,
    }
    style, script = stylesheet() + _text("replay.css"), _text("replay.js")
    return Template(_text("page.html")).substitute(
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        title=escape(clean(view.title)),
        about=escape(about),
        style=style,
        symbols=steps.pictures.icons.symbols(),
        data=_packed(data),
        script=script,
    )


def _text(name: str) -> str:
    found = get_data("pbem.replay", name)
    assert found is not None
    return found.decode("utf-8")


def _packed(data: Any) -> str:
    """Pack data as compressed JSON in letters and digits, so that no text in it can be markup."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def _hash(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows this style sheet or script, and no
    other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
