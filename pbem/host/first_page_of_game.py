"""The first page of a game in a browser (`/g/DIGITS/play`): what everybody may know of the game.

The page is `index.html` of the site, with a summary of the game in it. So somebody with an invite
reads who plays, and how, while the program is on its way. The summary follows from public records
alone; the invite stands behind the `#` of the link, which no browser sends.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from contextlib import suppress
from typing import Final

from markupsafe import Markup

from pbem.drawing.table import draw, icons_of, sprite
from pbem.format.record_error import RecordError
from pbem.host.kept_games import Game, Games
from pbem.host.page_rendering import render_text
from pbem.host.record_gate import MissingGame
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.records_of_game_folder import Archive, open_folder
from pbem.wording.deadlines_and_absences import deadline_line
from pbem.wording.game_to_join import describe_charter, invitation_line, seat_of_invite_line
from pbem.wording.how_to_play import first_parts_of

MAX_KEPT_PAGES: Final = 64
"""How many pages are kept; each is made once for each list of its game's files."""
PREVIEWER_PATTERN: Final = re.compile(
    r"bot\b|bot/|preview|crawler|spider|facebookexternalhit|embedly|whatsapp/|skypeuri|slack",
    re.IGNORECASE,
)
"""What the programs call themselves that fetch a link in a chat to show a preview of it."""
MAX_KEPT_READERS: Final = 16
"""For how many games the table is kept, so that only new turns are read."""
DRAWING_LOCKS: Final = 16
"""How many pages are drawn at the same time, at most; those of one game never are."""
MAX_UNREAD_TURNS: Final = 500
"""The most turns that are read to draw a table; a longer game is shown without it."""
TABLE_WIDTH: Final = 390.0
"""The width of the drawn table, in CSS pixels: that of a phone."""
PLACE_FOR_SUMMARY: Final = "<!-- summary -->"
"""The comment in `index.html` that the summary replaces."""


def is_previewer(user_agent: str) -> bool:
    """Return whether a program asks that shows previews of links: it gets no names."""
    return PREVIEWER_PATTERN.search(user_agent) is not None


class ArrivalPages:
    """The first pages of the games that were asked for last."""

    def __init__(self, games: Games, index_html: str) -> None:
        """`index_html`: the page of the site, whose files have relative addresses."""
        self.games = games
        # the page of a game is two folders below the site
        self._frame = re.sub(r'\b(href|src)="(?=[a-z])', r'\1="../../', index_html)
        self._pages = OrderedDict[tuple[str, str], str]()
        self._readers = OrderedDict[str, PublicReader]()
        self._lock = threading.Lock()
        self._drawing_locks = [threading.Lock() for _ in range(DRAWING_LOCKS)]

    def without_summary(self) -> str:
        """Return the page for a program that shows previews of links."""
        return self._frame

    def page(self, game: Game) -> str:
        """Return the page with the summary of a game, written once for each state of its files.
        Raises MissingGame, NoGameError, FileError,
        StorageError."""
        files = game.tagged_list()
        if files is None:
            raise MissingGame
        key = game.name, files[0]
        with self._lock:
            if page := self._pages.get(key):
                self._pages.move_to_end(key)
                return page
        # many may ask at once, such as a chat's members: one draws the page, the others wait for it
        with self._drawing_locks[hash(game.name) % DRAWING_LOCKS]:
            with self._lock:
                if page := self._pages.get(key):
                    return page
            page = self._frame.replace(PLACE_FOR_SUMMARY, self._summary(game))
            with self._lock:
                self._pages[key] = page
                while len(self._pages) > MAX_KEPT_PAGES:
                    self._pages.popitem(last=False)
            return page

    def _summary(self, game: Game) -> str:
        """Return the HTML on a game: before turn 1 an invitation and how the game is played, later
        the table and whom the game waits for."""
        folder = self.games.folder(game.name)  # so that reading many turns stops nobody else
        game_folder = open_folder(folder, folder.scan())
        charter, listing = game_folder.charter.content, game_folder.listing
        joined_seats = {file.name.seat for file in listing.joins} | charter.held_seats
        free_plans = [plan for plan in charter.seats if plan.seat not in joined_seats]
        table = ""
        if listing.reached:
            with suppress(RecordError):  # the host takes games whose rules are not installed here
                table = self._table(game.name, game_folder)
        return render_text(
            "arrival.html",
            title=charter.title,
            invitation=invitation_line(charter),
            lines=[*describe_charter(charter), deadline_line(charter.policies)],
            players=[plan.name for plan in charter.seats],
            free_seats=[(plan.seat, plan.name, seat_of_invite_line(plan)) for plan in free_plans],
            turn=listing.reached,
            is_over=listing.final is not None,
            waits_for=game.say_awaited() if listing.reached else "",
            table=Markup(table),
            chapters=[] if listing.reached else first_parts_of(charter),
        )

    def _table(self, name: str, game_folder: Archive) -> str:
        """Return a drawing of the table as everybody knows it; empty if too many turns would have
        to be read. Raises FileError, RecordError, StorageError."""
        with self._lock:
            # two requests never share a reader; one that stops halfway is not used again
            reader = self._readers.pop(name, None) or PublicReader(game_folder.charter)
        if game_folder.listing.reached - reader.chain.turn > MAX_UNREAD_TURNS:
            return ""
        finder = game_folder.finder(reader.chain.may_sign_orders)
        for turn in game_folder.turns(reader.chain.turn):
            game_folder.joins_of(turn.content)
            reader.absorb(turn, finder)
        with self._lock:
            self._readers[name] = reader
            while len(self._readers) > MAX_KEPT_READERS:
                self._readers.popitem(last=False)
        ruleset = reader.public.game.ruleset
        icons = icons_of(ruleset)
        scene = ruleset.scene(reader.public.state)
        return sprite(icons) + draw(scene, icons, reader.chain.standing.names, width=TABLE_WIDTH)
