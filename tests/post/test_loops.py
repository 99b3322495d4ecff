"""Programs that answer each other stop; strangers get no answer."""

import pytest

from tests.kit.mail_seats import begin_mail_game, opened_bytes, sealed_lines
from tests.kit.people import Round, output_of
from tests.kit.real_mail_servers import MailServer, give_mailbox, send_bytes
from tests.post.games_by_mail import MailGame
from tests.post.seats.outlook import reply_in_plain_text

pytestmark = pytest.mark.post


def send_text(server: MailServer, sender: str, to: str, text: str) -> None:
    """Send a mail as any mail program would."""
    head = f"From: {server.address(sender)}\nTo: {server.address(to)}\n"
    send_bytes(server, sender, to, (head + text).encode())


def test_two_runs_that_share_a_mailbox_by_mistake_soon_stop_writing(table, server):
    game = MailGame(table, server)
    game.begin()
    give_mailbox(game.bo, server, "rhea")  # Bo reads, and sends from, the mailbox of the referee
    output_of(game.rhea, f"post address -C savannah b {server.address('rhea')}")
    output_of(game.bo, f"post address -C savannah referee {server.address('rhea')}")
    for _ in range(8):
        for person in (game.rhea, game.bo):
            game.run(person)
    sent = len(server.mails("rhea")) + len(server.mails("rhea", ".pbem"))
    print(sent, "mails")
    assert sent <= 5


def test_a_program_that_answers_everything_gets_only_two_answers(table, server):
    game = MailGame(table, server)
    game.begin()
    game.run(game.rhea)
    before = len(server.letters("bo", "rhea"))
    for number in range(6):
        letter = server.letters("bo", "rhea")[-1].decode()
        ident = next(x for x in letter.splitlines() if x.lower().startswith("message-id:")).split()[
            1
        ]
        send_text(server, "bo", "rhea", f"Message-ID: <{number}@bo>\nIn-Reply-To: {ident}\n"
             f"Subject: Re: savannah\n\nI am on holiday, number {number}\n")  # fmt: skip
        server.settle()  # the message is in the mailbox before Rhea looks
        game.run(game.rhea)
        server.settle()
    assert len(server.letters("bo", "rhea")) - before == 2
    answers = server.letters("bo", "rhea")[-2:]  # the two may have come at the same moment
    assert any(b"pbem could not use your message" in one for one in answers)


@pytest.mark.parametrize(
    "mark",
    ["Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <pbem.example>",
     "X-Autoreply: yes", "X-Auto-Response-Suppress: All"],
)  # fmt: skip
def test_a_program_that_says_it_is_one_gets_no_answer(table, server, mark):
    game = MailGame(table, server)
    game.begin()
    game.run(game.rhea)
    before = len(server.letters("bo", "rhea"))
    ident = next(x for x in server.letters("bo", "rhea")[-1].decode().splitlines()
                 if x.lower().startswith("message-id:")).split()[1]  # fmt: skip
    send_text(server, "bo", "rhea", f"In-Reply-To: {ident}\n{mark}\nSubject: away\n\nI am away\n")
    game.run(game.rhea)
    server.settle()
    assert len(server.letters("bo", "rhea")) == before


def test_strangers_and_private_mail_get_no_answer(table: Round, server: MailServer) -> None:
    game = MailGame(table, server)
    game.begin()
    server.empty("cy")
    game.run(game.rhea)
    send_text(server, "cy", "rhea", "Subject: spam\n\n-----BEGIN PBEM-----\nnonsense\n")
    send_text(server, "bo", "rhea", "Subject: lunch?\n\nShall we have lunch?\n")
    before = len(server.letters("bo", "rhea"))
    said = game.run(game.rhea)
    server.settle()
    assert (len(server.mails("cy")), len(server.letters("bo", "rhea")) - before) == (0, 0), said


def test_a_reply_counts_although_the_message_it_quotes_was_deleted_and_forged_mail_came_first(
    table, server
):
    """Bo has no pbem. Ann deletes her message after the mail went out, and somebody writes in Bo's
    name; his reply from Outlook, which marks no quotes, counts."""
    rhea, ann = table.person("rhea"), table.person("ann")
    give_mailbox(rhea, server)
    game = MailGame(table, server)
    options = f'--players "Ann,Bo <{server.address("bo")}>" --mail-seats Bo --referee Rhea'
    begin_mail_game(table, f"{options} --deadline never")
    output_of(ann, "tell -C savannah --to b 'hi, 3'")
    game.run(rhea)
    server.settle()
    mail = opened_bytes(server.mails("bo")[-1])
    for path in (game.folder / "press").iterdir():
        path.unlink()
    forged = f"From: {server.address('bo')}\nSubject: [pbem-00ff00-b1-aaaaaaaaaaaaaaaa]\n\n2\n"
    send_bytes(server, "ann", "rhea", forged.encode())
    send_bytes(server, "bo", "rhea", reply_in_plain_text(mail, "1"))
    said = game.run(rhea)
    assert sealed_lines(rhea), said + server.log()
    assert not list((game.folder / "press").iterdir())
