"""What a cheat does to a folder: files changed, exchanged, signed again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from pbem.files.game_folder import Folder
from pbem.format.encrypted_box import TAG, BoxContext, seal
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.format.signed_file import sign
from pbem.judge.audit import audit
from pbem.judge.audit_report import Finding, Report
from pbem.judge.evidence_from_own_machine import Witness
from pbem.records.final_record import FinalRecord
from pbem.records.game_id_and_chain_heads import first_head, next_head
from pbem.records.packet import Packet, open_packet, packet_bytes
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import Turn, sort_sets
from tests.kit.played_games import REFEREE, Played, copied_folder, played_key, read_all
from tests.kit.record_files import archive_of


def packets_of(game: Played, turn: Turn) -> dict[str, Packet]:
    """The packets of a turn, opened, by seat."""
    keys = game.made.keys
    return {s: open_packet(turn.turn, s, box, keys[s]) for s, box in turn.packets.items()}


def boxes_of(
    game: Played, turn: Turn, changed: Mapping[str, Packet], more: int = 0
) -> dict[str, bytes]:
    """The packets of a turn, some of them with other contents, in boxes longer by `more` bytes."""
    size = len(turn.packets["a"]) - TAG + more
    place = {seat: BoxContext("turn", "packet", turn.turn, seat) for seat in turn.packets}
    return {
        seat: seal(game.made.keys[seat], place[seat], packet_bytes(packet), size)
        for seat, packet in {**packets_of(game, turn), **changed}.items()
    }


def turn_path(number: int) -> str:
    return f"turns/{number:04}.toml"


class Forged:
    """A copy of a game's folder in the hands of a cheat."""

    def __init__(self, game: Played, to: Path) -> None:
        self.game = game
        self.root = copied_folder(game.root, to / "forged")
        self.key = played_key(REFEREE)

    @property
    def turns(self) -> list[Record[Turn]]:
        return list(archive_of(self.root).turns())

    def cut(self, last: int) -> None:
        """Only the turns up to this one remain, and no final."""
        for path in sorted((self.root / "turns").iterdir()):
            if int(path.stem) > last:
                path.unlink()
        (self.root / "final.toml").unlink(missing_ok=True)

    def resign(self, number: int, key: SigningKey | None = None, **changes: Any) -> Turn:
        """Turn `number` says something else and is the last turn of the game."""
        turn = sort_sets(replace(self.turns[number - 1].content, **changes))
        self.cut(number)
        self.write(turn_path(number), make(turn, key or self.key).file)
        return turn

    def resign_raw(self, number: int, change: Callable[[bytes], bytes]) -> None:
        """The same for bytes that `make` would not sign."""
        body = change(self.turns[number - 1].signed.body)
        self.cut(number)
        self.write(turn_path(number), sign("turn", body, self.key).file)

    def write(self, path: str, data: bytes) -> None:
        (self.root / path).write_bytes(data)

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def open_early(self) -> None:
        """The secrets, on top of the last turn there is."""
        turns = self.turns
        game_folder = archive_of(self.root)
        head = reduce(next_head, (turn.id for turn in turns), first_head(game_folder.game))
        secrets, table = Secrets(self.key.seed), game_folder.charter.content.table
        final = FinalRecord(
            game=game_folder.game, turn=len(turns) + 1, prev=head, seat="",
            r_ref=secrets.r_ref(table), audit=secrets.audit(table),
        )  # fmt: skip
        self.write("final.toml", make(final, self.key).file)

    def audit(self, **more: Any) -> Report:
        return audit(Folder(self.root), **more)

    def found(self, **more: Any) -> list[tuple[str, str, str, str, int]]:
        """Grade, path, reason, culprit and turn of every finding of an audit."""
        findings = self.audit(**more).findings
        return [(f.grade, f.path, f.reason, f.culprit, f.turn) for f in findings]

    # -------------------------------------------------------------- who notices
    def all_see(self, reason: str, path: str) -> Finding:
        """Everybody notices at once: the reader refuses, and the audit names file and reason."""
        with pytest.raises(RecordError) as caught:
            read_all(self.root)
        assert caught.value.reason == reason, str(caught.value)
        return one_broken(self.audit(), reason, path)

    def owner_sees(self, seat: str, reason: str, path: str) -> Finding:
        """The table notices nothing; the seat whose it is does at once."""
        read_all(self.root)
        assert self.audit().exit == 0
        witness = Witness(seat, self.game.seats[seat].key.seed)
        return one_broken(self.audit(witness=witness), reason, path)

    def seen_after(self, reason: str, path: str) -> Finding:
        """The table notices nothing; anybody does after the secrets are open."""
        read_all(self.root)
        assert self.audit().exit == 0
        self.open_early()
        return finding_of(self.audit(), reason, path)


def one_broken(report: Report, reason: str, path: str) -> Finding:
    found = [(f.reason, f.path) for f in report.broken]
    assert found == [(reason, path)], [str(f) for f in report.broken]
    assert report.exit == report.broken[0].exit != 0
    return report.broken[0]


def finding_of(report: Report, reason: str, path: str) -> Finding:
    found = [f for f in report.broken if (f.reason, f.path) == (reason, path)]
    assert found, [str(f) for f in report.findings]
    if path.startswith("turns/"):
        assert found[0].turn == int(path[6:10])
    assert report.exit != 0
    return found[0]


def first_turn_number(turns: list[Record[Turn]], wanted: Callable[[Turn], Any]) -> int:
    """The number of the first turn that has what is wanted."""
    return next(t.content.turn for t in turns if wanted(t.content))


def with_flipped_bit(orders):
    return replace(orders, box=bytes([orders.box[0] ^ 1]) + orders.box[1:])
