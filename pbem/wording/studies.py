"""Studies in words: how far one is, and how to go on."""

from __future__ import annotations

from typing import Final

_GO_ON_FROM_FILE: Final = (
    "{done} of {total} games have been played; to continue: pbem sim --from {path} --save {path}"
)
_GO_ON_FROM_OUTPUT: Final = (
    "{done} of {total} games have been played; to continue, save this output to a file, then run "
    "`pbem sim --from` with that file"
)
_SAVE_NEXT_TIME: Final = (
    "{done} of {total} games have been played; with --save FILE you can continue a study later"
)

NO_WORKERS_SENTENCE: Final = "the scheduler has no workers yet; waiting for the first one"


def progress_line(game_count: int, total: int, quoted_path: str, *, has_json: bool) -> str:
    """Say how many games of a study have been played, and how to play the others.

    `quoted_path` is the file of the study, as a shell reads it; empty if there is none. With
    `has_json`, the output itself can be continued.
    """
    if quoted_path:
        template = _GO_ON_FROM_FILE
    else:
        template = _GO_ON_FROM_OUTPUT if has_json else _SAVE_NEXT_TIME
    return template.format(done=game_count, total=total, path=quoted_path)
