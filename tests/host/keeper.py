"""A host's games without the web."""

from collections.abc import Iterator
from pathlib import Path

from pbem.files.file_errors import TakenError
from pbem.host.kept_games import Game, Games
from pbem.host.record_gate import HostRefusal, check_name, check_size
from pbem.records.read_and_sign_record import Content, Record
from tests.host.written_records import DIGITS, path_of


class Keeper:
    """A host's games without the web: puts files under the names that they belong under."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.games = Games(root)

    @property
    def game(self) -> Game:
        return self.games.game_at(DIGITS)

    def put(self, data: bytes, path: str) -> bool:
        name = check_name(path)
        check_size(name, len(data))
        if name.kind == "charter":
            return self.games.make_game(DIGITS, data, is_free=True)
        return self.game.keep_file(name, data)

    def refuses(self, data: bytes, path: str, words: str = "") -> bool:
        """Whether the file is refused, before it can reach anybody."""
        before = self.game.folder.fingerprint()
        try:
            self.put(data, path)
        except (HostRefusal, TakenError) as error:
            return words in str(error) and self.game.folder.fingerprint() == before
        return False

    def play(self, records: list[Record[Content]]) -> Iterator[Record[Content]]:
        """Put one record after another; yields each before it is put."""
        for record in records:
            yield record
            assert self.put(record.file, path_of(record)) is True
