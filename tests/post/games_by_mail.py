"""Games in which one player shares the folder with the referee, and another has a mailbox."""

import email.policy
import os
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from pbem.person.session import Session
from tests.kit.mail_seats import first_choices, reply, text_of
from tests.kit.named_games import answer_once_as_bot, session_at
from tests.kit.people import NOW, TABLE, Person, Round, output_of, stdout_of
from tests.kit.real_mail_servers import MailServer, give_mailbox, send_bytes


@dataclass
class MailGame:
    """Rhea deals and has a mailbox; Ann shares her folder; Bo, far away, has a mailbox."""

    table: Round
    server: MailServer

    def __post_init__(self) -> None:
        self.rhea, self.ann = self.table.person("rhea"), self.table.person("ann")
        self.bo = self.table.person("bo")
        self.bo.place = self.table.root / "bo-far-away"
        self.bo.place.mkdir(exist_ok=True)

    def begin(self, options: str = "", players: str = "Ann,Bo") -> None:
        """Make the game, tell the addresses, and let both players join."""
        for person in (self.rhea, self.bo):
            give_mailbox(person, self.server)
        said = output_of(
            self.rhea,
            f"new savannah --players '{players}' --referee Rhea --table {TABLE} "
            f"--deadline never {options}",
        )
        output_of(self.rhea, f"post address -C savannah Bo {self.server.address('bo')}")
        lines = [line.split("--invite ")[1] for line in said.splitlines() if "  Ann:" in line]
        output_of(self.ann, ["join", "-C", "savannah", "--invite", lines[0]])
        self.run(self.rhea)
        self.run(self.bo)
        output_of(self.bo, ["join", "-C", str(self.far), "--invite", self.invitation()])

    def invitation(self) -> str:
        """The invite in the mail that Bo got."""
        text = b"".join(self.server.mails("bo")).replace(b"=\r\n", b"").replace(b"=\n", b"")
        return text.split(b"--invite ")[1].split()[0].decode()

    def run(self, person: Person) -> str:
        """One pass of `pbem run`, after every mail on its way has come."""
        self.server.settle()
        return stdout_of(person, "run --once")

    # ---------------------------------------------------------------- answers
    @property
    def folder(self) -> Path:
        return self.table.shared / "savannah"

    @property
    def far(self) -> Path:
        """Bo's own folder of the game, which the first mail made."""
        return next(self.bo.place.iterdir())

    def session(self, person: Person) -> Session:
        place = self.far if person is self.bo else self.folder
        return session_at(place, person)

    def answer(self, person: Person, seat: str) -> bool:
        """Let a bot answer for a player, if the player is asked and has not answered."""
        with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(NOW)}):
            return answer_once_as_bot(self.session(person), seat)

    @property
    def over(self) -> bool:
        return (self.folder / "final.toml").exists()


def cy_answers(server: MailServer, answered: set[str], more: str = "") -> None:
    """Cy takes the first choice of each question in a mail that asks something; `more` is what else
    the first answer says."""
    for data in server.letters("cy", "rhea"):
        mail = email.message_from_bytes(data, policy=email.policy.default)
        assert isinstance(mail, email.message.EmailMessage)
        ident, text = str(mail["Message-ID"]), text_of(mail)
        if ident in answered or "IT IS YOUR MOVE: " not in text:
            continue
        said = first_choices(text) + ("" if answered else more)
        answered.add(ident)
        mine, rhea = server.address("cy"), server.address("rhea")
        data = reply(mail, said, From=mine, To=rhea, In_Reply_To=ident)
        send_bytes(server, "cy", "rhea", data)
