"""Mode `dealers`: what a co-dealer remembers, and refuses because of it.

A referee, alone or with player c, shows a co-dealer, its deputy or a second host of it another copy
of the game than the others, or leaves out what a player signed.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pbem.acts.deal_as_co_dealer import take_dealers_place
from pbem.files.co_dealer_answered_heads import AnsweredHeads
from pbem.files.file_errors import FileError, StorageError
from pbem.files.game_folder_places import place_of
from pbem.files.home import Home
from pbem.files.record_file_names import parse_name
from pbem.files.signed_and_seen import MAX_UNLISTED_OF_KEY, RecordArrival, RecordArrivals
from pbem.files.write_once_files import WriteOnceFiles
from pbem.format.encrypted_box import public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.host.dealing_host_passes import DealersHome
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import Away, Vouch
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.seat_curve_points import make_seat_point
from pbem.judge.which_notices_count import SignedNotice
from pbem.judge.why_co_dealer_waits_or_refuses import earliest_time_to_open
from pbem.person.checks_before_co_dealing import secret_wait
from pbem.records.notice import Saying
from pbem.records.record_count_and_size_limits import MAX_NOTICES
from tests.kit.dealers_games import DealtAtHome
from tests.kit.played_games import HOUR, MINUTE, played_key
from tests.kit.record_files import put_record
from tests.kit.refusals import refused_for

DAY = 24 * HOUR


def two_copies(tmp_path: Path, home: Home, **fields: object) -> tuple[DealtAtHome, DealtAtHome]:
    """A game whose turn 2 waits for the co-dealer at this home, and the same one with another turn
    2, which is an hour later."""
    real, copy = (
        DealtAtHome(tmp_path / name / "game", home=at, **fields)  # type: ignore[arg-type]
        for name, at in (("real", home), ("copy", Home(tmp_path / "makes the same bytes")))
    )
    real.turn_for_all()
    copy.turn_for_all()
    copy.now += HOUR
    for game in (real, copy):
        assert game.turn_for_all().content.owed == (0,)
    assert [one == other for one, other in zip(real.heads, copy.heads, strict=True)] == [
        True, True, False,
    ]  # fmt: skip
    assert real.deal()
    return real, copy


# ------------------------------------------------------------------ one machine, and others


@pytest.mark.sample(0)
def test_a_co_dealers_deputy_does_not_take_over_in_another_copy_of_the_game(tmp_path: Path) -> None:
    real, copy = two_copies(tmp_path, Home(tmp_path / "dealer"), dealer_deputies=True)
    copy.now += 4 * DAY
    copy.home, copy.program_key = Home(tmp_path / "deputy"), copy.deputy_keys[0]
    with refused_for("fork", "these are not the words of turn 2"):
        take_dealers_place(copy.session, copy.program_key, copy.now, real.words)
    assert not list((copy.root / "notices").glob("*"))


@pytest.mark.sample(0)
def test_a_second_host_with_one_key_does_not_deal_for_another_copy_of_a_game(
    tmp_path: Path,
) -> None:
    homes = [DealersHome(Home(tmp_path / name), place_of(tmp_path)) for name in "123"]
    for home in homes:
        home.co_dealer_key = played_key("co-dealer 0").public
    real, copy = two_copies(tmp_path, homes[0])
    copy.home = homes[1]
    with refused_for("fork", r"you dealt for a different turn \d+", FileError):
        copy.deal()
    real.home = homes[2]  # but a third goes on where the first stopped
    real.play(2)
    while not real.turns[-1].content.owed:
        real.play(1)
    assert len(real.deal()) == 1


@pytest.mark.sample(0)
def test_a_machine_that_has_not_dealt_yet_asks_for_the_twelve_words(tmp_path: Path) -> None:
    game = DealtAtHome(tmp_path / "game")
    game.play(1)
    game.home = Home(tmp_path / "another computer")
    with refused_for("state", "this computer has not dealt in this game yet"):
        game.deal()
    with pytest.raises(RecordError, match="these are not the words of turn 1"):
        game.deal_at_home(" ".join(["abandon"] * 11 + ["about"]))
    assert game.deal_at_home(game.words)
    assert game.deal_at_home() is None


def heads_of(letters: str) -> list[str]:
    return [letter * 64 for letter in letters]


def test_of_two_programs_with_one_memory_the_first_deal_binds_the_other(tmp_path: Path) -> None:
    one, two = (AnsweredHeads(WriteOnceFiles(tmp_path / "answered")) for _ in range(2))
    assert one.last_head() is None
    one.note_deal(heads_of("0a"), "d" * 64)
    two.note_deal(heads_of("0a"), "d" * 64)  # the same bytes again
    assert len(list((tmp_path / "answered").iterdir())) == 1
    two.note_compared(heads_of("0abc"))
    for heads in ("0a", "0axx", "0abxd"):
        with pytest.raises(FileError) as caught:
            one.note_deal(heads_of(heads), "e" * 64)
        assert caught.value.reason == "fork", heads
    one.note_deal(heads_of("0abc"), "e" * 64)
    with pytest.raises(FileError, match=r"already signed a deal after turn 3 \(eeeeee\)"):
        two.note_deal(heads_of("0abc"), "f" * 64)
    last = two.last_head()
    assert last is not None
    assert (last.turn, last.is_compared, last.dealt_turn, last.deal_id) == (3, True, 3, "e" * 64)
    two.note_deal(heads_of("0abcd"), "f" * 64)
    last = one.last_head()
    assert last is not None
    assert (last.turn, last.is_compared) == (4, False)
    (tmp_path / "answered" / f"{4:06}").write_text("4 of nothing\n")
    with pytest.raises(StorageError, match="restore it from a backup"):
        one.check(heads_of("0abcd"))


# ------------------------------------------------------------------ the secret after the game


@pytest.mark.sample(0)
def test_the_co_dealers_secret_stays_closed_if_the_others_saw_no_end(tmp_path: Path) -> None:
    """After some turns, the co-dealer sees a copy on which only c answers."""
    fields = {"ruleset": "classroom", "players": 3, "policies": {"deadline": "1h"}}
    copy = DealtAtHome(tmp_path / "copy" / "game", **fields)  # type: ignore[arg-type]
    copy.looks = True
    copy.play(3)
    copy.answer = lambda player: player.lines() if player.seat == "c" else None
    copy.play()
    ended = copy.now
    assert ended - copy.turns[0].content.time < DAY
    assert secret_wait(copy.session, ended) == (ended, ended + 30 * DAY, ("a", "b"))
    real = DealtAtHome(tmp_path / "real" / "game", **fields)  # type: ignore[arg-type]
    while real.heads == copy.heads[: len(real.heads)]:
        real.play(1)
    lines = real.seats["a"].lines()
    copy.now = ended + 30 * DAY - 1
    assert copy.deal() == []
    copy.now += 1
    put_record(copy.folder, real.seats["a"].orders(lines))
    name = f"orders/{len(real.turns):04}-a-1-"
    with refused_for("state", f"Ann signed {name}.* does not publish its secret"):
        copy.deal()
    with pytest.raises(RecordError, match="these are not the words"):
        copy.deal_at_home(real.words)
    for path in copy.root.glob(f"{name}*"):
        path.unlink()
    (deal,) = copy.deal()
    assert deal.content.secret


@pytest.mark.sample(0)
def test_a_co_dealers_deputy_who_heard_right_words_opens_no_secret_of_a_fork(
    tmp_path: Path,
) -> None:
    """The words of turn k are right; the copy begins after it, with the deputy's notice."""
    fields = {"ruleset": "classroom", "players": 3, "policies": {"deadline": "1h"}}
    real, copy = (
        DealtAtHome(
            tmp_path / name / "game", home=Home(tmp_path / f"dealer of {name}"), bot="greedy",
            dealer_deputies=True, **fields,
        )  # type: ignore[arg-type]
        for name in ("real", "copy")
    )  # fmt: skip
    for game in (real, copy):
        game.play(4)
        assert game.turns[-1].content.owed
    assert real.heads == copy.heads
    copy.is_paused, copy.now = True, copy.now + 3 * DAY
    copy.home, copy.program_key = Home(tmp_path / "deputy"), copy.deputy_keys[0]
    notice = take_dealers_place(copy.session, copy.program_key, copy.now, real.words)
    copy.notices[notice.id] = notice
    copy.said.append(notice)
    copy.turn_for_all()
    copy.is_paused, copy.looks = False, True
    copy.answer = lambda player: player.lines() if player.seat == "c" else None
    copy.play()
    assert copy.over
    wait = secret_wait(copy.session, copy.now)
    assert wait is not None
    assert wait.missing_seats == ("a", "b")
    copy.now += 30 * DAY - 1
    assert copy.deal_at_home() is None
    with pytest.raises(RecordError, match="these are not the words"):
        copy.deal_at_home(real.words)
    assert real.deal_at_home()


@pytest.mark.sample(0)
def test_once_a_person_compared_the_words_the_co_dealers_secret_opens(tmp_path: Path) -> None:
    game = DealtAtHome(tmp_path / "game", ruleset="classroom", players=3)
    game.play()
    assert game.deal() == []
    deal = game.deal_at_home(game.words)
    assert deal is not None
    assert deal.content.secret


@pytest.mark.parametrize(
    ("deadline", "hours"), [("1h", 48), ("never", 48), ("5d", 120), ("2d, grace 3h", 51)]
)
def test_the_co_dealers_secret_waits_as_long_as_the_longest_deadline(
    tmp_path: Path, deadline: str, hours: int
) -> None:
    game = DealtAtHome(tmp_path / "game", policies={"deadline": deadline})
    turns = [record.content for record in game.turns]
    seen = game.now
    assert earliest_time_to_open(game.charter.content, turns, seen) == seen + hours * HOUR


# ------------------------------------------------------------------ what a player signed


def left_out_game(tmp_path: Path, deadline: str) -> DealtAtHome:
    """Turn 3 asks all, and what a signs after it is in the folder; the referee takes none of it."""
    game = DealtAtHome(
        tmp_path / "game", options={"together": "yes"}, policies={"deadline": deadline},
        drops=lambda record: record.content.seat == "a",
    )  # fmt: skip
    game.play(3)
    return game


def play_until_owed(game: DealtAtHome) -> None:
    """Make turns until the co-dealer is waited for; a is silent in the first."""
    assert game.turn_for_all().content.silent == ("a",)
    while not game.turns[-1].content.owed:
        game.ask()
        game.now = max(game.now, game.turns[-1].content.deadline)
        game.turn_for_all()


@pytest.mark.sample(0)
def test_a_co_dealer_gives_no_deal_for_a_turn_that_leaves_out_orders(tmp_path: Path) -> None:
    game = left_out_game(tmp_path, "1d")
    assert game.deal() == []  # nothing is owed
    game.now += DAY
    play_until_owed(game)
    left_out = "turn 4 leaves out orders/0003-a-1-"
    with pytest.raises(RecordError, match=left_out) as caught:
        game.deal()
    assert (caught.value.reason, caught.value.exit) == ("state", 3)
    for path in (game.root / "orders").glob("0003-a-*"):
        path.unlink()  # it does not help to take them away
    with pytest.raises(RecordError, match=left_out):
        game.deal()
    assert game.deal_at_home(go_on=True)


@pytest.mark.sample(0)
@pytest.mark.parametrize("seconds", [599, 600])
def test_orders_seen_ten_minutes_before_a_turn_count_as_left_out(
    tmp_path: Path, seconds: int
) -> None:
    game = left_out_game(tmp_path, "1d")
    game.now += DAY + MINUTE - seconds
    assert game.deal() == []
    game.now += seconds - MINUTE
    play_until_owed(game)
    if seconds < 600:
        assert game.deal()
        return
    with pytest.raises(RecordError, match="leaves out"):
        game.deal()


@pytest.mark.sample(0)
def test_a_co_dealer_gives_no_deal_for_a_takeover_despite_the_owners_orders(tmp_path: Path) -> None:
    """The referee and b give a's seat to Eve, and leave out all that a signs."""
    game = left_out_game(tmp_path, "never")
    eve = played_key("Eve")
    box = public_of(Secrets(eve.seed).box(game.game_folder.game, "a"))
    point = make_seat_point(game.charter.content, game.game_folder.game, "a", eve.seed)
    vouch = Vouch("a", eve.public, box, *point)
    game.say("b", vouch)
    game.turn_for_all()
    announced = game.say("referee", vouch)
    game.turn_for_all()
    assert game.made.chain.standing.announced_acts
    game.send(game.seats["a"].orders(game.seats["a"].lines()))
    assert game.deal() == []
    game.now += 48 * HOUR
    game.said.append(announced)
    record = game.turn()
    assert record is not None
    assert record.content.handover
    assert record.content.owed == (0,)
    with pytest.raises(RecordError, match="leaves out orders/0005-a-1-"):
        game.deal()


def without_orders_of_a(game: DealtAtHome) -> None:
    """Player a has signed no orders after turn 3."""
    for path in (game.root / "orders").glob("0003-a-*"):
        path.unlink()


@pytest.mark.sample(0)
def test_a_co_dealer_gives_no_deal_for_a_turn_that_leaves_out_an_absence(tmp_path: Path) -> None:
    game = left_out_game(tmp_path, "1d")
    without_orders_of_a(game)
    notice = sign_notice(game, "a", 1, Away(game.now + DAY, game.now + 9 * DAY))
    assert game.deal() == []
    game.now += DAY
    play_until_owed(game)
    left_out = "turn 4 leaves out notices/0003-a-1-"
    with pytest.raises(RecordError, match=left_out):
        game.deal()
    (game.root / file_name(notice).path).unlink()
    with pytest.raises(RecordError, match=left_out):
        game.deal()


@pytest.mark.sample(0)
def test_a_co_dealer_does_not_miss_a_notice_that_can_no_longer_count(tmp_path: Path) -> None:
    game = left_out_game(tmp_path, "1d")
    without_orders_of_a(game)
    sign_notice(game, "a", 1, Away(game.now + DAY, game.now + DAY + HOUR))
    assert game.deal() == []
    game.now += 2 * DAY
    play_until_owed(game)
    assert game.deal()


def sign_notice(game: DealtAtHome, seat: str, number: int, saying: Saying) -> SignedNotice:
    """A notice of a seat after the last turn, of which the referee acts as if it had never come."""
    place = game.game_folder.game, len(game.turns), game.heads[-1]
    notice = make_notice(place, seat, number, saying, game.seats[seat].key)
    put_record(game.folder, notice)
    return notice


@pytest.mark.sample(0)
def test_a_co_dealer_flooded_by_one_seat_does_not_forget_anothers_orders(tmp_path: Path) -> None:
    game = left_out_game(tmp_path, "1d")
    for _ in range(2):
        for count in range(2 * MAX_NOTICES):
            begins = game.now + DAY + count
            sign_notice(game, "b", 1 + count % MAX_NOTICES, Away(begins, begins + DAY))
        assert game.deal() == []
        assert noted_counts(game) == {"orders-a": 1, "orders-b": 1, "notice-b": MAX_NOTICES}
        game.now += 10 * MINUTE
    game.now += DAY
    play_until_owed(game)
    with pytest.raises(RecordError, match="turn 4 leaves out orders/0003-a-1-"):
        game.deal()


def noted_counts(game: DealtAtHome) -> Counter[str]:
    """How many records of each kind and seat the co-dealer has noted."""
    rows = game.session.game_home.record_arrivals.read().here
    names = [parse_name(row.path) for row in rows]
    return Counter(f"{name.kind}-{name.seat}" for name in names if name)


def test_a_co_dealer_remembers_the_first_records_of_each_seat_and_key(tmp_path: Path) -> None:
    arrivals = RecordArrivals(tmp_path)
    seen = [
        RecordArrival(f"notices/{1 + n // 8:04}-b-{1 + n % 8}-{n:06x}.toml", f"{n:064x}", key, n)
        for key in ("b" * 64, "c" * 64)
        for n in range(MAX_UNLISTED_OF_KEY + 50)
    ]
    seen = [row._replace(id=row.key[:4] + row.id[4:]) for row in seen]
    seen.append(RecordArrival("orders/0003-a-1-abcdef.toml", "f" * 64, "a" * 64, 0))
    arrivals.note(reversed(seen), (), now=10_000)
    here = arrivals.read().here
    kept = Counter(row.key[0] for row in here)
    assert kept == {"a": 1, "b": MAX_UNLISTED_OF_KEY, "c": MAX_UNLISTED_OF_KEY}
    assert max(row.seen_at for row in here) == MAX_UNLISTED_OF_KEY - 1
