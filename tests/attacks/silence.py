"""Players who stay silent."""

HOURLY = {"deadline": "1h"}


def all_but(seat):
    return lambda player: None if player.seat == seat else player.lines()


def missed_turns(game, seat):
    return [turn.content.turn for turn in game.turns if seat in turn.content.silent]
