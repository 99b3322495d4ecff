"""Missing seats and keys: the keys that this computer once had and no profile has now; errors,
hints and sentences for somebody who has no seat or no key here."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pbem.errors import KEY, STALE, CliError
from pbem.format.signed_file import split
from pbem.person.keyring import CO_DEALER_PROFILE, DEFAULT_PROFILE
from pbem.person.user_game import UserGame
from pbem.terminal.clean_text import clean
from pbem.text.names_and_email_addresses import is_name_of_host
from pbem.text.terminal_and_page_wording import to_type


def lost_seats(game: UserGame) -> list[str]:
    """Return the seats that were joined or played on this computer with a key that no profile has
    now."""
    receipt_ids = game.game_home.receipts.times().keys()
    if not receipt_ids:
        return []
    short_ids = {order_id[:6] for order_id in receipt_ids}
    seats = {order.name.seat for order in game.listing.orders if order.name.short_id in short_ids}
    joins, first_joins = game.game_folder.joins(), game.first_joins
    seated_ids = {*joins} if first_joins is None else set(first_joins.values())
    seats |= {joins[i].content.seat for i in seated_ids & joins.keys() if i.hex() in receipt_ids}
    # one of your keys may have joined a seat without getting it
    user_keys = set(game.keyring.publics.values())
    seats -= {join.content.seat for join in joins.values() if join.content.key in user_keys}
    # the player who has a seat by mail now has the key
    return sorted(seats - game.roles.seats.keys() - {*game.charter.by_mail})


def is_referee_key_lost(game: UserGame) -> bool:
    """Return whether the key that makes the turns made some on this computer, and no profile has it
    now."""
    last_record = None if game.roles.referee else game.game_home.signed.last_record()
    if last_record is None:
        return False
    return split(last_record.file).key == game.game_folder.maker().key


# ---- Errors, hints and sentences

REFEREE_KEY_SENTENCE: Final = (
    "the referee's key is missing: you made turns with it on this computer, and no profile has it "
    "now"
)


def import_command(game: UserGame) -> str:
    """Return the command that imports a key again; it uses a second name if the usual one is
    taken."""
    if DEFAULT_PROFILE in game.home.profiles():
        return to_type("pbem keys import FILE --profile copy")
    return to_type("pbem keys import FILE")


def import_hint(game: UserGame) -> str:
    """Return the command that imports a key again, and what to type for FILE."""
    return to_type(f"{import_command(game)} (FILE is your copy of the key file)")


def co_dealer_import_hint(game: UserGame) -> str:
    """Return the command with which a co-dealer of the game imports the key of a co-dealer again;
    empty if the game has none but hosts."""
    names = [clean(d.name) for d in game.charter.dealers if not is_name_of_host(d.name)]
    if not names:
        return ""
    return to_type(
        f"if you are {' or '.join(names)}: pbem keys import FILE --profile {CO_DEALER_PROFILE} "
        "(FILE is your copy of the key file)"
    )


def missing_keys_sentence(game: UserGame, seats: Collection[str]) -> str:
    """Return the sentence that names the seats whose keys are missing."""
    names = ", ".join(f"{seat} ({clean(game.name_of(seat))})" for seat in seats)
    if len(seats) == 1:
        return (
            f"the key of seat {names} is missing: you played with it on this computer, but no "
            "profile has it"
        )
    return (
        f"the keys of seats {names} are missing: you played with them on this computer, but no "
        "profile has them"
    )


def spectator_sentence(game: UserGame) -> str:
    """Return the sentence that says why the user can only watch, once the game has begun."""
    if game.has_handed_over():
        maker, deputy_since = clean(game.game_folder.maker().name), game.game_folder.deputy_since
        return f"{maker} has made the turns since turn {deputy_since}, so you can only watch"
    if game.home.profiles():
        return "you have no key for a seat in this game, so you can only watch"
    return "you have no key on this computer, so you can only watch"


def not_your_seat_error(game: UserGame, seat: str, user_seats: Collection[str]) -> CliError:
    """Return the error for a `--as SEAT` that is not your seat."""
    if seat in lost_seats(game):
        return CliError(missing_keys_sentence(game, [seat]), import_hint(game), KEY)
    sentence = f"seat {seat} is not yours here"
    if user_seats:
        clause = "which is your seat" if len(user_seats) == 1 else "which are your seats"
        options = to_type(" or ".join(f"--as {user_seat}" for user_seat in user_seats))
        return CliError(sentence, options + to_type(f", {clause} here"))
    if game.listing.reached:
        hint = f"if the seat is yours, import its key: {import_hint(game)}"
        return CliError(sentence, to_type(hint))
    hint = "you have no seat here: join with the invite that the referee sent you"
    return CliError(sentence, hint)


def no_seat_error() -> CliError:
    """Return the error for somebody without a seat who can still get one by an invite."""
    hint = to_type("pbem join --invite …, with the invite that the referee sent you")
    return CliError("you have no seat in this game", hint, KEY)


def game_begun_error(game: UserGame, seat: str) -> CliError:
    """Return the error for somebody who wants to join after the game has begun."""
    if seat in lost_seats(game):
        hint = to_type(f"{import_hint(game)}; without a copy: pbem notice key --lost --as {seat}")
        sentence = f"the game has begun, and {missing_keys_sentence(game, [seat])}"
        return CliError(sentence, hint, STALE)
    if seat not in (game.first_joins or {}):
        return CliError("the game has begun; seats can no longer be taken", "", STALE)
    sentence = f"the game has begun, and {clean(game.name_of(seat))} has seat {seat}"
    hint = to_type(f"if that is you: {import_hint(game)}")
    return CliError(f"{sentence}; seats can no longer be taken", hint, STALE)
