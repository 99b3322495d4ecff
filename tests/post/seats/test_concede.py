"""How a player without `pbem` concedes: a reply that begins with `I concede the game`.

Nobody can take that back, so nothing else may do it: no other words, and nothing that is quoted.
"""

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from pbem.plain_email.typed_concessions import concedes
from tests.kit.mail_seats import (
    FOOD,
    answer_mail,
    letters,
    opened_bytes,
    receive,
    reply,
    sealed_lines,
    submit,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.people import Person, Round
from tests.post.seats.answering import answer_line, said_to
from tests.post.seats.outlook import reply_in_html, reply_in_plain_text

Game = Callable[[str], Round]
SENTENCE = "I concede the game"
HOW = "begin with this line. Write nothing else on the line"


def notices(rhea: Person) -> list[str]:
    """The names of the notices in the game folder."""
    return [path.name for path in (rhea.shared / "savannah").glob("notices/*")]


def bottom(mail: EmailMessage, said: str) -> bytes:
    """A reply whose text stands below all that is quoted, with marks."""
    made = opened_bytes(reply(mail, said))
    quoted = "".join(f"> {line}\n" for line in text_of(mail).splitlines())
    made.set_content(f"On Sun, 22 Nov 2026 at 11:10, Rhea <r@x.org> wrote:\n{quoted}\n{said}\n")
    return made.as_bytes()


# ---------------------------------------------------------------- he concedes
@pytest.mark.sample(0)
@pytest.mark.parametrize("shape", [reply, reply_in_plain_text, reply_in_html])
@pytest.mark.parametrize(
    "typed", [SENTENCE, "i concede the game.", f"Hello Rhea,\n\n{SENTENCE}!\n\nThanks,\nBo"]
)
def test_the_sentence_i_concede_at_the_top_of_a_reply_concedes(rhea, typed, shape):
    typed = typed.replace("\n", "<br>") if shape is reply_in_html else typed
    mail = turn_mail(rhea)
    said = successful(receive(rhea, shape(mail, typed)))
    assert "Bo (seat b): the reply concedes the game" in said.out
    assert len(notices(rhea)) == 1
    assert str(answer_mail(rhea)["Subject"]).split(" [")[0].endswith("you have conceded")
    assert "YOU HAVE CONCEDED You have given up the game" in answer_line(rhea)
    assert "you cannot take that back" in answer_line(rhea)
    assert "IT IS YOUR MOVE" not in answer_line(rhea)


@pytest.mark.sample(0)
def test_the_game_goes_on_without_a_player_who_conceded_by_email(mail_game: Game) -> None:
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    assert "You said to all players: well played!" in said_to(
        rhea, f"{SENTENCE}\ntell: well played!"
    )
    assert "Bo concedes the game" in successful(rhea.pbem("status -C savannah")).out
    submit(ann, 'play = ["done"]')
    successful(rhea.pbem("advance -C savannah"))
    assert "b Bo (by email): CONCEDED" in successful(rhea.pbem("status -C savannah")).out
    assert "Bo concedes the game" in successful(ann.pbem("since -C savannah")).out
    mail = turn_mail(rhea)  # nothing makes you write it, but you may
    assert SENTENCE not in text_of(mail)
    assert SENTENCE not in said_to(rhea, "help", mail)
    assert successful(ann.pbem("audit savannah"))


@pytest.mark.long
def test_who_conceded_by_email_cannot_play_vote_or_announce_an_absence(rhea: Person) -> None:
    mail = turn_mail(rhea)
    for number in range(2):  # as after a kill: nobody has noted the first
        successful(receive(rhea, reply(mail, SENTENCE, Message_ID=f"<{number}@x>")))
    assert "YOU HAVE CONCEDED" in answer_line(rhea)
    for typed in ("3, 10", "vote draw", "away until 2 December 2023", "start over"):
        told = said_to(rhea, typed, mail)
        assert "you have conceded, so you can only send messages and ask questions" in told
        assert "IT IS YOUR MOVE" not in told
    assert "You are asked" not in said_to(rhea, "status", mail)
    assert "You said to all players: bye" in said_to(rhea, "tell: bye", mail)
    assert len(notices(rhea)) == 1
    assert not sealed_lines(rhea)


# ---------------------------------------------------------------- he does not
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "typed",
    ["concede", "I think I should resign.", "I fear that I should concede", f"“{SENTENCE}”",
     f"*{SENTENCE}*", f"{SENTENCE}, Ann", f"I never said that {SENTENCE}", "I give up",
     f"No way\n{SENTENCE}",
     f"Hi Rhea,\nAnn asked me to write\n{SENTENCE}", f"explain horns\n{SENTENCE}"],
)  # fmt: skip
def test_other_words_about_conceding_get_an_answer_that_says_how_to_concede(rhea, typed):
    said = successful(receive(rhea, reply(turn_mail(rhea), typed)))
    assert "contains only questions" in said.out
    assert "Your reply does not concede the game, so you are still playing" in answer_line(rhea)
    assert HOW in answer_line(rhea)
    assert "IT IS YOUR MOVE" in answer_line(rhea)
    assert not notices(rhea)


def test_orders_count_although_the_reply_mentions_conceding(rhea: Person) -> None:
    told = said_to(rhea, "3\nI will not concede so soon!")
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)
    assert "UNDERSTOOD" in told
    assert HOW in told
    assert not notices(rhea)


@pytest.mark.sample(1)
@pytest.mark.parametrize("more", ["3, 10", "start over", "vote draw", "away until 2 January 2024"])
def test_a_reply_that_both_concedes_and_plays_changes_nothing(rhea: Person, more: str) -> None:
    told = said_to(rhea, f"{SENTENCE}\n{more}")
    assert "PLEASE WRITE AGAIN" in told
    assert "To concede, send only the line that concedes" in told
    assert not notices(rhea)
    assert not sealed_lines(rhea)


@pytest.mark.sample(0)
@pytest.mark.parametrize("said", ["10", "help"])
@pytest.mark.parametrize("shape", [reply, reply_in_plain_text, reply_in_html])
def test_what_another_player_wrote_does_not_concede(mail_game, said, shape):
    """Ann writes the sentence to Bo, and deletes her message when the mail is sent: so the
    referee's machine no longer knows that the mail contained it."""
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    successful(ann.pbem("tell -C savannah --to b -", stdin=f"hi\n{SENTENCE}\nbye"))
    mail = turn_mail(rhea)
    assert f"\n{SENTENCE}\n" in text_of(mail).replace("> ", "").replace("  ", "")
    for path in (table.shared / "savannah" / "press").iterdir():
        path.unlink()
    successful(receive(rhea, shape(mail, said)))
    successful(receive(rhea, shape(mail, "")))
    assert not notices(rhea)


@pytest.mark.sample(1)
@pytest.mark.parametrize("typed", [f"> {SENTENCE}", f"3\n> {SENTENCE}", f"| {SENTENCE}"])
def test_a_quoted_line_does_not_concede(rhea: Person, typed: str) -> None:
    assert "conceded" not in said_to(rhea, typed)
    assert not notices(rhea)


def test_the_sentence_below_what_is_quoted_does_not_concede(rhea: Person) -> None:
    successful(receive(rhea, bottom(turn_mail(rhea), SENTENCE)))
    assert HOW in answer_line(rhea)
    assert not notices(rhea)


@pytest.mark.sample(0)
def test_our_own_emails_never_have_the_conceding_sentence_as_a_line(rhea: Person) -> None:
    """Else a mail program that marks nothing could quote it as the first line."""
    mail = turn_mail(rhea)
    for said in ("help", "I want to concede"):
        successful(receive(rhea, reply(mail, said)))
    for path in letters(rhea):
        text = text_of(opened_bytes(path.read_bytes()))
        assert SENTENCE in text or "answer" not in path.name
        assert not any(concedes([row.strip(" “”")]) for row in text.split("\n"))


# ---------------------------------------------------------------- who may say it


@pytest.mark.sample(0)
def test_a_reply_to_an_earlier_turn_does_not_concede(mail_game: Game) -> None:
    table = mail_game("first")
    rhea = table.person("rhea")
    old = turn_mail(rhea)
    submit(table.person("ann"), FOOD)
    submit(rhea, 'food = "climbing 1"', "--as b")
    successful(rhea.pbem("advance -C savannah"))
    told = said_to(rhea, SENTENCE, old)
    assert "answered an email about an earlier turn, so it changed nothing" in told
    assert HOW in told
    assert not notices(rhea)
    successful(receive(rhea, reply(answer_mail(rhea), SENTENCE)))
    assert len(notices(rhea)) == 1
