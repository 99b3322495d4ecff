"""The systemd unit that `pbem run --print-unit` prints."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

UNIT = """\
# Save this as ~/.config/systemd/user/pbem.service, and type:
#   systemctl --user enable --now pbem
#   loginctl enable-linger        (so that it runs while you are not logged in)
# To see what it does:  journalctl --user -u pbem -f
[Unit]
Description=pbem looks after games by mail
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


def unit(passphrase_file: Path | None = None) -> str:
    """Write a unit for the user who runs this, with this home and this installation of pbem."""
    words = [sys.executable, "-m", "pbem", "run"]
    if passphrase_file:
        words += ["--passphrase-file", str(passphrase_file.absolute())]
    home = os.environ.get("PBEM_HOME", "")
    environment = f"Environment={_quoted(f'PBEM_HOME={home}')}\n" if home else ""
    return UNIT.format(command=" ".join(map(_quoted, words)), environment=environment)


def _quoted(word: str) -> str:
    """Write a word of a unit file, with percent signs and spaces escaped."""
    word = word.replace("%", "%%")
    if not any(c in word for c in " \t\"'\\$"):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$") + '"'
