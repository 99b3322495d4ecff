"""Own orders that no turn counts: the fate of each."""

from __future__ import annotations

from pbem.judge.game_view import View
from pbem.judge.order_fates import (
    ListedSet,
    OrderFate,
    OrderHistory,
    OrdersHeader,
    fate_of,
    fates_of_gone_orders,
    headers_of_seat,
    make_history,
    orders_header,
)
from pbem.judge.records_of_game_folder import rank_of_file
from pbem.person.session import Session

MAX_ORDERS_NAMED = 3
"""The most orders that are named in a warning; the newest are named."""


def order_history(session: Session, view: View) -> OrderHistory:
    """Return the history of the published turns, from a view."""
    published = view.published
    return make_history(
        heads=view.heads[: published + 1],
        dates=view.times[:published],
        log_lengths=view.log_lengths[:published],
        listed_sets={ident: ListedSet(*row) for ident, row in view.listed_orders.items()},
        find=session.game_folder.orders_with_id,
        maker=session.game_folder.maker,
        is_over=view.is_over,
    )


def unlisted_orders(session: Session, view: View, seat: str) -> list[OrderFate]:
    """Return the fates of the newest uncounted orders of one of your seats that no turn lists; also
    of those that you sealed here and whose file is gone."""
    receipts, turns = session.game_home.receipts, order_history(session, view)
    sealing_times, own_sets = receipts.times(), headers_of_seat(receipts.paths(), seat)
    listed_digits = {
        ident[:6] for ident, orders in turns.listed_sets.items() if orders.seat == seat
    }
    own_digits = {ident[:6] for ident in own_sets if ident not in turns.listed_sets}
    sets_here, fates = list[OrdersHeader](), list[OrderFate]()
    own_files = (file for file in session.listing.orders if file.name.seat == seat)
    for file in sorted(own_files, key=rank_of_file):
        # whoever can choose what they sign finds other orders with the same six digits
        is_own_file, is_listed = (
            file.name.short_id in digits for digits in (own_digits, listed_digits)
        )
        if is_listed and not is_own_file:
            continue
        if turns.settling_turn(file.name.turn) and (len(fates) < MAX_ORDERS_NAMED or is_own_file):
            for record in session.game_folder.orders_signed_by(file, session.public_of(seat)):
                orders = orders_header(record)
                if orders.id in turns.listed_sets:
                    continue
                sets_here.append(orders)
                fate = fate_of(orders, turns, sealing_times)
                fates += [fate] if fate.is_uncounted else []
    ids = {orders.id for orders in sets_here} | turns.listed_sets.keys()
    if gone_sets := [orders for ident, orders in own_sets.items() if ident not in ids]:
        sets_here += turns.sets(
            ident for ident, orders in turns.listed_sets.items() if orders.seat == seat
        )
    fates += fates_of_gone_orders(gone_sets, sets_here, turns, sealing_times)
    return sorted(fates, key=lambda fate: fate.orders.rank)[:MAX_ORDERS_NAMED]
