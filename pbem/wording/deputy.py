"""A deputy in words: their line, what the referee asks them, and when they may take over."""

from __future__ import annotations

from typing import Final

from pbem.judge.deputy_and_co_dealer_keys_in_charter import DeputyLine
from pbem.judge.game_view import View
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import standing_now
from pbem.records.charter import Charter
from pbem.terminal.clean_text import clean
from pbem.text.clock import now
from pbem.text.dates import local_date
from pbem.text.terminal_and_page_wording import TerminalText

_DEPUTY_WORDS: Final = (
    "note: the referee will ask you for these words, by phone or in person: {words}"
)


def deputy_words_note(words: str) -> str:
    """Return the words of a deputy's line, and who asks for them."""
    return _DEPUTY_WORDS.format(words=words)


_ASK_DEPUTY: Final = (
    "before the first turn, phone {name}, and ask for the words that pbem keys deputy prints on "
    "their computer; the right words: {words}"
)


def deputy_lines(charter: Charter) -> list[str]:
    """Return what the referee asks the deputy, who could otherwise be somebody else."""
    if not charter.deputy_key:
        return []
    words = DeputyLine(charter.deputy_key, charter.deputy_x25519).words()
    return [_ASK_DEPUTY.format(name=clean(charter.deputy), words=words)]


_DEALERS_DEPUTY: Final = (
    "you are the deputy of {dealer}, a co-dealer; as long as {dealer} deals, you need to do nothing"
)
_DEALERS_DEPUTY_WAITS: Final = (
    "you are the deputy of {dealer}, a co-dealer; if {dealer} does not deal, you can take over "
    "after {date}"
)
_DEALERS_DEPUTY_MAY_ACT: Final = TerminalText(
    "you are the deputy of {dealer}, a co-dealer who has not dealt for a long time[[. To take "
    "over, first ask {dealer} or two players for the twelve words of this turn, then type: pbem "
    'advance --take-over --compared "WORDS"]]'
)
_TAKEN_PLACE: Final = TerminalText(
    "you will deal in the place of {dealer} as soon as {referee} makes a turn that lists your "
    "notice[[ ({path}). From then on, leave pbem run running, or type pbem advance after each "
    "turn]]"
)


def _dealers_deputy_line(session: Session, key: bytes) -> str:
    """Return the line for the deputy of a co-dealer who has this public key on when they may take
    over."""
    dealers, standing = session.charter.dealers, standing_now(session)
    number = next(n for n, dealer in enumerate(dealers) if dealer.deputy_key == key)
    name = clean(dealers[number].name)
    if number not in standing.owed_since:
        return _DEALERS_DEPUTY.format(dealer=name)
    takeover_at = standing.replaceable_from(number)
    template = _DEALERS_DEPUTY_MAY_ACT if now() >= takeover_at else _DEALERS_DEPUTY_WAITS
    return template.format(dealer=name, date=local_date(takeover_at))


def taken_place_line(dealer: str, referee: str, path: str) -> str:
    """Return the line on the notice at a path, with which a deputy has taken a co-dealer's
    place."""
    return _TAKEN_PLACE.format(dealer=clean(dealer), referee=clean(referee), path=path)


_DEPUTY_MAY_ACT: Final = TerminalText(
    "you are the deputy of {referee}, and no turn has come for a long time[[; to take "
    "over: pbem advance --take-over]]"
)
_DEPUTY_WAITS: Final = (
    "you are the deputy of {referee}; if no turn comes, you can take over after {date}"
)


def takeover_lines(session: Session, view: View) -> list[str]:
    """Return a line for a deputy, of the referee or of a co-dealer, on when they may take over;
    none for anybody else."""
    if view.is_over or view.preview:
        return []
    if session.roles.deputy:
        takeover_at = max(view.times[-1], view.deadline) + view.policies.deputy_after
        template = _DEPUTY_MAY_ACT if now() >= takeover_at else _DEPUTY_WAITS
        referee = clean(session.charter.referee)
        return [template.format(referee=referee, date=local_date(takeover_at))]
    if profile := session.roles.dealers_deputy:
        return [_dealers_deputy_line(session, session.keyring.publics[profile])]
    return []
