"""`pbem run` started once does the rest; other programs can read every mail that it writes."""

import email
import email.policy
import mailbox
import os
import pty
import select
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.format.record_error import RecordError
from pbem.post.imap_mailbox import Mailbox
from pbem.post.mail_account import Account, Server
from tests.kit.people import Round
from tests.kit.processes import PATIENCE, until
from tests.kit.real_mail_servers import PASSWORD, MailServer, give_mailbox, send_bytes
from tests.post.games_by_mail import MailGame

pytestmark = pytest.mark.post
TURNS = 4


def test_two_runs_play_on_their_own(table: Round, server: MailServer) -> None:
    game = MailGame(table, server)
    game.begin()
    runs = [game.rhea.start("run --every 30"), game.bo.start("run --every 30 --json")]
    try:

        def is_played() -> bool:
            for person, seat in ((game.ann, "a"), (game.bo, "b")):
                with suppress(RecordError):  # a turn is here, and its orders are not yet
                    game.answer(person, seat)
            return len(list(game.folder.glob("turns/*"))) >= TURNS

        # a turn takes up to two passes, of which one begins every half minute
        until(is_played, seconds=TURNS * PATIENCE, every=0.5, why=server.log)
    finally:
        for run in runs:
            run.send_signal(signal.SIGINT)
    rhea, bo = [run.communicate(timeout=PATIENCE) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], (rhea, bo)
    assert len(list(game.folder.glob("turns/*"))) >= TURNS, (rhea, bo)
    assert "made turns/0002.toml" in rhea[0]
    assert "sent to bo@pbem.example: savannah: turn 2" in rhea[0]
    assert rhea[0].rstrip().endswith("pbem run has stopped; nothing is lost")
    assert all(line.startswith("{") for line in bo[0].splitlines())
    assert (rhea[1], bo[1]) == ("", "")


def test_a_message_that_comes_between_a_search_and_the_wait_ends_the_wait(table, server):
    """The server announces it in the answer to another command, and never again."""
    give_mailbox(table.person("rhea"), server)
    at = Server("localhost", server.ports["imap"], "clear")
    box = Mailbox(Account(server.address("rhea"), server.address("rhea"), at, at, "file"), PASSWORD)
    try:
        assert box.new_mails(0) == []
        assert not box.wait(0.1)
        assert box.new_mails(0) == []
        send_bytes(server, "rhea", "rhea", b"From: a\nTo: b\nSubject: c\n\nd\n")
        until(lambda: server.mails("rhea"), why=server.log)
        assert not box.has("<nothing@example.org>")  # opens the folder again
        assert box.wait(PATIENCE)
        assert len(box.new_mails(0)) == 1
    finally:
        box.close()


def test_one_run_for_each_home(table: Round) -> None:
    rhea = table.person("rhea")
    first = rhea.start("run")
    try:
        assert first.stdout is not None
        assert "no mailbox is set up" in first.stdout.readline()
        said = rhea.really("run --once")
        assert (said.exit, "another `pbem run`" in said.err) == (5, True)
    finally:
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=PATIENCE)


@pytest.fixture
def played_by_mail(table: Round, server: MailServer) -> MailGame:
    """A game of a few turns, with an umlaut, so that the mail has to encode something."""
    game = MailGame(table, server)
    game.begin("--title 'Savannen für Ärmere'")
    for _ in range(4):
        for person in (game.bo, game.rhea):
            game.run(person)
        game.answer(game.ann, "a")
        game.answer(game.bo, "b")
    server.settle()
    return game


def test_other_programs_read_every_mail(played_by_mail: MailGame, tmp_path: Path) -> None:
    pythons_own_parser_finds_no_defect(played_by_mail)
    mutt_shows_every_mail(played_by_mail, tmp_path)


def pythons_own_parser_finds_no_defect(played: MailGame) -> None:
    policy = email.policy.strict.clone(raise_on_defect=False)
    every = played.server.mails("bo") + played.server.mails("rhea", ".pbem")
    assert len(every) > 4
    for data in every:
        mail = email.message_from_bytes(data, policy=policy)
        parts = list(mail.walk())
        assert [part.defects for part in parts] == [[]] * len(parts)
        assert not any(value.defects for part in parts for value in map(part.get, part.keys()))
        assert (mail["Auto-Submitted"], mail["Message-ID"].count("@")) == ("auto-generated", 1)
        assert "pbem" in mail.get_body(("plain",)).get_content()


def mutt_shows_every_mail(played: MailGame, tmp_path: Path) -> None:
    """Mutt opens an mbox of all mails, and pipes each, decoded, to a file."""
    every = played.server.letters("bo", "rhea")
    box = mailbox.mbox(tmp_path / "box")
    for data in every:
        box.add(data)
    box.close()
    shown, said = tmp_path / "shown", tmp_path / "said"
    (tmp_path / "keep").write_text(f"#!/bin/sh\ncat >> {shown}\n")
    (tmp_path / "keep").chmod(0o755)
    keys = "".join(f"<jump>{n}<enter><pipe-message>{tmp_path}/keep<enter>"
                   for n in range(1, len(every) + 1)) + "<exit>"  # fmt: skip
    (tmp_path / "rc").write_text("set pipe_decode=yes\nset wait_key=no\nset quit=yes\n"
                                 f'set header_cache=""\npush "{keys}"\n')  # fmt: skip
    assert run_in_terminal(["mutt", "-n", "-R", "-F", f"{tmp_path}/rc", "-f", f"{tmp_path}/box"],
                           said) == 0, said.read_bytes()[-2000:]  # fmt: skip
    text = shown.read_text("utf-8", "replace")
    assert text.count("\nSubject: Savannen für Ärmere: ") == len(every)
    for broken in (b"rror", b"malformed", b"arning"):
        assert broken not in said.read_bytes()


def run_in_terminal(command: list[str], said: Path) -> int:
    """Run a program in a terminal of its own, and keep what it prints."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm", "LANG": "C.UTF-8", "HOME": str(said.parent)}
        os.execvp(command[0], command)
    output, end = b"", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                output += os.read(terminal, 65536)
            except OSError:
                break
    said.write_bytes(output)
    subprocess.run(["kill", str(child)], check=False, capture_output=True)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
