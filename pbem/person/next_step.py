"""The next step of a person in a game: the only place that chooses it.

Commands, pages, mails and notifications only word the step (`pbem.wording.next_step`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pbem.records.press_message import REFEREE

if TYPE_CHECKING:
    from pbem.person.due_mail import MailMethod
    from pbem.person.situation import Situation

Act = Literal[
    "", "get turns", "import key", "join", "join again", "cancel", "check draft", "answer", "send",
    "run post", "accept", "advance", "write final", "audit", "see status", "deal",
]  # fmt: skip
"""The act of the person; empty for somebody who only waits."""


class Step(NamedTuple):
    """A next step: wait, act, or one after the other."""

    act: Act = ""
    awaited_seats: tuple[str, ...] = ()
    """Whom to wait for first: seats, or the referee."""
    uncertain_seats: tuple[str, ...] = ()
    """Whom to wait for unless their earlier orders already answer: nobody else can know that."""
    earliest_at: int = 0
    """The time from which the act is possible; 0 if it already is."""
    awaits_dealers: bool = False
    """Whether to wait first for the co-dealers of `Situation.awaited_dealers`."""


def next_step(situation: Situation) -> Step:
    """Return the next step for the person in this situation."""
    if situation.missing_turn:
        return Step("get turns")
    if situation.is_unread:
        return Step("see status")
    if situation.owes_deal:
        secret_wait = situation.secret_wait
        return Step("deal", earliest_at=secret_wait.ends_at if secret_wait else 0)
    if situation.stage == "over":
        return Step("audit" if situation.has_final or not situation.is_referee else "write final")
    if situation.lacks_own_key:
        return Step("import key")
    own_step = _own_step(situation)
    if own_step.act:
        return own_step
    if situation.is_referee:
        return _referee_step(situation)
    return _waiting_step(situation)


def step_after_signing(mail_method: MailMethod, *, is_referee: bool = False) -> Step:
    """Return what to do after something else than orders was signed: mail it, or wait for the
    referee, who takes it from the folder."""
    if is_referee:
        return Step("advance")
    return Step(mail_method) if mail_method else Step(awaited_seats=(REFEREE,))


def _own_step(situation: Situation) -> Step:
    """Return a player's next step for their own seat; None if the seat needs no step."""
    if situation.losses:
        return Step("cancel")
    if situation.has_draft:
        return Step("check draft")
    if situation.is_your_move:
        return Step("answer")
    if situation.unsent_mail:
        return Step(situation.unsent_mail)
    if situation.lacks_own_join:
        return Step("join again")
    is_joining = situation.stage == "joining" and not situation.has_role
    return Step("join" if is_joining else "")


def _referee_step(situation: Situation) -> Step:
    """Return what the referee does, whose own seat needs nothing: in each case `advance` in the
    end, perhaps after waiting."""
    if situation.contested_seats:
        return Step("accept")
    awaits_dealers = bool(situation.awaited_dealers)
    if situation.stage == "joining":
        return Step("advance", situation.empty_seats, awaits_dealers=awaits_dealers)
    if situation.is_ready:
        return Step("advance")
    if awaits_dealers:
        return Step("advance", awaits_dealers=True)
    awaited_seats = (*situation.pending_seats, *situation.unheard_seats)
    if awaited_seats or situation.uncertain_seats:
        return Step("advance", awaited_seats, situation.uncertain_seats)
    return Step("advance", earliest_at=situation.revisable_until)


def _waiting_step(situation: Situation) -> Step:
    """Return whom a player or a spectator waits for; after the deadline, nobody waits for
    players."""
    if situation.awaited_dealers and situation.stage != "joining":
        return Step(awaits_dealers=True)
    awaited_seats = (*situation.pending_seats, *situation.unheard_seats)
    nobody = not (awaited_seats or situation.uncertain_seats)
    if situation.stage == "joining" or situation.is_past_deadline or nobody:
        return Step(awaited_seats=(REFEREE,))
    return Step("", awaited_seats, situation.uncertain_seats)
