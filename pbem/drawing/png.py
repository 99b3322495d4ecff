"""Turn a picture into PNG, for programs that do not show SVG, such as most mail programs.

The picture has the same pixels on every computer: its text is in the fonts of `fonts/`, never in
those of the system.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Final

FAMILY: Final = "DejaVu Sans"
FONTS: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_FAMILIES = re.compile(r"font-family:[^;}]*")


@lru_cache(4)
def png(svg: str, zoom: float = 2) -> bytes:
    """Draw an SVG picture with `zoom` pixels for each of its own."""
    from resvg_py import svg_to_bytes

    plain = _FAMILIES.sub(f'font-family: "{FAMILY}"', svg)  # resvg draws no text in system-ui
    with ExitStack() as stack:
        folder = files("pbem.drawing") / "fonts"
        fonts = [str(stack.enter_context(as_file(folder / name))) for name in FONTS]
        return svg_to_bytes(
            svg_string=plain, zoom=zoom, font_files=fonts, skip_system_fonts=True,
            font_family=FAMILY, sans_serif_family=FAMILY,
        )  # fmt: skip
