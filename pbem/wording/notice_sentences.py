"""Notices in words, made from the fields that the standing of a game keeps of them.

Each sentence is a template of the notice's kind (`pbem/judge/notice_kinds.py`) with its fields. A
template names fields in braces. `{seat}` is a field as it is, `{seat:name}` the name of this
seat's player then, `{by:names}` the names of several; `{time:utc}` and `{time:local}` are dates,
`{result:end}` says how a game ends, and `{hours:hour}` is a number with its noun.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from string import Formatter
from typing import Final, cast

from pbem.judge.notice_kinds import Kind, Templates
from pbem.judge.seats_and_agreements import Fields
from pbem.records.notice import DRAW, NO_WINNER, SAYINGS, SCORE
from pbem.text.dates import local_date, utc_date
from pbem.text.numbers_and_lists import counted, join_words

END_WORDS: Final = {
    SCORE: "with the scores as they are",
    DRAW: "as a draw",
    NO_WINNER: "without a winner",
}
"""For each result that players agree on: the words for how the game ends."""
UNLESS_CANCELLED: Final = "{announcement}, unless somebody cancels it"


def describe_event(kind_name: str, fields: Fields) -> str:
    """Say what a listed notice of this kind brought about, or announced."""
    if "cancels" in fields:
        announcement = describe_announcement(kind_name, fields)
        return UNLESS_CANCELLED.format(announcement=announcement)
    return _sentence(_kind(kind_name).events, fields)


def describe_announcement(kind_name: str, fields: Fields) -> str:
    """Say what an act of this kind will bring about, if nobody cancels it."""
    return _sentence(_kind(kind_name).announcements, fields)


def confirm_to_writer(kind_name: str, fields: Fields) -> str:
    """Say to the person who has signed a notice of this kind what they have declared."""
    return _sentence(_kind(kind_name).confirmations, fields)


def describe_removal(name: str) -> str:
    """Say what happened to a player whose seat was removed."""
    return f"{name} was silent for too long and is removed from the game"


def name_people(writers: Iterable[str], names: Mapping[str, str], by_mail: Container[str]) -> str:
    """Name these writers of notices; those who play by mail agree on the referee's word."""
    on_word = " (by email, as the referee says)"
    return join_words(
        f"{names[writer]}{on_word if writer in by_mail else ''}" for writer in writers
    )


def _kind(kind_name: str) -> type[Kind]:
    return cast(type[Kind], SAYINGS[kind_name])


def _sentence(templates: Templates, fields: Fields) -> str:
    template = next(text for condition, text in templates.items() if _is_true(condition, fields))
    return _Words(fields).vformat(template, (), fields)


def _is_true(condition: str, fields: Fields) -> bool:
    parts = (part.partition("=") for part in condition.split(" & ") if part)
    return all(
        fields.get(name) == value if sign else fields.get(name) for name, sign, value in parts
    )


class _Words(Formatter):
    """Puts fields into a template, each in the form that the template asks for."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    def format_field(self, value: str, form: str) -> str:
        """Return a field in this form."""
        match form:
            case "":
                return value
            case "name":
                return self.fields[value]
            case "names":
                by_mail = self.fields.get("by_mail", "").split()
                return name_people(value.split(), self.fields, by_mail)
            case "utc":
                return utc_date(int(value))
            case "local":
                return local_date(int(value))
            case "end":
                return END_WORDS[value]
        return counted(int(value), form)
