"""Records of versions to come: what this version does with them, as docs/protocol.md §11 says."""

from pathlib import Path
from typing import Any

import pytest

from pbem.format.canonical_toml import emit, parse
from pbem.format.mail_block import encode
from pbem.format.signed_file import Signed, sign, split
from tests.kit import named_games as games
from tests.kit.people import Person, Round, key_of

LATER = "install a newer version"


class Game:
    """A game at turn 1; Rhea deals, Ann and Bo play."""

    def __init__(self, root: Path) -> None:
        self.table = Round(root)
        games.joined(self.table)
        games.begun(self.table)
        self.folder = self.table.shared / "savannah"
        self.ann, self.rhea = self.table.person("ann"), self.table.person("rhea")

    @property
    def turn(self) -> dict[str, Any]:
        return parse(split((self.folder / "turns/0001.toml").read_bytes()).body)

    def sign_turn(self, doc: dict[str, Any]) -> None:
        path = self.folder / f"turns/{doc['turn']:04}.toml"
        path.write_bytes(sign("turn", emit(doc), key_of("rhea")).file)

    def notice(self, **changes: Any) -> Signed:
        """A notice by Bo after turn 1, of a kind that this version does not know."""
        session = games.session_of(self.rhea)
        head = session.game_folder.chain_of(list(session.game_folder.turns())).heads[1]
        doc = {"v": 1, "kind": "notice", "game": session.game_folder.game.hex(), "turn": 1,
               "prev": head.hex(), "seat": "b", "number": 1, "about": "later"}  # fmt: skip
        return sign("notice", emit(doc | changes), key_of("bo"))

    def put(self, notice: Signed) -> str:
        path = f"notices/0001-b-1-{notice.id.hex()[:6]}.toml"
        (self.folder / "notices").mkdir(exist_ok=True)
        (self.folder / path).write_bytes(notice.file)
        return path


@pytest.fixture
def later_game(tmp_path: Path) -> Game:
    return Game(tmp_path)


def check_exit_and_words(who: Person, line: str, exit_code: int, words: str) -> None:
    said = who.pbem(line)
    assert said.exit == exit_code, said.text
    assert words in said.text


def test_a_notice_of_an_unknown_kind_that_no_turn_lists_changes_nothing(later_game: Game) -> None:
    path = later_game.put(later_game.notice())
    told = f"{path} does not count: this version of pbem does not know the kind of notice 'later'"
    told = f"{told}; {LATER}"
    check_exit_and_words(later_game.ann, "status -C savannah", 0, told)
    check_exit_and_words(later_game.rhea, "advance -C savannah", 5, told)
    check_exit_and_words(later_game.ann, "audit savannah", 0, LATER)


def test_a_turn_that_lists_an_unknown_notice_is_not_read_but_the_turns_before_are(later_game):
    notice = later_game.notice()
    path = later_game.put(notice)
    first = later_game.turn
    kept = ("deadline", "game", "kind", "links", "over", "packets", "table", "time", "v", "awaited")
    listed = {"about": "later", "id": notice.id.hex(), "seat": "b"}
    prev = parse(notice.body)["prev"]
    later_game.sign_turn(
        {name: first[name] for name in kept}
        | {"turn": 2, "seat": "", "prev": prev, "notices": [listed]}
    )
    for line in ("status -C savannah", "show -C savannah"):
        check_exit_and_words(
            later_game.ann,
            line,
            6,
            f"{path}: this version of pbem does not know the kind of notice",
        )
    check_exit_and_words(later_game.rhea, "advance -C savannah", 6, LATER)
    words = "Turn 1: the public part is right, but not proven"
    check_exit_and_words(later_game.ann, "audit savannah", 6, words)


@pytest.mark.parametrize("version", [2, 3])
def test_a_record_of_a_later_protocol_is_named_with_its_version(later_game, version):
    later_game.sign_turn(later_game.turn | {"v": version, "later": 1})
    told = f"protocol pbem/{version}, but this version of pbem knows only pbem/1: {LATER}"
    check_exit_and_words(later_game.ann, "status -C savannah", 6, f"made with {told}")
    check_exit_and_words(later_game.ann, "audit savannah", 6, told)
    check_exit_and_words(later_game.rhea, "advance -C savannah", 6, told)


def test_an_unknown_field_in_a_record_of_this_version_is_refused(later_game: Game) -> None:
    later_game.sign_turn(later_game.turn | {"later": 1})
    check_exit_and_words(
        later_game.ann,
        "status -C savannah",
        4,
        "turns/0001.toml: field later: a file of this kind has no such field",
    )


def test_an_unknown_folder_in_a_game_is_listed_and_never_read(later_game: Game) -> None:
    (later_game.folder / "later").mkdir()
    (later_game.folder / "later/0001-b-1-123456.toml").write_bytes(b"\0")
    check_exit_and_words(later_game.ann, "status -C savannah", 0, "you are asked for")
    check_exit_and_words(
        later_game.ann,
        "audit savannah",
        0,
        "foreign: later: this is a folder, and pbem does not look inside",
    )


def test_a_mail_with_records_of_later_versions_brings_the_others(later_game: Game) -> None:
    later = sign("later", later_game.notice().body, key_of("bo")).file
    files = [later, later_game.notice().file, (later_game.folder / "turns/0001.toml").read_bytes()]
    (later_game.folder / "turns/0001.toml").unlink()
    path = later_game.table.root / "mail.pbem"
    path.write_text(encode(files))
    check_exit_and_words(
        later_game.ann, f"receive {path}", 6, f"does not know records of kind later: {LATER}"
    )
    assert (later_game.folder / "turns/0001.toml").read_bytes() == files[2]


def test_a_game_with_an_unknown_policy_is_played_as_without_it(tmp_path, monkeypatch):
    table = Round(tmp_path)
    policies = {"later": "yes", "wait": "asked"}, list[str]()
    with monkeypatch.context() as patch:
        patch.setattr("pbem.acts.new_game.typed_policies", lambda *_: policies)
        check_exit_and_words(
            table.person("rhea"), "new savannah --players Ann,Bo --as-printed", 0, "made savannah"
        )
    for seat in "ab":
        games.sit(table, seat)
    check_exit_and_words(table.person("rhea"), "advance -C savannah", 0, "made turns/0001.toml")
    check_exit_and_words(
        table.person("ann"),
        "audit savannah",
        0,
        "Up to turn 1, everything that pbem can check is right",
    )
