"""The part that a co-dealer owes, and the check of a shuffle, in words for pages."""

from __future__ import annotations

from typing import Final

from pbem.person.next_step import next_step
from pbem.person.situation import Situation
from pbem.wording.next_step import name_wait
from pbem.wording.situation import describe_secret_wait

NO_CO_DEALER_SENTENCE: Final = "you are not a co-dealer in this game"
_OWED_KEY: Final = (
    "before the game can begin, it needs your key for the cards, which pbem makes from your key "
    "file"
)
_OWED_PART: Final = (
    "the game waits for your part of the deal after turn {turn}. Nobody can be asked before you "
    "have dealt"
)
_OWED_SECRET: Final = (
    "the game is over. Now open your secret for this game: then everybody can check how you dealt, "
    "and see each hand"
)
_NOTHING_OWED: Final = "there is nothing for you to do now"
_WAITING_FOR_OTHERS: Final = f"{_NOTHING_OWED}; {{wait}}"
_CHECKING_MIX: Final = "Checking the shuffle of the cards: {percent} %"


def describe_mix_check(percent: int) -> str:
    """Say how much of the check of a shuffle is done; empty when all is."""
    return _CHECKING_MIX.format(percent=percent) if percent < 100 else ""


def describe_owed_part(situation: Situation) -> str:
    """Return the part that the game waits for from you, a co-dealer; if there is none, the people
    that it waits for."""
    if not situation.owes_deal:
        wait = name_wait(next_step(situation), situation)
        return _WAITING_FOR_OTHERS.format(wait=wait) if wait else _NOTHING_OWED
    if situation.view is None:
        return _OWED_KEY
    if situation.stage == "over":
        return describe_secret_wait(situation) or _OWED_SECRET
    return _OWED_PART.format(turn=situation.view.turn)
