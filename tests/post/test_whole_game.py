"""A whole game in which nobody types `send`, `receive` or `advance`."""

import re

import pytest

from tests.cli.people import Round
from tests.post.games_by_mail import MailGame
from tests.post.mailserver import MailServer

pytestmark = pytest.mark.post


def test_a_game_between_a_folder_and_a_mailbox(table: Round, server: MailServer) -> None:
    game = MailGame(table, server)
    game.begin()
    for _ in range(400):
        game.run(game.bo)
        game.run(game.rhea)
        game.answer(game.ann, "a")
        game.answer(game.bo, "b")
        if game.over:
            break
    game.run(game.bo)
    assert (game.bo.place / "savannah/final.toml").exists()
    for person, folder in ((game.rhea, game.folder), (game.bo, game.bo.place / "savannah")):
        said = person.pbem(["audit", str(folder)])
        assert said.exit == 0, said.text
    ids = [re.search(rb"(?im)^message-id: *(\S+)", m)[1] for m in server.mails("bo")]
    print(len(ids), "mails to Bo;", len(ids) - len(set(ids)), "duplicates")
    assert len(ids) == len(set(ids))
