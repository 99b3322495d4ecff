"""The files that no turn uses, one by one: how they are graded, and who is accused of what."""

from collections.abc import Sequence
from dataclasses import replace
from unittest.mock import patch

import pytest

from pbem.files.folder import Folder
from pbem.files.home import Sighting
from pbem.format.keys import SigningKey
from pbem.game.archive import file_name, open_folder
from pbem.game.audit import Audit, Finding, Report, Witness
from pbem.game.standing import Standing
from pbem.records.read_record import Record, make
from pbem.records.turn import Listed, in_order
from tests.mail.test_filing import EVE, anns, bos
from tests.records.sample import sample

G = sample()
USED = {record.id: record for record in (G.own, G.orders1, G.orders2)}
PAIR = (G.turn1, G.turn2)


def standing_of(turns):
    """Who sits where, in a game without notices."""
    roster = {"a": G.join_a.content, "b": G.join_b.content} if turns else {}
    return Standing(G.charter.content, roster)


def look(
    game_folder, report, turns=PAIR, used=USED, known=lambda *_: True, by_referee=None,
    standing=None, witness=None,
) -> None:  # fmt: skip
    """Look at the files that no turn uses, after an audit that accepted these turns."""
    audit = Audit(game_folder, None, witness)
    audit.report, audit.turns, audit.orders = report, list(turns), dict(used)
    audit.chain.standing = standing or standing_of(turns)
    with patch.multiple(audit, _known=known, _by_referee=by_referee):
        audit.other_files()


@pytest.fixture
def found(tmp_path):
    """The findings about a folder that has the whole game and these files."""
    root = tmp_path / "savannah"

    def with_(
        *records: Record,
        turns: Sequence[Record] = PAIR,
        used=USED,
        witness: Witness | None = None,
        by_referee: Sequence[str] = (),
        files: dict[str, bytes] | None = None,
        known=lambda _kind, key: key in (G.held.public, G.bo.public),
        before=(),
        standing: Standing | None = None,
    ) -> list[tuple[str, str, str, str]]:
        folder = Folder(root)
        game = [one for name, one in G.records.items() if not name.startswith("notices")]
        for record in (*game, *records):
            folder.create(file_name(record), record.file)
        for path, data in (files or {}).items():
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_bytes(data)
        heads = G.heads[: len(turns) + 1]
        report = Report(
            referee="Ann", plays=("a",), turns=len(turns), heads=heads, findings=list(before)
        )
        with_.report = report
        game_folder = open_folder(folder)
        look(
            game_folder, report, turns, used, known, lambda path: path in by_referee,
            standing or standing_of(turns), witness,
        )  # fmt: skip
        assert all(finding.turn == 0 and not finding.proof for finding in report.findings)
        return [
            (finding.grade, finding.reason, finding.sentence, finding.culprit)
            for finding in report.findings
            if finding not in before
        ]

    return with_


def saw(seconds: int, *records: Record, **rest) -> Witness:
    """Bo's machine: it sealed these records at this time before turn 1."""
    sealed = {record.id.hex(): G.turn1.content.time - seconds for record in records}
    return Witness("b", G.bo.seed, sealed, **rest)


def test_the_files_of_the_game_are_not_noted(found):
    assert found() == []
    assert (found.report.messages, found.report.waiting) == (2, 0)
    assert found(witness=Witness("b", G.bo.seed)) == []


# ------------------------------------------------------------------ joins
def join(**changes) -> Record:
    key = changes.pop("by", EVE)
    return make(replace(G.join_b.content, **{"key": key.public, **changes}), key)


SHARED = "a join for seat b that names a key of {}; two joins with the same key never both count"
NOT = "a join for seat {} that did not count"


def test_joins_that_turn_1_does_not_name(found):
    assert found(join(x25519=bytes([9] * 32))) == [("stray", "state", NOT.format("b"), "")]
    assert found(join(x25519=bytes([9] * 32)), turns=()) == []


@pytest.mark.parametrize(
    ("record", "whose"),
    [
        (join(by=G.held, x25519=bytes([9] * 32)), "seat a"),
        (join(x25519=G.join_a.content.x25519), "seat a"),
        (join(x25519=bytes([9] * 32), recovery=G.ann.public), "the referee"),
    ],
)
def test_a_join_with_the_key_of_somebody_else(found, record, whose):
    assert found(record) == [("stray", "key", SHARED.format(whose), "")]


def test_the_owner_of_a_join_that_was_left_out_is_told_to_ask(found):
    mine = join(x25519=bytes([9] * 32))
    (told,) = found(mine, witness=saw(7200, mine))
    assert told[:2] == ("ask", "state")
    assert told[2].startswith("you joined 2 hours before the date of turn 1")
    assert told[2].endswith("ask Ann why")
    assert found(witness=saw(10, mine)) == [("stray", "state", NOT.format("b"), "")]
    assert found(witness=saw(7200)) == [("stray", "state", NOT.format("b"), "")]
    word = make(replace(G.turn1.content, by_word=(mine.id,)), G.ann)
    said = found(witness=saw(7200, mine), turns=(word, G.turn2))
    assert said == [("stray", "state", NOT.format("b"), "")]


def test_a_second_join_of_the_same_person_is_nothing_to_ask_about(found):
    mine = join(by=G.bo, name="Bob")
    assert found(mine, witness=saw(7200, mine)) == [("stray", "state", NOT.format("b"), "")]
    (told,) = found(witness=saw(7200, mine), turns=(G.turn1,))
    assert told[0] == "stray"


# ------------------------------------------------------------------ orders
LATE = "no turn lists these orders; they came late, or the referee left them out"
LATER = "no turn lists these orders, because later orders of the same seat replaced them"


FIRST = bos(1, 1, texts=("feed: pass",))
"""Of a lower revision than those that turn 2 accepted."""


def test_orders_that_answer_the_last_turn_or_a_later_one_wait(found):
    assert found(bos(2), bos(3), anns(3, G.heads[2])) == []
    assert found.report.waiting == 3


def test_orders_that_no_turn_lists(found):
    fork = "seat b signed these orders for a different version of turn 1 from the one here"
    assert found(bos(1, 3)) == [("stray", "state", LATE, "")]
    assert found(FIRST) == [("stray", "state", LATER, ""), ("stray", "state", LATE, "")]
    assert found(bos(1, 4, prev=bytes(32)))[-1] == ("stray", "fork", fork, "")
    assert found(bos(1, 2))[1] == ("stray", "state", LATE, "")


def test_only_a_higher_revision_that_answers_the_same_replaces(found):
    other = make(replace(G.orders2.content, prev=bytes(32)), G.bo)
    used = {**USED, G.orders2.id: other}
    assert found(FIRST, used=used) == [("stray", "state", LATE, "")]
    passed = replace(G.turn2.content, orders=(Listed(G.orders2.id, "b", "replaced"),))
    assert found(turns=(G.turn1, make(passed, G.ann))) == [("stray", "state", LATE, "")]
    theirs = replace(G.turn2.content, orders=(Listed(G.orders2.id, "a", "accepted"),))
    assert found(turns=(G.turn1, make(theirs, G.ann))) == [("stray", "state", LATE, "")]


def test_who_signed_in_whose_name(found):
    own = anns(1, G.heads[1]).content
    told = "signed with the key of seat b, in the name of seat a"
    assert found(make(own, G.bo)) == [("stray", "key", told, "seat b")]
    told = "signed with the key of seat a, in the name of seat b"
    assert found(make(bos(1, 5).content, G.held))[1] == ("stray", "key", told, "seat a")


NEW = SigningKey(b"\x0c" * 32)
"""Bo's next key, which turn 2 brought."""


def test_orders_with_a_former_key_are_those_of_their_seat(found):
    """Turn 1's orders were listed before Bo had the new key; later ones count no more."""
    with_new = replace(G.join_b.content, key=NEW.public)
    changed = standing_of(PAIR).with_keys("b", with_new, 2)
    keys = (G.held.public, G.bo.public, NEW.public)
    rest = {"standing": changed, "known": lambda _kind, key: key in keys}
    old = ("stray", "key", "signed with a key of seat b that no longer counts", "")
    assert found(**rest) == []
    assert found(bos(1, 5), **rest) == [old]
    assert found(bos(2, 6), **rest) == [old, old]
    assert found.report.waiting == 0
    mine = make(bos(2, 7).content, NEW)
    assert found(mine, **rest) == [old, old]
    assert found.report.waiting == 1
    later = standing_of(PAIR).with_keys("b", with_new, 3)
    rest["standing"] = later
    assert found(**rest) == [("stray", "state", LATE, ""), old]
    theirs = make(replace(anns(1, G.heads[1]).content, revision=9), G.bo)
    told = "signed with the key of seat b, in the name of seat a"
    assert ("stray", "key", told, "seat b") in found(theirs, **rest)


def test_orders_that_cannot_be_read_are_foreign(found):
    ((grade, reason, _, culprit),) = found(bos(1, 5, EVE))
    assert (grade, reason, culprit) == ("foreign", "key", "")


def test_what_follows_a_file_that_is_passed_over_is_noted_all_the_same(found):
    """Files come in the order of their names: the first is strange, the second is told already."""
    first, second, third = (f"orders/0001-b-{n}-000000.toml" for n in (3, 4, 5))
    files = dict.fromkeys((first, second, third), b"junk")
    before = [Finding("broken", second, "key", "told")]
    said = found(bos(1, 6), files=files, before=before)
    assert [one[:2] for one in said] == [("foreign", "trailer")] * 2 + [("stray", "state")]
    paths = [finding.path for finding in found.report.findings]
    assert paths[:3] == [second, first, third]


def test_orders_on_another_version_of_the_last_turn_do_not_wait(found):
    fork = "seat b signed these orders for a different version of turn 2 from the one here"
    assert found(bos(2, 5, prev=bytes(32))) == [("stray", "fork", fork, "")]
    assert found.report.waiting == 0


def test_a_file_of_which_something_is_said_already_is_left_out(found):
    record = bos(1, 3)
    said = Finding("broken", file_name(record).path, "key", "told")
    assert found(record, before=[said]) == []
    assert found(record, before=[replace(said, path="x")]) == [("stray", "state", LATE, "")]


def test_the_owner_of_orders_that_were_dropped_is_told_to_ask(found):
    mine = bos(1, 3)
    (told,) = found(mine, witness=saw(0, mine))
    assert told[:2] == ("ask", "state")
    assert (
        "as far as this machine can tell, your orders answered turn 1 in time (sealed 2023-"
        in told[2]
    )
    assert "60 minutes before the date of turn 2" in told[2]
    unknown = found(witness=saw(0))
    assert unknown[0][2].startswith("your orders answer turn 1, but turn 2 does not list them: if")
    late = Witness("b", G.bo.seed, {mine.id.hex(): G.turn2.content.time})
    assert found(witness=late) == [("stray", "state", LATE, "")]
    assert found(witness=Witness("a", G.bo.seed)) == [("stray", "state", LATE, "")]


def test_nobody_asks_about_a_seat_that_the_referee_holds(found):
    held = make(replace(anns(1, G.heads[1]).content, revision=7), G.held)
    assert found(held, witness=Witness("a", G.held.seed)) == [("stray", "state", LATE, "")]


def test_orders_listed_as_late_are_asked_about_too(found):
    mine = bos(1, 3)
    listed = Listed(mine.id, "b", "refused", "late")
    before = G.turn2.content.orders
    third = make(in_order(replace(G.turn2.content, orders=(*before, listed))), G.ann)
    used = {**USED, mine.id: mine}
    assert found(mine, turns=(G.turn1, third), used=used) == []
    (told,) = found(turns=(G.turn1, third), used=used, witness=saw(0, mine))
    assert told[0] == "ask"
    other = replace(listed, reason="rule")
    third = make(in_order(replace(third.content, orders=(*before, other))), G.ann)
    assert found(turns=(G.turn1, third), used=used, witness=saw(0, mine)) == []


# ------------------------------------------------------------------ messages
def test_messages_that_do_not_count_accuse_nobody(found):
    forked = make(replace(G.public.content, prev=bytes(32)), G.bo)
    stranger = make(G.public.content, EVE)
    assert [one[:2] for one in found(forked)] == [("stray", "fork")]
    assert found.report.messages == 2
    data = make(replace(stranger.content, number=2), EVE)
    assert ("foreign", "key") in [one[:2] for one in found(data)]


def test_without_the_joins_messages_are_not_read(found, tmp_path):
    found()
    for path in (tmp_path / "savannah" / "seats").iterdir():
        path.unlink()
    folder = open_folder(Folder(tmp_path / "savannah"))
    report = Report(turns=2, heads=G.heads)
    look(folder, report, by_referee=lambda _: False)
    assert report.messages == 0


# ------------------------------------------------------------------ all others
def test_files_in_the_places_of_later_turns(found):
    junk = {f"turns/{n:04}.toml": b"junk" for n in (3, 4, 5)}
    assert [one[:2] for one in found(files=junk)] == [("foreign", "trailer")] * 3
    told = found(files=junk, by_referee=list(junk))
    assert len(told) == 3, "said once, whoever signed them"


def test_each_of_many_such_files_is_told_as_what_it_is(found):
    """The folder names eight and counts the others; the audit names all."""
    files = {f"turns/{n:04}.toml": b"junk" for n in range(3, 15)}
    files["turns/0013.toml"] = G.turn2.file[:99]
    said = found(files=files)
    assert [one[:2] for one in said] == [("foreign", "trailer")] * 12
    assert [finding.path for finding in found.report.findings] == list(files)
    assert "let the folder sync" in said[10][2]
    mine = found(files=files, by_referee=["turns/0012.toml"])
    assert "turns/0012.toml" not in [finding.path for finding in found.report.findings]
    assert len(mine) == 11


def test_five_hundred_such_files_are_read(found):
    junk = {f"turns/{n:04}.toml": b"junk" for n in range(3, 504)}
    every = list(junk)
    assert found(files=junk, by_referee=every)[0] == (
        "foreign", "name", "1 more such files were not read: remove them", "",
    )  # fmt: skip


def test_what_else_is_in_the_folder(found):
    whole = G.turn1.file
    files = {
        ".DS_Store": b"", "notes.txt": b"", "turns/0001 (1).toml": whole, "game (1).toml": whole,
        "seats/notes.txt": b"",
    }  # fmt: skip
    other, copy = (
        "not part of this game",
        "a conflict copy; only the file with the plain name counts",
    )
    assert sorted(found(files=files)) == sorted([
        ("foreign", "name", other, ""), ("foreign", "name", other, ""),
        ("foreign", "name", copy, ""), ("foreign", "name", copy, ""),
    ])  # fmt: skip
    mine = ["turns/0001 (1).toml", "game (1).toml", "seats/notes.txt", "notes.txt"]
    seen = ("foreign", "seen", "a second copy of a record", "")
    assert sorted(found(files=files, by_referee=mine)) == sorted(
        [seen, seen, seen, ("foreign", "name", other, "")]
    ), "only turns/ and the folder itself hold records of the referee"


def test_links_and_folders_are_not_read(found, tmp_path):
    found()
    root = tmp_path / "savannah"
    (root / "turns" / "0009 (1)").mkdir()
    (root / "link").symlink_to("game.toml")
    asked = []
    report = Report(turns=2, heads=G.heads)
    look(open_folder(Folder(root)), report, by_referee=lambda path: bool(asked.append(path)))
    assert asked == []
    assert [finding.reason for finding in report.findings] == ["name", "name"]


def test_turns_with_odd_dates_are_asked_about(found):
    odd = [Sighting(1, 7200, 0), Sighting(2, 7200, 0), Sighting(9, 7200, 0)]
    said = found(witness=Witness("b", G.bo.seed, odd=odd))
    assert [one[:2] for one in said] == [("ask", "state")] * 2, "turn 2 has no deadline"
    assert [f.path for f in found.report.findings] == ["turns/0001.toml", "turns/0009.toml"]
    assert said[0][2].startswith("turn 1 is dated 2 hours before it came here")
    silent = make(replace(G.turn2.content, silent=("b",)), G.ann)
    turns = (G.turn1, silent)
    assert len(found(witness=Witness("b", G.bo.seed, odd=odd), turns=turns)) == 3
