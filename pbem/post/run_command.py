"""The command `run`: look after all your games, and send and receive mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pbem.cli.command_line.declarations import Option
from pbem.cli.failure import NOT_YET, CliError
from pbem.cli.options import PassphraseOption

if TYPE_CHECKING:
    from pbem.cli.session.keyring import Keyring
    from pbem.post.rounds.log import Log


def run(
    once: Annotated[
        bool, Option("--once", help="Do everything once and stop, for cron or a timer.")
    ] = False,
    every: Annotated[
        int,
        Option("--every", min=5, metavar="SECONDS", help="How often to check for new mail."),
    ] = 60,
    json: Annotated[bool, Option("--json", help="Print each event as a line of JSON.")] = False,
    print_unit: Annotated[
        bool, Option("--print-unit", help="Print a systemd unit that runs this command.")
    ] = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Look after all your games: receive mail, make turns, send what each person lacks."""
    if print_unit:
        from pbem.post.systemd_unit import unit

        print(unit(passphrase_file), end="")
        return
    from pbem.cli.session.keyring import Keyring
    from pbem.post.rounds.log import Log
    from pbem.storage.private.home import Home
    from pbem.storage.private.lock import lock

    home, log = Home.find(), Log(json)
    with lock(home.root / "run.lock") as alone:
        if not alone:
            raise CliError("another `pbem run` is looking after your games", "", NOT_YET)
        _run(Keyring(home, passphrase_file), log, 0 if once else every)
    if log.failed and once:
        raise SystemExit(NOT_YET)


def _run(keyring: Keyring, log: Log, every: float) -> None:
    """Do one pass if `every` is 0, else passes until Ctrl-C."""
    from pbem.post.rounds.keep_running import Runner
    from pbem.post.rounds.post_round import PostRound

    post_round = PostRound(keyring, log)
    if not post_round.posts:
        log.say(
            "note",
            "no mailbox is set up, so pbem handles only the game folders; to set up a mailbox: "
            "pbem post setup",
        )
    try:
        if every:
            Runner(post_round, log, every).run()
        else:
            post_round.whole()
    except KeyboardInterrupt:
        log.say("stopped", "pbem run has stopped; nothing is lost")
    finally:
        post_round.close()
