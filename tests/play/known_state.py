"""What a reader knows, in a form that can be compared."""

import json
from typing import Any

from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.seat_turn_reader import SeatReader


def read_back(state: Any) -> Any:
    """What another process reads of it."""
    return json.loads(json.dumps(state))


def comparable(value: Any) -> Any:
    """Everything that an object holds, as far as `==` can compare it."""
    if isinstance(value, dict):
        return {key: comparable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [comparable(one) for one in value]
    name = type(value).__name__
    if name == "Secrets" or callable(value):
        return name
    if name == "UnsealedOrders":
        return [value.place, list(value.texts)]
    if hasattr(value, "__dict__") and not name.startswith(("Ruleset", "Game")):
        return {key: comparable(one) for key, one in vars(value).items()}
    return value


def known_state(reader: PublicReader) -> dict[str, Any]:
    """What a reader knows; lines of orders that no longer count may be forgotten."""
    found = {
        key: value
        for key, value in vars(reader).items()
        if key
        not in ("table", "seat_table", "chain", "absence", "unheard_seats", "cards", "seat_cards")
    }
    found["chain"] = {k: v for k, v in vars(reader.chain).items() if k != "standing"}
    counts = {force.record.id for force in reader.in_force.values()}
    cards = reader.cards
    found["opened_lines"] = {o: lines for o, lines in cards.opened_lines.items() if o in counts}
    found["spent_lines"] = {one for one in cards.spent_lines if one[0] in counts}
    for name in ("handle_origins", "used_handles", "chance"):
        found[name] = getattr(cards, name)
    if isinstance(reader, SeatReader):
        found["passed"] = reader.seat_cards._skipped_deals
    return {key: comparable(value) for key, value in found.items()}
