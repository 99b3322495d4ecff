"""The small game of the protocol's vectors as files to be sent, and what others would send."""

import io
import zipfile

from pbem.format.mail_block import encode
from tests.kit.record_files import resigned
from tests.kit.sample_records import sample

_GAME = sample()
GAME = _GAME.game.hex()
ALL = {name: record.file for name, record in _GAME.records.items()}
SHORT = [name for name in ALL if name.startswith(("game", "seats"))]
"""Those that make a short mail."""
FILES = [ALL[name] for name in SHORT]
BUNDLE = "A pbem bundle: savannah\n\n" + encode(FILES)


def another_turn() -> bytes:
    """A second turn 2 by the referee."""
    return resigned(_GAME.turn2, _GAME.ann, time=_GAME.turn2.content.time + 1).file


def zip_file(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()
