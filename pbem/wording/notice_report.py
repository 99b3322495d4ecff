"""The notices of a game in lines: votes, announced acts, own notices, open seats, thefts."""

from __future__ import annotations

from pbem.judge.game_view import View
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.judge.which_notices_count import (
    SignedNotice,
    kind_of,
)
from pbem.person.cancellable_acts import announced_losses
from pbem.person.session import Session
from pbem.person.standing_now import sort_new_notices, standing_now
from pbem.records.notice import REFEREE
from pbem.terminal.terminal import clean
from pbem.text.clock import now
from pbem.wording.agreements import (
    agreement_lines,
    loss_sentence,
    vote_of_other,
)
from pbem.wording.cancellable_acts import new_key_command
from pbem.wording.deputy import deputy_line
from pbem.wording.notice_templates import confirm_to_writer, describe_announcement
from pbem.wording.open_seats import open_seat_line
from pbem.wording.own_notices import foreign_notices, only_recovery_key, unlisted_notice_lines


def what_you_declared(session: Session, record: SignedNotice) -> str:
    """Say to the person who has signed a notice what they have declared."""
    notice, standing = record.content, session.readers.table().chain.standing
    fields = kind_of(notice).event_fields(standing, notice)
    return clean(confirm_to_writer(notice.about, fields))


def lines_on_agreements(session: Session, view: View) -> list[str]:
    """Return a line for each open vote, each key for which somebody vouches, and each act that can
    still be cancelled."""
    if not session.listing.notices or view.is_over or view.preview:
        return []
    return agreement_lines(standing_now(session), view.seat)


def lines_on_theft(session: Session, view: View) -> list[str]:
    """Return what to do if somebody else may have the key of a seat of yours: a notice in its name
    was not signed on this computer, or only its recovery key is here."""
    lines, publics, roles = [], session.keyring.publics, session.roles
    own_seats = roles.seats.keys() - roles.referee_seats
    safe_keys = {
        session.roster[seat].recovery for seat in own_seats
    }  # another seat may name the same key
    for seat, join in session.roster.items() if not view.is_over else ():
        recovery_profile = next((p for p, key in publics.items() if key == join.recovery), "")
        joins_with_key = [one for one in session.roster.values() if one.recovery == join.recovery]
        named_seat = seat if len(joins_with_key) > 1 else ""
        command = (
            new_key_command(recovery_profile, named_seat) if recovery_profile else "pbem notice key"
        )
        if seat not in own_seats and recovery_profile and join.recovery not in safe_keys:
            lines.append(only_recovery_key(seat, command))
        elif seat in own_seats and session.listing.notices:
            counted = {one.id for one in session.game_folder.standing.applied_notices}
            unlisted_records = [
                r
                for r in unlisted_notices(session.game_folder, counted)
                if r.signed.key == join.key
            ]
            signed = session.game_home.receipts.times()
            foreign_records = [
                r for r in unlisted_records if r.content.seat == seat and r.id.hex() not in signed
            ]
            if foreign_records:
                lines.append(foreign_notices(foreign_records, command))
    return lines


def lines_on_waits(session: Session, view: View) -> list[str]:
    """Return a line for each notice that no turn lists yet; the line says why if the notice cannot
    count."""
    if not session.listing.notices or view.preview or view.is_over:
        return []
    return unlisted_notice_lines(standing_now(session), sort_new_notices(session))


def open_lines(session: Session, view: View) -> list[str]:
    """Return lines on open seats for the referee; for the deputy, a line on when they may take
    over."""
    if view.is_over or view.preview:
        return []
    if session.roles.deputy:
        takeover_at = max(view.times[-1], view.deadline) + view.policies.deputy_after
        return [deputy_line(session.charter.referee, takeover_at, now())]
    if not session.roles.referee:
        return []
    absence_reasons = {
        **view.absence_reasons,
        **standing_now(session).departures,
    }  # a seat that was left can be waited for
    seats = [seat for seat, reason in sorted(absence_reasons.items()) if reason == "open"]
    return [open_seat_line(seat) for seat in seats]


def announced_acts_data(session: Session, view: View) -> list[dict[str, object]]:
    """Return the acts that can still be cancelled, as data."""
    if not session.listing.notices or view.is_over or view.preview:
        return []
    return [
        {
            "about": act.kind,
            "seat": act.seat,
            "told": describe_announcement(act.kind, act.fields),
            "until": act.effective_at,
            "cancels": act.cancels,
        }
        for act in standing_now(session).announced_acts
    ]


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


def lines_on_losses(session: Session, view: View) -> list[str]:
    """Tell a player without `pbem` of announced losses, and how to cancel each."""
    return [loss_sentence(loss.announced_act) for loss in announced_losses(session, view)]
