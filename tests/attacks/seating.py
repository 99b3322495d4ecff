"""Joins for one seat, and whom the referee seats."""

from pbem.judge.next_turn import Advance
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions
from pbem.judge.which_joins_count import claim_of, seat_players
from tests.kit.played_games import REFEREE, START, played_key
from tests.kit.record_files import archive_of

EVE = played_key("Eve")


def choose_joins(game, joins, **words):
    secrets = secrets_of(game.game_folder, game.referee)
    claims = [claim_of(game.charter, record, secrets.audit) for record in joins]
    return seat_players(game.charter.content, claims, **words)


def second_join(game, seat="b", key=EVE, name="Bo"):
    code = game.invite_code(seat)
    return game.join_by(seat, name, key, code)


def put_join(game, record):
    path = game.root / "seats" / f"{record.content.seat}-{record.id.hex()[:6]}.toml"
    path.write_bytes(record.file)
    return record


def advance_with(game, **wishes):
    game_folder = archive_of(game.root)
    return Advance(game_folder, played_key(REFEREE), START, AdvanceOptions(**wishes)).run()
