"""Do the work of `pbem post show`: print the mailbox, and letters that wait or were refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.post.letters.outbox import Outbox
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.post.account.account import PostBox
    from pbem.post.letters.outbox import Queued

WHERE = {
    "keyring": "in the system's keyring",
    "command": "printed by the command {}",
    "file": "in the file {}",
    "token": "printed by the command {}",
}


def print_post(box: PostBox, as_json: bool) -> None:
    """Print the account, never the password. Raises CliError if there is none."""
    account = box.read()
    outbox = Outbox(box, account)
    waiting, refused = list(outbox.waiting()), outbox.refused()
    if as_json:
        from dataclasses import asdict

        from pbem.cli.json_output import print_data

        told: dict[str, Any] = {"account": asdict(account)}
        told |= {"waiting": [_row(q) for q in waiting], "refused": [_row(q) for q in refused]}
        print_data("post show", told)
        return
    print(f"address: {account.address}")
    for name, server in (("reads", account.imap), ("sends", account.smtp)):
        print(f"{name}: {server} ({server.security}), as {clean(account.user)}")
    print(f"{account.secret_name}: {WHERE.get(account.secret, '').format(clean(account.where))}")
    print(f"folder: {clean(account.folder)}; new games go to {clean(account.games)}")
    for title, letters in (("waiting", waiting), ("refused by the server", refused)):
        for queued in letters:
            print(f"{title}: to {queued.to}: {clean(queued.subject)}")


def _row(queued: Queued) -> dict[str, str]:
    return {"to": queued.to, "subject": queued.subject, "message_id": queued.message_id}
