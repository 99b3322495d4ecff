"""Votes, proposals and what waits: who must still agree, and who can cancel."""

from __future__ import annotations

from pbem.desk.notices import standing_now, standing_soon
from pbem.desk.session import Session
from pbem.game.standing import END_WORDS, Standing, Wait
from pbem.game.view import View
from pbem.records.notice import DRAW, NO_WINNER
from pbem.screen.terminal import clean
from pbem.text.dates import local_date

_OPTIONS = {"score": "", "draw": " --draw", "no winner": " --no-winner"}
CANCEL = "pbem notice end --no"
"""The command that shows that a player is there, so that it cancels what waits for them."""


def agreement_lines(session: Session, view: View) -> list[str]:
    """Return a line for each open vote, each key for which somebody vouches, and each act that can
    still be cancelled."""
    if not session.listing.notices or view.over or view.preview:
        return []
    standing = standing_now(session)
    waits = [_wait_line(standing, wait, view.seat) for wait in standing.waits]
    return [*_vote_lines(standing, view.seat), *_vouch_lines(standing), *waits]


def _vote_lines(standing: Standing, me: str) -> list[str]:
    lines, waiting = list[str](), {wait.result for wait in standing.waits}
    for result in sorted({*standing.votes.values()} - waiting):
        voters = sorted(who for who, vote in standing.votes.items() if vote == result)
        vote = "votes" if len(voters) == 1 else "vote"
        told = f"{clean(standing.called(voters))} {vote} {vote_words(result)}"
        who = standing.consent("no winner" if result == "no winner" else "end")
        missing = sorted(who.seats - {*voters})
        names = [standing.called(missing)] if missing else []
        if who.referee and not {"referee", *standing.charter.plays} & {*voters}:
            names.append(f"{standing.referee_name}, the referee,")
        more = clean(" and ".join(names))
        told += f"; {more} must vote so too" if more else ""
        told += f" (to agree: pbem notice end{_OPTIONS[result]})" if me in missing else ""
        told += f"; that cannot end the game now: {who.never}" if who.never else ""
        lines.append(told)
    return lines


def _vouch_lines(standing: Standing) -> list[str]:
    lines = list[str]()
    waiting = {wait.seat for wait in standing.waits}
    for seat in sorted({seat for _, seat in standing.vouched} - waiting):
        given = sorted(voucher for voucher, about in standing.vouched if about == seat)
        who = standing.consent("vouch", seat)
        missing = standing.called([*sorted(who.seats - {*given}), "referee"])
        verb = "vouches" if len(given) == 1 else "vouch"
        told = f"{standing.called(given)} {verb} for a new key of {standing.names[seat]}"
        lines.append(clean(f"{told}; still to vouch, the referee last: {missing}"))
    return lines


def _wait_line(standing: Standing, wait: Wait, me: str) -> str:
    told = f"{wait.told}, in the first turn from {local_date(wait.until)} on"
    if wait.disputed:
        what = "a new key, signed with the recovery key of the seat, cancels this"
        return clean(f"{told}; only {what}")
    if me and me in wait.cancels:
        return clean(f"{told}; to cancel this, send orders, or type: {CANCEL}")
    others = [seat for seat in wait.cancels if seat != me]
    return clean(f"{told}, unless {' or '.join(standing.names[s] for s in others)} acts before")


def waits_data(session: Session, view: View) -> list[dict[str, object]]:
    """Return the acts that can still be cancelled, as data."""
    if not session.listing.notices or view.over or view.preview:
        return []
    return [
        {
            "about": wait.about,
            "seat": wait.seat,
            "told": wait.told,
            "until": wait.until,
            "cancels": list(wait.cancels),
        }
        for wait in standing_now(session).waits
    ]


def votes_of_others(session: Session, view: View) -> list[str]:
    """Tell a player without `pbem` how others have voted to end the game, how to agree, and what
    will happen unless they answer."""
    if not session.listing.notices or view.over:
        return []
    votes, words = standing_soon(session).votes, {DRAW: "draw", NO_WINNER: "no winner"}
    others = [(who, result) for who, result in sorted(votes.items()) if who != view.seat]
    lines = [
        f"{clean({**view.names, 'referee': view.referee}[voter])} votes {vote_words(result)}. If "
        f"you want the same, write: vote {words.get(result, 'end')}"
        for voter, result in others
        if votes.get(view.seat) != result
    ]
    return lines + [
        f"From {local_date(wait.until)} on, the next turn brings this about: {clean(wait.told)}. "
        "If you do not want this, choose something below, or write: vote no"
        for wait in standing_now(session).waits
        if view.seat in wait.cancels
    ]


def vote_words(result: str) -> str:
    """Say what a vote wants, in words."""
    return f"to end the game {END_WORDS[result]}" if result in END_WORDS else "to play on"
