"""Let bots play the referee's seats; they answer before other players see a turn."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.checking.seat_reader import SeatReader
    from pbem.play.making.outcome import Outcome


def bots_answer(session: Session, outcome: Outcome) -> bool:
    """Let the missing seats that are played by bots send orders; return whether any did."""
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


def bot_texts(reader: SeatReader, bot: str, whole: bool = False) -> list[str]:
    """Return the order lines of a bot; its random choices depend only on the position, so they can
    be repeated.

    With `whole`, the lines also answer what may be asked later in the round.
    """
    from engine.bots import make_bot
    from pbem.play.making.bot_orders import bot_lines, whole_round

    chance = Random(f"{reader.game.hex()} {reader.seat} {reader.turn}")
    made = make_bot(reader.public.game.ruleset, bot, chance)
    return whole_round(reader, made) if whole else bot_lines(reader, made)
