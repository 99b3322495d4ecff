"""Read replies of players without `pbem` that the referee drops on the game's mail page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.mail.mail_seats import write_letter
from pbem.cli.mail.take_replies import WrittenReplies
from pbem.screen.terminal import brief

if TYPE_CHECKING:
    from pbem.cli.mail.mail_replies import ReplyResult
    from pbem.cli.mail.mail_seats import MailSeat
    from pbem.mailseats.read_reply import Reply
    from pbem.table.open_games import OpenGames


class TakenReplies(WrittenReplies):
    """Reads replies as `pbem receive` does, and keeps the sentences that the command would
    print."""

    def __init__(self, games: OpenGames) -> None:
        super().__init__(games.home, None)
        self._keyring = games.keyring
        self.told: list[str] = []
        """A sentence for each reply that was read."""
        self.refused: list[str] = []
        """Sentences that say why replies were refused."""

    def tell(self, seat: MailSeat, result: ReplyResult) -> None:
        """Keep the sentence about a reply (see ReplyTaker.tell)."""
        told = f"{seat.view.title}: {result.told}"
        if result.letter:
            path = brief(write_letter(seat.referee, result.letter))
            told += f"; send {result.letter.address} the answer, {path}"
        self.told.append(told)

    def refuse(self, reply: Reply, told: str) -> None:
        """Keep the reason of a refusal (see ReplyTaker.refuse)."""
        self.refused.append(f"{reply.source}: {told}")
