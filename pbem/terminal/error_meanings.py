"""The meanings of errors and exit codes."""

from __future__ import annotations

from functools import cache

from games.data_files import package_data


@cache
def explanations() -> dict[str, dict[str, str]]:
    """Return what pbem's own words mean, by group: `problems` in order files, `reasons` why a file
    cannot be used, `words`, and `exits` (exit codes)."""
    import tomllib  # only `explain` needs it

    return tomllib.loads(package_data("pbem.terminal", "texts.toml"))
