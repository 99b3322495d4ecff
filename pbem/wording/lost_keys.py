"""Missing keys in words: those lost on this computer; why somebody without a key can only watch."""

from __future__ import annotations

from typing import Final

from pbem.person.lost_keys import is_referee_key_lost, lost_seats
from pbem.person.seat_and_key_errors import (
    REFEREE_KEY_SENTENCE,
    co_dealer_import_hint,
    import_command,
    import_hint,
    missing_keys_sentence,
    spectator_sentence,
)
from pbem.person.user_game import UserGame
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_to_type import at_address
from pbem.text.terminal_and_page_wording import TerminalText, to_type

_IMPORT_COPY: Final = TerminalText("if you have a copy of the key[[: {command}||, import it]]")
_JOIN_AGAIN: Final = "without a copy, join again with your invite"
_JOIN_AGAIN_AND_TELL: Final = "without a copy, join again with your invite, and tell {referee}"
_NEW_KEY: Final = TerminalText("without a copy[[: {command}||, ask for a new key]]")
_NEW_KEY_AND_TELL: Final = TerminalText(
    "without a copy[[: {command}||, ask for a new key]], and tell {referee}"
)
_DEPUTY_TAKES_OVER: Final = (
    "without a copy, your deputy, {deputy}, can take over: tell {deputy}, and the players"
)
_GAME_STOPS: Final = "without a copy, this game cannot go on; tell the players"


def lost_key_lines(game: UserGame) -> list[str]:
    """Return sentences on the missing keys and what the user can still do; empty if no key was
    lost."""
    lines, import_line = list[str](), _IMPORT_COPY.format(command=import_command(game))
    if seats := lost_seats(game):
        has_host, has_begun = game.charter.automaton, bool(game.listing.reached)
        if has_begun:
            template: str = _NEW_KEY if has_host else _NEW_KEY_AND_TELL
        else:
            template = _JOIN_AGAIN if has_host else _JOIN_AGAIN_AND_TELL
        command = at_address(game.place, f"pbem notice key --lost --as {seats[0]}")
        referee = clean(game.game_folder.maker().name)
        remedy = template.format(command=command, referee=referee)
        lines += [missing_keys_sentence(game, seats), import_line, remedy]
    if is_referee_key_lost(game):
        deputy = "" if game.game_folder.deputy_since else game.charter.deputy
        template = _DEPUTY_TAKES_OVER if deputy else _GAME_STOPS
        lines += [REFEREE_KEY_SENTENCE, import_line, template.format(deputy=clean(deputy))]
    return lines


# ---- A person who can only watch

_IF_PLAYER: Final = TerminalText("{reason}[[; if you are a player here: {command}]]")


def watching_sentence(game: UserGame) -> str:
    """Return the sentence for a person who can only watch, once the game has begun."""
    reason = spectator_sentence(game)
    if game.has_handed_over():
        return reason
    sentence = _IF_PLAYER.format(reason=reason, command=import_hint(game))
    if co_dealer_hint := co_dealer_import_hint(game):
        sentence += to_type(f"; {co_dealer_hint}")
    if game.listing.final:
        return sentence
    command = at_address(game.place, "pbem notice key --lost --as SEAT")
    return sentence + to_type(f"; {_NEW_KEY.format(command=command)}")
