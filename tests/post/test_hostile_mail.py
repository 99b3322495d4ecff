"""Emails that are made to stop `pbem run`, to fill a disk, or to divert the mail of a player."""

import shutil
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.acts import players_email_replies
from pbem.files.file_errors import StorageError
from pbem.files.home import Home
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import make_join
from pbem.judge.read_and_make_messages import Reader, make_message
from pbem.mail import take_records_from_mail
from pbem.mail.incoming_email import Mail
from pbem.mail.record_filing import RecordFiler
from pbem.mail.write_and_describe_bundle import format_bundle
from pbem.person.mail_notebooks import People
from pbem.post import mailbox_progress_and_retries
from pbem.post.collect_mail import Collector
from pbem.post.mailbox_progress_and_retries import MAX_RETRIES, MailboxState
from pbem.records.read_and_sign_record import Content, Record
from tests.kit.mail_seats import begin_mail_game, opened_bytes, reply, sealed_lines, text_of
from tests.kit.named_games import session_at, session_of
from tests.kit.people import NOW, Person, Round, output_of
from tests.kit.record_files import record_at
from tests.kit.small_mail_servers import BO, RHEA, MailHost, use_small_servers
from tests.post.collecting import Letters, collector, join_from_afar, mail_with_text

EVIL = {
    "a subject of bad base64": b"Subject: =?utf-8?b?a?=\r\n\r\nhi\r\n",
    "a subject of an unknown charset": b"Subject: =?x-evil?q?=ff?= =?idna?b?////?=\r\n\r\nhi\r\n",
    "no text at all": b"\r\n\r\n",
    "only zero bytes": b"\0" * 3000,
    "a list without end": b"From: a@b\r\nReferences: " + b"<x@y>" * 60_000 + b"\r\n\r\nhi\r\n",
    "a bounce of nothing": b"Return-Path: <>\r\nFrom: MAILER-DAEMON@x\r\nContent-Type: "
    b"multipart/report; report-type=delivery-status\r\n\r\nMessage-ID: <pbem." + b"0" * 32 + b"@x>",
    "a code of nothing": b"Subject: pbem-ffffff-b1-aaaaaaaaaaaaaaaa\r\n\r\n1\r\n",
    "a code of a late turn": b"Subject: pbem-%s-b99999-aaaaaaaaaaaaaaaa\r\n\r\n1\r\n",
    "codes of all seats": b"Subject: x\r\n\r\n"
    + b"".join(b"pbem-%%s-%c1-aaaaaaaaaaaaaaaa\r\n" % seat for seat in b"abcdefghijklmnop"),
    "a broken bundle": b"From: bo@example.org\r\n\r\n-----BEGIN PBEM-----\r\nx\r\n",
    "a zip that is none": b"From: a@b\r\nContent-Type: application/zip\r\n\r\nPK\3\4" + b"x" * 99,
}


@pytest.fixture
def rhea_with_mail(table: Round, mail_server: MailHost) -> Person:
    """The referee of a game of Ann, who has `pbem`, and Bo, who got the turn mail."""
    found = begin_mail_game(table)
    use_small_servers(found, mail_server)
    assert found.pbem("run --once").exit == 0
    return found


def is_reply_taken(rhea: Person, host: MailHost) -> bool:
    """Whether Bo's reply, which comes after all that is in the mailbox, is taken."""
    host.put(RHEA, reply(opened_bytes(host.mails(BO)[0]), "1"))
    said = rhea.pbem("run --once")
    assert said.err == "", said.text
    return len(host.mails(BO)) == 2 and sealed_lines(rhea) != []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(EVIL))
def test_no_message_stops_a_pass(rhea_with_mail: Person, mail_server: MailHost, name: str) -> None:
    game = session_of(rhea_with_mail).game_folder.game.hex()[:6].encode()
    mail_server.put(RHEA, EVIL[name].replace(b"%s", game))
    assert is_reply_taken(rhea_with_mail, mail_server)
    assert rhea_with_mail.pbem("run --once").exit == 0
    assert set(mail_server.boxes) == {RHEA, BO}  # nobody else got an answer
    assert len(mail_server.mails(BO)) == 2


@pytest.mark.long
def test_a_bug_in_one_message_does_not_stop_the_others(rhea_with_mail, mail_server, monkeypatch):
    """Nobody knows the next message that pbem cannot read: it is skipped, and said so."""
    take = Collector._take

    def fails(self: Collector, one: object) -> bool:
        if b"evil" in one.data:  # type: ignore[attr-defined]
            raise IndexError("evil")
        return take(self, one)  # type: ignore[arg-type]

    monkeypatch.setattr(Collector, "_take", fails)
    mail_server.put(RHEA, b"From: eve@example.org\r\n\r\nevil\r\n")
    mail_server.put(RHEA, reply(opened_bytes(mail_server.mails(BO)[0]), "1"))
    said = rhea_with_mail.pbem("run --once")
    assert (said.exit, said.err) == (5, "")
    assert "pbem could not handle the mail from eve@example.org: this is a bug in pbem" in said.out
    assert sealed_lines(rhea_with_mail)
    assert rhea_with_mail.pbem("run --once").exit == 0


@pytest.mark.sample(0)
def test_a_broken_game_does_not_stop_the_mail_of_the_others(rhea_with_mail, mail_server):
    """A player breaks the folder of one game, and sends mail for it; when it is repaired, that
    mail is taken in its order, though it is not the newest any more."""
    right = (rhea_with_mail.shared / "savannah/turns/0001.toml").read_bytes()
    broken = rhea_with_mail.shared / "savannah/turns/0001.toml"
    bos = [reply(opened_bytes(mail_server.mails(BO)[0]), said) for said in ("1", "2")]
    players = "--players 'Ann,Cy <cy@example.org>' --mail-seats Cy --referee Rhea"
    output_of(rhea_with_mail, f"new other {players} --deadline never")
    broken.chmod(0o600)
    broken.write_bytes(b"broken")
    for one in bos:
        mail_server.put(RHEA, one)
    mail_server.put(RHEA, b"From: cy@example.org\r\nSubject: hi\r\n\r\nhi\r\n")
    said = rhea_with_mail.pbem("run --once")
    assert said.exit == 5
    assert said.err == ""
    assert "turns/0001.toml: is missing here" in said.out
    assert broken.read_bytes() == right  # the same pass put it back
    assert rhea_with_mail.pbem("run --once").exit == 0
    assert rhea_with_mail.pbem("run --once").exit == 0
    assert len(mail_server.mails(BO)) == 3
    assert "revision 2" in text_of(opened_bytes(mail_server.mails(BO)[2])).lower()


@pytest.mark.sample(0)
def test_a_forged_sender_holds_up_nobodys_mail(rhea_with_mail, mail_server, monkeypatch):
    """Eve writes in Bo's name something that cannot be taken now; Bo's own reply is taken."""
    take = Collector._take

    def fails(self: Collector, mail: Mail) -> bool:
        if b"evil" in mail.data:
            raise StorageError("x", "the disk is full")
        return take(self, mail)

    monkeypatch.setattr(Collector, "_take", fails)
    mail_server.put(
        RHEA, b"From: bo@example.org\r\nSubject: pbem-00ff00-b1-aaaaaaaaaaaaaaaa\r\n\r\nevil"
    )
    mail_server.put(RHEA, reply(opened_bytes(mail_server.mails(BO)[0]), "1"))
    said = rhea_with_mail.pbem("run --once")
    assert said.exit == 5
    assert sealed_lines(rhea_with_mail)


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """No file of a game can be written as long as there is a word in this list."""
    words, put = ["the disk is full"], RecordFiler.file_record

    def fails(self: RecordFiler, record: Record[Content]) -> None:
        if words:
            raise StorageError("x", words[0])
        put(self, record)

    monkeypatch.setattr(RecordFiler, "file_record", fails)
    monkeypatch.setattr(mailbox_progress_and_retries, "MAX_RETRIES", 10)
    return words


def joins_by_mail(table: Round, count: int) -> list[bytes]:
    """Mails with joins of strangers, all from one address, and then the one with Bo's join."""
    session = session_of(table.person("rhea"))
    session.game_home.remember_place(table.shared / "savannah")
    charter = session.game_folder.charter
    keys = [SigningKey(bytes([number]) * 32) for number in range(count)]
    joins = [make_join(charter, "b", "Bo", key, bytes(16)) for key in keys]
    texts = [format_bundle([join], "x") for join in [*joins, join_from_afar(table)]]
    return [mail_with_text("bo@example.org", text, f"<{n}@x>") for n, text in enumerate(texts)]


@pytest.mark.long
@pytest.mark.parametrize("count", [5, 15, 40])
def test_no_mail_is_lost_while_forged_ones_wait(game, trouble, count):
    """More come than are tried again, and Bo's join is the last; then the disk has room again."""
    table = game("made")
    rhea, letters = table.person("rhea"), Letters(*joins_by_mail(table, count))
    collector(rhea).collect(letters)
    collector(rhea).collect(letters)
    trouble.clear()
    for _ in range(3):
        collector(rhea).collect(letters)
    people = People(session_of(rhea).game_home)
    assert people.addresses == {"b": "bo@example.org"}
    assert "b Bo: joined by Bo" in rhea.pbem("status -C savannah").text
    letters.fetched.clear()
    collector(rhea).collect(letters)
    assert letters.fetched == [], "nothing is read again and again"


def test_mail_that_nobody_proved_is_read_after_what_is_new(game, trouble):
    """Whatever it costs to try it again, the others do not wait for it."""
    table = game("made")
    rhea, mails = table.person("rhea"), joins_by_mail(table, 5)
    collector(rhea).collect(Letters(*mails))
    letters = Letters(*mails, b"From: ann@example.org\r\n\r\nhello")
    collector(rhea).collect(letters)
    assert letters.fetched == [7, 1, 2, 3, 4, 5, 6]


def test_what_could_not_be_taken_is_noted(tmp_path: Path) -> None:
    """Bo's reply, whose code is right, and more forged mails than are noted."""
    state = MailboxState(tmp_path)
    state.last_uid = MAX_RETRIES + 49
    assert state.add_retry(1, 1000.0, is_proven=True)
    for uid in range(2, MAX_RETRIES + 50):
        assert state.add_retry(uid, 1000.0, is_proven=False)
    assert state.retry_uids(is_proven=True) == [1]
    assert state.retry_uids(is_proven=False) == list(range(2, MAX_RETRIES + 2))
    state.save()
    again = MailboxState(tmp_path)
    assert again.retry_uids(is_proven=False) == state.retry_uids(is_proven=False)
    again.go_back()
    assert again.last_uid == MAX_RETRIES + 49, "there is no room yet"
    for uid in range(2, MAX_RETRIES + 2):
        again.remove_retry(uid)
    again.go_back()
    assert again.last_uid == MAX_RETRIES + 1
    assert again.add_retry(1, 10.0, is_proven=True), "the clock was set back"
    assert again.add_retry(1, 9.0 + 86_400, is_proven=True)
    assert not again.add_retry(1, 10.0 + 86_400, is_proven=True), "after a day it is given up"


# ---------------------------------------------------------------- disks
@pytest.mark.sample(0)
def test_broken_mail_of_strangers_does_not_fill_the_disk(table: Round) -> None:
    rhea = table.person("rhea")
    bad = b"From: eve@example.org\r\n\r\n-----BEGIN PBEM-----\r\n" + b"x" * 100_000
    collector(rhea).collect(Letters(*[bad + b"%d" % n for n in range(20)]))
    assert sum(path.stat().st_size for path in rhea.home.rglob("*") if path.is_file()) < 10_000


def test_records_of_unknown_games_do_not_fill_the_disk(game, monkeypatch):
    """Anybody can sign records of a thousand games that nobody knows."""
    monkeypatch.setattr(take_records_from_mail, "MAX_UNKNOWN_GAMES", 3)
    monkeypatch.setattr(take_records_from_mail, "MAX_WAITING_FILES", 16)
    table = game("begun")
    rhea, eve = table.person("rhea"), table.person("eve")
    mails = [mail_with_text("eve@example.org", _orphan(eve, number)) for number in range(5)]
    charter = session_of(rhea).game_folder.charter
    joins = [
        make_join(charter, "a", f"E{n}", SigningKey(bytes([n]) * 32), bytes(16)) for n in range(9)
    ]
    (rhea.home / "games").rename(rhea.home / "forgotten")
    mails += [
        mail_with_text("eve@example.org", format_bundle([join], "x"), f"<{join.id.hex()}@x>")
        for join in joins
    ]
    collector(rhea).collect(Letters(*mails))
    kept = list((rhea.home / "games").glob("*/seen/*"))
    assert len(list((rhea.home / "games").iterdir())) <= 3
    assert 0 < len(kept) <= 6


@pytest.mark.long
def test_files_of_strangers_take_no_room_from_those_who_play(game, monkeypatch):
    """Anybody can sign a message "after turn 9", which must wait for that turn; Bo's message waits
    for turn 2, which comes later. With `pbem run` nobody looks at the mailbox."""
    monkeypatch.setattr(take_records_from_mail, "MAX_WAITING_FILES", 16)
    table = game("middle")
    ann, bo = table.person("ann"), table.person("bo")
    far = table.root / "far"
    far.mkdir()
    (table.shared / "savannah").rename(far / "savannah")
    assert bo.pbem(["tell", "-C", str(far / "savannah"), "--to", "all", "peace"]).exit == 0
    session = session_at(far / "savannah", bo)
    files = {name: sorted((far / "savannah" / name).iterdir()) for name in ("press", "turns")}
    message, turns = record_at(files["press"][0]), files["turns"]
    place = session.game_folder.game, 9, bytes(32)
    junk = [_message(place, SigningKey(bytes([n]) * 32), n) for n in range(1, 40)]
    mails = [
        mail_with_text("eve@example.org", format_bundle([one], "x"), f"<{n}@x>")
        for n, one in enumerate(junk)
    ]
    here = table.shared / "savannah"
    shutil.copytree(far / "savannah", here, ignore=lambda *_: [turns[-1].name, "press"])
    session_at(here, ann).game_home.remember_place(here)
    last = record_at(turns[-1])
    mails += [
        mail_with_text("bo@example.org", format_bundle([message], "x"), "<bo@x>"),
        mail_with_text("rhea@example.org", format_bundle([last], "x"), "<rhea@x>"),
    ]
    collector(ann).collect(Letters(*mails))
    assert "peace" in ann.pbem("log -C savannah").text
    seen = list(Home(ann.home).game(session.game_folder.game.hex()).root.glob("seen/*"))
    assert message.file not in [path.read_bytes() for path in seen], "its room is free again"
    assert len(seen) <= 2


@pytest.mark.long
def test_mail_of_a_player_waits_in_the_mailbox_if_there_is_no_room(game, monkeypatch):
    monkeypatch.setattr(take_records_from_mail, "MAX_WAITING_FILES", 4)
    table = game("middle")
    ann, bo = table.person("ann"), table.person("bo")
    for number in range(8):
        assert bo.pbem(f"tell -C savannah --to all 'word {number}'").exit == 0
    here = table.shared / "savannah"
    session_at(here, ann).game_home.remember_place(here)
    records = [record_at(path) for path in sorted((here / "press").iterdir())]
    last = max((here / "turns").iterdir())
    records.append(record_at(last))
    mails = [
        mail_with_text("b@x", format_bundle([one], "x"), f"<{n}@x>")
        for n, one in enumerate(records)
    ]
    shutil.rmtree(here / "press")
    last.unlink()
    collector(ann).collect(Letters(*mails))
    collector(ann).collect(Letters(*mails))
    told = ann.pbem("log -C savannah").text
    assert all(f"word {number}" in told for number in range(8)), told


def _message(place: tuple[bytes, int, bytes], key: SigningKey, number: int) -> Record[Content]:
    reader = Reader("b", bytes(32))
    made = make_message(place, number, NOW, ("junk",), reader, key, "", {})
    return Record(made.signed, made.content)


def _orphan(eve: Person, number: int) -> str:
    """A bundle with a join of a game that the receiver does not know, without its charter."""
    assert eve.pbem(f"new g{number} --players Ann,Bo --referee Eve").exit == 0
    charter = session_at(eve.place / f"g{number}", eve).game_folder.charter
    return format_bundle([make_join(charter, "a", "Eve", SigningKey(bytes(32)), bytes(16))], "x")


# ---------------------------------------------------------------- whose mail
def test_a_join_without_an_invite_tells_no_address(game: Callable[[str], Round]) -> None:
    """Eve has the charter: she writes a join for Bo's seat, before his own comes."""
    table = game("made")
    rhea = table.person("rhea")
    session = session_of(rhea)
    session.game_home.remember_place(table.shared / "savannah")
    forged = make_join(session.game_folder.charter, "b", "Bo", SigningKey(bytes(32)), bytes(16))
    run = collector(rhea)
    run.collect(Letters(mail_with_text("eve@example.org", format_bundle([forged], "join"))))
    assert len(list((table.shared / "savannah/seats").iterdir())) == 1  # as it always was
    assert People(session.game_home).addresses == {}
    text = format_bundle([join_from_afar(table)], "join")
    collector(rhea).collect(Letters(b"", mail_with_text("bo@example.org", text)))
    assert People(session.game_home).addresses == {"b": "bo@example.org"}


@pytest.mark.sample(0)
def test_a_game_whose_id_begins_alike_hides_no_reply(rhea_with_mail, mail_server, monkeypatch):
    """The code names a game by six digits: anybody can make a game with the same six."""
    game = session_of(rhea_with_mail).game_folder.game
    eve = rhea_with_mail.shared.parent / "eve"
    alike = game[:3] + bytes(29)
    assert alike < game
    Home(rhea_with_mail.home).game(alike.hex()).remember_place(eve)
    assert rhea_with_mail.pbem(f"new {eve} --players Ann,Bo --referee Eve").exit == 0
    really = players_email_replies.read_game_id
    monkeypatch.setattr(
        players_email_replies, "read_game_id",
        lambda place: alike if str(getattr(place, "place", place)) == str(eve) else really(place),
    )  # fmt: skip
    assert is_reply_taken(rhea_with_mail, mail_server)


@pytest.mark.sample(0)
def test_the_address_of_a_player_by_email_moves_with_post_address(rhea_with_mail, mail_server):
    said = rhea_with_mail.pbem("post address -C savannah Bo bo@new.example")
    assert said.out == "mail for Bo goes to bo@new.example\n"
    assert "b Bo: bo@new.example" in rhea_with_mail.pbem("post address -C savannah").out
    assert rhea_with_mail.pbem("post address -C savannah Bo -").exit == 2
    for _ in range(2):
        assert rhea_with_mail.pbem("run --once").exit == 0
    assert [len(mail_server.mails(to)) for to in (BO, "bo@new.example")] == [1, 1]


@pytest.mark.long
def test_after_a_take_over_turns_go_to_the_address_of_the_turn_mails(
    rhea_with_mail, table, mail_server
):
    import re

    code = re.findall(r"savannah:b:\S+", rhea_with_mail.pbem("notice invite b -C savannah").out)[0]
    bo = table.person("bo")
    assert bo.pbem(["join", "-C", "savannah", "--name", "Bo", "--invite", code]).exit == 0
    for _ in range(2):
        assert rhea_with_mail.pbem("run --once").exit == 0
    subjects = [str(opened_bytes(one)["Subject"]) for one in mail_server.mails(BO)]
    assert len(subjects) == 2
    assert "turn 2" in subjects[1]
    assert "[pbem-" not in subjects[1]  # a bundle, and no code any more
    assert rhea_with_mail.pbem("post address -C savannah Bo -").exit == 0
    assert rhea_with_mail.pbem("run --once").exit == 0
    assert "b Bo: -" in rhea_with_mail.pbem("post address -C savannah").out


# ---------------------------------------------------------------- passwords
@pytest.mark.sample(1)
@pytest.mark.parametrize("password", ["pässwort-4711", "tab\\tpassword-4711"])
def test_a_password_that_cannot_be_sent_is_not_shown(table, mail_server, password):
    """The libraries' errors contain the text that they could not encode."""
    rhea = begin_mail_game(table)
    use_small_servers(rhea, mail_server)
    output_of(
        rhea,
        f"post setup --address {RHEA} --imap localhost:{mail_server.imap_port} "
        f"--imap-security clear --smtp localhost:{mail_server.smtp_port} --smtp-security "
        f"clear --password-command \"printf '{password}'\"",
    )
    for command in ("run --once", "run --once --json", "post test"):
        said = rhea.pbem(command)
        assert said.exit in (4, 5), said.text
        assert "4711" not in said.text
        assert "not ASCII" in said.text


@pytest.mark.long
def test_a_large_photo_does_not_hide_a_reply(rhea_with_mail: Person, mail_server: MailHost) -> None:
    made = opened_bytes(reply(opened_bytes(mail_server.mails(BO)[0]), "1"))
    assert isinstance(made, EmailMessage)
    made.add_attachment(bytes(5 << 20), "image", "jpeg", filename="../../../evil.jpg")
    before = {path for path in rhea_with_mail.shared.parent.rglob("*") if "evil" in path.name}
    mail_server.put(RHEA, made.as_bytes())
    assert rhea_with_mail.pbem("run --once").exit == 0
    assert sealed_lines(rhea_with_mail)
    assert {
        path for path in rhea_with_mail.shared.parent.rglob("*") if "evil" in path.name
    } == before
