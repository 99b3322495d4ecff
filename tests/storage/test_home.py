"""What is mine: where it lies, who may look, and what happens when it is damaged."""

import errno
import os
from pathlib import Path

import pytest

from pbem.files import syscalls
from pbem.files.file_errors import StorageError, TakenError
from pbem.files.game_folder_places import DiskPlace
from pbem.files.home import Home, home_path
from pbem.files.signed_and_seen import Signed
from tests.storage.permissions import closed_to_me

GAME = "4f1c22" + "0" * 58
USER = Path("/home/bo")
posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")


@pytest.fixture
def user_home(tmp_path):
    return Home(tmp_path / "mine")


@pytest.mark.parametrize(
    ("environ", "platform", "path"),
    [
        ({}, "linux", "/home/bo/.local/share/pbem"),
        ({"XDG_DATA_HOME": "/data"}, "linux", "/data/pbem"),
        ({"XDG_DATA_HOME": "data"}, "linux", "/home/bo/.local/share/pbem"),
        ({"XDG_DATA_HOME": ""}, "freebsd", "/home/bo/.local/share/pbem"),
        ({"XDG_DATA_HOME": "/data"}, "darwin", "/home/bo/Library/Application Support/pbem"),
        ({}, "win32", "/home/bo/AppData/Local/pbem"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/pbem"),
        ({"PBEM_HOME": "/stick", "XDG_DATA_HOME": "/data"}, "linux", "/stick"),
    ],
)
def test_the_home_lies_where_system_and_settings_say(environ, platform, path):
    assert home_path(environ, platform, USER) == Path(path)


def test_pbem_home_may_be_a_relative_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", "here")
    assert Home.find().root == tmp_path / "here"


def test_reading_from_a_home_creates_nothing(user_home):
    assert user_home.profiles() == []
    assert user_home.games() == []
    mine = user_home.game(GAME)
    assert (mine.heads.last_position(), mine.settings(), mine.place) == (None, {}, None)
    assert mine.cache("records").load() is None
    assert not user_home.root.exists()


def test_a_home_inside_the_shared_folder_is_refused(user_home, tmp_path):
    user_home.check_outside(DiskPlace(tmp_path / "savannah"))
    for folder in (tmp_path, user_home.root):
        with pytest.raises(StorageError, match="others see"):
            user_home.check_outside(DiskPlace(folder))
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(StorageError, match="PBEM_HOME"):
        Home(tmp_path / "link/mine").check_outside(DiskPlace(tmp_path))


def test_keys_in_a_home_are_never_replaced(user_home):
    path = user_home.write_key("default", b"one")
    assert user_home.write_key("default", b"one") == path
    with pytest.raises(TakenError):
        user_home.write_key("default", b"two")
    assert user_home.read_key("default") == b"one"
    assert user_home.profiles() == ["default"]
    with pytest.raises(StorageError, match="is not there"):
        user_home.read_key("ann")


@pytest.mark.parametrize("name", ["", "..", "a/b", "/etc", "Ann", "ä", "-x", "a" * 33, "a\n", "."])
def test_profiles_with_odd_names_are_refused(user_home, name):
    with pytest.raises(ValueError, match="a profile's name has"):
        user_home.write_key(name, b"")


@pytest.mark.parametrize("game", ["", "4f1c22", "../" + GAME[3:], GAME.upper(), GAME + "\n"])
def test_a_games_home_needs_the_whole_id(user_home, game):
    with pytest.raises(ValueError, match="not the id of a game"):
        user_home.game(game)


@posix_only
def test_folders_made_above_the_home_are_private_too(tmp_path):
    Home(tmp_path / "data/pbem").write_key("default", b"secret")
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_each_thing_in_a_home_has_its_place(user_home):
    key, mine = user_home.write_key("ann", b"secret"), user_home.game(GAME)
    assert key == user_home.root / "profiles/ann/key"
    kept = mine.keep_original(b"mail")
    assert (kept.parent, len(kept.name)) == (mine.root / "seen", 64)
    mine.heads.remember(["0" * 64] * 2)
    mine.receipts.note("ab", 1)
    mine.sightings.note_dates([1], 1)
    mine.signed.sign(Signed(1, "turns/0001.toml", "ab", b""))
    mine.acts.keep("message-b", b"")
    assert (mine.root / "acts/message-b").exists()
    mine.change_setting("as", "b")
    mine.remember_place(user_home.root)
    files = " ".join(sorted(f.name for f in mine.root.iterdir() if f.is_file()))
    books = "heads.toml notes.lock place.toml receipts.toml settings.toml sightings.toml"
    assert files == f"{books} signed"
    assert mine.root == user_home.root / "games" / GAME


def test_a_home_lists_only_profiles_with_keys_and_games_in_order(user_home):
    for name in ("cy", "ann", "eve", "bo", "di"):
        user_home.write_key(name, b"secret")
    (user_home.root / "profiles/zoe").mkdir()  # no key in it
    (user_home.root / "profiles/.trash").mkdir()
    assert user_home.profiles() == ["ann", "bo", "cy", "di", "eve"]
    games = [f"{n:064x}" for n in (5, 3, 9, 1)]
    for game in games:
        user_home.game(game).change_setting("as", "b")
    (user_home.root / "games/notes").mkdir()
    assert user_home.games() == sorted(games)


@posix_only
def test_everything_in_a_home_is_closed_to_other_users(user_home):
    user_home.root.mkdir(mode=0o755)
    user_home.write_key("default", b"secret")
    mine = user_home.game(GAME)
    mine.write_draft(7, "b", "food = 'horns 4'\n")
    mine.keep_original(b"From: eve")
    mine.remember_place(user_home.root)
    mine.change_setting("as", "b")
    with mine.lock("advance"):
        pass
    everything = [user_home.root, *user_home.root.rglob("*")]
    assert {p.stat().st_mode & 0o777 for p in everything if p.is_dir()} == {0o700}
    assert {p.stat().st_mode & 0o777 for p in everything if p.is_file()} == {0o600}


def test_a_draft_is_replaced_by_the_next(user_home):
    mine = user_home.game(GAME)
    path = mine.write_draft(7, "b", "one")
    assert path == mine.draft(7, "b") == mine.write_draft(7, "b", "zwei ä")
    assert path.name == "0007-b.toml"
    assert path.read_text("utf-8") == "zwei ä"


def test_old_drafts_are_kept_beside_the_new_one(user_home):
    mine = user_home.game(GAME)
    kept = []
    for text in ("one", "two", "three"):
        kept.append(mine.back_up_draft(mine.write_draft(7, "b", text)))
        assert not mine.draft(7, "b").exists()
    assert [path.name for path in kept] == [f"0007-b-old{n}.toml" for n in (1, 2, 3)]
    assert [path.read_text() for path in kept] == ["one", "two", "three"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept)


def test_a_refusal_by_the_system_is_reported_with_its_path(user_home, tmp_path, monkeypatch):
    def refuse(*args):
        raise PermissionError(errno.EPERM, "")

    mine = user_home.game(GAME)
    mine.root.joinpath("cache").mkdir(parents=True)
    mine.root.joinpath("cache/records").write_bytes(b"")
    mine.root.joinpath("advance.lock").mkdir()
    user_home.root.chmod(0o755)
    monkeypatch.setattr(syscalls, "chmod", refuse)
    monkeypatch.setattr(syscalls, "unlink", refuse)
    for act, path, told in (
        (lambda: user_home.write_key("ann", b""), user_home.root, "the system forbids this"),
        (mine.drop_caches, mine.root / "cache", "the system forbids this"),
        (mine.lock("advance").__enter__, mine.root / "advance.lock", "is a folder"),
    ):
        with pytest.raises(StorageError, match=told) as refused:
            act()
        assert refused.value.path == str(path)


def test_a_user_without_a_home_folder_is_told_to_set_pbem_home(monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError))
    with pytest.raises(
        StorageError, match="pbem cannot find your home folder; set PBEM_HOME to one of your"
    ) as refused:
        Home.find()
    assert refused.value.path == "~"


def test_changing_a_setting_keeps_the_comments(user_home):
    mine = user_home.game(GAME)
    mine.root.mkdir(parents=True)
    (mine.root / "settings.toml").write_text("# mine\nas = 'b'  # my seat\n")
    mine.change_setting("as", "c")
    mine.change_setting("colour", False)
    assert mine.settings() == {"as": "c", "colour": False}
    text = (mine.root / "settings.toml").read_text()
    assert "# mine" in text
    assert "# my seat" in text


@pytest.mark.parametrize("text", [b"as = ", b"\xff", b"a = " + b"[" * 5000])
def test_damaged_settings_are_reported_and_left_unchanged(user_home, text):
    mine = user_home.game(GAME)
    mine.root.mkdir(parents=True)
    (mine.root / "settings.toml").write_bytes(text)
    for act in (mine.settings, lambda: mine.change_setting("as", "c")):
        with pytest.raises(StorageError, match=r"settings\.toml: is not valid TOML"):
            act()
    assert (mine.root / "settings.toml").read_bytes() == text


@pytest.mark.parametrize(("size", "good"), [(8192, True), (8193, False)])
def test_settings_longer_than_eight_kibibytes_are_refused(user_home, size, good):
    mine = user_home.game(GAME)
    mine.root.mkdir(parents=True)
    (mine.root / "settings.toml").write_text("as = 'b' #".ljust(size, "x"))
    if good:
        assert mine.settings() == {"as": "b"}
    else:
        with pytest.raises(StorageError, match=r"settings\.toml"):
            mine.settings()


def test_memories_that_have_not_changed_are_not_written_again(user_home, tmp_path):
    mine = user_home.game(GAME)

    def write():
        mine.remember_place(tmp_path)
        mine.heads.remember(["0" * 64] * 2)
        return [(mine.root / name).stat().st_ino for name in ("place.toml", "heads.toml")]

    assert write() == write()


def test_a_home_remembers_the_place_of_each_game(user_home, tmp_path):
    user_home.game(GAME).remember_place(tmp_path / "Sync" / 'savannah "2" ä')
    assert user_home.games() == [GAME]
    assert user_home.game(GAME).place.path == tmp_path / "Sync" / 'savannah "2" ä'
    user_home.game(GAME).remember_place(tmp_path / os.fsdecode(b"\xff"))  # no text: not remembered
    assert user_home.game(GAME).place.path == tmp_path / "Sync" / 'savannah "2" ä'
    (user_home.root / "games" / GAME / "place.toml").write_bytes(b"junk")
    assert user_home.game(GAME).place is None


def test_original_mails_are_kept_once(user_home):
    mine = user_home.game(GAME)
    path = mine.keep_original(b"mail")
    assert path == mine.keep_original(b"mail")
    assert mine.keep_original(b"other") != path
    assert path.read_bytes() == b"mail"


def test_tidying_a_home_removes_only_old_temporary_files(user_home):
    mine = user_home.game(GAME)
    mine.write_draft(7, "b", "text")
    mine.keep_original(b"mail")
    mine.cache("records").save(1)
    whole = sorted(mine.root.rglob("*"))
    for folder in (mine.root, *(f for f in whole if f.is_dir())):
        (folder / ".~pbem-dead").write_bytes(b"")
        os.utime(folder / ".~pbem-dead", (0, 0))
    mine.tidy()
    assert sorted(mine.root.rglob("*")) == whole


@posix_only
def test_a_home_that_may_not_be_entered_is_reported():
    with closed_to_me(0o000) as root:
        home = Home(root / "mine")
        mine = home.game(GAME)
        for act in (
            home.profiles,
            home.games,
            mine.heads.last_position,
            mine.settings,
            lambda: home.read_key("default"),
            lambda: home.write_key("default", b""),
            lambda: mine.write_draft(7, "b", ""),
            lambda: mine.lock("advance").__enter__(),
        ):
            with pytest.raises(StorageError, match="no permission"):
                act()
        assert mine.place is None
        mine.tidy()
