"""The orders of a seat that count now, and where handles of face-down cards come from."""

from __future__ import annotations

from collections.abc import Callable

from pbem.frozen import frozen
from pbem.records.charter_join_orders import Orders
from pbem.records.read_record import Record
from pbem.records.sealed_orders import OrderPlace

FindOrders = Callable[[bytes], Record[Orders]]
"""Finds the signed orders with this id. Raises RecordError if they are not here."""


@frozen
class OrdersInForce:
    """A seat's orders that count now, and the round in which their plain lines count."""

    record: Record[Orders]
    round: int


@frozen
class HandleOrigin:
    """Where a face-down card's handle comes from: a bracket in a line of orders, or the referee."""

    handle: bytes
    place: OrderPlace | None = None
    slot: int = 0
    bracket: int = 0
