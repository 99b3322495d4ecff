"""The id of a game, and the heads of its chain of turns (protocol §5, §6)."""

from __future__ import annotations

from pbem.format import protocol_labels
from pbem.format.hashes_and_streams import th


def game_id(charter_body: bytes) -> bytes:
    """Compute the game's id: TH("game", body of the charter)."""
    return th(protocol_labels.GAME, charter_body)


def first_head(game: bytes) -> bytes:
    """Compute head_0, on which joins and turn 1 build."""
    return _head(game)


def next_head(head: bytes, turn_id: bytes) -> bytes:
    """Compute head_k, from head_{k-1} and the id of turn k."""
    return _head(head, turn_id)


def _head(*parts: bytes) -> bytes:
    return th(protocol_labels.HEAD, *parts)
