"""Write the table of a view as one SVG file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.pictures.write_picture import write_picture
from pbem.screen.terminal import brief

if TYPE_CHECKING:
    from engine import Scene
    from pbem.play.view import View
    from pbem.storage.folder import SharedFolder

BEGINS = '<svg xmlns="http://www.w3.org/2000/svg" class="pb"'
"""The first characters of every picture that pbem writes."""


def show_svg(
    view: View, scene: Scene, title: str, width: int, file: Path, folder: SharedFolder
) -> None:
    """Write the picture to the file, or print it if the file is `-`; then say where it is.

    Raises CliError if a file with other contents has this name, StorageError if writing fails.
    """
    from pbem.drawing.table import draw, icons_of

    icons = icons_of(view.play.ruleset)
    text = draw(scene, icons, view.names, view.seat, width=width, title=title, alone=True)
    if str(file) == "-":
        sys.stdout.write(text + "\n")
        return
    size = write_picture(file, text, BEGINS, view, folder)
    print(f"wrote {brief(file)} ({-(-size // 1000)} kB)")
