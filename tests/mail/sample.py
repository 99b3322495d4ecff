"""The small game of the protocol's vectors, as files to be sent."""

from pathlib import Path

from pbem.format.mailblock import encode

ROOT = Path(__file__).parents[1] / "vectors" / "sample"
NAMES = sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.toml"))
ALL = {name: (ROOT / name).read_bytes() for name in NAMES}
SHORT = ["game.toml", "seats/a-fa1f32.toml", "seats/b-873626.toml", "final.toml"]
"""Those that make a short mail."""
FILES = [ALL[name] for name in SHORT]
BUNDLE = "A pbem bundle: sample\n\n" + encode(FILES)
