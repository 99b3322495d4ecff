"""Handle replies of players without `pbem`, and put the answers into the outbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.clock import now
from pbem.cli.mail.take_replies import ReplyTaker
from pbem.post.rounds.game_letters import whole_letter

if TYPE_CHECKING:
    from pbem.cli.mail.mail_replies import ReplyResult
    from pbem.cli.mail.mail_seats import MailSeat
    from pbem.cli.session.keyring import Keyring
    from pbem.mailseats.read_reply import Reply
    from pbem.post.letters.outbox import Outbox
    from pbem.post.rounds.log import Log


class PostedReplies(ReplyTaker):
    """Handles replies as `receive` does, but sends the answers automatically."""

    def __init__(self, keyring: Keyring, outbox: Outbox, log: Log) -> None:
        super().__init__(keyring.home, None)
        self._keyring = keyring
        self.outbox, self.log = outbox, log

    def deliver(self, seat: MailSeat, reply: Reply, result: ReplyResult) -> None:
        """Write the answer into the outbox, before the reply is noted as answered."""
        if result.letter:
            game = seat.referee.game_folder.game.hex()
            self.outbox.put(whole_letter(result.letter, game, ("reply", reply.mark)), now())

    def tell(self, seat: MailSeat, result: ReplyResult) -> None:
        """Print the result of a reply."""
        if result.fate != "again":
            self.log.say("reply", result.told, seat.view.title, fate=result.fate)

    def refuse(self, reply: Reply, told: str) -> None:
        """Print why a reply is not used."""
        self.log.say("refused", f"{reply.source}: {told}")
