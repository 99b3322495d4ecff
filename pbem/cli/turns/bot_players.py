"""Bots in seats that the referee holds: they answer before the others see a turn."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.checking.seat_reader import SeatReader
    from pbem.play.making.outcome import Outcome


def bots_answer(session: Session, outcome: Outcome) -> bool:
    """Let the bots among the missing seats send their orders; return whether any did."""
    plans = {plan.seat: plan.bot for plan in session.game_folder.charter.content.seats}
    sent = False
    for seat in outcome.first:
        if plans.get(seat):
            send_bot_orders(session, seat, plans[seat])
            sent = True
    return sent


def send_bot_orders(session: Session, seat: str, bot: str) -> None:
    """Let a bot read its seat's own table, and seal its orders as a person would."""
    from pbem.cli.orders.seal_orders import send

    reader = session.reader_now(seat)
    send(session, reader, seat, bot_texts(reader, bot))


def bot_texts(reader: SeatReader, bot: str) -> list[str]:
    """The lines of a bot; its random choices depend on the position, so they can be repeated."""
    from engine.bots import make_bot
    from pbem.play.making.bot_orders import bot_lines

    chance = Random(f"{reader.game.hex()} {reader.seat} {reader.turn}")
    return bot_lines(reader, make_bot(reader.public.game.ruleset, bot, chance))
