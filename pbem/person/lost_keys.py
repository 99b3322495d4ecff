"""Keys that this computer once had and no profile has now."""

from __future__ import annotations

from pbem.format.signed_file import split
from pbem.person.user_game import UserGame


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
