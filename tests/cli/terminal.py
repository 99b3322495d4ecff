"""What a person types on a terminal of their own."""

import os
import pty
import subprocess

from tests.kit.named_games import invite
from tests.kit.people import PBEM, Person, Round

INTERRUPT, END = "\x03", "\x04"
"""What Ctrl-C and Ctrl-D type."""


def type_on_terminal(person: Person, line: list[str], typed: str) -> tuple[int, str]:
    """Run the command with a terminal of its own, where a person answers what it asks."""
    master, slave = pty.openpty()
    name = os.ttyname(slave)

    def mine() -> None:
        """Whoever leads a session and opens a terminal is interrupted from it."""
        os.close(os.open(name, os.O_RDWR))

    done = subprocess.Popen(
        [str(PBEM), *line], cwd=person.place, env=person.environ({}), start_new_session=True,
        stdin=slave, stdout=slave, stderr=slave, preexec_fn=mine,
    )  # fmt: skip
    os.close(slave)
    seen = b""
    while b"passphrase" not in seen:
        seen += os.read(master, 1000)
    os.write(master, typed.encode() + b"\n")
    try:
        while part := os.read(master, 1000):
            seen += part
    except OSError:
        pass  # the terminal is closed when the command ends
    os.close(master)
    return done.wait(), seen.decode()


def type_passphrase(table: Round, typed: str) -> tuple[int, str]:
    """Ann joins with a locked key, and types this when she is asked for its passphrase."""
    ann, key = table.person("ann"), table.root / "locked"
    ann.shell(f'ssh-keygen -q -t ed25519 -N "open sesame" -C "" -f {key}')
    assert ann.pbem(f"keys import {key} --profile locked").exit == 0
    line = ["join", "-C", "savannah", "--profile", "locked", "--invite", invite(table, "a")]
    return type_on_terminal(ann, line, typed)
