"""The command `run`: look after all your games."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.shared_options import PassphraseOption, PrintUnitOption
from pbem.cli.systemd_unit import format_unit
from pbem.errors import NOT_YET, CliError
from pbem.files.home import Home
from pbem.files.process_locks import lock
from pbem.person.keyring import Keyring
from pbem.post.event_printer import Log
from pbem.wording.run_log import NO_MAILBOX_SENTENCE, STOPPED_SENTENCE, UNIT_DESCRIPTION


def run(
    once: Annotated[
        bool, typer.Option("--once", help="Do everything once and stop, for cron or a timer.")
    ] = False,
    every: Annotated[
        int, typer.Option(min=5, metavar="SECONDS", help="How often to check for new mail.")
    ] = 60,
    json: Annotated[
        bool, typer.Option("--json", help="Print each event as a line of JSON.")
    ] = False,
    print_unit: PrintUnitOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Look after all your games: receive mail, make turns, send what each person lacks."""
    if print_unit:
        words = ["--passphrase-file", str(passphrase_file.absolute())] if passphrase_file else []
        print(format_unit("pbem", ["run", *words], UNIT_DESCRIPTION), end="")
        return
    # all that a pass does: importing it takes as long as all else that `post` and `notify` need
    from pbem.post.run_passes import MailPasses, Runner

    home, log = Home.find(), Log(json)
    with lock(home.root / "run.lock") as is_only_run:
        if not is_only_run:
            hint = "leave that command running: one is enough for all your games"
            raise CliError("another `pbem run` is looking after your games", hint, NOT_YET)
        mail_passes = MailPasses(Keyring(home, passphrase_file), log)
        if not mail_passes.posts:
            log.say("note", NO_MAILBOX_SENTENCE)
        try:
            if once:
                mail_passes.run_pass()
            else:
                Runner(mail_passes, log, every).run()
        except KeyboardInterrupt:
            log.say("stopped", STOPPED_SENTENCE)
        finally:
            mail_passes.close()
    if log.failed and once:
        raise SystemExit(NOT_YET)
