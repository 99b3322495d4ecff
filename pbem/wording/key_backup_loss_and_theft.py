"""Keys in words: that there are none, why to back one up, and what to do about one that is lost or
stolen."""

from __future__ import annotations

from typing import Final

from engine.counts_and_lists_in_prose import join_words
from pbem.judge.game_view import View
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.person.keyring import DEFAULT_PROFILE
from pbem.person.missing_seats_and_keys import (
    REFEREE_KEY_SENTENCE,
    co_dealer_import_hint,
    import_command,
    import_hint,
    is_referee_key_lost,
    lost_seats,
    missing_keys_sentence,
    spectator_sentence,
)
from pbem.person.session import Session
from pbem.person.user_game import UserGame
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import at_address
from pbem.text.terminal_and_page_wording import TerminalText, to_type
from pbem.wording.announced_acts import new_key_command

NO_KEYS_SENTENCE: Final = (
    "there are no keys yet; pbem makes a key when you first need one. To make a key now: pbem "
    "keys new"
)


_BACK_UP_REASON: Final = "with this key file and {place}, you can always continue"
BACK_UP_REASON: Final = _BACK_UP_REASON.format(place="the game folder")
_BACK_UP: Final = "BACK UP {path}: {reason}"


def back_up_key_line(session: Session, profile: str) -> str:
    """Tell the user to back up the key file of a profile."""
    reason = BACK_UP_REASON
    if session.place.is_remote:
        reason = _BACK_UP_REASON.format(place=f"the address {session.place}")
    return _BACK_UP.format(path=session.home.key_path(profile), reason=reason)


def back_up_reminder(session: Session, profile: str) -> list[str]:
    """Return the line on the backup of a profile's key, for somebody who begins a game; for the
    usual profile, only in the first game."""
    other_games = {*session.home.games()} - {session.game_folder.game.hex()}
    needs_backup = profile != DEFAULT_PROFILE or not other_games
    return [back_up_key_line(session, profile)] if needs_backup else []


# ---- A key that this computer lost

_IMPORT_COPY: Final = TerminalText("if you have a copy of the key[[: {command}||, import it]]")
_JOIN_AGAIN: Final = "without a copy, join again with your invite"
_JOIN_AGAIN_AND_TELL: Final = "without a copy, join again with your invite, and tell {referee}"
_NEW_KEY: Final = TerminalText("without a copy[[: {command}||, ask for a new key]]")
_NEW_KEY_AND_TELL: Final = TerminalText(
    "without a copy[[: {command}; then||, ask for a new key, and]] tell {referee}"
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

_IF_PLAYER: Final = TerminalText("{reason}[[; if you are a player here: {import_hint}]]")


def watching_sentence(game: UserGame) -> str:
    """Return the sentence for a person who can only watch, once the game has begun."""
    reason = spectator_sentence(game)
    if game.has_handed_over():
        return reason
    sentence = _IF_PLAYER.format(reason=reason, import_hint=import_hint(game))
    if co_dealer_hint := co_dealer_import_hint(game):
        sentence += to_type(f"; {co_dealer_hint}")
    if game.listing.final:
        return sentence
    command = at_address(game.place, "pbem notice key --lost --as SEAT")
    return sentence + to_type(f"; {_NEW_KEY.format(command=command)}")


# ---- A key that somebody else may have

_ONLY_RECOVERY_KEY: Final = (
    "you have the recovery key of seat {seat}, but not its key. If that key is lost, or "
    "somebody else has changed it, type {new_key_command}: then only your new key counts"
)
_FOREIGN_NOTICES: Final = (
    "your key signed {notices}, but not on this computer. If you did not sign this on another "
    "computer, somebody else has your key. To get a new key: {new_key_command}"
)


def lines_on_theft(session: Session, view: View) -> list[str]:
    """Return a line for each seat whose key somebody else may have: a notice in the seat's name was
    not signed on this computer, or only the recovery key is here. The line says what to do."""
    lines, publics, roles = [], session.keyring.publics, session.roles
    own_seats = roles.seats.keys() - roles.referee_seats
    # Another seat may name the same recovery key.
    safe_keys = {session.roster[seat].recovery for seat in own_seats}
    for seat, join in session.roster.items() if not view.is_over else ():
        recovery_profile = next((p for p, key in publics.items() if key == join.recovery), "")
        joins_with_key = [one for one in session.roster.values() if one.recovery == join.recovery]
        named_seat = seat if len(joins_with_key) > 1 else ""
        command = (
            new_key_command(recovery_profile, named_seat) if recovery_profile else "pbem notice key"
        )
        command = at_address(session.place, command)
        if seat not in own_seats and recovery_profile and join.recovery not in safe_keys:
            lines.append(_ONLY_RECOVERY_KEY.format(seat=seat, new_key_command=command))
        elif seat in own_seats and session.listing.notices:
            counted = {one.id for one in session.game_folder.standing.applied_notices}
            unlisted_records = [
                r
                for r in unlisted_notices(session.game_folder, counted)
                if r.signed.key == join.key
            ]
            signed = session.game_home.receipts.times()
            foreign_records = [
                r for r in unlisted_records if r.content.seat == seat and r.id.hex() not in signed
            ]
            if foreign_records:
                notices = join_words(f"{r.content.about} {r.id.hex()[:6]}" for r in foreign_records)
                lines.append(_FOREIGN_NOTICES.format(notices=notices, new_key_command=command))
    return lines
