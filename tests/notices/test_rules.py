"""Each kind of notice: who may write it and when, what it does, and what people read about it."""

import re
from dataclasses import replace

import pytest

from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.announced_absences_and_delays import Calendar
from pbem.judge.notice_kinds import (
    MAX_ABSENCE_SECONDS,
    Away,
    Concede,
    Delay,
    HandOver,
    Leave,
    NewKey,
    SetClock,
    SetDeadline,
    SetDoor,
    TakeIn,
    Vote,
    Vouch,
)
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct
from pbem.judge.which_notices_count import after_notice
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE
from pbem.wording.notices import describe_announcement, describe_event
from tests.notices.people import (
    DOORS,
    GAME,
    KEYS,
    NAMES,
    REF,
    X_NEW,
    box,
    charter_of_three,
    confirmation,
    done,
    join_by,
    notice_line,
    plan_bot,
    shows,
    sign,
    signers,
    waits,
    why,
    with_deputy,
)
from tests.notices.people import standing_of_three as standing

NEW = KEYS["new"].public
JOIN = join_by("b", "new")
NEW_KEY = NewKey.make(KEYS["new"], X_NEW, GAME, "b")
DAY = 24 * 3600
START = standing()
OUT = standing(departures={"b": "conceded"})
HELD = "the referee has the keys of this seat, so nobody can give the seat new keys"
USED = "the two new keys must differ, and must not be used in this game already"


# ------------------------------------------------------------------ who may write
def test_a_seat_signs_with_the_key_that_counts_and_the_referee_with_theirs():
    assert signers(START, "b", Concede()) == {KEYS["b"].public}
    assert signers(START, "d", Concede()) == frozenset()
    assert signers(START, "referee", Vouch("b", NEW, X_NEW)) == {REF.public}
    deputy = standing(with_deputy(), deputy_since=2)
    assert signers(deputy, "referee", Vouch("b", NEW, X_NEW)) == {KEYS["dee"].public}


@pytest.mark.parametrize(
    "saying", [Concede(), Leave(), Vote(SCORE), Away(0, 5), Delay(1), SetDeadline("48h")]
)
def test_only_players_who_have_not_conceded_declare_something(saying):
    assert why(standing(plan_bot("b")), "b", replace(saying)) != ""
    assert why(OUT, "b", saying) == "the seat has conceded"
    if saying.about != "leave":
        assert why(standing(plan_bot("b")), "b", saying) == "only a player can write this notice"
    if saying.about != "deadline":
        assert why(START, "referee", saying) == "only a player can write this notice"
    removed = standing(departures={"b": "removed"}, removal_turns={"b": 3})
    assert why(removed, "b", saying) == (
        "the seat was removed from the game, because its player was silent for too long"
    )


@pytest.mark.parametrize("saying", [Concede(), Vote(DRAW), Away(3, 9), Leave(), NEW_KEY])
def test_who_writes_a_notice_is_there(saying):
    assert shows("b", saying) == "b"
    assert shows("referee", saying) == ""


def test_a_writer_is_called_by_the_name_of_then():
    assert notice_line("b", Concede()) == "Bo concedes the game"
    assert notice_line("referee", Concede()) == "Rhea concedes the game"
    deputy = standing(with_deputy(), deputy_since=2)
    assert notice_line("referee", Concede(), deputy) == "Dee concedes the game"
    braces = {**START.roster, "b": join_by("b", name="{a:name} {0} %s").content}
    assert (
        notice_line("b", Concede(), standing(roster=braces)) == "{a:name} {0} %s concedes the game"
    )


# ------------------------------------------------------------------ what the standing keeps
NO_WORDS = re.compile(r"[a-p]( [a-p]| referee)*|[a-z]+|[0-9]+|Ann|Bo|Cy|Rhea|new|play on|no winner")


@pytest.mark.parametrize(
    ("writer", "saying", "facts"),
    [
        ("b", Vote(DRAW), {"result": "draw"}),
        ("c", Vote(PLAY_ON), {"result": "play on", "withdrawn": "score"}),
        ("a", Concede(), {}),
        ("referee", HandOver("deputy"), {"by": "deputy", "deputy": ""}),
        ("b", NEW_KEY, {}),
        ("a", Vouch("b", NEW, X_NEW), {"seat": "b", "b": "Bo"}),
        ("referee", Vouch("b", NEW, X_NEW), {"seat": "b", "by": "a referee", "cancels": "b"}
         | {"a": "Ann", "b": "Bo"}),
        ("referee", SetDoor("b", DOORS["b"]), {"seat": "b", "b": "Bo"}),
        ("referee", TakeIn("b", JOIN.id), {"seat": "b", "b": "Bo", "joined": "new"}
         | {"cancels": "b"}),
        ("a", Away(0, 9), {"begins": "0", "ends": "9"}),
        ("a", Delay(1), {"hours": "1"}),
        ("a", SetDeadline("never"), {"rule": "never", "phase": ""}),
        ("referee", SetDeadline("never", "feeding"), {"rule": "never", "phase": "feeding"}
         | {"by": "b c referee", "b": "Bo", "c": "Cy"}),
        ("a", SetClock(5), {"time": "5"}),
    ],
)  # fmt: skip
def test_a_standing_keeps_facts_and_names_about_a_notice_and_no_sentence(writer, saying, facts):
    calendar = Calendar(proposals={"b": ("feeding", "never"), "c": ("feeding", "never")})
    here = standing(
        votes={"c": SCORE}, vote_turns={"c": 3},
        vouched={("a", "b"): (NEW, X_NEW), ("c", "b"): (NEW, X_NEW[::-1])},
        joins={JOIN.id: JOIN}, calendar=calendar,
    )  # fmt: skip
    (applied,) = after_notice(here, sign(writer, saying), 4).applied_notices
    name = {**NAMES, "referee": "Rhea"}[writer]
    assert applied.fields == {"writer": writer, writer: name} | facts
    assert all(NO_WORDS.fullmatch(value) for value in applied.fields.values() if value)


# ------------------------------------------------------------------ what its writer reads
@pytest.mark.parametrize(
    ("writer", "saying", "sentence"),
    [
        ("b", Vote(DRAW), "you vote to end the game as a draw"),
        ("b", Vote(NO_WINNER), "you vote to end the game without a winner"),
        ("b", Vote(PLAY_ON), "you want to play on"),
        ("b", Concede(), "you concede the game"),
        ("b", Leave(), "your seat is open for somebody else"),
        (
            "b", NEW_KEY,
            "seat b gets a new key; the old key counts until a turn lists this notice",
        ),
        ("a", Vouch("b", NEW, X_NEW), "you confirm the new key for Bo, in seat b"),
        ("b", Away(0, 0), "you are not away after all"),
        (
            "b", Away(0, 9 * DAY),
            "you are away from Thu 1970-01-01 00:00 UTC to Sat 1970-01-10 00:00 UTC",
        ),
        ("b", Delay(1), "you put the deadline off by 1 hour"),
        ("b", Delay(24), "you put the deadline off by 24 hours"),
        ("b", SetDeadline(""), "you take your proposal back"),
        ("b", SetDeadline("never"), "you propose a new deadline: never"),
        (
            "b", SetDeadline("never", "feeding"),
            "you propose a new deadline for the phase feeding: never",
        ),
        ("referee", SetDeadline("never"), "a new deadline is agreed: never"),
        (
            "referee", SetDeadline("never", "feeding"),
            "a new deadline is agreed for the phase feeding: never",
        ),
        ("b", SetClock(DAY),
         "you say that the date of the last turn is wrong: the time is Fri 1970-01-02 00:00 UTC"),
        ("referee", HandOver("referee"), "from now on Dee makes the turns, with pbem advance"),
    ],
)  # fmt: skip
def test_the_writer_of_a_notice_reads_what_they_have_declared(writer, saying, sentence):
    assert confirmation(writer, saying, standing(with_deputy())) == sentence


BACK = "Bo wants to play on, and takes back their vote to end the game"


@pytest.mark.parametrize(
    ("writer", "saying", "votes", "sentence"),
    [
        ("b", Vote(PLAY_ON), {}, "Bo wants to play on"),
        ("b", Vote(PLAY_ON), {"b": DRAW}, BACK),
        ("b", Vote(PLAY_ON), {"c": DRAW}, "Bo wants to play on"),
        ("b", Vote(DRAW), {}, "Bo votes to end the game as a draw"),
        ("b", Vote(DRAW), {"b": SCORE}, "Bo votes to end the game as a draw"),
        ("b", Vote(SCORE), {}, "Bo votes to end the game with the scores as they are"),
        ("b", Leave(), {}, "Bo gives up seat b: the seat is open for somebody else"),
        ("referee", HandOver("referee"), {}, "the referee hands the game over to the deputy"),
        ("referee", HandOver("deputy"), {},
         "the deputy takes over, because no turn has been made for a long time"),
        ("referee", SetDoor("b", DOORS["b"]), {}, "Rhea invites somebody new to seat b"),
        ("b", NEW_KEY, {}, "Bo has a new key"),
        ("a", Vouch("b", NEW, X_NEW), {}, "Ann confirms a new key for Bo"),
        ("referee", TakeIn("b", JOIN.id), {}, "a new player takes over seat b from Bo"),
        ("b", Away(0, 0), {}, "Bo is not away after all"),
        ("b", Away(0, DAY), {},
         ("Bo is away from Thu 1970-01-01 00:00 UTC to Fri 1970-01-02 00:00 UTC, and nobody needs "
          "to wait")),
        ("b", Delay(1), {}, "Bo puts the deadline off by 1 hour"),
        ("b", Delay(2), {}, "Bo puts the deadline off by 2 hours"),
        ("b", SetDeadline(""), {}, "Bo no longer proposes a new deadline"),
        ("b", SetDeadline("never"), {}, "Bo proposes a new deadline: never"),
    ],
)  # fmt: skip
def test_everybody_reads_what_a_notice_declares(writer, saying, votes, sentence):
    assert notice_line(writer, saying, standing(votes=votes, joins={JOIN.id: JOIN})) == sentence


# ------------------------------------------------------------------ concede, leave
def test_leaving_opens_a_seat_once_and_conceding_closes_it():
    assert why(START, "b", Concede()) == why(START, "b", Leave()) == ""
    assert done(standing(departures={"a": "open"}), "b", Concede()).departures == {
        "a": "open",
        "b": "conceded",
    }
    assert done(standing(departures={"a": "open"}), "b", Leave()).departures == {
        "a": "open",
        "b": "open",
    }
    assert why(standing(departures={"b": "open"}), "b", Leave()) == "the seat is already open"
    assert why(standing(departures={"a": "open"}), "b", Leave()) == ""
    held = standing(charter_of_three(plays=("b",)))
    assert why(held, "b", Leave()) == (
        "the referee has the keys of this seat, so nobody else can take the seat over"
    )
    assert why(held, "a", Leave()) == ""


# ------------------------------------------------------------------ vote
def test_a_vote_is_cast_once_changed_and_taken_back():
    empty, voted = START, standing(votes={"b": SCORE, "c": DRAW})
    assert why(empty, "b", Vote(PLAY_ON)) == "", "so no vote that was signed before can follow"
    assert why(voted, "b", Vote(PLAY_ON)) == ""
    assert done(empty, "b", Vote(PLAY_ON)).votes == {}
    assert why(voted, "b", Vote(SCORE)) == "this seat has already voted in this way"
    assert why(voted, "b", Vote(DRAW)) == why(empty, "b", Vote(SCORE)) == ""
    assert done(voted, "b", Vote(PLAY_ON)).votes == {"c": DRAW}
    assert done(voted, "b", Vote(DRAW)).votes == {"b": DRAW, "c": DRAW}
    assert done(empty, "b", Vote(SCORE)).votes == {"b": SCORE}


# ------------------------------------------------------------------ hand over
def test_who_may_hand_the_game_over():
    here = standing(with_deputy())
    assert signers(here, "referee", HandOver("referee")) == {REF.public}
    assert signers(here, "referee", HandOver("deputy")) == {KEYS["dee"].public}
    assert signers(here, "b", HandOver("deputy")) == frozenset()
    assert signers(START, "referee", HandOver("deputy")) == frozenset()


def test_when_the_game_can_be_handed_over():
    week = with_deputy(policies={"deputy_after": "3 days"})
    late = standing(week, turn_due_at=1_800_000_000, now=1_800_000_000 + 3 * DAY)
    assert why(late, "referee", HandOver("deputy")) == ""
    early = replace(late, now=late.now - 1)
    reason = why(early, "referee", HandOver("deputy"))
    assert reason.startswith(
        "the deputy can take over only if nobody has made a turn by Mon 2027-01-18"
    )
    assert why(early, "referee", HandOver("referee")) == ""
    assert why(replace(late, deputy_since=2), "referee", HandOver("referee")) == (
        "Dee is already the referee"
    )
    assert why(START, "referee", HandOver("referee")) == "this game has no deputy"
    assert done(late, "referee", HandOver("deputy"), 7).deputy_since == 7


# ------------------------------------------------------------------ an open seat
def test_only_the_referee_gives_a_seat_to_somebody():
    saying = TakeIn("b", join_by("b", "new").id)
    assert signers(START, "referee", saying) == {REF.public}
    assert signers(START, "a", saying) == frozenset()
    assert shows("referee", saying) == "b"


def test_a_new_player_needs_an_open_seat_and_a_join_with_its_present_invite():
    new, other = join_by("b", "new"), join_by("a", "new")
    here = standing(departures={"b": "open"}, doors=DOORS, joins={new.id: new, other.id: other})
    not_invited = "the player did not join with the invite that this seat has now"
    assert why(replace(here, doors={}), "referee", TakeIn("b", new.id)) == not_invited
    elsewhere = {"b": DOORS["c"]}
    assert why(replace(here, doors=elsewhere), "referee", TakeIn("b", new.id)) == not_invited
    assert why(here, "referee", TakeIn("b", new.id)) == ""
    assert (
        why(here, "referee", TakeIn("a", other.id))
        == "seat a is not open, so nobody else can take it over now"
    )
    assert (
        why(here, "referee", TakeIn("d", new.id))
        == "seat d is not open, so nobody else can take it over now"
    )
    nobody = replace(here, departures={"b": "open", "d": "open"})
    assert (
        why(nobody, "referee", TakeIn("d", new.id))
        == "seat d is not open, so nobody else can take it over now"
    )
    conceded = replace(here, departures={"b": "conceded"}, silent_long=frozenset("b"))
    assert (
        why(conceded, "referee", TakeIn("b", new.id))
        == "seat b is not open, so nobody else can take it over now"
    )
    silent = replace(here, departures={}, silent_long=frozenset("b"), idle=frozenset("b"))
    assert why(silent, "referee", TakeIn("b", new.id)) == ""
    waiting = replace(silent, announced_acts=(AnnouncedAct("seat", new.id, 4, "b", ("b",), {}),))
    already = "seat b already waits for a new player"
    assert why(waiting, "referee", TakeIn("b", new.id)) == already
    gone = bytes(32)
    missing = why(here, "referee", TakeIn("b", gone))
    assert missing.startswith("the join 000000 of seat b is missing from this folder: ")
    assert why(here, "referee", TakeIn("b", other.id)) == ("the join is for seat a, not for seat b")


@pytest.mark.parametrize("used", ["c", "referee"])
def test_a_new_player_brings_new_keys(used):
    key = REF.public if used == "referee" else KEYS["c"].public
    for new, reason in (
        (
            join_by("b", "new", recovery=key),
            "the recovery key of the join is already used in this game",
        ),
        (join_by("b", "new", x25519=box("c")), ""),
        (join_by("b", "new", x25519=KEYS["c"].public), USED),
        (join_by("b", "c"), USED),
        (join_by("b", "new", recovery=KEYS["dee"].public), ""),
    ):
        here = standing(departures={"b": "open"}, doors=DOORS, joins={new.id: new})
        assert why(here, "referee", TakeIn("b", new.id)) == reason


def test_a_new_player_replaces_the_one_before():
    new = join_by("b", "new")
    here = standing(
        departures={"b": "open", "c": "open"}, votes={"b": SCORE, "a": DRAW}, joins={new.id: new}
    )
    after = done(here, "referee", TakeIn("b", new.id), 6)
    assert waits(here, "referee", TakeIn("b", new.id)) is None, "it was left"
    assert (after.departures, after.votes) == ({"c": "open"}, {"a": DRAW})
    absences = {"b": Away(0, 9), "c": Away(3, 9)}
    calendar = Calendar(absences=absences, announced={"b": 0, "c": 3})
    gone = done(replace(here, calendar=calendar), "referee", TakeIn("b", new.id), 6).calendar
    assert (gone.absences, gone.announced) == ({"c": absences["c"]}, {"c": 3})
    used = done(replace(here, doors=DOORS), "referee", TakeIn("b", new.id), 6)
    assert used.doors.keys() == set("acd"), "a door lets one person in"
    assert (after.roster["b"], after.keys_valid_from) == (new.content, {"b": 6})


def test_the_referee_publishes_a_new_door_for_an_open_seat():
    door = SetDoor("b", DOORS["b"])
    here = standing(departures={"b": "open"})
    assert why(here, "referee", door) == ""
    assert signers(here, "a", door) == frozenset()
    assert why(START, "referee", door) == "seat b is not open, so nobody else can take it over now"
    assert (
        why(here, "referee", SetDoor("d", DOORS["d"]))
        == "seat d is not open, so nobody else can take it over now"
    )
    had = "this invite is not new: it was already made for a seat of this game"
    assert why(replace(here, old_doors=frozenset(DOORS.values())), "referee", door) == had
    first = here.charter.seats[1].door
    assert why(here, "referee", SetDoor("b", first)) == had
    after = done(here, "referee", door)
    assert (after.doors, after.doors_made) == ({"b": DOORS["b"]}, {"b": 1})
    assert why(replace(after, doors={}), "referee", door) == had, "even after somebody used it"


# ------------------------------------------------------------------ new keys
def test_a_seat_changes_its_key():
    new = NEW_KEY
    recovery = SigningKey(bytes([99]) * 32).public
    safe = {**START.roster, "b": replace(join_by("b").content, recovery=recovery)}
    assert signers(START, "b", new) == {KEYS["b"].public}
    assert signers(standing(roster=safe), "b", new) == {KEYS["b"].public, recovery}
    assert signers(START, "d", new) == frozenset()
    assert why(START, "b", new) == ""
    assert why(standing(charter_of_three(plays=("b",))), "b", new) == HELD
    assert why(standing(charter_of_three(plays=("c",))), "b", new) == ""
    assert why(OUT, "b", new) == "the seat has conceded"
    assert why(START, "b", NewKey.make(KEYS["c"], X_NEW, GAME, "b")) == USED
    assert why(START, "b", NewKey.make(KEYS["new"], KEYS["a"].public, GAME, "b")) == USED
    assert why(START, "b", NewKey.make(KEYS["new"], box("a"), GAME, "b")) == "", "named only"
    often = standing(roster=safe, key_changes={"b": 2})
    assert signers(often, "b", new) == {recovery}, "the recovery key always can"
    after = done(START, "b", new, 9)
    assert (after.roster["b"].key, after.roster["b"].x25519) == (NEW, X_NEW)
    assert after.roster["a"] == START.roster["a"]
    assert after.keys_valid_from == {"b": 9}


def test_the_others_vouch_before_the_referee():
    vouch, pair = Vouch("b", NEW, X_NEW), (NEW, X_NEW)
    assert why(START, "a", vouch) == ""
    assert (
        why(START, "b", vouch)
        == "a player cannot confirm new keys for their own seat; other players must"
    )
    assert why(START, "a", Vouch("d", NEW, X_NEW)) == "nobody plays seat d"
    assert why(OUT, "a", vouch) == "nobody plays seat b"
    assert why(standing(charter_of_three(plays=("b",))), "a", vouch) == HELD
    assert why(START, "a", Vouch("b", NEW, KEYS["a"].public)) == USED
    assert why(standing(departures={"a": "conceded"}), "a", vouch) == "the seat has conceded"
    last = (
        "the referee must confirm new keys last, but these players have not confirmed the keys "
        "yet: {}"
    )
    assert why(START, "referee", vouch) == last.format("Ann, Cy")
    one = standing(vouched={("a", "b"): pair})
    assert why(one, "referee", vouch) == last.format("Cy")
    other = standing(vouched={("a", "b"): pair, ("c", "b"): (NEW, box("c"))})
    assert why(other, "referee", vouch) == last.format("Cy")
    assert why(standing(vouched={("a", "b"): pair, ("c", "b"): pair}), "referee", vouch) == ""
    assert why(replace(one, idle=frozenset("c")), "referee", vouch) == ""
    assert why(replace(one, charter=charter_of_three(plays=("c",))), "referee", vouch) == ""
    again = replace(one, idle=frozenset("c"), disputed=frozenset("b"))
    assert "at least two other players" in why(again, "referee", vouch)
    nobody = standing(charter_of_three(plays=("c",)), idle=frozenset("a"))
    assert "got their key or their seat from the referee" in why(nobody, "referee", vouch)
    waiting = replace(
        one, idle=frozenset("c"), announced_acts=(AnnouncedAct("vouch", b"v", 4, "b", ("b",), {}),)
    )
    assert "already announced" in why(waiting, "referee", vouch)


def test_new_keys_are_announced_once_the_others_and_the_referee_have_vouched():
    vouch, pair = Vouch("b", NEW, X_NEW), (NEW, X_NEW)
    assert done(standing(vouched={("c", "b"): pair}), "a", vouch).vouched == {
        ("c", "b"): pair,
        ("a", "b"): pair,
    }
    roster = {**START.roster, "b": replace(join_by("b").content, recovery=bytes([98]) * 32)}
    full = standing(roster=roster, vouched={("a", "b"): pair, ("c", "b"): pair, ("a", "c"): pair})
    after = done(full, "referee", vouch, 5)
    got = after.roster["b"]
    assert (got.key, got.x25519, got.recovery, got.name) == (NEW, X_NEW, b"", "Bo")
    assert (after.vouched, after.keys_valid_from) == ({("a", "c"): pair}, {"b": 5})
    wait = waits(full, "referee", vouch)
    expected = AnnouncedAct("vouch", b"", 0, "b", ("b",), {}, key=NEW, vouchers=("a", "c"))
    assert wait._replace(fields={}) == expected
    disputed = replace(full, disputed=frozenset("b"))
    assert waits(disputed, "referee", vouch)._replace(fields={}) == expected._replace(disputed=True)
    vouchers = "which Ann, Cy and Rhea (the referee) have confirmed"
    gets = f"Bo gets a new key, {vouchers}"
    assert describe_announcement("vouch", wait.fields) == gets
    announced = after_notice(full, sign("referee", vouch), 5).applied_notices[-1].fields
    assert describe_event("vouch", announced) == f"{gets}, unless somebody cancels the change"
    assert waits(full, "a", vouch) is None
    assert (shows("a", vouch), shows("referee", vouch)) == ("a", "b")
    assert notice_line("referee", vouch, full) == f"Bo has a new key, {vouchers}"
    later_first = replace(full, vouched={("c", "b"): pair, ("a", "b"): pair})
    assert notice_line("referee", vouch, later_first) == f"Bo has a new key, {vouchers}"


AUTOMATON = replace(charter_of_three(), automaton=True)


def test_where_a_host_deals_people_read_only_who_else_agreed():
    vouch, pair = Vouch("b", NEW, X_NEW), (NEW, X_NEW)
    here = standing(AUTOMATON, vouched={("a", "b"): pair, ("c", "b"): pair})
    assert (
        notice_line("referee", vouch, here) == "Bo has a new key, which Ann and Cy have confirmed"
    )
    gets = describe_announcement("vouch", waits(here, "referee", vouch).fields)
    assert gets == "Bo gets a new key, which Ann and Cy have confirmed"
    wanted = dict.fromkeys("ba", ("", "never"))
    agreed = standing(AUTOMATON, calendar=Calendar(proposals=wanted))
    told = "Ann and Bo agreed to a new deadline: never"
    assert notice_line("referee", SetDeadline("never"), agreed) == told


def test_everybody_reads_to_whom_the_referee_gives_a_seat():
    new = TakeIn("b", JOIN.id)
    here = standing(joins={JOIN.id: JOIN})
    wait = waits(here, "referee", new)
    key = JOIN.content.key
    assert wait._replace(fields={}) == AnnouncedAct("seat", b"", 0, "b", ("b",), {}, key=key)
    takes = "the referee gives seat b of Bo to new"
    assert describe_announcement("seat", wait.fields) == takes
    plans = tuple(replace(plan, mail=plan.seat == "b") for plan in charter_of_three().seats)
    mail = replace(here, charter=replace(charter_of_three(), seats=plans))
    assert notice_line("referee", new, mail) == (
        "new takes over seat b with a key of their own, and plain emails no longer count for "
        "this seat"
    )


# ------------------------------------------------------------------ away
def test_when_an_absence_can_be_announced():
    here = standing(now=1000)
    assert why(here, "b", Away(0, 1001)) == ""
    assert why(here, "b", Away(0, 1000)) == "the absence is already over"
    assert why(here, "b", Away(2000, 2000)) == "the absence ends before it begins"
    assert why(here, "b", Away(2000, 2001)) == ""
    assert why(here, "b", Away(2000, 2000 + MAX_ABSENCE_SECONDS)) == ""
    assert MAX_ABSENCE_SECONDS == 100 * DAY
    long = Away(2000, 2001 + MAX_ABSENCE_SECONDS)
    assert why(here, "b", long) == "the absence is too long: it can last 100 days at most"
    assert why(here, "b", Away(0, 0)) == "the seat has announced no absence"
    away = replace(here, calendar=Calendar(absences={"b": Away(1, 2)}))
    assert why(away, "b", Away(0, 0)) == ""
    assert why(away, "c", Away(0, 0)) == "the seat has announced no absence"


def test_an_absence_that_has_begun_is_not_renewed_before_the_seat_has_answered():
    first = Calendar().with_absence("b", Away(1000, 5000))
    before, begun = (standing(calendar=first, now=999), standing(calendar=first, now=1000))
    assert why(before, "b", Away(2000, 9000)) == ""
    assert why(begun, "b", Away(2000, 9000)).startswith(
        "the absence that this seat announced has begun"
    )
    assert why(begun, "b", Away(0, 0)) == why(begun, "c", Away(2000, 9000)) == ""
    back = replace(begun, calendar=first.with_absence("b", Away(0, 0)))
    assert why(back, "b", Away(2000, 9000)) != "", "taking it back does not make a new one"
    assert why(replace(back, answer_times={"b": 1000}), "b", Away(2000, 9000)) == ""


def test_a_new_absence_replaces_the_seat_s_old_one_and_an_empty_one_takes_it_back():
    here = standing(calendar=Calendar(absences={"b": Away(1, 2), "c": Away(3, 4)}))
    assert done(here, "b", Away(5, 9)).calendar.absences == {"b": Away(5, 9), "c": Away(3, 4)}
    assert done(here, "b", Away(0, 0)).calendar.absences == {"c": Away(3, 4)}


# ------------------------------------------------------------------ delay
def test_when_a_deadline_can_be_put_off():
    timed = charter_of_three(policies={"deadline": "48h", "delays": "10h"})
    here = standing(timed, now=999, deadline=1000, asking_turn=3)
    assert why(here, "b", Delay(10), turn=3) == ""
    left = "this seat can put deadlines off by only {} hours more"
    assert why(here, "b", Delay(11), turn=3) == left.format(10)
    used = replace(here, calendar=Calendar(delay_hours={"b": 4}))
    assert why(used, "b", Delay(7), turn=3) == left.format(6)
    assert why(used, "b", Delay(6), turn=3) == why(used, "c", Delay(10), turn=3) == ""
    assert why(here, "b", Delay(1), turn=2) == (
        "this notice was written for an earlier deadline, which is over"
    )
    assert (
        why(replace(here, deadline=0), "b", Delay(1), turn=3) == "there is no deadline to put off"
    )
    too_late = why(replace(here, now=1000), "b", Delay(1), turn=3)
    assert too_late == "the deadline has passed, so nobody can put it off now"


def test_a_delay_moves_the_deadline_and_is_added_to_the_hours_its_seat_has_used():
    here = standing(calendar=Calendar(delay_hours={"b": 4, "c": 1}, last_delay=(4, 3600)))
    after = done(here, "b", Delay(2), 4).calendar
    assert (after.delay_hours, after.last_delay) == ({"b": 6, "c": 1}, (4, 3 * 3600))
    assert done(here, "b", Delay(2), 5).calendar.last_delay == (5, 2 * 3600)


# ------------------------------------------------------------------ another deadline
NOT_AGREED = (
    "the referee must agree last, but these players have not agreed to the new deadline yet"
)


def test_all_propose_the_same_deadline_and_the_referee_agrees_last():
    rule = SetDeadline("3 days")
    wish = ("", rule.rule)
    assert why(START, "b", rule) == ""
    assert why(START, "referee", rule) == f"{NOT_AGREED}: Ann, Bo, Cy"
    some = standing(calendar=Calendar(proposals={"a": wish, "b": ("feeding", rule.rule)}))
    assert why(some, "referee", rule) == f"{NOT_AGREED}: Bo, Cy"
    assert why(some, "a", rule) == "the seat already proposes this deadline"
    assert why(some, "b", rule) == ""
    every = standing(calendar=Calendar(proposals=dict.fromkeys("abc", wish)))
    assert why(every, "referee", rule) == ""
    two = standing(
        charter_of_three(plays=("c",)), calendar=Calendar(proposals=dict.fromkeys("ab", wish))
    )
    assert why(two, "referee", rule) == ""


def test_a_proposal_can_be_taken_back_but_not_by_the_referee():
    none = SetDeadline("")
    here = standing(calendar=Calendar(proposals={"b": ("", "never")}))
    assert why(here, "b", none) == ""
    assert why(here, "a", none) == "the seat proposes no deadline"
    empty = standing(calendar=Calendar(proposals=dict.fromkeys("abc", ("", ""))))
    assert (
        why(empty, "referee", none)
        == "the notice names no deadline; for no deadline, it must say 'never'"
    )
    assert done(here, "b", none).calendar.proposals == {}


def test_a_rule_must_be_readable_and_in_its_one_form():
    assert why(START, "b", SetDeadline("whenever")).startswith(
        "pbem does not understand the proposed deadline: 'whenever' is not a deadline"
    )
    form = "the proposed deadline '72h' is not written in its standard form, which is '3 days'"
    assert why(START, "b", SetDeadline("72h")) == form


def test_a_proposed_deadline_becomes_the_rule_once_the_referee_agrees():
    rule = SetDeadline("never", "feeding")
    here = standing(calendar=Calendar(proposals={"c": ("", "48h")}, rules={"deadline": "24h"}))
    after = done(here, "b", rule).calendar
    assert after.proposals == {"b": ("feeding", "never"), "c": ("", "48h")}
    agreed = done(here, "referee", rule, 6).calendar
    assert (agreed.proposals, agreed.rules_changed_in) == ({}, 6)
    assert agreed.rules == {"deadline": "24h", "deadline_feeding": "never"}
    assert done(here, "referee", SetDeadline("never"), 6).calendar.rules == {"deadline": "never"}
    where = "a new deadline for the phase feeding: never"
    assert notice_line("b", rule) == f"Bo proposes {where}"
    assert notice_line("referee", rule, here) == f"Rhea agreed to {where}"
    wanted = replace(here, calendar=Calendar(proposals=dict.fromkeys("ab", ("feeding", "never"))))
    assert notice_line("referee", rule, wanted) == f"Ann, Bo and Rhea agreed to {where}"
    plans = tuple(replace(plan, mail=plan.seat == "b") for plan in wanted.charter.seats)
    mail = replace(wanted, charter=replace(wanted.charter, seats=plans))
    word = "Bo (by email, as the referee says)"
    assert notice_line("referee", rule, mail) == f"Ann, {word} and Rhea agreed to {where}"
