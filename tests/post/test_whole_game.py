"""A whole game in which nobody types `send`, `receive` or `advance`."""

import email
import email.message
import email.policy
import re

import pytest

from tests.kit.mail_seats import reply, text_of
from tests.kit.people import Round
from tests.kit.real_mail_servers import MailServer, send_bytes
from tests.post.games_by_mail import MailGame
from tests.post.seats.test_game_by_mail import first_choices

pytestmark = pytest.mark.post


def test_a_folder_a_mailbox_and_a_plain_mail_program(table: Round, server: MailServer) -> None:
    """Ann shares the folder, Bo has `pbem run`, Cy has only a mail program."""
    game = MailGame(table, server)
    game.begin("--mail-seats Cy", players=f"Ann,Bo,Cy <{server.address('cy')}>")
    server.empty("cy")
    answered: set[str] = set()
    for _ in range(400):
        game.run(game.bo)
        said = game.run(game.rhea)
        assert "error" not in said
        server.settle()
        game.answer(game.ann, "a")
        game.answer(game.bo, "b")
        cy_answers(server, answered)
        if game.over:
            break
    game.run(game.bo)
    audit = game.must(game.bo, ["audit", str(game.far)])
    assert "Cy (c) answered by plain email" in audit
    game.must(game.rhea, ["audit", str(game.folder)])
    ids = [re.search(rb"(?im)^message-id: *(\S+)", m)[1] for m in server.mails("cy")]
    turns = len(list((game.far / "turns").iterdir()))
    print(f"{turns} turns, {len(ids)} mails to Cy, who answered {len(answered)}")
    assert turns == len(list((game.folder / "turns").iterdir()))
    assert len(ids) == len(set(ids))
    assert len(answered) > 5


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
