"""Remember how the referee wants to begin a game: options that are typed only once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.play.checking.game_folder import GameFolder
    from pbem.play.making.outcome import Wishes
    from pbem.storage.private.home import Mine


def wishes_of(mine: Mine, said: Wishes | None) -> Wishes:
    """Return the remembered wishes, together with those that are typed now."""
    from pbem.play.making.outcome import Wishes

    said = said or Wishes()
    kept = str(mine.settings().get("begin", "")).split()
    accept, refuse = ([word[1:] for word in kept if word[0] == sign] for sign in "+-")
    return Wishes(
        said.start or "start" in kept,
        {*accept} - {*said.refuse} | {*said.accept},
        {*refuse} - {*said.accept} | {*said.refuse},
        said.go_on,
    )


def exact(game_folder: GameFolder, wishes: Wishes) -> Wishes:
    """Return the wishes with each id completed to 16 digits. Raises CliError.

    Anybody can make a join whose id begins with the same six digits, and a remembered id must not
    match such a join later.
    """
    from dataclasses import replace

    from pbem.cli.failure import CliError

    here = sorted(ident.hex() for ident in game_folder.joins())

    def ids(digits: Iterable[str]) -> list[str]:
        found = []
        for start in digits:
            fit = [ident for ident in here if ident.startswith(start)]
            if not fit:
                told = f"no join in seats/ begins with {start}"
                raise CliError(told, "type the six digits at the end of the join file's name")
            if len(fit) > 1:
                told = f"{len(fit)} joins begin with {start}: {', '.join(fit)}"
                raise CliError(told, "give more digits")
            found.append(fit[0][:16])
        return found

    return replace(wishes, accept=ids(wishes.accept), refuse=ids(wishes.refuse))


def keep_wishes(mine: Mine, wishes: Wishes | None, begun: bool) -> None:
    """Remember which joins were accepted and refused, and whether to begin without empty seats.

    The wish to begin without empty seats is remembered only once the game has ``begun``, because a
    referee who plays answers before turn 1 exists.
    """
    now = wishes_of(mine, wishes)
    words = [f"+{i}" for i in sorted(now.accept)] + [f"-{i}" for i in sorted(now.refuse)]
    said = " ".join(["start", *words] if now.start and begun else words)
    if mine.settings().get("begin", "") != said:
        mine.set("begin", said)
