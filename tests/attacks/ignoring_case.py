"""A disk that ignores case, as those of Windows and macOS do: whatever the program asks the system
about a file is answered for the file whose name is the same but for its case."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from pbem.files import syscalls


def _real(path, root: Path):
    """The path as the disk finds it: each part may differ in case from what is there."""
    if not isinstance(path, str | os.PathLike) or not Path(path).is_relative_to(root):
        return path
    found = root
    for part in Path(path).relative_to(root).parts:
        names = _LISTDIR(found) if _ISDIR(found) else []
        found /= next((name for name in names if name.lower() == part.lower()), part)
    return found


_LISTDIR, _ISDIR = os.listdir, os.path.isdir


@contextmanager
def ignoring_case(root: Path) -> Iterator[None]:
    """In the block, the disk below `root` ignores case, but keeps names as they were written."""

    def of_one(call):
        return lambda path, *more, **named: call(_real(path, root), *more, **named)

    def of_two(call):
        return lambda old, new, **named: call(_real(old, root), _real(new, root), **named)

    with ExitStack() as stack:
        for module, name, make in (
            *((os, name, of_one) for name in ("open", "stat", "lstat", "unlink", "mkdir")),
            *((os, name, of_two) for name in ("link", "rename", "replace")),
            (syscalls, "rename_new", of_two),
        ):
            stack.enter_context(patch.object(module, name, make(getattr(module, name))))
        yield
