"""A game that Rhea deals together with Hal: by commands, on pages, and in an email."""

import shutil

import pytest

from pbem.files.home import Home
from pbem.judge.deputy_and_co_dealer_keys_in_charter import parse_co_dealer_line
from pbem.person.keyring import Keyring
from pbem.post.event_printer import Log
from pbem.post.run_passes import MailPasses
from pbem.records.twelve_words import words_of
from tests.kit.mail_seats import text_of, turn_mail
from tests.kit.named_games import answer_once_as_bot, game_id, invite, session_of
from tests.kit.people import NOW, Person, Round, output_of, stdout_of
from tests.kit.table_requests import enter_game, enter_table, send_form

HOUR = 3600
HANDS = "Hal and Rhea together could see every hand; neither can alone"


def begin_with_hal(table: Round, options: str = "--players Ann,Bo", seats: str = "ab") -> Person:
    """The game at turn 1, which owes Hal's mix; the referee."""
    line = stdout_of(table.person("hal"), "keys co-dealer").strip()
    rhea = table.person("rhea")
    output_of(rhea, f"new savannah {options} --referee Rhea --co-dealer Hal={line}")
    for seat, name in zip(seats, ("ann", "bo"), strict=False):
        output_of(table.person(name), f"join -C savannah --invite {invite(table, seat)}")
    deal_once(table)
    return rhea


def deal_once(table: Round) -> None:
    """Hal and Rhea each do what they can, once."""
    table.person("hal").pbem("advance -C savannah")
    table.person("rhea").pbem("advance -C savannah")


def deal_files(table: Round) -> dict[str, bytes]:
    folder = table.shared / "savannah" / "deals"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.sample(0)
def test_a_page_says_which_dealer_is_awaited_and_who_could_see_every_hand(table: Round) -> None:
    begin_with_hal(table)
    for name, awaited in (("ann", "Hal"), ("rhea", "Hal"), ("hal", "you")):
        output_of(table.person(name), "status -C savannah")
        asking, path = enter_game(table, name)
        page = asking.get(path).text
        assert f"Waiting for {awaited} to deal" in page
        assert f"{HANDS}." in page
    output_of(table.person("hal"), "advance -C savannah")
    asking, path = enter_game(table, "ann")
    assert "The co-dealers have dealt: Rhea makes the next turn" in asking.get(path).text


@pytest.mark.sample(0)
def test_a_co_dealer_deals_by_a_button_on_a_page(table: Round) -> None:
    begin_with_hal(table)
    hal_asks, path = enter_game(table, "hal")
    rhea_asks, _ = enter_game(table, "rhea")
    for turn in (1, 2):
        assert 'class="tag">Deal<' in hal_asks.get("/").text
        assert "Waiting for a co-dealer to deal: Hal" in rhea_asks.get(f"{path}/referee").text
        page = hal_asks.get(f"{path}/deal").text
        assert f"The game waits for your part of the deal after turn {turn}." in page
        answer = hal_asks.post(f"{path}/deal")
        assert f"Your part of the deal after turn {turn} is written." in answer.text, answer.text
        assert (
            "nothing for you to do now; wait for the referee, Rhea"
            in hal_asks.get(f"{path}/deal").text
        )
        again = hal_asks.post(f"{path}/deal")
        assert (again.status, "wait for the referee" in again.text) == (409, True)
        assert rhea_asks.post(f"{path}/referee").status == 200
    assert "nothing for you to do now; wait for Ann and Bo" in hal_asks.get(f"{path}/deal").text
    assert "you are asked for: food" in output_of(table.person("ann"), "status -C savannah")
    assert rhea_asks.get(f"{path}/deal").status == 409, "only a co-dealer deals there"


def test_a_page_says_before_turn_1_whose_words_to_compare(table: Round) -> None:
    line = stdout_of(table.person("hal"), "keys co-dealer").strip()
    words = (
        table.person("hal").pbem("keys co-dealer").err.partition("names you: ")[2].split("\n")[0]
    )
    rhea = table.person("rhea")
    output_of(rhea, f"new savannah --players Ann,Bo --referee Rhea --co-dealer Hal={line}")
    output_of(rhea, "status -C savannah")
    asking, path = enter_game(table, "rhea")
    page = asking.get(path).text
    assert f"ask Hal for the words of their key; the right words: {words}" in page
    assert "Hal, co-dealer: has not given a key for the cards yet" in page


@pytest.mark.sample(0)
def test_a_player_by_email_is_told_who_could_see_the_hand(table: Round) -> None:
    options = '--players "Ann,Bo <bo@example.org>" --mail-seats Bo --deadline never'
    rhea = begin_with_hal(table, options, "a")
    assert not list((table.shared.parent / "home" / "rhea").rglob("*.eml")), "turn 1 asks nobody"
    for _ in range(2):
        deal_once(table)
    text = " ".join(text_of(turn_mail(rhea)).split())
    assert f"{HANDS}." in text
    assert "Rhea has the key of Bo (seat b), and so sees that hand." in text


def test_a_co_dealer_deals_nothing_if_the_game_has_not_their_last_printed_line(table):
    deputy = stdout_of(table.person("dee"), "keys deputy").strip()
    hal = table.person("hal")
    with_deputy = ["keys", "co-dealer", "--deputy", deputy]
    old_line = stdout_of(hal, with_deputy).strip()
    stdout_of(hal, "keys co-dealer")
    rhea = table.person("rhea")
    output_of(rhea, f"new savannah --players Ann,Bo --referee Rhea --co-dealer Hal={old_line}")
    said = hal.pbem("advance -C savannah")
    assert said.exit != 0
    assert "is not the one that you printed here last" in said.text, said.text
    assert not (table.shared / "savannah" / "deals").exists()
    assert stdout_of(hal, with_deputy).strip() == old_line
    output_of(hal, "advance -C savannah")
    assert deal_files(table)


@pytest.mark.sample(0)
def test_what_a_dealer_wrote_is_written_again_byte_for_byte(table: Round) -> None:
    begin_with_hal(table)
    hal = table.person("hal")
    output_of(hal, "advance -C savannah")
    written = deal_files(table)
    for path in (table.shared / "savannah" / "deals").glob("0001-*"):
        path.unlink()  # as if the machine had stopped, or the drive had lost the file
    assert "Waiting" not in output_of(hal, "advance -C savannah")
    assert deal_files(table) == written


def test_pbem_run_deals_for_a_co_dealer_and_makes_turns(table: Round) -> None:
    rhea = begin_with_hal(table)
    hal = table.person("hal")
    for _ in range(2):
        assert "your part of the deal after turn" in output_of(hal, "run --once")
        assert "made turns/" in output_of(rhea, "run --once")
    status = output_of(table.person("ann"), "status -C savannah")
    assert "you are asked for: food" in status
    assert "deal" not in output_of(hal, "run --once")


@pytest.mark.sample(0)
def test_a_co_dealer_without_the_folder_gets_and_sends_files(table: Round) -> None:
    hal = table.person("hal")
    line = stdout_of(hal, "keys co-dealer").strip()
    hal.place = table.shared.parent / "hal-far-away"
    hal.place.mkdir()
    rhea = table.person("rhea")
    output_of(rhea, f"new savannah --players Ann,Bo --referee Rhea --co-dealer Hal={line}")
    for seat, name in (("a", "ann"), ("b", "bo")):
        output_of(table.person(name), f"join -C savannah --invite {invite(table, seat)}")
    to_hal, to_rhea = table.shared.parent / "to-hal", table.shared.parent / "to-rhea"
    for turn in range(3):
        # once something came from Hal by mail, `send` writes to him without being told
        to = "--to Hal" if not turn else ""
        output_of(rhea, f"send -C savannah {to} -o {to_hal}")
        output_of(hal, f"receive {to_hal}")
        (far,) = (path for path in hal.place.iterdir() if path.is_dir())
        output_of(hal, f"advance -C {far}")
        output_of(hal, f"send -C {far} -o {to_rhea}")
        output_of(rhea, f"receive {to_rhea}")
        printed = output_of(rhea, "advance -C savannah")
        assert "Hal deals by mail; to write the next email: pbem send --to Hal" in printed
        to_hal.unlink()
        to_rhea.unlink()
    assert "you are asked for: food" in output_of(table.person("ann"), "status -C savannah")
    assert len(deal_files(table)) == 3
    rhea.pbem("send -C savannah --to Gus").checked(2, err="nobody here is called 'Gus'")


def test_nobody_takes_a_seat_with_the_key_of_a_dealer(table: Round) -> None:
    line = stdout_of(table.person("hal"), "keys co-dealer").strip()
    rhea, hal = table.person("rhea"), table.person("hal")
    output_of(rhea, f"new savannah --players Ann,Bo --referee Rhea --co-dealer Hal={line}")
    join = f"join -C savannah --invite {invite(table, 'a')}"
    hal.pbem(f"{join} --profile co-dealer").checked(4, err="a key that deals cannot play")
    output_of(hal, join)  # with his usual key he can play


def test_a_co_dealer_cannot_make_a_rematch_in_which_they_are_co_dealer_too(table: Round) -> None:
    begin_with_hal(table)
    said = table.person("hal").pbem("new --like savannah").checked(2)
    assert "the line for the co-dealer Hal has your own key" in said.err


@pytest.mark.sample(0)
def test_a_co_dealer_deals_nothing_for_a_second_turn_1(table: Round) -> None:
    begin_with_hal(table)
    hal, turn = table.person("hal"), table.shared / "savannah" / "turns" / "0001.toml"
    output_of(hal, "advance -C savannah")
    written = deal_files(table)
    turn.unlink()
    rhea_again = table.person("rhea")
    for path in rhea_again.home.rglob("signed"):
        path.unlink()  # a referee who wants a second turn 1
    for path in rhea_again.home.rglob("heads.toml"):
        path.unlink()
    said = rhea_again.pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + 60))
    assert turn.exists(), said.text
    assert hal.pbem("advance -C savannah").exit
    assert deal_files(table) == written


@pytest.mark.sample(0)
def test_a_co_dealers_second_computer_deals_once_the_words_are_compared(table: Round) -> None:
    begin_with_hal(table)
    hal, ann = table.person("hal"), table.person("ann")
    (answered,) = hal.home.rglob("answered")
    shutil.rmtree(answered)  # as on a computer that has only his key
    hal.pbem("advance -C savannah").checked(3, text="this computer has not dealt in this game yet")
    status = output_of(ann, "status -C savannah")
    words = status.partition("head 1:")[2].split("\n")[0].split()[1:]
    wrong = ["advance", "-C", "savannah", "--compared", " ".join(words[:11])]
    assert hal.pbem(wrong).exit == 4
    assert hal.pbem([*wrong[:-1], " ".join(["abandon"] * 11 + ["about"])]).exit == 3
    assert "--compared is for co-dealers" in ann.pbem(wrong).text
    assert hal.pbem([*wrong, "--watch"]).exit == 2
    assert "1" not in {name[3] for name in deal_files(table)}
    right = [*wrong[:-1], " ".join(words)]
    assert "your part of the deal after turn 1 is written" in output_of(hal, right)


@pytest.mark.sample(0)
def test_a_co_dealer_opens_their_secret_two_days_after_the_end_of_a_game(table: Round) -> None:
    rhea = begin_with_hal(table, "--players Ann --bots greedy:2 --game classroom", "a")
    ann = table.person("ann")
    for _ in range(200):
        deal_once(table)
        if (table.shared / "savannah" / "final.toml").exists():
            break
        answer_once_as_bot(session_of(ann), "a")
    hal = table.person("hal")
    hal.pbem("advance -C savannah").checked(5, text="next: pbem advance, after")
    status = output_of(hal, "status -C savannah")
    since, until = "Tue 2023-11-14 22:13 UTC", "Thu 2023-11-16 22:13 UTC"
    assert f"on {since}, now. It keeps your secret closed until {until}" in status, status
    closed = output_of(ann, "audit -C savannah")
    assert "This folder does not have the secret of Hal yet" in closed, closed
    for seconds, is_open in ((48 * HOUR - 1, False), (48 * HOUR, True)):
        said = hal.pbem("run --once", SOURCE_DATE_EPOCH=str(NOW + seconds))
        assert (
            " opens your secret as a co-dealer: now everybody can check" in said.text
        ) == is_open, said.text
        passes = MailPasses(Keyring(Home(hal.home)), Log())
        assert passes.next_moment(game_id(table)) == (None if is_open else NOW + 48 * HOUR)
    certificate = output_of(ann, "audit -C savannah")
    assert f"{HANDS}. Rhea has the keys of" in certificate
    assert "next: pbem audit" in output_of(rhea, "status -C savannah")


def co_dealers_line(table: Round) -> str:
    return stdout_of(table.person("hal"), "keys co-dealer").strip()


def test_the_form_for_a_new_game_names_a_co_dealer(table: Round) -> None:
    asking = enter_table(table.person("rhea"))
    assert "you and this co-dealer together could see every hand" in asking.get("/new").text
    answer = send_form(
        asking, "/new", game="evolution", players="Ann, Bo", referee="deals", name="Rhea",
        folder=str(table.shared / "savannah"), co_dealer_name="Hal",
        co_dealer=co_dealers_line(table),
    )  # fmt: skip
    assert answer.status == 200, answer.text
    assert f"{HANDS}." in answer.text
    assert "Hal must deal too: give them the game as you give it to the players" in answer.text
    assert "Ask Hal for the words of their key; the right words:" in answer.text
    assert HANDS in output_of(table.person("rhea"), "status -C savannah")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"co_dealer": "{line}"}, "give the name of the co-dealer too"),
        ({"co_dealer_name": "Hal"}, "the line of Hal, your co-dealer, is missing"),
        (
            {"co_dealer_name": "Hal", "co_dealer": "co-dealer:12"},
            "s line; such a line looks like",
        ),
        ({"co_dealer_name": "Hal", "co_dealer": "{line}A"}, "s line; such a line looks like"),
        (
            {"co_dealer": "https://pond.example.org"},
            "a host can be the co-dealer only of a game that it keeps itself",
        ),
    ],
)
def test_the_form_for_a_new_game_says_what_is_wrong_with_its_co_dealer(table, fields, sentence):
    typed = {name: text.format(line=co_dealers_line(table)) for name, text in fields.items()}
    answer = send_form(
        enter_table(table.person("rhea")), "/new", players="Ann, Bo", name="Rhea",
        folder=str(table.shared / "savannah"), **typed,
    )  # fmt: skip
    assert answer.status == 409
    assert sentence in answer.text
    assert "--co-dealer" not in answer.text
    assert not (table.shared / "savannah").exists()


DAYS = 24 * 3600


def words_of_turn(person: Person) -> str:
    """The twelve words that a player reads out."""
    head = next(
        line
        for line in output_of(person, "status -C savannah").splitlines()
        if line.startswith("head ")
    )
    return head.partition("  ")[2]


@pytest.mark.sample(0)
def test_the_deputy_of_a_co_dealer_takes_over_by_a_command(table: Round) -> None:
    ivy, hal, rhea = (table.person(name) for name in ("ivy", "hal", "rhea"))
    ivys_line = stdout_of(ivy, "keys deputy").strip()
    line = stdout_of(hal, f"keys co-dealer --deputy {ivys_line}").strip()
    output_of(rhea, f"new savannah --players Ann,Bo --referee Rhea --co-dealer Hal={line}")
    for seat, name in zip("ab", ("ann", "bo"), strict=True):
        output_of(table.person(name), f"join -C savannah --invite {invite(table, seat)}")
    own_words = parse_co_dealer_line(line).words()  # as `keys co-dealer` shows them to Hal
    assert own_words in output_of(table.person("ann"), "status -C savannah")
    deal_once(table)  # then Hal loses his computer
    words = words_of_turn(table.person("ann"))
    take_over = ["advance", "-C", "savannah", "--take-over", "--compared", words]
    waits = output_of(ivy, "status -C savannah")
    assert "you are the deputy of Hal, a co-dealer; if Hal does not deal, you can take" in waits
    ivy.pbem(take_over).checked(3, err="only if the dealer has not dealt by")

    for person in (ivy, rhea):
        person.env["SOURCE_DATE_EPOCH"] = str(NOW + 3 * DAYS)
    assert "--take-over --compared" in output_of(ivy, "status -C savannah")
    ivy.pbem("advance -C savannah --take-over").checked(2, err="the twelve words of turn 1")
    other = ivy.pbem([*take_over[:-1], " ".join(words_of(bytes(32)))])
    assert (other.exit, "another copy of the game" in other.err) == (3, True), other.text
    assert "you will deal in the place of Hal as soon as Rhea makes a turn" in output_of(
        ivy, take_over
    )
    assert "made turns/0002.toml" in output_of(rhea, "advance -C savannah")
    for turn in (2, 3):
        assert f"your part of the deal after turn {turn} " in output_of(ivy, "run --once")
        output_of(rhea, "advance -C savannah")
    table.person("ann").env["SOURCE_DATE_EPOCH"] = str(NOW + 3 * DAYS)
    status = output_of(table.person("ann"), "status -C savannah")
    assert "you are asked for: food" in status
    assert "the deputy of Hal deals from now on" in output_of(rhea, "log -C savannah")
