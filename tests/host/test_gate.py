"""What a host takes without any secret: every record of an honest game, and nothing else."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem.files.record_file_names import parse_name
from pbem.format.encrypted_box import public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.host import record_gate
from pbem.host.kept_games import Game, Games
from pbem.host.record_gate import HostRefusal, check_name
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import Vote, Vouch
from pbem.records.charter import Charter
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Record, make, read
from tests.host.keeper import Keeper
from tests.host.written_records import DIGITS, VECTORS, in_time, path_of
from tests.kit.people import NOW, Round, key_of
from tests.kit.record_files import resigned
from tests.kit.sample_records import Sample, sample
from tests.kit.timed_games import begin_with_deputy
from tests.records.calendar_sample import calendar_sample
from tests.records.faults import body_faults, byte_faults, place_faults

STRANGER = SigningKey(b"\x66" * 32)


def list_line(root: Path, path: str) -> str:
    """The line of a list: two turns for one place differ in their digests, not in their names."""
    data = (root / path).read_bytes()
    named = path.startswith(("turns/", "final"))
    return f"{path} {len(data)}{f' {sha256(data).hexdigest()[:12]}' * named}\n"


@pytest.mark.parametrize("game", ["sample", "calendar"])
def test_the_gate_takes_every_record_of_an_honest_game_once(record_keeper: Keeper, game: str):
    records = in_time(VECTORS / game)
    for record in record_keeper.play(records):
        assert (
            record_keeper.game.tagged_list() is None
            or path_of(record).encode() not in record_keeper.game.tagged_list()[1]
        )
    for record in records:
        assert record_keeper.put(record.file, path_of(record)) is False, "the same again is fine"
    etag, text = record_keeper.game.tagged_list()
    assert text.decode() == "".join(
        list_line(VECTORS / game, path) for path in sorted(map(path_of, records))
    )
    assert Games(record_keeper.games.place).game_at(DIGITS).tagged_list() == (etag, text), (
        "two hosts agree"
    )


@pytest.mark.parametrize("game", ["sample", "calendar"])
def test_each_of_two_hosts_sees_what_the_other_has_just_kept(record_keeper, game, monkeypatch):
    monkeypatch.setattr(Game, "fresh_seconds", 1e9)
    hosts = [record_keeper, Keeper(record_keeper.root)]
    for number, record in enumerate(in_time(VECTORS / game)):
        if number:
            hosts[(number + 1) % 2].game.list_files(0)
        assert hosts[number % 2].put(record.file, path_of(record))


@pytest.mark.long
@pytest.mark.parametrize("game", [sample, calendar_sample])
def test_the_gate_refuses_every_record_with_a_fault(record_keeper: Keeper, game: Any):
    one, tried = game(), 0
    keys = {key.public: key for key in (one.ann, one.bo, one.held)}
    folder = VECTORS / game.__name__.removesuffix("_sample")
    for record in record_keeper.play(in_time(folder)):
        if isinstance(record.content, Charter):
            continue
        key = keys.get(record.signed.key)
        faults = [*byte_faults(record)]
        faults += [*body_faults(record, key), *place_faults(record, key)] if key else []
        for fault in faults:
            for path in {path_of(record), path_read(fault.data) or path_of(record)}:
                tried += 1
                assert record_keeper.refuses(fault.data, path), (str(fault), path)
    assert tried > 500


def path_read(data: bytes) -> str:
    """The name that a file's own contents ask for; empty if it is no record."""
    try:
        return path_of(read(data))
    except RecordError:
        return ""


def test_a_stranger_who_knows_the_address_can_put_nothing(record_keeper: Keeper):
    for record in record_keeper.play(in_time(VECTORS / "calendar")):
        if isinstance(record.content, Charter):
            continue
        content = record.content
        if content.kind == "join":
            content = replace(content, key=STRANGER.public)
        forged = make(content, STRANGER)
        assert record_keeper.refuses(forged.file, path_of(forged)), path_of(forged)


def test_the_gate_refuses_a_second_charter_and_a_game_without_one(record_keeper: Keeper):
    one = sample()
    record_keeper.put(one.charter.file, "game.toml")
    other = resigned(one.charter, one.ann, title="Other")
    assert record_keeper.refuses(other.file, "game.toml")
    with pytest.raises(HostRefusal, match="the host cannot read the file"):
        Games(record_keeper.games.place).make_game("ab" * 16, b"[]", is_free=True)
    with pytest.raises(HostRefusal, match="the first file of a game must be its game"):
        Games(record_keeper.games.place).make_game("ab" * 16, one.join_b.file, is_free=True)


def play_one_turn(keeper: Keeper) -> Sample:
    """The sample game, after turn 1."""
    for record in keeper.play(in_time(VECTORS / "sample")):
        if record.content.kind == "turn" and record.content.turn == 2:
            break
    return sample()


def signed_vote(game: Sample, number: int, result: str = "draw") -> Record[Any]:
    return game.notice_by("b", Vote(result), game.bo, number=number)


def test_each_seat_can_fill_only_its_own_part_of_a_games_room(record_keeper, monkeypatch):
    game = play_one_turn(record_keeper)
    listing = record_keeper.game.folder.scan()
    files = (*listing.records, *listing.press)
    used = sum(found.mark.size for found in files if found.name.seat == "b")
    monkeypatch.setattr(record_gate, "MAX_GAME_BYTES", 4 * (used + 10))
    monkeypatch.setattr(record_gate, "RESERVED_BYTES", 0)
    record = signed_vote(game, 5)
    assert record_keeper.refuses(record.file, path_of(record), "their share of this game's room")
    turn = next(x for x in in_time(VECTORS / "sample") if path_of(x) == "turns/0002.toml")
    assert record_keeper.put(turn.file, path_of(turn)), "the referee's part is another one"


def test_the_gate_refuses_names_that_no_record_has(record_keeper: Keeper):
    for path in ("../game.toml", "turns/0001.toml.part", "key", "turns/", "GAME.toml", "x" * 900):
        with pytest.raises(HostRefusal, match="no file of a game can have this name"):
            check_name(path)
    assert parse_name("turns/0001.toml")


def test_an_invite_used_up_by_its_holder_keeps_nobody_else_out(record_keeper: Keeper):
    """Four joins count for each door, and another door has room of its own."""
    game = sample()
    record_keeper.put(game.charter.file, "game.toml")
    for number in range(6):
        key = SigningKey(bytes([0x70 + number]) * 32)
        join = game._join("b", key, Secrets(key.seed), name="Bo")
        assert record_keeper.refuses(join.file, path_of(join)) is (number >= 4), number
    assert record_keeper.put(game.join_a.file, path_of(game.join_a))


def test_a_key_that_somebody_vouches_for_does_not_crowd_out_the_player(record_keeper: Keeper):
    """The referee vouches for a key of their own for seat b. Nothing that it signs as b is taken,
    not even the very words that the player signs next, whose file would have the same name."""
    game = play_one_turn(record_keeper)
    place = (game.game, 1, game.heads[1])
    box = public_of(Secrets(STRANGER.seed).box(game.game, "b"))
    vouch = make_notice(place, REFEREE, 1, Vouch("b", STRANGER.public, box), game.ann)
    assert record_keeper.put(vouch.file, path_of(vouch))
    for number in range(2, 9):
        other = make_notice(place, "b", number, Vote("draw"), STRANGER)
        assert record_keeper.refuses(
            other.file, path_of(other), "not signed with the present key of"
        )
        own = signed_vote(game, number)
        assert path_of(own) == path_of(other)
        assert record_keeper.put(own.file, path_of(own))


def test_each_seat_can_use_up_only_its_own_part_of_a_games_files(record_keeper, monkeypatch):
    game = play_one_turn(record_keeper)
    listing = record_keeper.game.folder.scan()
    files = (*listing.records, *listing.press)
    used = sum(found.name.seat == "b" for found in files)
    monkeypatch.setattr(record_gate, "MAX_GAME_FILES", 8 * (used + 1))
    monkeypatch.setattr(record_gate, "RESERVED_FILES", 0)
    own, more = signed_vote(game, 5), signed_vote(game, 6)
    assert record_keeper.put(own.file, path_of(own))
    assert record_keeper.refuses(more.file, path_of(more), "their share of this game's room")
    notice = game.notice_by(REFEREE, Vote("draw"), game.ann)
    assert record_keeper.put(notice.file, path_of(notice)), "the referee's part is another one"


def test_a_deputy_who_waits_does_not_crowd_out_the_referees_notices(record_keeper, table):
    begin_with_deputy(table, "--deputy-after 3d")
    records = in_time(table.shared / "savannah")
    for record in records:
        record_keeper.put(record.file, path_of(record))
    known = record_keeper.game.gate(record_keeper.game.list_files(0))
    place = (known.game_folder.game, known.last_turn, known.chain.heads[known.last_turn])
    for number in range(1, 9):
        for result in ("draw", "score"):
            one = make_notice(place, REFEREE, number, Vote(result), key_of("flo"))
            assert record_keeper.refuses(one.file, path_of(one)) is (number > 2)
    for number in range(1, 9):
        one = make_notice(place, REFEREE, number, Vote("play on"), key_of("rhea"))
        assert record_keeper.put(one.file, path_of(one))


def test_a_deputy_cannot_take_over_from_the_referee_too_early(record_keeper: Keeper, table: Round):
    """Flo signs turn 2, dated far ahead, with the notice that she takes over."""
    flo = begin_with_deputy(table, "--deputy-after 3d")
    records = in_time(table.shared / "savannah")
    for record in records:
        record_keeper.put(record.file, path_of(record))
    flo.pbem(f"advance -C savannah --take-over --now {NOW + 5 * 86_400}").checked(0)
    before = set(map(path_of, records))
    after = [one for one in in_time(table.shared / "savannah") if path_of(one) not in before]
    turn = next(r for r in after if r.content.kind == "turn")
    notice = next(r for r in after if r.content.kind == "notice")
    assert record_keeper.put(notice.file, path_of(notice))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_gate.time, "time", lambda: NOW + 3600)
        assert record_keeper.refuses(turn.file, path_of(turn), "not signed with the present key of")
        patch.setattr(record_gate.time, "time", lambda: NOW + 6 * 86_400)
        assert record_keeper.put(turn.file, path_of(turn))
