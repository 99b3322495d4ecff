"""What the notices `key` and `vouch` do: a seat gets new keys, and its old keys stop counting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.play.seats.rule import Rule, plays, who
from pbem.play.seats.standing import Standing, Wait
from pbem.records.notices.notice_record import REFEREE, Notice
from pbem.records.notices.sayings import NewKey, Vouch

HELD = "the keys of this seat are derived from the referee's key"
MOST_KEYS = 2
"""How many times a round a seat can change its keys with its own key."""


class NewKeyRule(Rule[NewKey]):
    """`key`: a seat gets new keys; its present key or its recovery key signs the notice."""

    saying = NewKey

    def signers(self, standing: Standing, notice: Notice, said: NewKey) -> frozenset[bytes]:
        """Return the keys that may sign this notice now."""
        join = standing.roster.get(notice.seat)
        if join is None:
            return frozenset()
        often = standing.rekeyed.get(notice.seat, 0) >= MOST_KEYS
        own = set() if often or _is_doubted(standing, notice.seat) else {join.key}
        return frozenset({*own, join.recovery} - {b""})

    def why_not_signed(self, standing: Standing, notice: Notice, key: bytes) -> str:
        """Say why a notice signed with a key that is not among `signers` does not count."""
        if notice.seat and key == standing.signer(notice.writer):
            if _is_doubted(standing, notice.seat):
                return "others vouch for new keys of this seat again: only its recovery key counts"
            told = f"its own key changes the keys of a seat at most {MOST_KEYS} times a round"
            return f"{told}; the recovery key always can"
        return super().why_not_signed(standing, notice, key)

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

    The keys are announced once all others who must agree and, last, the referee confirm them. They
    count after a waiting time, unless the seat's player cancels this.
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
        if any((wait.about, wait.seat) == ("vouch", said.seat) for wait in standing.waits):
            return "these keys, or others for the seat, are already announced"
        who = standing.consent("vouch", said.seat)
        if who.never:
            return who.never
        if missing := [
            s for s in sorted(who.seats) if standing.vouched.get((s, said.seat)) != pair
        ]:
            names = ", ".join(standing.names[seat] for seat in missing)
            return (
                "the referee must vouch last, but these players have not vouched for these keys "
                f"yet: {names}"
            )
        return ""

    def wait(self, standing: Standing, notice: Notice, said: Vouch) -> Wait | None:
        """Return what the referee's notice announces."""
        if notice.writer != REFEREE:
            return None
        told = f"{standing.names[said.seat]} gets a new key: {self._vouchers(standing, said)}"
        pair, seat = (said.key, said.x25519), said.seat
        by = tuple(writer for (writer, about), keys in standing.vouched.items() if about == seat)
        disputed = seat in standing.disputed
        return Wait("vouch", b"", 0, seat, (seat,), told, keys=pair, disputed=disputed, by=by)

    def apply(self, standing: Standing, notice: Notice, said: Vouch, turn: int) -> Standing:
        """Return the game's standing after the notice has taken effect in this turn."""
        if notice.writer != REFEREE:
            pair = said.key, said.x25519
            vouched = {**standing.vouched, (notice.seat, said.seat): pair}
            return replace(standing, vouched=vouched)
        join = replace(standing.roster[said.seat], key=said.key, x25519=said.x25519, recovery=b"")
        return standing.with_keys(said.seat, join, turn)

    def told(self, standing: Standing, notice: Notice, said: Vouch) -> str:
        """Say what happened, for people; `standing` is the game's standing before the notice."""
        if notice.writer != REFEREE:
            return super().told(standing, notice, said)
        return f"{standing.names[said.seat]} has a new key: {self._vouchers(standing, said)}"

    def _vouchers(self, standing: Standing, said: Vouch) -> str:
        pair = said.key, said.x25519
        found = [w for (w, s), keys in standing.vouched.items() if (s, keys) == (said.seat, pair)]
        return f"{standing.called([*sorted(found), REFEREE])}, the referee, vouch for it"

    def shows(self, notice: Notice, said: Vouch) -> str:
        """Return the seat whose player has shown, by this notice, that they are still there."""
        return said.seat if notice.writer == REFEREE else notice.seat

    def tell(self, notice: Notice, said: Vouch, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        return f"{who(notice, names)} vouches for a new key of {names[said.seat]}"


def _is_doubted(standing: Standing, seat: str) -> bool:
    """Return whether others vouch for new keys of a seat again, after its key cancelled that."""
    return any(wait.seat == seat and wait.disputed for wait in standing.waits)


def held(standing: Standing) -> frozenset[str]:
    """Return the seats whose present keys derive from the referee's."""
    return standing.by_mail | {*standing.charter.plays}
