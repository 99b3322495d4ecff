"""The systemd units that `--print-unit` prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

UNIT_TEMPLATE = """\
# Save this as ~/.config/systemd/user/{name}.service, and type:
#   systemctl --user enable --now {name}
#   loginctl enable-linger        (so that it runs while you are not logged in)
# To see what it does:  journalctl --user -u {name} -f
[Unit]
Description={description}
Wants=network-online.target
After=network-online.target

[Service]
ExecStart={command}
{environment}Restart=on-failure
RestartSec=60
RestartPreventExitStatus=2 4

[Install]
WantedBy=default.target
"""


def format_unit(name: str, words: Sequence[str], description: str) -> str:
    """Return a unit that runs `pbem` with these words, for this user, home and installation.

    `name` is what systemd will call it, `description` a phrase for its lists.
    """
    all_words = [sys.executable, "-m", "pbem", *words]
    home = os.environ.get("PBEM_HOME", "")
    environment = f"Environment={_quoted(f'PBEM_HOME={home}')}\n" if home else ""
    command = " ".join(map(_quoted, all_words))
    return UNIT_TEMPLATE.format(
        name=name, command=command, description=description, environment=environment
    )


def _quoted(word: str) -> str:
    """Return the word as a unit file must have it (systemd.service(5), *Command lines*)."""
    word = word.replace("%", "%%")
    if not any(char in word for char in " \t\"'\\$"):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$") + '"'
