"""Readers that absorb turns, or refuse one."""

import pytest

from pbem.format.record_error import RecordError
from pbem.records.read_and_sign_record import make


def read_turns(game, turns, reader=None):
    return game.read(reader or game.table_at(0), turns)


def refusal_of_turn(game, reader, turn, joins=None):
    find = game.finder._replace(joins=lambda: joins or game.joins_by_id)
    with pytest.raises(RecordError) as caught:
        reader.absorb(make(turn, game.referee), find)
    return caught.value.reason, caught.value.sentence
