"""Read an order file: make its rows, with their places in the file, and check them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import STOP
from pbem.drafts.checked_rows import MAX_ERRORS, Draft, Row, RowChecker
from pbem.drafts.order_file_toml import ALWAYS, Broken, Places, parse
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import (
    decisions_by_kind,
)
from pbem.text.encodings_and_unusual_characters import as_utf8
from pbem.text.handwritten_toml_within_limits import MAX_TEXT
from pbem.text.terminal_and_page_wording import TerminalText, to_type

HEADER = ("game", "answers", "seat")


def read_draft(text: str, view: View) -> Draft:
    """Read an order file, and check its rows against the seat's own view."""
    return _File(text, view).draft


class _File:
    """Reads an order file: makes rows with positions, and checks the rows."""

    def __init__(self, text: str, view: View) -> None:
        """Read a file; the result is ``draft``. Rows for another seat or turn are not checked."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.view, self.places = view, Places(text[:MAX_TEXT])
        self.draft = Draft()
        self.troubled: set[str] = set()
        try:
            document = parse(text)
        except Broken as broken:
            spot = self.places.spot_at(*broken.position) if broken.position else self.places.end
            self.draft.add(1, broken.sentence, broken.hint, spot)
            return
        # the lines of another seat name that seat's cards and pieces
        is_for_other_seat = self._header(document) != view.seat
        header_notes = list(self.draft.file_notes)
        always = document.pop(ALWAYS, {})
        self._rows(document, "")
        if isinstance(always, dict):
            self._rows(always, ALWAYS)
        else:
            self._note(
                3,
                "always must be a heading in brackets: [always]",
                "write [always] on a line of its own, and below it your standing orders, such as "
                "food = [...]",
                ALWAYS,
            )
        if self.draft.stale or is_for_other_seat:
            self.draft.file_notes = header_notes
        else:
            RowChecker(view, self.draft, self.troubled, self.places.end).run()

    def _header(self, document: dict[str, Any]) -> str:
        """Take the header's fields out of the document, and note which of them do not fit this
        view. Return the seat that the file names, if the game has it; else the view's."""
        view = self.view
        header_values = {}
        for key in HEADER:
            header_values[key] = value if isinstance(value := document.pop(key, ""), str) else ""
            if not isinstance(value, str):
                hint = f'put the value in quotes, as in {key} = "…"'
                self._note(3, f"the value of {key!r} has no quotes", hint, key)
        game, answers = (
            header_values["game"].split(" ")[-1].lower(),
            header_values["answers"].strip().lower(),
        )
        seat = header_values["seat"].strip().lower() or view.seat
        if game and not (len(game) >= 6 and view.game.startswith(game)):
            sentence = f"these orders are for game {game[:64]}, but this is game {view.game[:6]}"
            hint = to_type("go to that game's folder, or give its path with -C")
            self._note(10, sentence, hint, "game")
        elif answers and answers != answered_turn_name(view):
            self._note(11, *self._outdated(answers), "answers")
        if seat != view.seat:
            hint = f'write seat = "{view.seat}", or leave the line out'
            if seat in view.names:
                hint += TerminalText("[[; if seat {seat} is yours too, add --as {seat}]]").format(
                    seat=seat
                )
            sentence = f"these orders are for seat {seat[:20]}; you are in seat {view.seat}"
            self._note(12, sentence, hint, "seat")
        return seat if seat in view.names else view.seat

    def _outdated(self, answers: str) -> tuple[str, str]:
        """Return the sentence and the hint for orders that answer another turn, `3:0a1b2c`."""
        current_position = answered_turn_name(self.view)
        turn = answers.partition(":")[0]
        sentence = (
            f"these orders answer turn {answers[:40]}; the game is at turn {current_position}"
        )
        if turn.isdecimal() and len(turn) < 9 and int(turn) > self.view.turn:
            return (
                sentence,
                TerminalText(
                    "turn {turn} is not here yet: let the folder sync[[, or give the email that "
                    "contains this turn to `pbem receive`]]"
                ).format(turn=turn),
            )
        if turn == str(self.view.turn):
            clause = f"the draft was written for a different version of turn {turn}"
            return sentence, TerminalText("{clause}[[; `pbem orders` writes a new draft]]").format(
                clause=clause
            )
        return (
            sentence,
            (
                TerminalText(
                    "[[`pbem orders` writes a draft for this turn; ]]copy the lines that you still "
                    "want into the new draft"
                )
            ),
        )

    def _rows(self, document: dict[str, Any], table: str) -> None:
        """Add the lines of a table (empty: the top level) to the draft as rows; note unknown kinds,
        and values that are no list of strings."""
        ruleset = self.view.play.ruleset
        kinds = {kind.lower(): kind for kind in ruleset.kinds}
        kinds |= {STOP: STOP} if ruleset.stops else {}
        for key, value in document.items():
            if self.draft.unknown_kind_count >= MAX_ERRORS:
                self.draft.note_too_many_errors(self.places.end)
                return
            texts = [value] if isinstance(value, str) else value
            kind = kinds.get(key.lower())
            if kind is None:
                self._unknown_kind(key, list(kinds), table)
            elif isinstance(texts, list) and all(isinstance(text, str) for text in texts):
                self.draft.rows += [
                    Row(kind, text, bool(table), self.places.string(table, key, index))
                    for index, text in enumerate(texts)
                ]
            else:
                hint = f'write {kind} = ["one line", "another"]'
                self._note(3, f"the orders for {kind} are not lines in quotes", hint, key, table)
                self.troubled.add(kind)

    def _unknown_kind(self, key: str, kinds: Sequence[str], table: str) -> None:
        """Note a kind that the game does not have, with the most similar name. From now on, no
        question counts as unanswered."""
        from difflib import get_close_matches

        known_names = [*kinds, *(() if table else (*HEADER, ALWAYS))]
        close_matches = get_close_matches(key.lower(), known_names, 1)
        hint = (
            f"did you mean {close_matches[0]}?"
            if close_matches
            else f"the kinds are: {', '.join(kinds)}"
        )
        self._note(2, f'"{key[:60]}" is not a kind of order in this game', hint, key, table)
        # the text may have been meant for any kind that is asked
        self.troubled |= decisions_by_kind(self.view.table, self.view.seat).keys()

    def _note(self, code: int, sentence: str, hint: str, key: str, table: str = "") -> None:
        self.draft.add(code, sentence, hint, self.places.key(table, key))


def answers_this_turn(data: bytes, view: View) -> bool:
    """Return whether an order file answers the turn that is here, or names no turn."""
    try:
        document = parse(as_utf8(data).decode())
    except ValueError:
        return True  # `check` says what is wrong with it
    return str(document.get("answers", answered_turn_name(view))) == answered_turn_name(view)


def answered_turn_name(view: View) -> str:
    """Name the turn that orders answer, for people: its number and six digits of the head."""
    return f"{view.turn}:{view.published_head[:6]}"
