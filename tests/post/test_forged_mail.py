"""Emails that others forge: no address changes, nothing counts as sent, no disk fills up."""

from collections.abc import Callable

import pytest

from pbem.files.home import Home
from pbem.mail.letter import Letter
from pbem.mail.write_and_describe_bundle import format_bundle
from pbem.person.mail_notebooks import People
from pbem.post.collect_mail import MAX_NEW_GAMES, Collector, MailRules
from pbem.post.event_printer import Log
from pbem.post.mail_account import PostBox
from pbem.post.outbox import Outbox
from tests.kit.named_games import session_of
from tests.kit.people import NOW, Round
from tests.post.collecting import Letters, collector, join_from_afar, mail_with_text


def test_a_forged_from_changes_no_address(game: Callable[[str], Round]) -> None:
    table = game("made")
    rhea = table.person("rhea")
    mine = session_of(rhea).game_home
    mine.remember_place(table.shared / "savannah")
    join = join_from_afar(table)
    text = format_bundle([join], "join")
    run = collector(rhea)
    run.collect(
        Letters(mail_with_text("bo@example.org", text), mail_with_text("eve@example.org", text))
    )
    assert People(mine).addresses == {"b": "bo@example.org"}
    bundle_again = format_bundle([join], "again")
    collector(rhea).collect(Letters(*[mail_with_text("eve@example.org", bundle_again)] * 3))
    assert People(mine).addresses == {"b": "bo@example.org"}


def test_a_forged_copy_marks_nothing_as_sent(table: Round) -> None:
    run = collector(table.person("rhea"))
    queued = run.outbox.put(Letter("bo@example.org", "turn 1", "x\n", identity=("bundle",)), NOW)
    assert queued is not None
    guessed = Outbox(PostBox(Home(table.root / "eve")), run.account).put(
        Letter("bo@example.org", "turn 1", "x\n", identity=("bundle",)), NOW
    )
    assert guessed is not None
    run.collect(Letters(mail_with_text("rhea@example.org", "", guessed.message_id)))
    assert [one.key for one in run.outbox.queued_letters()] == [queued.key]
    run.collect(Letters(b"", mail_with_text("rhea@example.org", "", queued.message_id)))
    assert list(run.outbox.queued_letters()) == []


@pytest.mark.long
def test_only_a_few_new_games_a_day(table: Round, capsys: pytest.CaptureFixture[str]) -> None:
    eve, rhea = table.person("eve"), table.person("rhea")
    rhea.place = table.root / "rhea"
    rhea.place.mkdir()
    mails = []
    for number in range(MAX_NEW_GAMES + 3):
        assert eve.pbem(f"new g{number} --players Ann,Bo --referee Eve").exit == 0
        said = eve.pbem(f"send -C g{number} --to a --paste")
        mails.append(mail_with_text("eve@example.org", said.out, f"<{number}@example.org>"))
    run = collector(rhea)
    run.collect(Letters(*mails))
    assert len([*rhea.place.glob("*/game.toml")]) == MAX_NEW_GAMES
    assert "new games in a day" in capsys.readouterr().out


def test_who_loses_the_right_to_deal_stops_reading_at_the_next_letter(table: Round) -> None:
    """Another host over the same games then reads the same mailbox."""
    rhea = table.person("rhea")
    one = collector(rhea)
    may = [True, True, False]
    rules = MailRules(may_go_on=lambda: may.pop(0))
    run = Collector(PostBox(one.home), one.account, one.outbox, one.keyring, Log(), rules)
    letters = Letters(
        *[mail_with_text("eve@example.org", "", f"<{n}@example.org>") for n in range(4)]
    )
    assert run.collect(letters) == 2
    assert letters.fetched == [1, 2]
    again = Letters(*letters.mails)
    collector(rhea).collect(again)
    assert again.fetched == [3, 4]
