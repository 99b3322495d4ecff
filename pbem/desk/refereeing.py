"""The referee here: the wishes for the next turn, the checkpoints, what can be made now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine import Illegal, Misfit
from pbem.desk.base import is_typed, now
from pbem.desk.base import now as clock
from pbem.desk.game_here import GameHere, need_last_made
from pbem.errors import NOT_YET, CliError
from pbem.files.disk import FileError, StorageError
from pbem.files.folder import Name
from pbem.files.home import Mine
from pbem.format.canonical import RecordError
from pbem.format.keys import SigningKey
from pbem.game.archive import Archive, file_name
from pbem.game.deputy import RefereeSecrets
from pbem.records.policies import DAY
from pbem.records.read_record import read
from pbem.records.turn import Turn
from pbem.text.dates import local_date, span

if TYPE_CHECKING:
    from pbem.game.chain import Chain
    from pbem.game.turn_checker import TableReader
    from pbem.game.turn_maker import Outcome, Progress, Wishes

# ---- Work out what `advance` would do with the game; nothing is written

FAR: Final = 14 * DAY
"""By how many seconds a turn's date may differ from the clock, and from everything else here."""
ALL_THE_SAME: Final = "to go on all the same: pbem advance --time-is-right"


class Refereeing:
    """The referee's view of the next turn, as the folder was when it was read."""

    def __init__(self, here: GameHere, progress: Progress | None = None) -> None:
        self.here = here
        self.progress = progress
        """What the last `advance` in this process knew, so that the next one need not start
        again."""
        self.heads: list[bytes] = []
        """The heads after all turns, with those of the turns that the last `advance` made."""

    @cached_property
    def outlook(self) -> Outcome:
        """What `advance` would do now; computed only once."""
        need_last_made(self.here)
        outcome = self.advance()
        if outcome.write:
            self.progress = None  # these records were not written: the next run makes them again
        return outcome

    def advance(self, wishes: Wishes | None = None, now: int | None = None) -> Outcome:
        """Return what `advance` would do at a time (default: now); see pbem.game.turn_maker.

        Before turn 1, the wishes that earlier runs saved count too; see keep_wishes.
        """
        from pbem.game.turn_maker import Advance

        moment = clock() if now is None else now
        here = self.here
        known, key = self._known(wishes), self.here.referee_key()
        before = self.progress or self._resumed(key)
        store = CheckpointStore(here)  # where the next process finds the turn maker
        keep = partial(store.keep_progress, self.here.referee_key().public)
        run = Advance(here.game_folder, key, moment, known, before, keep)
        self.progress = None  # a run that fails must leave no progress behind
        outcome = run.run()
        if outcome.thought_over and here.charter.policies.change_of_mind:
            with suppress(StorageError):  # a home that cannot keep the note
                here.mine.arrivals.look(outcome.thought_over, moment)
        reached = here.listing.reached
        heads = run.chain.heads[: reached + 1]  # all turns except the one that was just made
        self._remember(heads)
        made = sum(name.kind == "turn" for name, _ in outcome.write)
        self.heads = run.chain.heads[: reached + 1 + made]
        self.progress = run.progress
        return outcome

    def check_clock(self, outcome: Outcome) -> None:
        """Check that the date of a new turn fits this computer's clock and the rest of the folder.
        Raises CliError; then nothing may be written."""
        if doubt := self.doubt(outcome):
            self.progress = None  # its last turn was not written
            raise doubt

    def doubt(self, outcome: Outcome) -> CliError | None:
        """Return why a new turn seems to have a wrong date; None if it does not.

        A turn that is dated far ahead spoils the game: no later turn can have an earlier date. In a
        turn that is dated long ago, nobody has time to answer. If you typed the time, it is
        compared with the clock as well.
        """
        turn = outcome.write[0][1].content if outcome.write else None
        if not isinstance(turn, Turn):
            return None
        date, cure = turn.time, "if it is right: pbem advance --time-is-right"
        files, last = self._dates(turn)
        ahead = 0 if last or is_typed() else files[0] - now()
        if ahead > FAR:
            told = f"this computer's clock says {local_date(now())}, {span(ahead)} before"
            return CliError(f"{told} the game was made", f"set the clock; {cure}", NOT_YET)
        if not is_typed() and date > now() + FAR:
            told = f"this computer's clock says {local_date(now())}, {span(date - now())} before "
            told += f"the last turn, and no turn can have an earlier date ({local_date(date)})"
            cure = f"set the clock; if it is right, type pbem notice clock; {ALL_THE_SAME}"
            return CliError(told, cure, NOT_YET)
        others = [when for when in files if when < date + DAY]  # a later file proves nothing
        newest = max(others, default=0)
        newest = max(newest, last.time, last.deadline) if last else newest
        newest = max(newest, int(time.time())) if is_typed() else newest
        if not newest or date <= newest + FAR:  # a host tells no times of files
            return None
        what = "the time that you typed is" if is_typed() else "this computer's clock says"
        told = f"{what} {local_date(date)}, {span(date - newest)} after "
        told += "the last turn, its deadline and all that players have sent"
        told += f" ({local_date(newest)})" if not is_typed() else ", and after the clock's time"
        return CliError(told, f"set the clock; {cure}", NOT_YET)

    def _dates(self, turn: Turn) -> tuple[list[int], Turn | None]:
        """Return when the players' files that count in a new turn came here, and the turn before;
        for turn 1, return when the charter came, then the joins, and None.

        Other files do not matter: anybody can add junk, or a copy with a different date.
        """
        listing, game_folder = self.here.listing, self.here.game_folder
        plays = game_folder.charter.content.plays
        names, last = [Name("charter")], None
        if turn.joins is not None:
            names += [Name("join", seat=s, digits=i.hex()[:6]) for s, i in turn.joins.items()]
        else:
            last = game_folder.turn(listing.turns[listing.reached - 1]).content
            find = game_folder.find_orders(lambda _kind, _key: True)
            good = [one for one in turn.orders if one.status in ("accepted", "replaced")]
            names = [file_name(find(one.id)) for one in good]
            signed = [one.id for one in turn.notices if one.seat]  # not by the referee
            names += [file_name(game_folder.find_notice(one)) for one in signed]
        marks = listing.marks
        files = [marks.get(name.path) for name in names if name.seat not in plays]
        return [mark.mtime_ns // 10**9 for mark in files if mark], last

    def _remember(self, heads: Sequence[bytes]) -> None:
        """Remember the last turn, if the turns continue those seen here before. Raises FileError.

        A turn that this machine made may have been replaced by one that your other machine made:
        then the turn in the folder counts, and `advance` says so.
        """
        mine, chain = self.here.mine, [head.hex() for head in heads]
        try:
            mine.heads.remember(chain)
        except FileError:
            seen, made = mine.heads.last(), mine.signed.last()
            if not seen or not made or made.place != seen.turn or seen.turn >= len(heads):
                raise
            if read(made.file).content.prev != heads[seen.turn - 1]:
                raise
            mine.heads.remember_instead(chain)

    def _resumed(self, key: SigningKey) -> Progress | None:
        """Return the turn maker as an earlier process left it; None if it does not fit the
        folder."""
        from pbem.game.turn_maker import secrets_of

        here = self.here
        if not here.names.turns:
            return None
        secrets = secrets_of(here.game_folder, key)
        return CheckpointStore(here).resume_progress(key.public, secrets)

    def _known(self, wishes: Wishes | None) -> Wishes | None:
        """Return these wishes, together with those saved before turn 1 and with what this machine
        has seen."""
        from pbem.game.turn_maker import Wishes

        here = self.here
        if not here.listing.reached:
            wishes = wishes_of(here.mine, wishes)
        signed = here.mine.signed.last()
        if signed is not None and signed.place == here.listing.reached:
            # this machine made the last turn, so all turns that it made are here:
            # orders on an unknown head cannot build on a missing one
            wishes = replace(wishes or Wishes(), all_here=True)
        if here.charter.policies.change_of_mind:
            with suppress(StorageError):
                wishes = replace(wishes or Wishes(), arrived=here.mine.arrivals.times())
        if here.charter.by_mail:
            from pbem.mailseats.letters import MailBook

            wishes = replace(wishes or Wishes(), held=MailBook(here.mine).held)
        return wishes


# ---- Remember how the referee wants to begin a game: options that are typed only once


def wishes_of(mine: Mine, said: Wishes | None) -> Wishes:
    """Return the remembered wishes, together with those that are typed now."""
    from pbem.game.turn_maker import Wishes

    said = said or Wishes()
    kept = str(mine.settings().get("begin", "")).split()
    accept, refuse = ([word[1:] for word in kept if word[0] == sign] for sign in "+-")
    return Wishes(
        said.start or "start" in kept,
        {*accept} - {*said.refuse} | {*said.accept},
        {*refuse} - {*said.accept} | {*said.refuse},
        said.go_on,
    )


def exact(game_folder: Archive, wishes: Wishes) -> Wishes:
    """Return the wishes with each id completed to 16 digits. Raises CliError.

    Anybody can make a join whose id begins with the same six digits, and a remembered id must not
    match such a join later.
    """
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


# ---- Keep checkpoints of readers and of the turn maker in the home, from one command to the
# next
#
# A checkpoint counts only if all files from which it was made still have the same size, times and
# inode, and if the key, the folder and the version of pbem are the same. Otherwise it is thrown
# away, and the game is read from its start. `audit` and `doctor` never use it: they hash every
# file again.

AnyReader = TypeVar("AnyReader", bound="TableReader")
PURPOSE = "checkpoint-3"
REFEREE = "referee"
SPECTATOR = "table"


class CheckpointStore:
    """The checkpoints of one game, one for each viewpoint: a seat, `table` or `referee`."""

    def __init__(self, here: GameHere) -> None:
        self.here = here

    # -------------------------------------------------------------- readers
    def resume_reader(self, who: str, key: bytes, new: Callable[[], AnyReader]) -> AnyReader | None:
        """Return a reader that continues from its checkpoint; None if no checkpoint fits.

        `new` makes a reader that has read nothing; `key` is the seat's public key, or empty.
        """
        from pbem.game.checkpoints import resume

        state = self._load(who, key)
        if state is None:
            return None
        game_folder = self.here.game_folder
        reader = new()
        try:
            last = game_folder.turn(game_folder.listing.turns[len(state["chain"]["times"]) - 1])
            find = game_folder.finder()  # the reader checks whose orders they are
            return resume(reader, state, last.content, find)
        except (*_NO_FIT, Illegal, Misfit):
            return None

    def keep_reader(self, who: str, key: bytes, reader: TableReader) -> None:
        """Save a checkpoint of this reader, which must have absorbed only turns from the folder."""
        from pbem.game.checkpoints import checkpoint_of

        if reader.chain.turn:
            self._save(who, key, checkpoint_of(reader), reader.chain)

    # -------------------------------------------------------------- the turn maker
    def resume_progress(self, key: bytes, secrets: RefereeSecrets) -> Progress | None:
        """Return the turn maker as the last `advance` left it; None if no checkpoint fits."""
        from pbem.game.checkpoints import resume_progress

        state = self._load(REFEREE, key)
        try:
            return resume_progress(self.here.game_folder, secrets, state) if state else None
        except (*_NO_FIT, Illegal, Misfit):
            return None

    def keep_progress(self, key: bytes, progress: Progress) -> None:
        """Save a checkpoint of the turn maker, whose last turn must be in the folder."""
        from pbem.game.checkpoints import checkpoint_of_maker

        self._save(REFEREE, key, checkpoint_of_maker(progress.maker), progress.maker.chain)

    # -------------------------------------------------------------- files
    def _load(self, who: str, key: bytes) -> dict[str, Any] | None:
        charter = self.here.names.charter
        if charter is None or not self.here.names.turns:
            return None
        kept = self._cache(who).get(charter.path, charter.mark)
        if not isinstance(kept, dict) or kept.get("made_for") != self._made_for(key):
            return None
        marks = self.here.names.marks
        same = all(marks.get(path) == tuple(mark) for path, mark in kept["files"].items())
        state: dict[str, Any] = kept["state"]
        return state if same else None

    def _save(self, who: str, key: bytes, state: dict[str, Any], chain: Chain) -> None:
        charter = self.here.names.charter
        if charter is None:
            return
        cache = self._cache(who)
        listed = chain.listed_orders | chain.listed_notices
        digits = {ident.hex()[:6] for ident in listed}
        names = self.here.names
        read = [charter, *names.joins, *(one for one in names.turns if one.name.turn <= chain.turn)]
        read += [one for one in (*names.orders, *names.notices) if one.name.digits in digits]
        files = {one.path: list(one.mark) for one in read}
        kept = {"made_for": self._made_for(key), "files": files, "state": state}
        cache.put(charter.path, charter.mark, kept)
        cache.save()

    def _made_for(self, key: bytes) -> list[str]:
        return [key.hex(), str(self.here.folder.place)]

    def _cache(self, who: str) -> Any:
        return self.here.mine.cache(f"{PURPOSE}-{who}")


_NO_FIT = (RecordError, StorageError, KeyError, TypeError, ValueError, IndexError, AttributeError)
