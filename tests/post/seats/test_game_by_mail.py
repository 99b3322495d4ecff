"""A whole game with one player who has only email, and what people and programs do wrong in it."""

import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.kit.mail_seats import (
    STANDING,
    answer_mail,
    first_choices,
    invite_of_bo,
    letters,
    links_in,
    mail_in_file,
    receive,
    reply,
    sealed_lines,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.named_games import session_of
from tests.kit.people import Person, Round, output_of, snapshot
from tests.post.seats.answering import said_to

Game = Callable[[str], Round]


def number_of(mail: str, words: str) -> str:
    """The number that a mail gives to a choice."""
    found = re.search(rf"^ *(\d+): {re.escape(words)}", mail, re.M)
    assert found, mail
    return found[1]


@pytest.mark.long
def test_a_whole_game_with_one_player_by_email(mail_game: Game):
    table = mail_game("first")
    rhea, ann = table.person("rhea"), table.person("ann")
    successful(ann.pbem("submit - -C savannah", stdin=STANDING))
    mails = 0
    for _ in range(200):
        step = rhea.pbem("advance -C savannah")
        assert step.exit in (0, 5), step.text
        if (table.shared / "savannah" / "final.toml").exists():
            break
        status = rhea.pbem("status -C savannah").out
        if "a Ann: MISSING" in status:
            successful(ann.pbem("submit - -C savannah", stdin=STANDING))
        if "b Bo (by email): MISSING" in status:
            mails += 1
            mail = turn_mail(rhea)
            assert max(len(line) for line in text_of(mail).splitlines()) <= 72
            successful(receive(rhea, reply(mail, first_choices(text_of(mail)))))
            assert sealed_lines(rhea), text_of(answer_mail(rhea))
    assert mails > 8
    assert "the game is over" in str(turn_mail(rhea)["Subject"])
    end = " ".join(text_of(turn_mail(rhea)).split())
    assert re.search(r"1\. [ab] \w+: \d+ points .* (Ann|Bo) wins", end), end
    assert "To play again with the same people, ask Rhea." in end
    audit = successful(ann.pbem("audit savannah")).out
    assert "Proven: every signature" in audit
    told = "Bo (b) answered by plain email: Rhea had the key of this seat and signed its orders"
    assert told in audit
    assert "Only Rhea can say whether Bo wrote these orders" in audit
    assert "The secret shares of Rhea and Ann together" in audit


@pytest.mark.long
def test_a_mail_says_that_earlier_orders_already_answer(mail_game: Game):
    table = mail_game("first")
    rhea, ann = table.person("rhea"), table.person("ann")
    lines = re.findall(r'(\w+) = \["(.*)"\]', STANDING)
    always = "\n".join(f"always {kind}: {line}" for kind, line in lines)
    successful(receive(rhea, reply(turn_mail(rhea), always)))
    draft = Path(successful(ann.pbem("orders -C savannah")).out.splitlines()[0]).read_text("utf-8")
    (card, *_) = re.findall(r'^    # "([^"]*)"', draft, re.M)
    once = "".join(f'{kind} = "{line}"\n' for kind, line in lines if kind in ("play", "leaf"))
    once += f'food = "{card}"\nfeed = "plants first, then prey"\nthink = "done"\n'
    successful(ann.pbem("submit - -C savannah", stdin=once))
    successful(rhea.pbem("advance -C savannah"))
    assert "b Bo (by email): STANDING, asked for food" in rhea.pbem("status -C savannah").out
    mail = turn_mail(rhea)
    assert "savannah, turn 2: your earlier orders already answer [" in str(mail["Subject"])
    assert "Reply only if you want something else." in text_of(mail)
    assert "BO, YOUR EARLIER ORDERS ALREADY ANSWER: THE CARD FOR" in text_of(mail)
    assert "it is your move" not in text_of(mail).lower()
    told = "Your earlier orders:\n  always food: the card in hand with the lowest food number\n"
    told += "Reply only"
    assert told in text_of(mail), text_of(mail)
    assert "always feed:" not in text_of(mail), "only what answers the question"
    for name in (rhea.shared / "savannah").rglob("*"):
        assert name.is_dir() or b"the card with the least food" not in name.read_bytes()
    again = rhea.pbem("send -C savannah")
    assert (again.exit, "Bo has already answered turn 2" in again.err) == (5, True)


@pytest.mark.sample(0)
def test_who_has_answered_gets_no_email_again(rhea: Person):
    first = turn_mail(rhea)
    successful(rhea.pbem("send -C savannah"))  # Bo may not have got it
    successful(receive(rhea, reply(first, "3")))
    before = letters(rhea)
    for typed in ("send", "send --to Bo"):
        said = rhea.pbem(f"{typed} -C savannah")
        assert (said.exit, said.out) == (5, "")
        assert said.err == (
            "error: Bo has already answered turn 2, so pbem writes no new email to Bo\n"
            "  try: pbem send --again\n"
        )
    assert letters(rhea) == before
    assert "an email to Bo" in successful(rhea.pbem("send --again -C savannah")).out
    assert "an email to Bo" in successful(rhea.pbem("send --again --to b -C savannah")).out


@pytest.mark.sample(0)
def test_half_an_answer_is_no_answer(rhea: Person):
    """The orders that the referee signed for Bo do not answer what is asked: Bo gets the email."""
    turn_mail(rhea)
    successful(rhea.pbem("submit - -C savannah --as b", stdin='feed = "plants only"'))
    assert "an email to Bo" in successful(rhea.pbem("send -C savannah")).out


def test_whoever_is_named_in_from_makes_no_difference(rhea: Person):
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "3", From="Mallory <m@example.net>")))
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)
    assert answer_mail(rhea)["To"] == "Bo <bo@example.org>"


@pytest.mark.sample(2)
@pytest.mark.parametrize("change", ["secret", "seat", "game", "none"])
def test_without_the_right_code_a_reply_counts_for_nothing(mail_game: Game, change: str):
    table = mail_game("second")
    rhea = table.person("rhea")
    mail = turn_mail(rhea)
    before = snapshot(table.shared / "savannah"), letters(rhea)
    data = reply(mail, "3", From="Bo <bo@example.org>").decode()
    for token in set(re.findall(r"pbem-[0-9a-f]{6}-b2-[a-z2-7]{16}", data)):
        _, digits, seat, secret = token.split("-")
        other = {
            "secret": f"pbem-{digits}-{seat}-{'a' * 16}",
            "seat": f"pbem-{digits}-a2-{secret}",
            "game": f"pbem-{digits[::-1]}-{seat}-{secret}",
            "none": "no code",
        }[change]
        data = data.replace(token, other)
    said = receive(rhea, data.encode())
    assert said.exit == 4, said.text
    assert (snapshot(table.shared / "savannah"), letters(rhea)) == before


@pytest.mark.long
def test_a_reply_to_an_old_mail_gets_the_question_of_now(mail_game: Game):
    table = mail_game("first")
    rhea = table.person("rhea")
    old = turn_mail(rhea)
    successful(receive(rhea, reply(old, number_of(text_of(old), "climbing 1"))))
    successful(table.person("ann").pbem("submit - -C savannah", stdin=STANDING))
    successful(rhea.pbem("advance -C savannah"))
    said = successful(receive(rhea, reply(old, "2")))
    assert "answers an email about an earlier turn" in said.out
    assert not sealed_lines(rhea)
    told = answer_mail(rhea)
    assert "this is the question now" in str(told["Subject"])
    assert "IT IS YOUR MOVE: CARDS TO PLAY" in text_of(told)
    successful(receive(rhea, reply(told, "3")))  # an answer may be answered
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)


@pytest.mark.sample(0)
def test_a_second_reply_replaces_the_same_question_and_keeps_the_others(rhea: Person):
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "rules")))
    feed = number_of(text_of(answer_mail(rhea)), "plants only")
    successful(receive(rhea, reply(mail, f"3\n{feed}")))
    successful(receive(rhea, reply(mail, "10")))
    orders = sealed_lines(rhea)
    assert "play: [long_neck 3] on b1" in orders
    assert "feed: plants only" in orders
    assert not any("cooperation 3" in line for line in orders)
    assert "revision 2" in text_of(answer_mail(rhea)).lower()
    said = successful(receive(rhea, reply(mail, "3\n99")))
    assert "the reply was not clear: pbem has asked the player" in said.out
    assert sealed_lines(rhea) == orders


@pytest.mark.sample(0)
def test_the_same_email_twice_is_taken_once(rhea: Person):
    mail = turn_mail(rhea)
    first, second = reply(mail, "3"), reply(mail, "10")
    successful(receive(rhea, first))
    successful(receive(rhea, second))
    there = letters(rhea), sealed_lines(rhea)
    said = successful(receive(rhea, first))
    assert "already read this reply" in said.out
    assert (letters(rhea), sealed_lines(rhea)) == there


@pytest.mark.sample(0)
def test_a_mailbox_of_replies_is_taken_in_its_order(rhea: Person):
    mail = turn_mail(rhea)
    box = b"".join(b"From x@y Sun\n" + reply(mail, said) + b"\n" for said in ("3", "10"))
    successful(receive(rhea, box, "mailbox"))
    assert "play: [long_neck 3] on b1" in sealed_lines(rhea)


@pytest.mark.long
def test_programs_that_answer_each_other_stop(rhea: Person):
    mail = turn_mail(rhea)
    for number in range(8):  # an answering machine that does not say what it is
        successful(
            receive(rhea, reply(mail, f"I am away until the {number}th of May. Write to Ann."))
        )
        mail = answer_mail(rhea)
    assert len([path for path in letters(rhea) if "answer" in path.name]) == 3
    successful(receive(rhea, reply(mail, "3")))
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)


@pytest.mark.sample(0)
def test_a_deadline_counts_for_a_player_by_email(table_with_deadline: Round):
    rhea, ann = table_with_deadline.person("rhea"), table_with_deadline.person("ann")
    successful(ann.pbem("submit - -C savannah", stdin=STANDING))
    output_of(rhea, "advance -C savannah --now 2023-11-20T00:00Z")
    assert session_of(rhea).view().silent == ["b"]
    text = text_of(turn_mail(rhea))
    assert "answer until" in " ".join(text.split())


def test_the_mail_shows_nothing_that_the_seat_may_not_see(mail_game: Game):
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    hand = session_of(ann, "a").view()
    scene = hand.play.ruleset.scene(hand.table.state)
    cards = next(place.hand for place in scene.places if place.seat == "a")
    whole = turn_mail(rhea).as_bytes().decode("utf-8", "replace").lower().replace("_", " ")
    own = session_of(rhea, "b").view()
    mine = next(p.hand for p in own.play.ruleset.scene(own.table.state).places if p.seat == "b")
    for card in set(cards) - set(mine):
        assert card.replace("_", " ") not in whole


def test_a_letter_shows_a_hand_so_only_its_owner_can_read_the_file(rhea: Person):
    turn_mail(rhea)
    path = letters(rhea)[-1]
    assert path.stat().st_mode & 0o077 == 0
    assert rhea.shared not in path.parents
    message = mail_in_file(path)
    assert message["Auto-Submitted"] == "auto-generated"
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "multipart/related", "text/html",
                     "image/png"]  # fmt: skip
    page = message.get_body(("html",))
    assert page is not None
    assert not re.findall(r"https?:", str(page.get_content()))
    assert len(path.read_bytes()) < 200_000  # most of it is the picture


@pytest.mark.long
def test_a_name_cannot_write_into_the_page_or_the_header(tmp_path_factory: pytest.TempPathFactory):
    from tests.kit.mail_seats import begin_mail_game

    table = Round(tmp_path_factory.mktemp("names"))
    players = "\"Bo,Ann&amp;'x' <bo@example.org>\""
    rhea = begin_mail_game(
        table, f"--players {players} --mail-seats \"Ann&amp;'x'\" --title '<i>x'"
    )
    mail = turn_mail(rhea, "b")
    page = mail.get_body(("html",))
    assert page is not None
    html = str(page.get_content())
    assert "<i>" not in html
    assert "&lt;i&gt;x" in html
    assert "Ann&amp;amp;&#x27;x&#x27;" in html
    assert mail["To"].addresses[0].addr_spec == "bo@example.org"


# ---------------------------------------------------------------- a key of their own


@pytest.mark.sample(0)
def test_the_player_takes_the_seat_over_and_nobody_else_plays_it_from_then_on(mail_game: Game):
    table = mail_game("second")
    rhea, bo = table.person("rhea"), table.person("bo")
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "3")))
    successful(bo.pbem(["join", "-C", "savannah", "--name", "Bo", "--invite", invite_of_bo(rhea)]))
    said = successful(rhea.pbem("advance -C savannah"))
    assert "made turns/0003" in said.out
    log = successful(bo.pbem("log -C savannah")).out
    assert "Bo takes over seat b with a key of their own" in log
    late = receive(rhea, reply(mail, "10"))
    assert late.exit == 4
    assert "plain emails no longer give orders" in late.err
    refused = rhea.pbem("submit - -C savannah --as b", stdin=STANDING)
    assert refused.exit == 2
    assert "seat b is not yours here" in refused.err
    assert "(by email)" not in rhea.pbem("status -C savannah").out
    assert rhea.pbem("send --to Bo -C savannah").exit == 0  # a bundle now
    assert "hand: " in successful(bo.pbem("show -C savannah")).out
    successful(bo.pbem("submit - -C savannah", stdin='play = ["[cooperation 3]: b1 body", "done"]'))
    successful(table.person("ann").pbem("submit - -C savannah", stdin=STANDING))
    successful(rhea.pbem("advance -C savannah"))
    audit = " ".join(bo.pbem("audit savannah").out.split())
    assert "until turn 3, Rhea had the key of this seat and signed its orders" in audit
    successful(bo.pbem("doctor -C savannah"))
    successful(rhea.pbem("doctor -C savannah"))


@pytest.mark.sample(0)
def test_a_player_without_the_shared_folder_takes_the_seat_over(mail_game: Game):
    table = mail_game("second")
    rhea, bo = table.person("rhea"), table.person("bo")
    mail, line = turn_mail(rhea), invite_of_bo(rhea)
    successful(rhea.pbem("send --all --to Bo -o game.pbem -C savannah"))
    bo.place = table.root / "bo"
    bo.place.mkdir()
    successful(bo.pbem(["receive", str(rhea.place / "game.pbem")]))
    successful(bo.pbem(["join", "-C", "savannah", "--name", "Bo", "--invite", line]))
    successful(bo.pbem("send -C savannah -o join.pbem"))
    message = EmailMessage()  # he answers the turn mail, and attaches his join
    message["Subject"] = f"Re: {mail['Subject']}"
    message.set_content("I have pbem now!")
    message.add_attachment((bo.place / "join.pbem").read_text("ascii"), filename="join.pbem")
    successful(receive(rhea, message.as_bytes()))
    successful(rhea.pbem("advance -C savannah"))
    assert "takes over seat b" in successful(rhea.pbem("log -C savannah")).out


def test_before_turn_one_nobody_can_take_the_seat(tmp_path_factory: pytest.TempPathFactory):
    from tests.kit.mail_seats import NEW, TABLE

    table = Round(tmp_path_factory.mktemp("early"))
    rhea, bo = table.person("rhea"), table.person("bo")
    successful(rhea.pbem(f"new savannah {NEW} --table {TABLE}"))
    session = session_of(rhea)
    from pbem.judge.make_signed_records import invite_to

    line = invite_to(session.game_folder.charter, session.refereeing.key(), "b").line()
    said = bo.pbem(["join", "-C", "savannah", "--invite", line])
    assert said.exit == 5
    assert "answers by email, and before turn 1 nobody can take it over" in said.err


def test_the_referee_cannot_give_the_seat_a_key_by_another_notice(rhea: Person):
    said = rhea.pbem("notice key -C savannah --as b")
    assert said.exit != 0


def test_a_lost_home_does_not_lose_the_address(rhea: Person):
    for path in rhea.home.glob("games/*/mail-seats.toml"):
        path.unlink()
    assert turn_mail(rhea)["To"] == "Bo <bo@example.org>"


def test_a_player_can_change_the_address(rhea: Person):
    successful(rhea.pbem("send --to Bo --address bo@new.example -C savannah"))
    assert mail_in_file(letters(rhea)[-1])["To"] == "Bo <bo@new.example>"
    assert rhea.pbem("send --to Ann --address bo@new.example -C savannah").exit == 2
    assert rhea.pbem("send --to Bo --address nonsense -C savannah").exit == 2


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("--players Ann,Bo --mail-seats Bo", "there is no address for Bo"),
        ('--players "Ann,Bo <bo@example.org>"', "who is not listed in --mail-seats"),
        ('--players "Ann,Bo <bo@example.org>" --mail-seats Cy', "no player is called 'Cy'"),
        ('--players "Ann,Bo <bo at home>" --mail-seats Bo', "is not an email address"),
        ('--players "Ann,<bo@example.org>" --mail-seats Bo', "has no name"),
        ('--players "Ann <a@b.c>,Bo" --mail-seats Ann --referee-plays', "seat a is yours"),
    ],
)
def test_new_refuses_players_by_email_without_name_or_address(tmp_path_factory, typed, told):
    rhea = Round(tmp_path_factory.mktemp("new")).person("rhea")
    said = rhea.pbem(f"new savannah {typed}")
    assert said.exit == 2
    assert told in said.err
    assert not (rhea.shared / "savannah").exists()


@pytest.mark.sample(0)
def test_earlier_orders_that_no_longer_fit_are_left_out_with_a_note(rhea: Person):
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "more")))
    first = number_of(text_of(answer_mail(rhea)), "long neck of b1 first")
    successful(receive(rhea, reply(mail, f"10\n{first}")))
    assert "leaf: long_neck of b1" in sealed_lines(rhea)
    text = said_to(rhea, "3", mail)
    assert "your earlier orders are no longer possible, so pbem leaves them out" in text
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)
    assert not any(line.startswith("leaf:") for line in sealed_lines(rhea))


def test_two_choices_for_one_answer_are_asked_back(mail_game: Game) -> None:
    """The Watering Hole takes one card: two numbers are links, and nothing is sealed."""
    rhea = mail_game("first").person("rhea")
    successful(receive(rhea, reply(turn_mail(rhea), "1\n2")))
    assert not sealed_lines(rhea)
    told = text_of(answer_mail(rhea))
    assert "you may give only one answer to this question" in " ".join(told.split())
    assert [tap.get_content().strip() for tap in links_in(answer_mail(rhea))][:2] == ["1", "2"]
