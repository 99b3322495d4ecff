"""Find out which seat you mean, and which keys you sign with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, CliError

if TYPE_CHECKING:
    from pbem.cli.session.game_here import GameHere
    from pbem.format.keys import SigningKey


class Identity:
    """Your seat and keys in the game of the folder, for one run of a command."""

    def __init__(self, here: GameHere, wish: str) -> None:
        self.here = here
        self.wish = wish
        """The seat named by `--as` or PBEM_AS, if any."""

    @property
    def seat(self) -> str:
        """The seat that you mean: `--as`, PBEM_AS, or your only seat; empty for a spectator.

        Raises CliError if you have several and name none, or name a seat that is not yours.
        """
        roles = self.here.roles
        mine = [seat for seat in sorted(roles.seats) if not self._bot(seat)]
        if self.wish:
            return self._wished(mine)
        if len(mine) > 1:
            named = ", ".join(f"--as {seat}" for seat in mine)
            raise CliError(f"you have {len(mine)} seats here", f"say which: {named}")
        return mine[0] if mine else ""

    def _wished(self, mine: list[str]) -> str:
        from pbem.cli.session.lost_keys import not_yours

        if self.wish in self.here.roles.seats or self.wish in self.here.roles.mail:
            return self.wish
        raise not_yours(self.here, self.wish, mine)

    def _bot(self, seat: str) -> bool:
        plans = self.here.game_folder.charter.content.seats
        return any(plan.seat == seat and plan.bot for plan in plans)

    def need_seat(self) -> str:
        """Return the seat that you mean. Without one, raises a CliError that says how to get a
        seat."""
        if seat := self.seat:
            return seat
        if self.here.roles.referee:
            raise CliError("you are the referee here and have no seat", "pbem advance", KEY)
        from pbem.cli.session.lost_keys import no_seat

        raise no_seat(self.here)

    def seat_key(self, seat: str) -> SigningKey:
        """Return the signing key of one of your seats."""
        from pbem.format.keys import Secrets, SigningKey

        roles = self.here.roles
        if seat not in roles.held | roles.mail:
            return self.here.keyring.key(roles.seats[seat])
        key = self.here.keyring.key(roles.referee)
        return SigningKey(Secrets(key.seed).held(self.here.game_folder.game, seat))

    def public_of(self, seat: str) -> bytes:
        """Return the public key of one of your seats."""
        roles = self.here.roles
        if seat in roles.held | roles.mail:
            return self.seat_key(seat).public
        return self.here.keyring.publics[roles.seats[seat]]

    def referee_key(self) -> SigningKey:
        """Return the key of the referee, or of the deputy. Raises CliError for anybody else."""
        if self.here.roles.deputy:
            return self.here.keyring.key(self.here.roles.deputy)
        if not self.here.roles.referee:
            from pbem.cli.session.lost_keys import not_referee

            raise not_referee(self.here)
        return self.here.keyring.key(self.here.roles.referee)
