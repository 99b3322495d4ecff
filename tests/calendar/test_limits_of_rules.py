"""Deadline rules at their limits: words, spans, zones, policies, and what is said about others."""

import time
from datetime import UTC, datetime

import pytest

from pbem.format.record_error import RecordError
from pbem.records.deadline_and_silence_policies import Policies
from pbem.records.deadline_rules import DeadlineRule, read_rule, read_span, span_words
from pbem.text.time_zones import zone_named, zones_like

MINUTE, HOUR, DAY = 60, 3600, 86400
MONDAY = 1767571200
"""2026-01-05, a Monday, at 00:00 UTC."""


# ------------------------------------------------------------------ spans
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5m", 300), ("5 min", 300), ("1 minute", 60), ("5 minutes", 300), ("2h", 7200),
        ("1 hour", 3600), ("2 hours", 7200), ("2d", 172800), ("1 day", 86400), ("3 DAYS", 259200),
        ("1w", 604800), ("1 week", 604800), ("2 Weeks", 1209600), (" 2h ", 7200), ("0h", 0),
        ("400 days", 34560000), ("99999 m", 5999940),
    ],
)  # fmt: skip
def test_a_span_of_time_is_read_as_seconds(text, seconds):
    assert read_span(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "2", "2x", "2 hh", "2h3", "2h 3m", "123456 m", "2  h"])
def test_what_is_no_span_of_time_is_refused(text):
    with pytest.raises(ValueError, match="is not a span of time: write 2h, 90 minutes or 3 days"):
        read_span(text)


def test_a_span_of_more_than_400_days_is_refused():
    with pytest.raises(ValueError, match="401 days is too long: the maximum is 400 days"):
        read_span("401 days")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (60, "1 minute"), (120, "2 minutes"), (5400, "90 minutes"), (3600, "1h"), (DAY, "24h"),
        (2 * DAY, "48h"), (3 * DAY, "3 days"), (2 * DAY + HOUR, "49h"), (3 * DAY + HOUR, "73h"),
        (3 * DAY + MINUTE, "4321 minutes"), (14 * DAY, "14 days"),
    ],
)  # fmt: skip
def test_a_span_in_words(seconds, words):
    assert span_words(seconds) == words


# ------------------------------------------------------------------ rules
ALL = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
RULES = {
    "never": DeadlineRule(),
    "48h": DeadlineRule(span=2 * DAY),
    "48h grace 90m": DeadlineRule(span=2 * DAY, grace=5400),
    "every day 0:05 utc": DeadlineRule(days=ALL, minute=5),
    "every day 23:59 Etc/GMT+1": DeadlineRule(days=ALL, hour=23, minute=59, zone="Etc/GMT+1"),
    "Tues Thur 9:00 UTC": DeadlineRule(days=("tue", "thu"), hour=9),
    "Thursdays tuesday, MONDAYS 9:00 UTC": DeadlineRule(days=("mon", "tue", "thu"), hour=9),
    "mon mon 9:00 UTC": DeadlineRule(days=("mon",), hour=9),
    "every day 9:00 UTC except mon, tuesdays": DeadlineRule(days=ALL[2:], hour=9),
    "mon tue 9:00 UTC except tue": DeadlineRule(days=("mon",), hour=9),
    "sun 9:00 UTC, grace 1h, at least 2h": DeadlineRule(
        days=("sun",), hour=9, least=7200, grace=3600
    ),
}


@pytest.mark.parametrize("text", RULES)
def test_a_rule_is_read_and_written_again_as_it_was(text):
    rule = read_rule(text)
    assert rule == RULES[text]
    assert read_rule(rule.words) == rule
    assert rule.is_never is (text == "never")
    assert rule.is_exact is (rule.zone == "UTC")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sat sun fri thu 9:00 UTC", "every day 09:00 UTC except mon tue wed"),
        ("sat sun fri 9:05 UTC", "fri sat sun 09:05 UTC"),
        ("every day 9:00 UTC, grace 2h, at least 1h", "every day 09:00 UTC, at least 1h, grace 2h"),
    ],
)
def test_a_rule_has_one_form_however_it_was_written(text, words):
    assert read_rule(text).words == words


FORMS = "write '48h', '3 days', 'every day 20:00 Europe/Berlin except sat sun', "
WRONG = {
    "48": "'48' is not a deadline: write 48h",
    "soon": f"'soon' is not a deadline: {FORMS}",
    "": f"'' is not a deadline: {FORMS}",
    "48h or so": f"'48h or so' is not a deadline (at 'or so'): {FORMS}",
    "neverx": f"'neverx' is not a deadline: {FORMS}",
    "never grace 1h": f"'never grace 1h' is not a deadline (at 'grace 1h'): {FORMS}",
    "48h/day": f"'48h/day' is not a deadline: {FORMS}",
    "48h at least 1h": f"'48h at least 1h' is not a deadline (at 'at least 1h'): {FORMS}",
    "48h, at least grace 2h": (
        f"'48h, at least grace 2h' is not a deadline (at 'at least grace 2h'): {FORMS}"
    ),
    "0h": f"'0h' is not a deadline: {FORMS}",
    "48h grace 0m": f"'48h grace 0m' is not a deadline: {FORMS}",
    "48h grace": f"'48h grace' is not a deadline: {FORMS}",
    "mond 9:00 UTC": f"'mond 9:00 UTC' is not a deadline: {FORMS}",
    "mons 9:00 UTC": f"'mons 9:00 UTC' is not a deadline: {FORMS}",
    "sun 9:00 UTCX": f"'sun 9:00 UTCX' is not a deadline (at 'UTCX'): {FORMS}",
    "sun 9:00 posix/Europe/Berlin": "(at 'posix/Europe/Berlin')",
    "sun 9:00 A/B/C/D": "(at 'A/B/C/D')",
    "sun 9:00 A/1": "(at 'A/1')",
    "sun 9:000 UTC": "(at '9:000 UTC')",
    "sun 24:00 UTC": "'sun 24:00 UTC' is not a deadline",
    "sun 20:60 UTC": "'sun 20:60 UTC' is not a deadline",
    "every day 20:00": "'every day 20:00' is not a deadline",
    "every day 20:00 ../UTC": "'every day 20:00 ../UTC' is not a deadline",
    "sun 9:00 UTC except": "'sun 9:00 UTC except' is not a deadline: ",
    "sun 9:00 UTC except sun": "'sun 9:00 UTC except sun' is not a deadline: ",
    "sun 9:00 UTC grace 1h grace 1h": "(at 'grace 1h')",
    "sun 9:00 UTC at least 1h at least 1h": "(at 'at least 1h')",
}


@pytest.mark.parametrize("text", WRONG)
def test_words_that_are_no_deadline_are_refused_with_what_to_write(text):
    with pytest.raises(ValueError, match="is not a deadline") as caught:
        read_rule(text)
    assert WRONG[text] in str(caught.value)


def test_a_rule_has_at_most_200_characters():
    assert read_rule("48h" + " " * 197).span == 2 * DAY
    with pytest.raises(ValueError, match="a deadline has at most 200 characters"):
        read_rule("48h" + " " * 198)


# ------------------------------------------------------------------ moments
def test_a_rule_gives_the_first_of_its_moments_after_the_turn():
    daily = read_rule("every day 12:00 UTC")
    assert daily.deadline(MONDAY + 12 * HOUR - 1) == MONDAY + 12 * HOUR
    assert daily.deadline(MONDAY + 12 * HOUR) == MONDAY + DAY + 12 * HOUR
    least = read_rule("every day 12:00 UTC, at least 1h, grace 5m")
    assert least.deadline(MONDAY + 11 * HOUR) == MONDAY + 12 * HOUR + 300
    assert least.deadline(MONDAY + 11 * HOUR + 1) == MONDAY + 36 * HOUR + 300
    weekly = read_rule("sun 0:00 UTC")
    assert weekly.deadline(MONDAY) == MONDAY + 6 * DAY
    assert weekly.deadline(MONDAY - DAY) == MONDAY + 6 * DAY
    assert read_rule("sun 0:00 UTC, at least 30 days").deadline(MONDAY) == MONDAY + 34 * DAY
    assert read_rule("90m, grace 1m").deadline(MONDAY) == MONDAY + 5460
    assert read_rule("never").deadline(MONDAY) == 0


def test_time_zones_with_similar_names_are_found_for_an_unknown_one():
    assert zone_named("UTC")
    assert zone_named("Europe/Berlin")
    assert not zone_named("europe/berlin")
    assert zones_like("Europa/berlin") == ["Europe/Berlin"]
    assert zones_like("Moon/Louisville") == ["America/Kentucky/Louisville", "America/Louisville"]
    assert "Europe/Vienna" in zones_like("Europe/Viena")
    assert len(zones_like("America/Indiana/x")) <= 3
    assert zones_like("x") == []
    assert zones_like("Japon") == [], "Japan has no slash, and no rule can name it"
    assert zones_like("Earth/America/Louisville") == zones_like("Moon/Louisville")


BERLIN = read_rule("every day 12:00 Europe/Berlin, grace 1h")
NOON = MONDAY + 11 * HOUR
"""In Berlin."""


@pytest.mark.parametrize(
    ("made", "moment", "good"),
    [
        (MONDAY, NOON, True), (MONDAY, NOON - 3 * HOUR, True), (MONDAY, NOON - 3 * HOUR - 1, False),
        (MONDAY, NOON + 3 * HOUR, True), (MONDAY, NOON + 3 * HOUR + 1, False),
        (NOON, NOON, False), (NOON, NOON + 1, True), (NOON - 1, NOON, True),
        (NOON, NOON + DAY, True), (NOON + 3 * HOUR - 1, NOON + DAY, True),
        (NOON - 3 * HOUR, NOON + DAY, True), (NOON - 3 * HOUR - 1, NOON + DAY, False),
        (NOON + 3 * HOUR, NOON + 3 * HOUR, False), (NOON, 0, False),
    ],
)  # fmt: skip
def test_other_time_zone_data_may_move_a_deadline_by_up_to_three_hours(made, moment, good):
    assert BERLIN.may_give(moment + HOUR, made) is good


@pytest.mark.parametrize("here", ["America/New_York", "Pacific/Kiritimati"])
def test_the_zone_of_this_machine_does_not_matter(here, monkeypatch):
    berlin, mars = read_rule("sun 23:00 Europe/Berlin"), read_rule("sun 12:00 Mars/Olympus")
    noon = MONDAY + 6 * DAY + 12 * HOUR
    angeles = read_rule("every day 23:30 America/Los_Angeles")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", here)
        time.tzset()
        found = berlin.deadline(MONDAY - 1), berlin.deadline(MONDAY - 2 * HOUR)
        fits = [mars.may_give(noon + n, MONDAY) for n in (-54001, -54000, 54000, 54001)]
        early = angeles.may_give(MONDAY + 34 * HOUR + 660, MONDAY + 34 * HOUR + 600)
    time.tzset()
    assert found == (MONDAY + 6 * DAY + 22 * HOUR,) * 2
    assert fits == [False, True, True, False]
    assert early, "by other data, Monday's moment there is only at 02:11 on Tuesday"


def test_a_moment_of_the_day_before_may_be_after_the_turn_elsewhere():
    """The turn is made half an hour after 23:00 in Berlin; by other data it is not 23:00 yet."""
    rule, late = read_rule("every day 23:00 Europe/Berlin"), MONDAY + 23 * HOUR + 1800
    assert rule.deadline(late) == MONDAY + 46 * HOUR
    assert rule.may_give(MONDAY + 25 * HOUR, late)
    assert not rule.may_give(MONDAY + 25 * HOUR + 1, late)


def test_a_day_that_a_zone_skipped_has_its_moment_on_the_next_day():
    """In Samoa Friday, 30 December 2011, was skipped: its noon is that of Saturday."""
    rule, noon = (
        read_rule("fri 12:00 Pacific/Apia"),
        int(datetime(2011, 12, 30, 22, tzinfo=UTC).timestamp()),
    )
    assert rule.deadline(noon - 11 * HOUR) == noon, "it is Saturday there"
    assert rule.deadline(noon) == noon + 6 * DAY


def test_after_the_last_moment_of_the_calendar_there_is_no_deadline():
    last = 253_402_300_799
    assert not any(BERLIN.may_give(last + n * HOUR, last - 60) for n in range(100))


def test_the_least_time_is_the_same_everywhere():
    rule = read_rule("every day 12:00 Europe/Berlin, at least 10h")
    assert rule.may_give(MONDAY + 10 * HOUR, MONDAY)
    assert not rule.may_give(MONDAY + 10 * HOUR - 1, MONDAY)


# ------------------------------------------------------------------ what a charter says
POLICIES = Policies({"deadline": "48h", "deadline_feed": "every day 12:00 UTC", "deadline_x": 3})


def record_error_sentence(work, *args) -> str:
    with pytest.raises(RecordError) as caught:
        work(*args)
    assert caught.value.reason == "field"
    return caught.value.sentence


def test_the_deadline_of_a_turn_follows_the_rule_of_its_phase():
    noon = MONDAY + 12 * HOUR
    assert POLICIES.rule("feed").deadline(MONDAY) == noon
    assert POLICIES.rule("leaf").deadline(MONDAY) == MONDAY + 2 * DAY
    assert POLICIES.rule("").deadline(MONDAY) == 0
    assert Policies().rule("feed").deadline(MONDAY) == 0
    unknown = Policies(deadline="every day 12:00 Mars/Olympus")
    told = "deadline: this computer does not know the time zone Mars/Olympus: update tzdata"
    assert record_error_sentence(unknown.rule("feed").deadline, MONDAY) == told
    assert POLICIES.rule("feed").may_give(noon, MONDAY)
    assert not POLICIES.rule("feed").may_give(noon + 1, MONDAY)
    assert POLICIES.rule("").may_give(0, MONDAY)
    assert not POLICIES.rule("").may_give(noon, MONDAY)
    assert Policies(deadline="every day 12:00 Europe/Berlin").rule("feed").may_give(noon, MONDAY)


def test_zone_data_warnings_say_the_dates():
    berlin = Policies(deadline="every day 12:00 Europe/Berlin")
    assert berlin.rule("").zone_data_warnings(5, MONDAY) == []
    assert POLICIES.rule("feed").zone_data_warnings(5, MONDAY) == []
    assert berlin.rule("feed").zone_data_warnings(NOON, MONDAY) == []
    (told,) = berlin.rule("feed").zone_data_warnings(NOON + HOUR, MONDAY)
    assert told.startswith("the turn has the deadline Mon 2026-01-05 12:00 UTC, but this computer ")
    assert "computes Mon 2026-01-05 11:00 UTC: its time zone data differs" in told
    unknown = Policies(deadline="every day 12:00 Mars/Olympus")
    (told,) = unknown.rule("feed").zone_data_warnings(NOON, MONDAY)
    assert "this computer does not know the time zone Mars/Olympus" in told


def change_of_mind(said) -> int:
    return Policies(change_of_mind=said).change_of_mind


def test_the_time_for_a_change_of_mind_is_at_most_seven_days():
    assert Policies().change_of_mind == change_of_mind("") == 0
    assert change_of_mind("2h") == 7200
    assert change_of_mind("7 days") == 7 * DAY
    where = "policies.change_of_mind: "
    too_long = f"{where}8 days is too long: the maximum is 7 days"
    assert record_error_sentence(change_of_mind, "8 days") == too_long
    assert record_error_sentence(change_of_mind, "x").startswith(
        f"{where}'x' is not a span of time"
    )
    assert record_error_sentence(change_of_mind, 3).startswith(where)


def idle_after(said) -> int:
    return Policies(idle_after=said).idle_after


def test_idle_after_is_an_integer_from_0_to_99_and_2_by_default():
    assert Policies().idle_after == 2
    assert [idle_after(n) for n in (0, 1, 99)] == [0, 1, 99]
    for other in (-1, 100, True, "2", 2.0):
        sentence = record_error_sentence(idle_after, other)
        assert sentence.startswith("policies.idle_after: the value is ")
        assert sentence.endswith("; it must be an integer from 0 to 99")


def check_policies(said: dict[str, object]) -> None:
    Policies(said).check(["food", "feed"])


def test_a_charters_wrong_policies_are_refused_by_name():
    check_policies({})
    check_policies({"deadline": "48h", "deadline_feed": "never", "wait": "round"})
    assert record_error_sentence(check_policies, {"deadline_leaf": "48h"}) == (
        "policies.deadline_leaf: no phase has this name; the phases are food, feed"
    )
    for name, wrong in {
        "deadline": "x", "deadline_feed": 3, "change_of_mind": "x", "idle_after": -1,
    }.items():  # fmt: skip
        assert record_error_sentence(check_policies, {name: wrong}).startswith(f"policies.{name}: ")
    two = {"deadline_z": "x", "deadline_a": "x"}
    assert record_error_sentence(check_policies, two).startswith("policies.deadline_a: ")
    assert datetime.fromtimestamp(MONDAY, UTC).weekday() == 0
