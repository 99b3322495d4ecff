"""The key of a profile, made when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, CliError
from pbem.cli.session.session import Session

if TYPE_CHECKING:
    from pbem.format.keys import SigningKey


def my_key(session: Session, profile: str) -> SigningKey:
    """The profile's key; `default` is made when it is first needed. Raises CliError."""
    try:
        there = profile in session.home.profiles()
        session.home.key_path(profile)
    except ValueError as error:
        raise CliError(str(error)) from None
    if there:
        return session.key(profile)
    if profile != "default":
        hint = f"pbem keys new --profile {profile}"
        raise CliError(f"you have no profile called {profile}", hint, KEY)
    return make_key(session, profile)


def make_key(session: Session, profile: str) -> SigningKey:
    """A new key for a profile, written to its place."""
    import secrets

    from pbem.format.keys import SigningKey, write_key

    key = SigningKey(secrets.token_bytes(32))
    session.home.write_key(profile, write_key(key))
    session.__dict__.pop("publics", None)
    return key
