"""What the notices `key` and `vouch` do: a seat gets new keys, and its old keys stop counting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.play.seats.rule import Rule, plays, who
from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import REFEREE, Notice
from pbem.records.notices.sayings import NewKey, Vouch

HELD = "the keys of this seat are derived from the referee's key"


class NewKeyRule(Rule[NewKey]):
    """`key`: a seat gets new keys; its present key or its recovery key signs the notice."""

    saying = NewKey

    def signers(self, standing: Standing, notice: Notice, said: NewKey) -> frozenset[bytes]:
        """Return the keys that may sign this notice now."""
        join = standing.roster.get(notice.seat)
        return frozenset({join.key, join.recovery} - {b""} if join else ())

    def why_not(self, standing: Standing, notice: Notice, said: NewKey) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if notice.seat in held(standing):
            return HELD
        return plays(standing, notice) or standing.why_not_keys((said.key, said.x25519))

    def apply(self, standing: Standing, notice: Notice, said: NewKey, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        join = replace(standing.roster[notice.seat], key=said.key, x25519=said.x25519)
        return standing.with_keys(notice.seat, join, turn)

    def tell(self, notice: Notice, said: NewKey, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        return f"{who(notice, names)} has a new key"


class VouchRule(Rule[Vouch]):
    """`vouch`: a player confirms somebody's new keys.

    The keys count once all other players and, last, the referee confirm them.
    """

    saying = Vouch

    def why_not(self, standing: Standing, notice: Notice, said: Vouch) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if said.seat not in standing.people() or said.seat in standing.out:
            return f"nobody plays seat {said.seat}"
        if said.seat in held(standing):
            return HELD
        if notice.seat == said.seat:
            return "others must vouch for these keys"
        pair = said.key, said.x25519
        if reason := standing.why_not_keys(pair):
            return reason
        if notice.writer != REFEREE:
            return plays(standing, notice)
        others = standing.live() - {said.seat} - held(standing)
        if missing := [s for s in sorted(others) if standing.vouched.get((s, said.seat)) != pair]:
            names = ", ".join(standing.names[seat] for seat in missing)
            return (
                "the referee vouches last, but these players have not vouched for these keys "
                f"yet: {names}"
            )
        return ""

    def apply(self, standing: Standing, notice: Notice, said: Vouch, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        if notice.writer != REFEREE:
            pair = said.key, said.x25519
            vouched = {**standing.vouched, (notice.seat, said.seat): pair}
            return replace(standing, vouched=vouched)
        vouched = {who: pair for who, pair in standing.vouched.items() if who[1] != said.seat}
        join = replace(standing.roster[said.seat], key=said.key, x25519=said.x25519, recovery=b"")
        return replace(standing, vouched=vouched).with_keys(said.seat, join, turn)

    def shows(self, notice: Notice, said: Vouch) -> str:
        """Return the seat whose player has shown, by this notice, that they are still there."""
        return said.seat if notice.writer == REFEREE else notice.seat

    def tell(self, notice: Notice, said: Vouch, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        name = names[said.seat]
        if notice.writer == REFEREE:
            return f"{name} has a new key: {who(notice, names)} and the others vouch for it"
        return f"{who(notice, names)} vouches for a new key of {name}"


def held(standing: Standing) -> frozenset[str]:
    """Return the seats whose present keys derive from the referee's."""
    return standing.by_mail | {*standing.charter.plays}
