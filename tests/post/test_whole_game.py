"""A whole game in which nobody types `send`, `receive` or `advance`."""

import re

import pytest

from tests.kit.people import output_of
from tests.post.games_by_mail import MailGame, cy_answers

pytestmark = pytest.mark.post


def test_a_game_by_folder_mailbox_and_plain_email_ends_without_send_receive_or_advance(
    table, server
):
    """Ann shares the folder, Bo has `pbem run`, Cy has only a mail program."""
    game = MailGame(table, server)
    game.begin("--mail-seats Cy --game classroom", players=f"Ann,Bo,Cy <{server.address('cy')}>")
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
    audit = output_of(game.bo, ["audit", str(game.far)])
    assert "Cy (c) answered by plain email" in audit
    output_of(game.rhea, ["audit", str(game.folder)])
    ids = [re.search(rb"(?im)^message-id: *(\S+)", m)[1] for m in server.mails("cy")]
    turns = len(list((game.far / "turns").iterdir()))
    print(f"{turns} turns, {len(ids)} mails to Cy, who answered {len(answered)}")
    assert turns == len(list((game.folder / "turns").iterdir()))
    assert len(ids) == len(set(ids))
    assert len(answered) >= 5
