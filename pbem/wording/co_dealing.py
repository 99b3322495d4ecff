"""Dealing together in words: the words of a co-dealer's key, and the part that a co-dealer owes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pbem.judge.deputy_and_co_dealer_keys_in_charter import co_dealer_line_in_charter
from pbem.person.next_step import next_step
from pbem.person.situation import Situation
from pbem.records.charter import Charter
from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.next_step import name_wait
from pbem.wording.status_sections import describe_secret_wait

# ---- The words of a co-dealer, which people compare by voice

_CO_DEALER_WORDS: Final = (
    "note: players may ask you for these words, to check that the key in game.toml is yours: "
    "{words}"
)
_CO_DEALER_KEY: Final = (
    "BACK UP {path}: without this key file, the games in which you are a co-dealer cannot go on"
)
_ASK_CO_DEALER: Final = "ask {name} for the words of their key; the right words: {words}"
_OWN_WORDS: Final = "players may ask you for the words of your key as a co-dealer: {words}"


def co_dealer_words_note(words: str) -> str:
    """Return the words of a co-dealer's line, and who asks for them."""
    return _CO_DEALER_WORDS.format(words=words)


def co_dealer_key_note(path: object) -> str:
    """Ask a co-dealer to keep a copy of the file of the key."""
    return _CO_DEALER_KEY.format(path=path)


def co_dealer_words_lines(charter: Charter, own_keys: Collection[bytes] = ()) -> list[str]:
    """Return a line for each co-dealer, with the words that everybody may ask for: the co-dealer
    could otherwise be the referee under another name. `own_keys` are the keys of the reader."""
    return [
        (_OWN_WORDS if dealer.key in own_keys else _ASK_CO_DEALER).format(
            name=clean(dealer.name), words=co_dealer_line_in_charter(dealer).words()
        )
        for dealer in charter.dealers
    ]


# ---- After `new`

EXPERIMENTAL_SENTENCE: Final = (
    "dealing together is experimental: nobody outside the project has examined it yet"
)
CO_DEALERS_STEP: Final = TerminalText(
    "{names} must deal too: give them the game as you give it to the players. They need a computer "
    "that is always on[[. On that computer, they type pbem advance once, and then leave pbem run "
    "running]]"
)
ONE_BY_ONE_COST: Final = TerminalText(
    "in this game, players play their cards one by one. After each card, the game waits for the "
    "co-dealers: perhaps 14 times a round. If all play their cards at the same time[[ (--option "
    "together=yes)]], the game waits only about twice a round"
)


# ---- The part that a co-dealer owes, for pages

NO_CO_DEALER_SENTENCE: Final = "you are not a co-dealer in this game"
_OWED_KEY: Final = (
    "the game needs your key for the cards before it can begin. pbem makes that key from your key "
    "file"
)
_OWED_PART: Final = (
    "the game waits for your part of the deal after turn {turn}. Until you deal, the game can ask "
    "nobody anything"
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
