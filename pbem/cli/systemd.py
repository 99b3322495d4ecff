"""The systemd units that `--print-unit` prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

UNIT = """\
# Save this as ~/.config/systemd/user/{name}.service, and type:
#   systemctl --user enable --now {name}
#   loginctl enable-linger        (so that it runs while you are not logged in)
# To see what it does:  journalctl --user -u {name} -f
[Unit]
Description={about}
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


def write_unit(name: str, words: Sequence[str], about: str) -> str:
    """Write a unit that runs `pbem` with these words, for this user, home and installation."""
    words = [sys.executable, "-m", "pbem", *words]
    home = os.environ.get("PBEM_HOME", "")
    environment = f"Environment={_quoted(f'PBEM_HOME={home}')}\n" if home else ""
    command = " ".join(map(_quoted, words))
    return UNIT.format(name=name, command=command, about=about, environment=environment)


def _quoted(word: str) -> str:
    word = word.replace("%", "%%")
    if not any(c in word for c in " \t\"'\\$"):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$") + '"'
