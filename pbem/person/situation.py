"""The situation of one person in one game: facts, without commands and without sentences.

`pbem.person.next_step` chooses from them what to do next, and `pbem.wording.next_step` words it. Of
other players a situation has what everybody may know: who is asked, who has sealed orders since,
and who has earlier orders. Only the owner and the referee can know whether earlier orders answer.
The referee finds out by trying `advance` without writing; with a locked key, they know no more than
a player.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from engine.value_classes import Value
from pbem.errors import PbemError
from pbem.files.home import note_if_writable
from pbem.format.openssh_key_files import is_encrypted
from pbem.format.record_error import RecordError
from pbem.judge.game_ruleset import ruleset_of
from pbem.judge.game_view import View, answers_everything, unheard_seats
from pbem.person.check_seen_and_made_turns import check_damage, need_seen_turns
from pbem.person.checks_before_co_dealing import SecretWait, secret_wait
from pbem.person.delivery_wait_of_sealed_orders import are_kept_back
from pbem.person.due_mail import MailMethod, unsent_join_method, unsent_mail_method
from pbem.person.keyring import DEFAULT_PROFILE
from pbem.person.missing_seats_and_keys import is_referee_key_lost, lost_seats
from pbem.person.new_turn_date_doubt import ClockDoubt, find_clock_doubt
from pbem.person.own_and_pending_joins import gone_joins, keep_joins
from pbem.person.questions_left_open_by_orders import find_unanswered_kinds
from pbem.person.session import Session
from pbem.records.final_record import FinalRecord
from pbem.records.game_id_and_chain_heads import first_head
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import Turn
from pbem.text.clock import now

if TYPE_CHECKING:
    from pbem.judge.turn_inputs_and_outcome import Outcome
    from pbem.person.announced_acts_against_user import AnnouncedLoss

Stage = Literal["joining", "playing", "over"]
NextTurn = Literal["", "possible", "certain", "doubted"]
"""The result of an `advance` now, as far as you know: nothing; perhaps a turn, without a trial;
certainly a turn or the final record; or a turn whose date seems wrong."""


class Situation(Value):
    """The situation of one person in one game."""

    stage: Stage
    seat: str = ""
    """The person's seat; empty for a spectator."""
    is_referee: bool = False
    has_role: bool = False
    """Whether the person is the referee or a co-dealer, or has a seat."""
    referee_name: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    """The name of the player at each seat; of somebody who has joined, or is invited, before turn
    1."""
    is_unread: bool = False
    """Whether the turns could not be read, so that only a missing turn is known."""
    view: View | None = None
    """The game as the person sees it; None before turn 1, and after `advance`."""

    # -------------------------------------------------------------- who has answered
    words: Mapping[str, str] = field(default_factory=dict)
    """The word for each seat: MISSING, ASKED, DRAFT, SEALED, ACCEPTED, DEFAULTED, STANDING, ABSENT,
    IDLE, OPEN, CONCEDED, REMOVED, or - if the seat is not asked."""
    sealed_seats: Collection[str] = ()
    """Seats whose orders for the open questions are here."""
    answered_seats: Collection[str] = ()
    """Seats whose earlier orders answer everything that they are asked, as far as you know."""
    uncertain_seats: tuple[str, ...] = ()
    """Other seats whose earlier orders may answer what they are asked: you cannot know."""
    pending_seats: tuple[str, ...] = ()
    """Seats that are asked and, as far as you know, have not answered."""
    unheard_seats: tuple[str, ...] = ()
    """Seats that are not asked yet, although the game waits for their orders for the round."""
    silent_seats: tuple[str, ...] = ()
    """Seats that the referee may remind: they have sealed nothing, and no referee plays them."""
    left_open_seats: tuple[str, ...] = ()
    """For the referee: seats whose sealed orders do not answer what they are asked."""
    awaited_dealers: tuple[str, ...] = ()
    """Mode `dealers`: the names of the co-dealers whose part the game waits for."""

    # -------------------------------------------------------------- your part
    owes_deal: bool = False
    """Mode `dealers`: whether you are a co-dealer whose part is missing; after the end of the
    game, whose secret is."""
    secret_wait: SecretWait | None = None
    """The time for which you, a co-dealer, still keep your secret after the end of the game; None
    if you need not."""
    is_your_move: bool = False
    """Whether the game waits for your orders."""
    has_draft: bool = False
    """Whether your orders are written and not sealed."""
    open_kinds: tuple[str, ...] = ()
    """The questions that your orders leave unanswered, if they were sealed on this computer."""
    unsent_mail: MailMethod = ""
    """The way to mail sealed records that are not sent; empty if there are none."""
    losses: tuple[AnnouncedLoss, ...] = ()
    """The announced acts that take something from you, and that you can still cancel."""
    lacks_own_key: bool = False
    """Whether you have no seat here, and a key that you used on this computer is missing."""
    import_profile: str = ""
    """The profile to import that key for; empty for the usual one."""
    lacks_own_join: bool = False
    """Whether the file of your join is no longer in the folder."""

    @property
    def may_deal(self) -> bool:
        """Whether you are a co-dealer whose part is missing, and need not wait to deal it."""
        return self.owes_deal and self.secret_wait is None

    # -------------------------------------------------------------- the next turn
    next_turn: NextTurn = ""
    is_ready: bool = False
    """Whether you are the referee and `advance` would write something, as far as you know."""
    doubt: ClockDoubt | None = None
    """The reason for which `advance` would not write the turn that it can make."""
    revisable_until: int = 0
    """For the referee: when the turn will be made, if players may still change their orders."""
    is_past_deadline: bool = False
    """Whether the deadline and its grace have passed: whoever makes turns need not wait."""
    empty_seats: tuple[str, ...] = ()
    """Before turn 1: seats that nobody has joined."""
    contested_seats: Mapping[str, Sequence[Record[Join]]] = field(default_factory=dict)
    """For the referee: seats that several people claim, with their joins."""
    missing_turn: int = 0
    """The first turn that is missing although a later one is here; 0 if there is none."""
    may_start: bool = False
    """For the referee, before turn 1: whether those who have joined are enough."""
    fewest_players: int = 0
    """For the referee, before turn 1: how many players the game needs."""
    doubtful_joins: Sequence[tuple[Record[Join], str]] = ()
    """For the referee, before turn 1: joins that do not count, each with the reason."""
    has_final: bool = False
    """Whether the final record is here, signed by the referee."""


def situation_of(session: Session) -> Situation:
    """Return your situation in the game in the folder. Raises NoGameError, FileError, CliError."""
    plays = session.roles.referee_seats and session.seat
    # before turn 1 is published, it may already ask a seat that you play as the referee
    if session.listing.turns or (plays and session.refereeing.outlook.preview):
        return situation_in_view(session, session.view())
    check_damage(session)
    need_seen_turns(session)
    if session.listing.turns:  # another command has read turn 1 since the folder was listed
        return situation_in_view(session, session.view())
    session.game_home.remember_place(session.place)
    note_if_writable(session.game_home.sightings.note_dates, [], now())
    return _before_turn_1(session)


def unread_situation(session: Session) -> Situation:
    """Return what is known of a game that cannot be read. Raises NoGameError, FileError."""
    return Situation(
        stage="playing",
        is_referee=bool(session.roles.referee),
        referee_name=session.game_folder.maker().name,
        is_unread=True,
        missing_turn=next(iter(session.gaps), 0),
    )


def situation_after(session: Session, outcome: Outcome) -> Situation:
    """Return the referee's situation after a run of `advance`, from its outcome alone: the folder
    and other people's drafts are not looked at again."""
    charter = session.charter
    answered_seats = {*outcome.answered_seats, *outcome.incomplete_seats}
    stage: Stage = "joining" if outcome.joining else "over" if outcome.is_over else "playing"
    pending = pending_after(session, outcome)
    empty = tuple(sorted(outcome.awaited_kinds)) if outcome.joining else ()
    return Situation(
        stage=stage,
        seat=next(iter(outcome.preview_seats), ""),
        is_referee=True,
        has_role=True,
        referee_name=session.game_folder.maker().name,
        names={plan.seat: session.name_of(plan.seat) for plan in charter.seats},
        sealed_seats=answered_seats,
        pending_seats=() if outcome.joining or outcome.preview_seats else pending,
        silent_seats=tuple(
            sorted(outcome.awaited_kinds.keys() - answered_seats - {*charter.plays})
        ),
        unheard_seats=outcome.unheard_seats,
        left_open_seats=outcome.incomplete_seats,
        is_your_move=bool(outcome.preview_seats),
        revisable_until=outcome.revisable_until,
        empty_seats=empty,
        contested_seats=outcome.contested,
        may_start=bool(empty) and len(charter.seats) - len(empty) in ruleset_of(charter).players,
        fewest_players=ruleset_of(charter).players[0],
        doubtful_joins=outcome.doubtful,
        has_final=outcome.is_over,
        awaited_dealers=_dealer_names(
            session, _dealers_without_key(session) if outcome.joining else outcome.awaited_dealers
        ),
    )


def pending_after(session: Session, outcome: Outcome) -> tuple[str, ...]:
    """Return the seats whose orders the next turn waits for after this run of `advance`; without
    those that the referee plays, if the run made a turn (they answered it before)."""
    plays = session.charter.plays if outcome.new_records else ()
    return tuple(sorted({*outcome.awaited_kinds} - {*outcome.answered_seats, *plays}))


def situation_in_view(session: Session, view: View, *, with_outlook: bool = True) -> Situation:
    """Return your situation from a view of the game, and note what this machine saw. Without the
    outlook, it has only what everybody may know of others. Raises FileError."""
    situation = _in_play(session, view, with_outlook)
    if not view.preview:
        note_if_writable(session.game_home.sightings.note_dates, view.times, now())
    return situation


# ---- What only the referee can find out: what `advance` would do now


def _outlook(session: Session, last_turn: int) -> Outcome | None:
    """Return what `advance` would do after this turn; None if it fails, if another command has made
    a turn since, and for anybody who cannot run it without typing a passphrase."""
    if not session.roles.referee:
        return None
    try:
        is_locked = is_encrypted(session.home.read_key(session.roles.referee))
        if is_locked and not session.roles.referee_seats:
            return None
        outlook = session.refereeing.outlook  # it may list the folder again
    except PbemError:
        return None
    return outlook if session.listing.reached == last_turn else None


def _doubt(session: Session, outlook: Outcome | None) -> ClockDoubt | None:
    return find_clock_doubt(session, outlook) if outlook else None


def _seats_answered_in(outlook: Outcome, view: View) -> set[str]:
    """Return the seats that have answered the questions of a view, as `advance` found out."""
    records = [outlook.preview, *(record for _, record in outlook.new_records)]
    turn = next((r.content for r in records if r and isinstance(r.content, Turn)), None)
    if outlook.unheard_seats:  # the turn could be made, so all who were asked have answered
        return {*view.awaited}
    if turn and turn.log:  # these questions are settled: the outcome is about the next ones
        causes = {entry.seat: entry.by for entry in reversed(turn.log)}  # each seat's first choice
        silent = {seat for seat in view.awaited if causes.get(seat) in ("default", "bot")}
        return view.awaited.keys() - {*turn.silent} - silent
    return {*outlook.answered_seats}


# ---- A game that has not begun


def empty_seats(session: Session) -> tuple[str, ...]:
    """Return the seats that nobody has joined."""
    taken_seats = session.joined | set(session.charter.plays)
    return tuple(plan.seat for plan in session.charter.seats if plan.seat not in taken_seats)


def _before_turn_1(session: Session) -> Situation:
    """Return the situation in a game that waits for its first turn."""
    charter, roles = session.charter, session.roles
    if roles.referee:
        keep_joins(session)
    has_role = bool(roles.seats or roles.referee or roles.co_dealer)
    outlook = _outlook(session, 0)
    doubt = _doubt(session, outlook)
    is_certain = bool(outlook and outlook.new_records and not doubt)
    mail_methods = (unsent_mail_method(session, seat) for seat in roles.seats)
    dealers = _dealers_without_key(session)
    return Situation(
        stage="joining",
        seat=min(roles.seats, default=""),
        is_referee=bool(roles.referee),
        has_role=has_role,
        referee_name=charter.referee,
        names={plan.seat: plan.name for plan in charter.seats},
        unsent_mail=next((method for method in mail_methods if method), ""),
        lacks_own_key=not has_role and _has_lost_key(session),
        import_profile=_import_profile(session),
        lacks_own_join=not roles.referee and bool(gone_joins(session)),
        next_turn="certain" if is_certain else "doubted" if doubt else "",
        is_ready=is_certain,
        doubt=doubt,
        empty_seats=empty_seats(session),
        contested_seats=outlook.contested if outlook else {},
        awaited_dealers=_dealer_names(session, dealers),
        owes_deal=_is_own_part(session, dealers),
    )


def _dealers_without_key(session: Session) -> tuple[int, ...]:
    """Return the numbers of the co-dealers who have not given a key for the cards yet."""
    numbers = range(len(session.charter.dealers))
    return session.find_awaited_dealers(numbers, 0, first_head(session.game_folder.game))


def _dealer_names(session: Session, dealers: Iterable[int]) -> tuple[str, ...]:
    return tuple(session.charter.dealers[number].name for number in dealers)


def _is_own_part(session: Session, dealers: Collection[int]) -> bool:
    """Return whether you are one of these co-dealers."""
    if not session.roles.co_dealer:
        return False
    key = session.keyring.publics[session.roles.co_dealer]
    return session.dealer_keys.index(key) in dealers


def _has_lost_key(session: Session) -> bool:
    return bool(lost_seats(session)) or is_referee_key_lost(session)


def _import_profile(session: Session) -> str:
    return "copy" if DEFAULT_PROFILE in session.home.profiles() else ""


# ---- A game that has begun


def _in_play(session: Session, view: View, with_outlook: bool) -> Situation:
    """Return the situation in a game that has begun, or whose first turn asks you in private.
    Without `with_outlook`, `advance` is not tried."""
    roles, seat = session.roles, view.seat
    missing_turn = next(iter(session.gaps), 0)
    sealed = sealed_seats(session, view) - ({seat} if are_kept_back(session, view) else set())
    dealers = _awaited_dealers(session, view)
    may_go_on = bool(roles.referee) and not view.is_over
    may_go_on = may_go_on and _may_go_on(session, view, sealed, has_dealt=not dealers)
    # a trial of `advance` takes time: without news, it would only say who is asked
    has_news = may_go_on or bool(view.awaited.keys() & (view.accepted.keys() | sealed))
    is_tried = with_outlook and has_news and not view.is_over
    outlook = _outlook(session, view.published) if is_tried else None
    answered_seats = _answered_seats(view, sealed, outlook)
    uncertain_seats = () if outlook else _uncertain_seats(view, sealed, answered_seats)
    left_open_seats = outlook.incomplete_seats if outlook else ()
    open_kinds = _open_kinds(session, view, sealed)
    asked_seats = (
        view.awaited.keys() - view.absence_reasons.keys() - answered_seats - {*uncertain_seats}
    )
    unanswered_seats = {*left_open_seats, *([seat] if open_kinds else [])}
    pending_seats = tuple(
        x for x in sorted(asked_seats) if x not in sealed or x in unanswered_seats
    )
    if view.preview:
        pending_seats = tuple(x for x in view.preview_seats if x not in view.bots)
    late_seats = tuple[str, ...]()
    if session.charter.policies.waits_for_round and not (view.is_over or view.preview):
        late_seats = tuple(unheard_seats(view, sealed))
    doubt = _doubt(session, outlook)
    next_turn: NextTurn = "possible" if may_go_on and not outlook else ""
    if outlook and outlook.new_records:
        next_turn = "doubted" if doubt else "certain"
    is_ready = next_turn in ("possible", "certain") or (view.preview and not pending_seats)
    is_ready = session.listing.final is None if view.is_over else is_ready
    is_ready = is_ready and bool(roles.referee) and not missing_turn
    is_due = bool(open_kinds) or seat in late_seats
    is_your_move = not missing_turn and _is_your_move(view, sealed, answered_seats, is_due)
    words = {
        x: _seat_word(session, view, x, sealed, answered_seats, uncertain_seats) for x in view.names
    }
    if view.preview:  # a bot, or a player who is not asked yet
        unasked = view.awaited.keys() - {*pending_seats, *sealed} - view.absence_reasons.keys()
        words |= dict.fromkeys(unasked, "-")
    has_final = read_final(session) is not None
    owes_deal = (has_final or not view.is_over) and _is_own_part(session, dealers)
    return Situation(
        stage="over" if view.is_over else "playing",
        seat=seat,
        is_referee=bool(roles.referee),
        has_role=bool(roles.seats or roles.referee or roles.co_dealer),
        referee_name=view.referee,
        names=view.names,
        view=view,
        words=words,
        sealed_seats=sealed,
        answered_seats=answered_seats,
        uncertain_seats=uncertain_seats,
        pending_seats=pending_seats,
        unheard_seats=late_seats,
        silent_seats=tuple(sorted({*pending_seats, *uncertain_seats} - sealed - {*view.plays})),
        left_open_seats=left_open_seats,
        is_your_move=is_your_move,
        has_draft=words.get(seat) == "DRAFT" and not is_out(view, seat),
        open_kinds=open_kinds,
        unsent_mail=_unsent_mail(session, view),
        losses=tuple(_losses(session, view)),
        lacks_own_key=not seat and not view.is_over and _has_lost_key(session),
        import_profile=_import_profile(session),
        next_turn=next_turn,
        is_ready=is_ready,
        doubt=doubt,
        revisable_until=outlook.revisable_until if outlook else 0,
        is_past_deadline=0 < view.deadline <= now(),
        contested_seats=outlook.contested if outlook else {},
        missing_turn=missing_turn,
        has_final=has_final,
        awaited_dealers=() if view.is_over else _dealer_names(session, dealers),
        owes_deal=owes_deal,
        secret_wait=secret_wait(session, now()) if owes_deal and view.is_over else None,
    )


def _awaited_dealers(session: Session, view: View) -> tuple[int, ...]:
    """Return the co-dealers whose part after the last turn is not here; after the end of the game,
    those whose secret is not."""
    owing_dealers = range(len(view.dealers)) if view.is_over else view.owed
    if view.preview or not owing_dealers:  # the turn that waits for a seat follows their parts
        return ()
    return session.find_awaited_dealers(owing_dealers, view.turn, bytes.fromhex(view.head))


def _may_go_on(session: Session, view: View, sealed: Collection[str], *, has_dealt: bool) -> bool:
    """Return whether `advance` may write something now, as far as one can know without a trial;
    `sealed` are the seats whose orders for the open questions are here. `has_dealt` says whether
    no co-dealer's part is missing."""
    if 0 < view.deadline <= now():
        return True
    missing_seats = view.awaited.keys() - {*sealed} - {*view.plays} - view.absence_reasons.keys()
    # some notices are not listed yet, or what one announced takes effect now
    if (has_dealt and not missing_seats) or len(session.listing.notices) > len(view.notices):
        return True
    if not session.listing.notices:
        return False
    from pbem.person.standing_with_unlisted_notices import standing_now

    return bool(standing_now(session).matured_acts)


def _answered_seats(view: View, sealed: Collection[str], outlook: Outcome | None) -> set[str]:
    """Return the seats without new orders whose earlier orders answer everything that they are
    asked: as the outlook says, and for your own seat as the view says."""
    seats = set[str]()
    if view.is_over or view.preview:
        return seats
    if outlook:
        seats |= _seats_answered_in(outlook, view)
    if view.seat in view.awaited and answers_everything(view):
        seats.add(view.seat)
    return seats - {*sealed}


def _uncertain_seats(
    view: View, sealed: Collection[str], answered_seats: Collection[str]
) -> tuple[str, ...]:
    """Return the seats without new orders whose earlier orders may answer, for somebody who has no
    outlook; not your own.

    A turn ends only when somebody who is asked has not answered. So a seat that is asked alone has
    certainly not answered.
    """
    asked_seats = view.awaited.keys() - view.absence_reasons.keys() - {*answered_seats}
    if len(asked_seats) == 1 or view.is_over or view.preview:
        return ()
    return tuple(sorted((asked_seats & view.accepted.keys()) - {*sealed} - {view.seat}))


def _open_kinds(session: Session, view: View, sealed: Collection[str]) -> tuple[str, ...]:
    if view.seat not in sealed:
        return ()
    if view.seat in view.preview_seats:  # the turn was made again, or the orders did not answer it
        return tuple(view.awaited.get(view.seat, ()))
    return tuple(find_unanswered_kinds(session, view))


def _is_your_move(
    view: View, sealed: Collection[str], answered_seats: Collection[str], is_due: bool
) -> bool:
    """Return whether the game waits for your orders; `is_due` says that it waits for more of them
    than it asks for."""
    if view.is_over or is_out(view, view.seat):
        return False
    is_asked = view.seat in view.awaited and view.seat not in answered_seats
    return is_due or ((is_asked or view.seat in view.absence_reasons) and view.seat not in sealed)


def is_out(view: View, seat: str) -> bool:
    """Return whether the seat has conceded or was removed: it cannot answer any more."""
    return view.absence_reasons.get(seat) in ("conceded", "removed")


def _unsent_mail(session: Session, view: View) -> MailMethod:
    if view.is_over or is_out(view, view.seat):
        return ""
    if not view.seat:
        return unsent_join_method(session)
    return unsent_mail_method(session, view.seat, view.asking_turn)


def _losses(session: Session, view: View) -> Sequence[AnnouncedLoss]:
    if not session.listing.notices:
        return ()
    from pbem.person.announced_acts_against_user import announced_losses

    return announced_losses(session, view)


def read_final(session: Session) -> Record[FinalRecord] | None:
    """Return the final record; None if it is not here, or if the referee did not sign it."""
    if session.listing.final is None:
        return None
    try:
        return session.game_folder.final()
    except RecordError:
        return None


def _seat_word(
    session: Session,
    view: View,
    seat: str,
    sealed: Collection[str],
    answered_seats: Collection[str],
    uncertain: Collection[str],
) -> str:
    """Return the word for a seat (see `Situation.words`) of a turn that is published. For your own
    seat, a draft counts before everything but sealed orders."""
    if seat in sealed:
        return "SEALED"
    has_draft = seat == view.seat and session.draft_of(view).exists()
    if seat in view.absence_reasons:
        return "DRAFT" if has_draft else view.absence_reasons[seat].upper()
    if seat not in view.awaited:
        if seat in view.silent:
            return "DEFAULTED"
        return "ACCEPTED" if view.accepted.get(seat) == view.turn else "-"
    if has_draft:
        return "DRAFT"
    if seat in answered_seats:
        return "STANDING"
    return "ASKED" if seat in uncertain else "MISSING"


def sealed_seats(session: Session, view: View) -> set[str]:
    """Return the seats whose orders for the open questions are in the folder, signed with the
    seat's key and built on a turn that asks these questions. They are not opened."""
    referee_seats = (
        session.roles.referee_seats if view.preview else ()
    )  # turn 1 will name their keys
    keys = {
        **session.public_keys_by_seat(),
        **{seat: session.public_of(seat) for seat in referee_seats},
    }
    heads = dict(enumerate(view.heads))
    return session.game_folder.seats_with_answers(keys, heads, view.asking_turn)
