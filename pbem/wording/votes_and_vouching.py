"""Agreements in words: votes on the end, and new keys for which others vouch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.judge.game_view import View
from pbem.judge.seat_holders_keys_and_agreements import MIN_WAIT_SECONDS, Standing
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import sort_new_notices, standing_now
from pbem.records.notice import DRAW, NO_WINNER, REFEREE, SCORE
from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import TerminalText, join_texts
from pbem.wording.announced_acts import announced_act_line
from pbem.wording.notices import END_WORDS, name_people

_END_OPTIONS: Final = {SCORE: "", DRAW: " --draw", NO_WINNER: " --no-winner"}

# ---- Votes to end the game

_ONE_VOTES: Final = "{people} votes {wish}"
_SEVERAL_VOTE: Final = "{people} vote {wish}"
_MUST_VOTE: Final = "the game ends only after the same vote by {people}"
_MUST_VOTE_WITH_YOU: Final = TerminalText(f"{_MUST_VOTE}[[ (to agree: {{command}})]]")
_VOTE_OBSTACLE: Final = "votes cannot end the game now: {obstacle}"
_REFEREE_TOO: Final = "{referee} (the referee)"


def describe_wish(result: str) -> str:
    """Say what a vote wants."""
    return f"to end the game {END_WORDS[result]}" if result in END_WORDS else "to play on"


def vote_lines(standing: Standing, user_seat: str) -> list[str]:
    """Return a line for each result that somebody votes for: who votes, and who must still do."""
    announced_results = {act.result for act in standing.announced_acts}
    results = sorted({*standing.votes.values()} - announced_results)
    return [_vote_line(standing, result, user_seat) for result in results]


def _vote_line(standing: Standing, result: str, user_seat: str) -> str:
    """Return the line on one result that somebody votes for. The referee must vote too if the
    consent says so, unless they play one of the seats that voted."""
    voters = sorted(voter for voter, vote in standing.votes.items() if vote == result)
    consent = standing.consent("no winner" if result == NO_WINNER else "end")
    missing_seats = sorted(consent.seats - {*voters})
    names = [_names_of(standing, missing_seats)] if missing_seats else []
    if consent.referee and not {REFEREE, *standing.charter.plays} & {*voters}:
        names.append(_REFEREE_TOO.format(referee=standing.referee_name))
    template = _ONE_VOTES if len(voters) == 1 else _SEVERAL_VOTE
    people = clean(_names_of(standing, voters))
    sentences = [template.format(people=people, wish=describe_wish(result))]
    if names:
        template = _MUST_VOTE_WITH_YOU if user_seat in missing_seats else _MUST_VOTE
        command = f"pbem notice end{_END_OPTIONS[result]}"
        sentences.append(template.format(people=clean(" and ".join(names)), command=command))
    if consent.obstacle:
        sentences.append(_VOTE_OBSTACLE.format(obstacle=consent.obstacle))
    return join_texts("; ", sentences)


# ---- New keys for a player who lost theirs

_ONE_VOUCHES: Final = "{people} confirms a new key for {owner}"
_SEVERAL_VOUCH: Final = "{people} confirm a new key for {owner}"
_STILL_TO_VOUCH: Final = "{people} must still confirm the key"
_REFEREE_LAST: Final = "{people} must still confirm the key, the referee last"
_KEY_OBSTACLE: Final = "but {owner} cannot get a new key in this way now: {obstacle}"


def vouch_lines(standing: Standing) -> list[str]:
    """Return a line for each seat for whose new key somebody vouches."""
    announced_seats = {act.seat for act in standing.announced_acts}
    seats = sorted({seat for _, seat in standing.vouched} - announced_seats)
    return [_vouch_line(standing, seat) for seat in seats]


def _vouch_line(standing: Standing, seat: str) -> str:
    """Return the line on the players who vouch for a new key of this seat, and on the players who
    must still vouch. A host agrees last by itself, so the line does not name it."""
    vouchers = sorted(voucher for voucher, key_seat in standing.vouched if key_seat == seat)
    consent, has_person_last = standing.consent("vouch", seat), not standing.charter.automaton
    missing_writers = sorted(consent.seats - {*vouchers}) + [REFEREE] * has_person_last
    template = _ONE_VOUCHES if len(vouchers) == 1 else _SEVERAL_VOUCH
    people, owner = _names_of(standing, vouchers), standing.names[seat]
    sentences = [template.format(people=people, owner=owner)]
    if missing_writers:
        is_referee_last = has_person_last and len(missing_writers) > 1
        template = _REFEREE_LAST if is_referee_last else _STILL_TO_VOUCH
        sentences.append(template.format(people=_names_of(standing, missing_writers)))
    if consent.obstacle:
        sentences.append(_KEY_OBSTACLE.format(owner=owner, obstacle=consent.obstacle))
    return clean("; ".join(sentences))


_SEND_TO_ALL: Final = "send this line to all other players:"
_SEND_TO_ALL_AND_REFEREE: Final = "send this line to all other players, and to the referee last:"
_COMPARE_WORDS: Final = (
    "each of them types pbem notice vouch LINE, and asks you, by phone or in person, for the "
    "twelve words of the line. Read these words to them:"
)
_KEY_COUNTS_LATER: Final = (
    "your new key replaces the old key {hours} hours after all of them have confirmed the new "
    "key, or at the next deadline if that is later. If somebody uses the old key before then, it "
    "stays"
)
_HOST_ACTS_LAST: Final = (
    "when all of them have confirmed your new key, the host confirms it too. Your new key "
    "replaces the old key {hours} hours after that, or at the next deadline if that is later. If "
    "somebody uses the old key before then, it stays"
)
_CANNOT_VOUCH: Final = "note: the other players cannot confirm a new key now: {obstacle}"


def vouch_request_lines(line: str, words: str, *, has_host: bool) -> list[str]:
    """Return what a player who lost a key sends to the others: the `line` that they type in, with
    the `words` that they compare with the player by voice. With `has_host`, the host deals, and
    confirms the key after all others."""
    last_line = _HOST_ACTS_LAST if has_host else _KEY_COUNTS_LATER
    return [
        _SEND_TO_ALL if has_host else _SEND_TO_ALL_AND_REFEREE,
        f"  {line}",
        _COMPARE_WORDS,
        f"  {words}",
        last_line.format(hours=MIN_WAIT_SECONDS // 3600),
    ]


def cannot_vouch(obstacle: str) -> str:
    """Say why the others cannot confirm a new key now."""
    return _CANNOT_VOUCH.format(obstacle=obstacle)


def _names_of(standing: Standing, writers: Iterable[str]) -> str:
    return name_people(writers, standing.names, standing.by_mail)


def lines_on_agreements(session: Session, view: View) -> list[str]:
    """Return a line for each open vote, each key for which somebody vouches, and each act that can
    still be cancelled."""
    if not session.listing.notices or view.is_over or view.preview:
        return []
    standing = standing_now(session)
    return [
        *vote_lines(standing, view.seat),
        *vouch_lines(standing),
        *(announced_act_line(standing, act, view.seat) for act in standing.announced_acts),
    ]


# ---- Sentences for a player without pbem

_VOTE_OF_OTHER: Final = "{name} votes {wish}. If you want the same, write: vote {word}"


def vote_of_other(name: str, result: str) -> str:
    """Tell a player without pbem how another player votes to end the game, and how to agree."""
    word = "end" if result == SCORE else result
    return _VOTE_OF_OTHER.format(name=clean(name), wish=describe_wish(result), word=word)


def votes_of_others(session: Session, view: View) -> list[str]:
    """Tell a player without `pbem` how others have voted to end the game, and how to agree."""
    if not session.listing.notices or view.is_over:
        return []
    votes = sort_new_notices(session).next_standing.votes
    other_votes = [(voter, result) for voter, result in sorted(votes.items()) if voter != view.seat]
    return [
        vote_of_other({**view.names, REFEREE: view.referee}[voter], result)
        for voter, result in other_votes
        if votes.get(view.seat) != result
    ]
