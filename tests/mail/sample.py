"""The small game of the protocol's vectors as files to be sent, and what others would send."""

import io
import zipfile
from dataclasses import replace

from pbem.format.keys import SigningKey
from pbem.format.mail_block import encode
from pbem.records.read_and_sign_record import make
from tests.kit.record_files import resigned
from tests.kit.sample_records import sample

_GAME = sample()
GAME = _GAME.game.hex()
ALL = {name: record.file for name, record in _GAME.records.items()}
SHORT = [name for name in ALL if name.startswith(("game", "seats"))]
"""Those that make a short mail."""
FILES = [ALL[name] for name in SHORT]
BUNDLE = "A pbem bundle: savannah\n\n" + encode(FILES)
_STRANGER = SigningKey(b"\x0f" * 32)


def orders_by_a_stranger() -> bytes:
    """Right in all but the key."""
    return resigned(_GAME.orders2, _STRANGER).file


def join_by_a_stranger() -> bytes:
    return resigned(_GAME.join_b, _STRANGER, key=_STRANGER.public).file


def another_turn() -> bytes:
    """A second turn 2 by the referee."""
    return resigned(_GAME.turn2, _GAME.ann, time=_GAME.turn2.content.time + 1).file


def late_orders() -> bytes:
    """A third set of Bo's for turn 1, which is over."""
    return resigned(_GAME.orders2, _GAME.bo, revision=3).file


def forked_orders() -> bytes:
    """Orders of Bo's that answer a turn nobody else has."""
    content = replace(_GAME.orders2.content, turn=2, prev=bytes(32))
    return make(content, _GAME.bo).file


def zip_file(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()
