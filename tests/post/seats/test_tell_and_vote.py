"""What a player without `pbem` says to the others, and how he votes to end the game."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.mail_seats import (
    NEW,
    answer_mail,
    begin_mail_game,
    letters,
    mail_in_file,
    receive,
    reply,
    sealed_lines,
    submit,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.people import NOW, Person, Round
from tests.post.seats.answering import answer_line, said_to

Game = Callable[[str], Round]
LONG = (
    "tell: I will not attack anybody in this round, if you leave my only species alone until it\n"
    "has found something to eat; and then we shall see."
)


@pytest.mark.sample(0)
def test_a_message_to_all_goes_out_beside_the_orders(mail_game: Game):
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "Tell: don’t eat me, Ann!\n3, 10")))
    told = text_of(answer_mail(rhea))
    assert "UNDERSTOOD" in told
    assert "You said to all players: don't eat me, Ann!" in told
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)
    assert "Bo (b) says: don't eat me, Ann!" in successful(ann.pbem("since -C savannah")).out


@pytest.mark.sample(0)
def test_a_message_alone_leaves_the_orders_as_they_are(mail_game: Game):
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    mail = turn_mail(rhea)
    said = successful(receive(rhea, reply(mail, LONG)))
    assert "contains a message to other players" in said.out
    assert str(answer_mail(rhea)["Subject"]).split(" [")[0].endswith("sent to the other players")
    assert not sealed_lines(rhea)
    shown = " ".join(successful(ann.pbem("since -C savannah")).out.replace(">", "").split())
    assert "alone until it has found something to eat; and then we shall see." in shown


@pytest.mark.sample(0)
def test_a_message_to_one_player_is_for_that_player_only(mail_game: Game):
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    successful(receive(rhea, reply(turn_mail(rhea), "tell ann: shall we hunt together?")))
    said = successful(rhea.pbem("tell -C savannah --to b 'a cat eats fish'")).out
    assert "Bo will see your message in the next email about a turn" in said
    assert "next email" not in successful(rhea.pbem("tell -C savannah --to a hello")).out
    assert "You said to Ann (a): shall we hunt" in answer_line(rhea)
    assert "Bo (b) to you: shall we hunt together?" in successful(ann.pbem("since -C savannah")).out
    table.person("eve")
    eve = successful(table.person("eve").pbem("since -C savannah")).out
    assert "hunt" not in eve


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("tell Anne: hello", "nobody here is called 'Anne'; did you mean ann?"),
        ("tell:", "the message is empty"),
        ("tell everybody hello", "write “tell:” before what you say"),
        (f"tell: {'long ' * 210}", "the maximum is 1000 characters in 40 lines"),
        ("vote for Ann", "write “vote end”, “vote draw” or “vote no”"),
    ],
)
def test_what_cannot_be_sent_changes_nothing(mail_game: Game, typed: str, told: str):
    table = mail_game("second")
    rhea = table.person("rhea")
    text = said_to(rhea, f"{typed}\n3")
    assert "PLEASE WRITE AGAIN" in text
    assert told in text
    assert not sealed_lines(rhea)
    assert not list((table.shared / "savannah").glob("press/*"))


@pytest.mark.sample(0)
def test_a_reply_that_is_taken_twice_sends_its_message_and_vote_once(rhea: Person):
    mail = turn_mail(rhea)
    for name in ("<one@x>", "<two@x>"):  # as after a kill: nobody has noted the first
        successful(receive(rhea, reply(mail, "tell: hello\nvote draw", Message_ID=name)))
    assert len(list((rhea.shared / "savannah" / "press").iterdir())) == 1
    assert len(list((rhea.shared / "savannah" / "notices").iterdir())) == 1


@pytest.mark.sample(0)
def test_the_game_ends_when_all_have_voted(mail_game: Game):
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    successful(ann.pbem("notice end --draw -C savannah"))
    mail = turn_mail(rhea)
    assert (
        "Ann votes to end the game as a draw. If you want the same, write: vote draw"
        in " ".join(text_of(mail).split())
    )
    assert "You vote to end the game as a draw." in said_to(rhea, "I agree.", mail)
    assert "the game is over" in successful(rhea.pbem("advance -C savannah")).err
    audit = successful(ann.pbem("audit savannah")).out
    assert "Bo (b) answered by plain email" in audit


def test_agreed_is_small_talk_if_nobody_has_voted(rhea: Person):
    successful(receive(rhea, reply(turn_mail(rhea), "Agreed!\n3")))
    assert "UNDERSTOOD" in text_of(answer_mail(rhea))
    assert "VOTE" not in text_of(answer_mail(rhea)).partition("ABOUT")[0].upper()


@pytest.mark.sample(0)
def test_a_vote_is_taken_back(rhea: Person):
    mail = turn_mail(rhea)
    assert "You vote to play on." in said_to(rhea, "vote no", mail), "without a vote before, too"
    successful(receive(rhea, reply(mail, "Vote to end the game.")))
    successful(receive(rhea, reply(mail, "vote: play on")))
    assert "Bo wants to play on" in rhea.pbem("status -C savannah").out


def test_the_help_email_says_how_to_write_vote_and_announce_an_absence(rhea: Person):
    told = said_to(rhea, "help")
    assert all(words in told for words in ("tell Ann:", "vote draw", "away until 2 January")), told


def test_only_the_first_email_invites_to_the_game_and_says_how_it_is_played(mail_game: Game):
    text = " ".join(text_of(turn_mail(mail_game("first").person("rhea"))).split())
    assert "Rhea invites you to a game of Evolution with Ann." in text
    assert "You play it by email and install nothing." in text
    assert "reply with “explain rules”" in text
    assert "invites you" not in text_of(turn_mail(mail_game("second").person("rhea")))


@pytest.mark.sample(0)
def test_what_was_said_before_the_answer_was_used_is_in_the_next_email(mail_game: Game):
    table = mail_game("second")
    rhea = table.person("rhea")
    successful(receive(rhea, reply(turn_mail(rhea), "16\nWhat is a watering hole?")))
    successful(rhea.pbem("tell -C savannah --to b 'It is where the plants are.'"))
    submit(table.person("ann"), 'play = ["done"]\nfeed = ["* eats"]')
    successful(rhea.pbem("advance -C savannah"))
    text = " ".join(text_of(turn_mail(rhea)).split())
    assert "turn 3" in text
    assert text.count("It is where the plants are.") == 1, text
    assert "What is a watering hole?" not in text, "his own words"


@pytest.mark.sample(0)
def test_who_asked_something_learns_that_their_orders_still_count(rhea: Person):
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "3, 10")))
    assert "What you sent before (revision 1) still counts." in said_to(rhea, "explain horns", mail)


@pytest.mark.long
def test_who_missed_the_deadline_reads_it_in_the_next_email(tmp_path: Path):
    rhea = begin_mail_game(Round(tmp_path), NEW.replace("never", "48h"))
    late = str(NOW + 3 * 86_400)
    successful(rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=late))
    successful(rhea.pbem("send --to Bo -C savannah", SOURCE_DATE_EPOCH=late))
    text = " ".join(text_of(mail_in_file(letters(rhea)[-1])).split())
    assert "Your last answer did not come in time, so the least harmful choice was made." in text
