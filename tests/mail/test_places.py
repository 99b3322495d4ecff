"""Where a game that came by mail is put, and what a receiver's home remembers of it."""

import tomllib

import pytest

from pbem.files.file_errors import AwayError, StorageError
from pbem.files.game_folder import Folder
from pbem.files.game_folder_places import DiskPlace
from pbem.files.home import Home
from pbem.format.mail_block import encode
from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import Vote
from pbem.judge.records_of_game_folder import read_game_id
from pbem.mail.find_game_by_id import Places
from pbem.mail.take_records_from_mail import MAX_UNKNOWN_GAMES, Receiving, Refusal
from pbem.mail.write_and_describe_bundle import ENDING, describe_records, format_bundle
from pbem.person.due_mail import seats_by_join_id
from pbem.person.mail_notebooks import MailHistory, People
from pbem.records.game_id_and_chain_heads import game_id
from pbem.records.notice import SCORE
from pbem.records.read_and_sign_record import Record
from tests.kit.record_files import archive_of, resigned
from tests.kit.sample_records import SAMPLE, orders_of_b
from tests.mail.filed_records import CHARTER, FINAL, JOIN_A, JOIN_B, TURN1, TURN2
from tests.mail.sample import ALL, BUNDLE

GAME = SAMPLE.game


@pytest.fixture
def start_place(tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    return place


@pytest.fixture
def places_of_eve(tmp_path, start_place):
    """Eve's, who stands in an empty folder."""
    return lambda at=start_place, named=None: Places(
        Home(tmp_path / "home"), at, named and DiskPlace(named)
    )


def folder_with_charter(folder, charter=CHARTER):
    """A folder with this charter."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.toml").write_bytes(charter.file)
    return folder


OTHER = resigned(CHARTER, SAMPLE.ann, table=bytes(16))


# ------------------------------------------------------------------ which folder
def test_a_new_folder_is_named_after_the_game(places_of_eve, start_place):
    assert places_of_eve().find(GAME, None) is None
    assert places_of_eve().find(GAME, CHARTER).path == start_place / "savannah"
    assert (
        places_of_eve(folder_with_charter(start_place / "other", OTHER)).find(GAME, CHARTER).path
        == start_place / "savannah"
    )
    folder_with_charter(start_place / "savannah", OTHER)
    assert places_of_eve().find(GAME, CHARTER).path == start_place / "savannah-2"
    (start_place / "savannah-2").write_text("mine")
    (start_place / "savannah-3").symlink_to(start_place / "none")
    (start_place / "savannah-4").symlink_to(start_place)
    (start_place / "empty").mkdir()
    (start_place / "savannah-5").symlink_to(start_place / "empty")
    assert places_of_eve().find(GAME, CHARTER).path == start_place / "savannah-6", (
        "no link is followed"
    )
    (start_place / "savannah-5").unlink()
    (start_place / "savannah-5").mkdir()
    (start_place / "savannah-5" / "mine").write_text("mine")
    assert places_of_eve().find(GAME, CHARTER).path == start_place / "savannah-6"
    folder_with_charter(start_place / "savannah-6")
    assert places_of_eve().find(GAME, CHARTER).path == start_place / "savannah-6", "the game itself"


@pytest.mark.parametrize("left", [(), (".DS_Store",), ("turns/",), ("game.toml.tmp",)])
def test_what_an_interrupted_receive_leaves_is_taken(places_of_eve, start_place, left):
    (start_place / "savannah").mkdir()
    for name in left:
        path = start_place / "savannah" / name
        path.mkdir() if name.endswith("/") else path.write_bytes(b"")
    state = Folder(start_place / "savannah").scan().state
    taken = start_place / ("savannah" if state == "empty" else "savannah-2")
    assert places_of_eve().find(GAME, CHARTER).path == taken


def test_a_thousand_folders_are_tried(places_of_eve, start_place):
    for number in range(2, 999):
        (start_place / f"savannah-{number}").touch()
    (start_place / "savannah").touch()
    assert places_of_eve().find(GAME, CHARTER).path == start_place / "savannah-999"
    (start_place / "savannah-999").touch()
    with pytest.raises(StorageError, match="a thousand similar folder names"):
        places_of_eve().find(GAME, CHARTER)


@pytest.mark.parametrize("title", ["aux", "Con", "NUL", "prn", "com0", "LPT9", "com10", "console"])
def test_no_folder_has_the_name_of_a_device(places_of_eve, start_place, title):
    charter = resigned(CHARTER, SAMPLE.ann, title=title)
    plain = title in ("com10", "console")
    expected = start_place / (title if plain else f"{title.lower()}-game")
    assert places_of_eve().find(charter.id, charter).path == expected


def test_a_folder_with_the_game_is_found(places_of_eve, start_place):
    folder = folder_with_charter(start_place / "mine")
    assert places_of_eve(folder).find(GAME, None).path == folder
    assert places_of_eve(folder).find(GAME, CHARTER).path == folder
    places_of_eve().home.game(GAME.hex()).remember_place(folder)
    assert places_of_eve().find(GAME, None).path == folder
    again = folder_with_charter(start_place / "again")
    assert places_of_eve(again).find(GAME, CHARTER).path == again, "where one stands counts first"
    (folder / "game.toml").unlink()
    for charter in (None, CHARTER):
        with pytest.raises(RecordError) as caught:
            places_of_eve().find(GAME, charter)
        assert caught.value.reason == "parent"
        assert caught.value.sentence.startswith(
            f"belongs to the game that was in {folder}, where pbem finds no game"
        )
        assert "If you moved the folder, give its path with -C" in caught.value.sentence


def test_a_folder_named_with_c_is_used_unless_it_holds_something_else(
    places_of_eve, start_place, monkeypatch
):
    monkeypatch.chdir(start_place)
    named = start_place / "named"
    relative = named.relative_to(start_place)
    assert places_of_eve(named=relative).find(GAME, None) is None
    assert places_of_eve(named=relative).find(GAME, CHARTER).path == named
    folder_with_charter(named)
    assert places_of_eve(named=relative).find(GAME, None).path == named
    assert places_of_eve(named=relative).find(GAME, CHARTER).path == named
    folder_with_charter(named, OTHER)
    for charter in (None, CHARTER):
        with pytest.raises(RecordError) as caught:
            places_of_eve(named=named).find(GAME, charter)
        told = f"belongs to game {GAME.hex()[:6]}, but {named} contains another game"
        assert (caught.value.reason, caught.value.sentence) == ("place", told)
    foreign = start_place / "foreign"
    foreign.mkdir()
    (foreign / "mine").write_text("x")
    assert places_of_eve(named=foreign).find(GAME, None) is None
    with pytest.raises(RecordError) as caught:
        places_of_eve(named=foreign).find(GAME, CHARTER)
    told = f"belongs to game {GAME.hex()[:6]}, but {foreign} contains other files"
    assert (caught.value.reason, caught.value.sentence) == ("place", told)
    (start_place / "empty").mkdir()
    assert places_of_eve(named=start_place / "empty").find(GAME, CHARTER) == DiskPlace(
        start_place / "empty"
    )


def test_a_home_must_lie_outside_of_a_new_folder(start_place):
    inside = Places(Home(start_place / "savannah" / "home"), start_place)
    with pytest.raises(StorageError):
        inside.find(GAME, CHARTER)


def test_which_game_is_in_a_folder(start_place):
    assert read_game_id(Folder(folder_with_charter(start_place / "mine"))) == GAME
    assert read_game_id(Folder(start_place / "none")) == read_game_id(Folder(start_place)) == b""
    (start_place / "mine" / "game.toml").write_bytes(b"junk")
    assert read_game_id(Folder(start_place / "mine")) == b""
    (start_place / "mine" / "game.toml").unlink()
    (start_place / "mine" / "game.toml").mkdir()
    assert read_game_id(Folder(start_place / "mine")) == b""


def test_a_store_that_cannot_be_reached_is_not_taken_for_an_empty_folder(start_place):
    class Away(Folder):
        def scan(self):
            raise AwayError(self.root, "cannot be reached now")

    with pytest.raises(AwayError):
        read_game_id(Away(folder_with_charter(start_place / "mine")))


# ------------------------------------------------------------------ receiving
@pytest.fixture
def new_receiving(places_of_eve):
    return lambda: Receiving(places_of_eve())


def forged_charter(number: int = 0) -> bytes:
    """A block whose text was changed after it was signed."""
    return ALL["game.toml"].replace(b"Savannah", f"Sav{number:05}".encode())


def test_what_came_is_delivered_game_by_game(new_receiving, start_place):
    run = new_receiving()
    run.open(BUNDLE.encode(), "one")
    run.open(OTHER.file, "two")
    run.open(CHARTER.file, "three")
    run.file_all()
    one, two = run.deliveries
    assert (one.game_folder.game, one.title) == (GAME, "Savannah")
    assert (one.root.path, one.is_new_folder) == (start_place / "savannah", True)
    assert ([r.content.kind for r in one.new_records], one.present_count) == (
        ["charter", "join", "join"],
        0,
    )
    assert two.game_folder.game == game_id(OTHER.signed.body)
    assert (two.root.path, two.is_new_folder) == (start_place / "savannah-2", True)
    assert (run.refusals, run.kept_paths, run.repaired) == ([], [], [])
    again = new_receiving()
    again.open(BUNDLE.replace("\n", "\r\n").encode(), "once more")
    again.file_all()
    (one,) = again.deliveries
    assert (one.is_new_folder, one.new_records, one.present_count) == (False, [], 3)
    assert again.repaired == ["once more"] * 3
    assert again.home.game(GAME.hex()).place.path == start_place / "savannah"


def test_what_is_refused_is_kept_once_and_said_once(new_receiving):
    run = new_receiving()
    data = encode([forged_charter(), CHARTER.file]).encode()
    for _ in range(2):
        run.open(data, "x")
    (refusal,) = run.refusals
    assert (refusal.source, refusal.reason) == ("x", "signature")
    assert [path.read_bytes() for path in run.kept_paths] == [data]
    assert run.kept_paths[0].parent == run.home.game(GAME.hex()).root / "seen"
    run.open(forged_charter(), "y")
    assert len(run.refusals) == 2
    assert run.kept_paths[1].read_bytes() == forged_charter()
    assert run.kept_paths[1].parent == run.home.root / "seen"
    assert all(path.stat().st_mode & 0o077 == 0 for path in run.kept_paths), "for its owner alone"


@pytest.mark.parametrize(("size", "kept"), [(1 << 22, 1), ((1 << 22) + 1, 0)])
def test_a_refused_mail_of_up_to_four_megabytes_is_kept(new_receiving, size, kept):
    run = new_receiving()
    run.open(encode([forged_charter()]).encode().ljust(size), "x")
    assert (len(run.refusals), len(run.kept_paths)) == (1, kept)


def test_fifty_files_are_kept(new_receiving):
    run = new_receiving()
    for number in range(52):
        run.open(forged_charter(number), f"{number}")
    assert len(run.kept_paths) == len(list((run.home.root / "seen").iterdir())) == 50
    told = "pbem kept only the first 50 of the refused files"
    rest = "the others are still in the email or file that you got"
    assert run.refusals.count(Refusal("this email", "mail", f"{told}; {rest}")) == 1
    assert len(run.refusals) == 53


@pytest.mark.parametrize(("junk", "stops"), [(1 << 19, False), ((1 << 19) + 1, True)])
def test_half_a_megabyte_of_junk_is_read(new_receiving, junk, stops):
    run = new_receiving()
    half = junk // 2
    damaged = encode([JOIN_A.file])[:-60]
    data = encode([bytes(half), bytes(junk - half), CHARTER.file]).encode()
    run.open(damaged.encode() + b"\n" + data, "x")
    assert [path.read_bytes()[-99:] for path in run.kept_paths] == [data[-99:]], "all of it"
    told = "pbem stopped reading, because most of the text is not from pbem"
    assert any(r.sentence.startswith(told) for r in run.refusals) is stops
    run.file_all()
    assert len(run.deliveries) == (0 if stops else 1)


@pytest.mark.parametrize(
    ("data", "told"), [(b" \n", "is empty"), (b"Hello", "contains nothing from pbem")]
)
def test_a_mail_without_anything_from_pbem_is_refused_and_not_kept(new_receiving, data, told):
    run = new_receiving()
    run.open(data, "x")
    assert run.refusals == [Refusal("x", "mail", f"{told}; save or paste the whole email")]
    assert run.kept_paths == []


def test_without_its_charter_a_record_waits_in_the_home(new_receiving, start_place):
    run = new_receiving()
    run.open(JOIN_B.file, "x")
    run.open(TURN1.file, "y")
    run.file_all()
    assert [(r.source, r.reason) for r in run.refusals] == [("x", "parent"), ("y", "parent")]
    told = f"belongs to game {GAME.hex()[:6]}, which is not here. pbem keeps it"
    assert run.refusals[0].sentence.startswith(f"{told} until you have the game: ask")
    assert sorted(p.read_bytes() for p in run.kept_paths) == sorted([JOIN_B.file, TURN1.file])
    assert (run.deliveries, list(start_place.iterdir())) == ([], [])
    seen = run.home.game(GAME.hex()).root / "seen"
    (seen / "of another game").write_bytes(resigned(JOIN_A, SAMPLE.held, game=bytes(32)).file)
    (seen / "a mail").write_bytes(b"whole mails are kept here too")
    (seen / "a folder").mkdir()
    run = new_receiving()
    run.open(CHARTER.file, "z")
    run.file_all()
    (delivery,) = run.deliveries
    assert [record.content.kind for record in delivery.new_records] == ["charter", "join", "turn"]
    left = sorted(path.name for path in seen.iterdir())
    assert left == ["a folder", "a mail", "of another game"], "what was filed makes room"


def test_so_many_unknown_games_wait_and_those_that_are_here_still_have_room(new_receiving):
    run = new_receiving()
    run.open(JOIN_B.file, "x")
    run.file_all()
    for number in range(1, MAX_UNKNOWN_GAMES):
        run.home.game(f"{number:064x}").keep_original(b"of some game")
    strange = resigned(JOIN_A, SAMPLE.held, game=bytes(32))
    again = new_receiving()
    again.open(strange.file, "y")
    again.open(TURN1.file, "z")
    again.file_all()
    assert [path.read_bytes() for path in again.kept_paths] == [TURN1.file]
    told = "too many files wait for missing files, so pbem keeps no more of them"
    assert any(told in refusal.sentence for refusal in again.refusals)


def test_what_waits_in_the_home_is_not_said_twice(new_receiving):
    early = orders_of_b()
    for data in (early.file, CHARTER.file):
        run = new_receiving()
        run.open(data, "x")
        run.file_all()
    assert run.refusals == []
    seen = run.home.game(GAME.hex()).root / "seen"
    assert [path.read_bytes() for path in seen.iterdir()] == [early.file]
    run = new_receiving()
    run.open(early.file, "again")
    run.file_all()
    assert [(r.source, r.reason) for r in run.refusals] == [("again", "parent")]
    assert run.kept_paths == [], "it is where it waits already"


def test_what_is_refused_in_its_place_is_kept(new_receiving):
    stranger = resigned(JOIN_B, SAMPLE.bo, seat="c")
    run = new_receiving()
    run.open(encode([CHARTER.file, stranger.file]).encode(), "x")
    run.file_all()
    assert [(r.source, r.reason) for r in run.refusals] == [("x", "place")]
    assert [path.read_bytes() for path in run.kept_paths] == [stranger.file]


# ------------------------------------------------------------------ what was sent
def test_what_was_sent_and_came_is_remembered(tmp_path):
    mine = Home(tmp_path).game(GAME.hex())
    book = MailHistory(mine)
    assert (book.by_mail({}), book.with_referee) == ([], False)
    book.note_received([], [])
    assert not book.path.exists(), "nothing new, nothing written"
    book.note_sent("c", [JOIN_B.id, JOIN_A.id])
    book.note_sent("c", [TURN1.id])
    book.note_sent("referee", [])
    book.note_received(["b"], [JOIN_A.id])
    assert tomllib.loads(book.path.read_text()) == {
        "by_mail": ["b"],
        "joins": [JOIN_A.id.hex()],
        "sent": {"c": sorted(r.id.hex() for r in (JOIN_A, JOIN_B, TURN1)), "referee": []},
    }
    again = MailHistory(mine)
    assert again.by_mail({}) == ["b", "c"]
    assert again.by_mail({JOIN_A.id: "a", JOIN_B.id: "d"}) == ["a", "b", "c"]
    assert again.with_referee
    assert [again.was_sent(to, JOIN_A.id) for to in "bc"] == [False, True]
    assert [again.was_sent_as("c", x) for x in (JOIN_A.id.hex()[:6], "xxxxxx")] == [True, False]
    assert not again.was_sent_as("b", JOIN_A.id.hex()[:6])
    before = again.path.stat().st_ino
    again.note_received(["b"], [JOIN_A.id])
    assert again.path.stat().st_ino == before, "nothing new, nothing written"
    again.note_received([], [JOIN_B.id])
    assert again.path.stat().st_ino != before


def test_the_note_of_sent_mail_has_one_form(tmp_path):
    mine = Home(tmp_path).game(GAME.hex())
    idents = [bytes([n]) * 32 for n in range(9, 0, -1)]
    MailHistory(mine).note_received("hgfedcba", idents)
    MailHistory(mine).note_sent("a", idents)
    doc = tomllib.loads(MailHistory(mine).path.read_text())
    wanted = [f"{n:02x}" * 32 for n in range(1, 10)]
    assert (doc["by_mail"], doc["joins"], doc["sent"]) == (list("abcdefgh"), wanted, {"a": wanted})


def test_who_may_have_lost_what_they_were_sent_is_sent_it_again(tmp_path):
    mine = Home(tmp_path).game(GAME.hex())
    book = MailHistory(mine)
    book.note_sent("b", [TURN1.id])
    for again in (book, MailHistory(mine)):
        again.forget("b")
        assert not again.was_sent("b", TURN1.id)
        assert MailHistory(mine).by_mail({}) == ["b"], "they still play by mail"
        assert not MailHistory(mine).was_sent("b", TURN1.id)
        before = again.path.stat().st_ino
        again.forget("c")
        assert again.path.stat().st_ino == before, "nothing new, nothing written"
        again.note_sent("b", [TURN1.id])


def test_a_long_game_is_remembered_whole(tmp_path):
    """The book of a game of hundreds of turns is longer than a text that people write."""
    mine = Home(tmp_path).game(GAME.hex())
    idents = [number.to_bytes(32, "big") for number in range(2500)]
    MailHistory(mine).note_sent("b", idents)
    again = MailHistory(mine)
    assert again.path.stat().st_size > 1 << 17
    assert again.was_sent("b", idents[0])


def test_the_seat_of_a_join_is_known_from_the_join_itself_or_from_turn_1(start_place):
    folder = Folder(folder_with_charter(start_place))
    for name, data in ALL.items():
        if name.startswith("seats/a"):
            folder.create(name, data)
    assert seats_by_join_id(archive_of(folder)) == {JOIN_A.id: "a"}
    folder.create("turns/0001.toml", ALL["turns/0001.toml"])
    assert seats_by_join_id(archive_of(folder)) == {JOIN_A.id: "a", JOIN_B.id: "b"}


# ------------------------------------------------------------------ bundles
VOTE = SAMPLE.notice_by("b", Vote(SCORE), SAMPLE.bo, turn=2)


def turn_numbered(turn: int) -> Record:
    return TURN1 if turn == 1 else resigned(TURN2, SAMPLE.ann, turn=turn)


CONTENTS = {
    "game.toml": [CHARTER], "1 join": [JOIN_A], "game.toml, 2 joins": [JOIN_A, CHARTER, JOIN_B],
    "turn 3": [turn_numbered(3)], "turns 2 to 3": [turn_numbered(3), turn_numbered(2)],
    "turns 2 to 4": [turn_numbered(2), turn_numbered(4), turn_numbered(3)],
    "turns 1, 2, 4": [turn_numbered(4), turn_numbered(2), turn_numbered(1)],
    "1 set of orders": [SAMPLE.own],
    "turn 1, 2 sets of orders, final.toml": [FINAL, SAMPLE.own, TURN1, SAMPLE.orders1],
    "final.toml, 1 message": [SAMPLE.public, FINAL], "2 messages": [SAMPLE.public, SAMPLE.private],
    "1 notice": [SAMPLE.notice], "turn 1, 2 notices": [SAMPLE.notice, TURN1, VOTE], "": [],
}  # fmt: skip


@pytest.mark.parametrize(("told", "records"), CONTENTS.items())
def test_a_bundle_is_described_by_the_number_of_records_of_each_kind(told, records):
    assert describe_records(records) == told


def test_a_bundle_says_what_it_is_and_what_to_type():
    exactly = "x" * 35 + " " + "y" * 36
    longer = "x" * 36 + " " + "y" * 36
    assert ENDING == ".pbem"
    assert format_bundle([CHARTER, JOIN_A], "about", [exactly, longer]) == (
        f"A pbem bundle: about\n{exactly}\n{'x' * 36}\n{'y' * 36}\n"
        "Save this email, or the attached file, and type:  pbem receive FILE\n"
        "Or type  pbem receive -  and paste the whole email.\n\n"
        + encode([CHARTER.file, JOIN_A.file])
    )


# ------------------------------------------------------------------ addresses
def test_an_address_is_learnt_only_for_those_of_whom_nothing_was_said(tmp_path):
    people = People(Home(tmp_path / "home").game(GAME.hex()))
    for who, address in (("b", ""), ("c", ""), ("d", "di@example.org")):
        people.set(who, address)
    assert [people.learn(who, "eve@example.org") for who in "bcde"] == [False, False, False, True]
    people.set("b", "bo@example.org")
    people.set("b", "")
    assert not people.learn("b", "eve@example.org"), "somebody said that they get no mail"
    assert people.addresses == {"d": "di@example.org", "e": "eve@example.org"}
