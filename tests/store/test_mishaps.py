"""What goes wrong with stores: the network, credentials, late lists, and two referees' machines."""

import shutil
from pathlib import Path

import pytest

from pbem.files.file_errors import AwayError, FileError, StorageError
from pbem.files.game_folder_in_store import StoreFolder
from tests.kit.bot_orders import WHOLE
from tests.kit.people import NOW, Round
from tests.kit.stores import SECRET, S3Server, SshServer
from tests.store.games_in_stores import SEATS, advance_in_store, join_in_store
from tests.store.places import InBucket, OnServer

pytestmark = pytest.mark.store
TURN = "turns/0001.toml"


@pytest.fixture
def joined_in_bucket(tmp_path: Path, bucket: InBucket) -> Round:
    """A game in a bucket, which both players have joined."""
    table = Round(tmp_path)
    join_in_store(table, bucket)
    return table


@pytest.mark.usefixtures("patience_with_s3")
def test_two_machines_of_the_referee_make_one_turn(joined_in_bucket, bucket, s3):
    """The second one makes a turn while the first has read the store and not yet written."""
    rhea = joined_in_bucket.person("rhea")
    laptop = rhea.home.with_name("laptop")
    shutil.copytree(rhea.home, laptop)
    other = []

    def meanwhile(method: str, path: str) -> str:
        if method == "PUT" and path.endswith(TURN) and not other:
            other.append(None)
            env = {"PBEM_HOME": str(laptop), "SOURCE_DATE_EPOCH": str(NOW + 60)}
            other[0] = rhea.really(f"advance -C {bucket.address}", **env)
        return ""

    s3.fault = meanwhile
    said = advance_in_store(rhea, bucket)
    assert other[0].exit == 0, other[0].text
    assert (said.exit, "already exists with different contents" in said.err) == (3, True), said
    assert TURN in bucket.names()
    again = advance_in_store(rhea, bucket)
    assert "is not the turn that this computer made" in again.text
    assert "Make turns on only one computer" in again.text
    assert joined_in_bucket.person("eve").pbem(f"audit {bucket.address}").exit == 0
    assert joined_in_bucket.person("ann").pbem(f"status -C {bucket.address}").exit == 0


def test_every_command_says_that_a_store_cannot_be_reached(joined_in_bucket, bucket, s3):
    s3.fault = lambda method, path: "gone"
    before = bucket_files(joined_in_bucket)
    for line in ("status", "show", "submit -", "advance", "log", "tell hello"):
        said = joined_in_bucket.person("rhea").pbem([*line.split(), "-C", bucket.address])
        assert (said.exit, said.out) == (5, ""), said
        assert said.err.startswith(f"error: {bucket.address}"), said
        assert (
            "cannot be reached now; check your network and AWS_ENDPOINT_URL, and try again"
            in said.err
        )
    listed = joined_in_bucket.person("rhea").pbem("list").checked(0, out="cannot be read: ")
    assert "cannot be reached now" in " ".join(listed.out.split())
    assert bucket_files(joined_in_bucket) == before
    s3.heal()
    assert advance_in_store(joined_in_bucket.person("rhea"), bucket).exit == 0


def bucket_files(table: Round) -> list[str]:
    return sorted(str(x) for x in table.root.glob("home/*/games/*/signed"))


@pytest.mark.parametrize("lost", ["before", "after", "answer"])
def test_a_turn_is_made_once_although_the_network_breaks_while_it_is_sent(
    joined_in_bucket: Round, bucket: InBucket, s3: S3Server, lost: str
) -> None:
    rhea = joined_in_bucket.person("rhea")
    away: list[str] = []

    def broken(method: str, path: str) -> str:
        if method == "PUT" and path.endswith(TURN):
            away.extend(["away"] if lost == "after" else [])
            return "gone" if lost == "before" else "lost"
        return "gone" if away else ""

    s3.fault = broken
    said = advance_in_store(rhea, bucket)
    if lost == "answer":
        assert (said.exit, "made turns/0001.toml" in said.out) == (0, True), said
    else:
        assert (said.exit, "cannot be reached now" in said.err) == (5, True), said
    s3.heal()
    assert (TURN in bucket.names()) is (lost != "before")
    again = advance_in_store(rhea, bucket, SOURCE_DATE_EPOCH=str(NOW + 99))
    assert again.exit in (0, 5), again.text
    assert [name for name in bucket.names() if name.startswith("turns/")] == [TURN]
    signed = next(rhea.home.glob("games/*/signed")).read_bytes().split(b"\n", 1)[1]
    assert bucket.get(TURN) == signed
    assert joined_in_bucket.person("ann").pbem(f"status -C {bucket.address}").exit == 0


WORDS = (
    "notice key",
    "notice away ..2023-12-24",
    "notice concede --yes",
    "tell hello",
    "tell --to a psst",
)


@pytest.mark.parametrize("line", WORDS)
@pytest.mark.parametrize("arrives", [True, False])
def test_a_notice_or_message_is_signed_once_although_the_network_breaks(
    joined_in_bucket: Round, bucket: InBucket, s3: S3Server, line: str, arrives: bool
) -> None:
    assert advance_in_store(joined_in_bucket.person("rhea"), bucket).exit == 0
    bo, away, before = joined_in_bucket.person("bo"), list[str](), {*bucket.names()}
    place = "/notices/" if "notice" in line else "/press/"

    def broken(method: str, path: str) -> str:
        if method == "PUT" and place in path:
            away.append("away")
            return "lost" if arrives else "gone"
        return "gone" if away else ""

    s3.fault = broken
    bo.pbem(f"{line} -C {bucket.address}").checked(5, err="cannot be reached now")
    s3.heal()
    assert len({*bucket.names()} - before) == arrives
    again = bo.pbem(f"{line} -C {bucket.address}", SOURCE_DATE_EPOCH=str(NOW + 99))
    assert (again.exit, "nothing new" in again.out) == (0, True), again.text
    assert ("BACK UP" in again.out) is ("key" in line)
    (name,) = {*bucket.names()} - before
    kept = next(
        path.read_bytes()
        for path in bo.home.glob("games/*/acts/*")
        if path.name.startswith(("notice", "message"))
    )
    assert kept == b"reported\n" + bucket.get(name)


@pytest.mark.parametrize(
    ("code", "exit_", "told"),
    [
        ("AccessDenied", 7, "does not allow you to do this; ask the owner of the store"),
        ("InvalidAccessKeyId", 7, "does not accept your credentials"),
        ("SlowDown", 5, "is busy or is not working now"),
        ("ServiceUnavailable", 5, "is busy or is not working now"),
        ("SomethingNew", 7, "reports the error SomethingNew"),
        ("<b>" + SECRET, 5, ""),
    ],
)
def test_the_refusal_of_a_store_is_told_without_the_stores_own_words(bucket, s3, code, exit_, told):
    folder = bucket.make()
    s3.fault = lambda method, path: code
    for act in (folder.scan, lambda: folder.read(TURN), lambda: folder.create(TURN, b"x")):
        with pytest.raises(StorageError) as refused:
            act()
        assert (refused.value.exit, told in refused.value.sentence) == (exit_, True)
        assert SECRET not in str(refused.value)


def test_a_missing_bucket_and_missing_credentials_are_named(s3, tmp_path, monkeypatch):
    ann = Round(tmp_path).person("ann")
    for line in ("status -C {}", "new {} --players Ann,Bo", "audit {}"):
        said = ann.pbem(line.format("s3://no-such-bucket/savannah"))
        assert (said.exit, "there is no such bucket" in said.err) == (7, True), said
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    said = ann.pbem("status -C s3://no-such-bucket/savannah")
    assert (said.exit, "pbem found no credentials for this store" in said.err) == (7, True), said


@pytest.mark.parametrize("honest", [True, False])
def test_each_command_tries_once_whether_the_store_honours_conditions(bucket, s3, tmp_path, honest):
    """A store that was seen to ignore them is never tried again."""
    s3.conditions = honest
    bucket.put("game.toml", b"charter")
    folder = bucket.make()
    folder.create(TURN, b"x")
    noted = list((tmp_path / "copies").glob("*/ignores-conditions"))
    assert bool(noted) is not honest
    assert bucket.get("game.toml") == b"charter"
    s3.calls.clear()
    folder.create("turns/0002.toml", b"x")
    assert asked_about_the_charter(s3) == [], "once in a command is enough"
    assert any(".~pbem-claim-" in call for call in s3.calls) is not honest
    s3.calls.clear()
    StoreFolder(folder.place, tmp_path / "copies/1").create("turns/0003.toml", b"x")
    assert bool(asked_about_the_charter(s3)) is honest


def asked_about_the_charter(s3: S3Server) -> list[str]:
    return [call for call in s3.calls if call.endswith("game.toml")]


def test_a_player_who_may_not_write_the_charter_can_still_write_records(bucket, s3):
    bucket.put("game.toml", b"charter")
    s3.fault = lambda method, path: (
        "AccessDenied" if method == "PUT" and path.endswith("game.toml") else ""
    )
    folder = bucket.make()
    assert folder.create("orders/0001-a-1-000000.toml", b"x")
    assert bucket.names() == ["game.toml", "orders/0001-a-1-000000.toml"]


def test_a_turn_that_the_store_lists_late_is_never_made_anew(joined_in_bucket, bucket, s3):
    """As in a synced folder: what this machine knows to be there is waited for, never made anew."""
    rhea, ann = joined_in_bucket.person("rhea"), joined_in_bucket.person("ann")
    late = "turns/0002.toml"
    assert advance_in_store(rhea, bucket).exit == 0
    for name in SEATS.values():
        joined_in_bucket.person(name).pbem(["submit", "-C", bucket.address, "-"], WHOLE)
    assert advance_in_store(rhea, bucket).exit == 0
    assert ann.pbem(f"status -C {bucket.address}").exit == 0
    turn = bucket.get(late)
    bucket.remove(late)  # the list does not have it yet
    ann.pbem(f"status -C {bucket.address}").checked(3, err="turn 2")
    later = {"SOURCE_DATE_EPOCH": str(NOW + 60)}
    again = advance_in_store(rhea, bucket, **later)
    assert "was made here and was missing; pbem has put it back, byte for byte" in again.text
    assert bucket.get(late) == turn
    assert ann.pbem(f"status -C {bucket.address}").exit == 0


def test_an_ssh_server_with_an_unknown_or_changed_key_is_refused(on_server, ssh, tmp_path):
    known = ssh.home / ".ssh/known_hosts"
    before = known.read_text()
    known.write_text("")
    try:
        with pytest.raises(StorageError, match="does not know the server yet") as refused:
            on_server.make().scan()
        assert refused.value.exit == 7
        other = before.split(" ")
        (tmp_path / "other").mkdir()
        wrong = SshServer(tmp_path / "other")
        host = (wrong.root / "host.pub").read_text().split(" ")[1]
        wrong.stop()
        known.write_text(f"{other[0]} ssh-ed25519 {host}\n")
        with pytest.raises(StorageError, match="host key has changed"):
            on_server.make().scan()
    finally:
        known.write_text(before)


def test_an_ssh_server_that_accepts_none_of_your_keys_is_named(on_server, ssh):
    (ssh.root / "authorized").rename(ssh.root / "none")
    try:
        with pytest.raises(StorageError, match="accepts none of your SSH keys") as refused:
            on_server.make().scan()
        assert refused.value.exit == 7
    finally:
        (ssh.root / "none").rename(ssh.root / "authorized")


def test_an_ssh_server_that_is_not_there_is_named(on_server: OnServer) -> None:
    user_and_computer, _, _ = on_server.address.rpartition(":")
    other = OnServer(on_server.root, f"{user_and_computer}:1/srv/savannah", on_server.root)
    folder: StoreFolder = other.make()
    with pytest.raises(AwayError, match="cannot be reached now"):
        folder.scan()


def test_a_symbolic_link_on_an_ssh_server_is_not_followed(on_server, tmp_path):
    on_server.put("game.toml", b"charter")
    (tmp_path / "secret").write_bytes(b"secret")
    on_server.put("turns/0001.toml", b"x")
    (on_server.root / "turns/0002.toml").symlink_to(tmp_path / "secret")
    folder = on_server.make()
    (_, found) = folder.scan().turns
    with pytest.raises(FileError, match="is a link") as refused:
        folder.read(found)
    assert refused.value.exit == 4
    (tmp_path / "elsewhere").mkdir()
    (on_server.root / "orders").symlink_to(tmp_path / "elsewhere")
    assert [x.kind for x in folder.scan().strays] == ["link"]
    with pytest.raises(FileError, match="orders is a link, which pbem does not follow"):
        folder.create("orders/0001-a-1-000000.toml", b"x")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_ssh_connection_that_broke_is_made_again(on_server: OnServer) -> None:
    folder = on_server.make()
    assert folder.create("game.toml", b"charter")
    folder._store.files.client.close()
    with pytest.raises(StorageError):
        folder.scan()
    assert folder.scan().charter
