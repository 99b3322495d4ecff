"""The heads that a co-dealer has answered, in one game: the next deal must follow the last of them.

Each change of this memory is a file of its own, made once, with the next number. So two programs
that share the folder, such as two hosts over the same games, share the memory: of two that answer
at the same moment, one makes the file, and the other reads it and compares again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from pbem.files.file_errors import FileError, StorageError
from pbem.files.record_file_names import turn_path
from pbem.files.write_once_files import WriteOnceFiles
from pbem.text.terminal_and_page_wording import TerminalText

_DAMAGE_SENTENCE: Final = (
    "is damaged. Only this file says for which turns you have dealt: restore it from a backup. If "
    "you have no backup, do not deal with this key again"
)


class AnsweredHead(NamedTuple):
    """The last turn that was answered or compared, with the last deal."""

    turn: int
    """The turn; 0: before turn 1."""
    head: str
    """The head after it, 64 hex digits."""
    is_compared: bool
    """Whether a person has compared the twelve words of this turn with somebody else."""
    dealt_turn: int = -1
    """The turn after which the last deal was written; -1 if there is none."""
    deal_id: str = ""
    """The id of that deal, in hex digits."""


class AnsweredHeads:
    """Remembers the turns of one game that a co-dealer has dealt for, in a folder of files."""

    def __init__(self, files: WriteOnceFiles) -> None:
        self._files = files

    def last_head(self) -> AnsweredHead | None:
        """Return the last head that was answered or compared; None before the first. Raises
        StorageError."""
        number = self._last_number()
        return self._read(number) if number else None

    def check(self, heads: Sequence[str]) -> None:
        """Check a chain, given by the head after each turn, against the last head. Raises FileError
        `fork` if the chain does not follow it, StorageError."""
        _check_follows(self.last_head(), heads)

    def note_deal(self, heads: Sequence[str], deal_id: str) -> None:
        """Note a deal after the last turn of this chain, before the deal is written. Raises
        FileError `fork` for another chain, or for a second deal after one turn; StorageError."""
        turn, head = len(heads) - 1, heads[-1]

        def with_deal(last_head: AnsweredHead | None) -> AnsweredHead:
            if last_head and last_head.dealt_turn == turn and last_head.deal_id != deal_id:
                signed_digits, new_digits = last_head.deal_id[:6], deal_id[:6]
                sentence = (
                    f"you have already signed a deal after turn {turn} ({signed_digits}), so pbem "
                    f"does not sign another ({new_digits}); let the folder sync until the first "
                    "deal is here"
                )
                raise FileError("fork", turn_path(max(1, turn)), sentence)
            is_compared = bool(last_head and last_head.turn == turn and last_head.is_compared)
            return AnsweredHead(turn, head, is_compared, turn, deal_id)

        self._change(heads, with_deal)

    def note_compared(self, heads: Sequence[str]) -> None:
        """Note that a person has compared the words of the last turn of this chain with somebody
        else. Raises FileError `fork` for another chain, StorageError."""
        turn, head = len(heads) - 1, heads[-1]

        def with_comparison(last_head: AnsweredHead | None) -> AnsweredHead:
            deal = (last_head.dealt_turn, last_head.deal_id) if last_head else ()
            return AnsweredHead(turn, head, True, *deal)

        self._change(heads, with_comparison)

    def _change(
        self, heads: Sequence[str], edit: Callable[[AnsweredHead | None], AnsweredHead]
    ) -> None:
        """Add what `edit` makes of the last head; again if another program was first."""
        while True:
            number = self._last_number()
            last_head = self._read(number) if number else None
            _check_follows(last_head, heads)
            new_head = edit(last_head)
            if new_head == last_head:
                return
            if self._files.make(f"{number + 1:06}", _line(new_head)):
                return

    def _last_number(self) -> int:
        numbers = (int(name) for name in self._files.names() if len(name) == 6 and name.isdigit())
        return max(numbers, default=0)

    def _read(self, number: int) -> AnsweredHead:
        data = self._files.read(f"{number:06}") or b""
        try:
            turn, head, word, dealt_turn, deal_id = data.decode("ascii").rstrip("\n").split(" ")
            answered_head = AnsweredHead(
                int(turn), head, word == "compared", int(dealt_turn), deal_id.strip("-")
            )
        except ValueError:
            answered_head = None
        if answered_head is None or len(answered_head.head) != 64 or _line(answered_head) != data:
            raise StorageError(f"{self._files.location}/{number:06}", _DAMAGE_SENTENCE)
        return answered_head


def _line(head: AnsweredHead) -> bytes:
    word = "compared" if head.is_compared else "answered"
    text = f"{head.turn} {head.head} {word} {head.dealt_turn} {head.deal_id or '-'}\n"
    return text.encode("ascii")


def _check_follows(last_head: AnsweredHead | None, heads: Sequence[str]) -> None:
    """Raise FileError `fork` if a chain, given by the head after each turn, does not follow the
    last answered head."""
    if last_head is None or (
        last_head.turn < len(heads) and heads[last_head.turn] == last_head.head
    ):
        return
    path = turn_path(max(1, last_head.turn))
    if last_head.turn >= len(heads):
        sentence: str = (
            f"you have already dealt for turn {last_head.turn}, but this folder does not have that "
            "turn; let the folder sync"
        )
        raise FileError("fork", path, sentence)
    sentence = TerminalText(
        "you dealt for a different turn {turn}[[ (its head was {digits}, and here it is "
        "{other_digits})]], so pbem does not deal for this one. Somebody may have changed the "
        "game: tell the players"
    ).format(turn=last_head.turn, digits=last_head.head[:6], other_digits=heads[last_head.turn][:6])
    raise FileError("fork", path, sentence)
