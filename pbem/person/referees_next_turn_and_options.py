"""The next turn for a referee: the key of the maker, the records that `advance` would write, and
the options of the first turn.

Nothing is written to the folder. The referee's home remembers heads, arrivals, progress, and the
options with which the referee wants to begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pbem.errors import KEY, CliError
from pbem.files.file_errors import FileError, StorageError
from pbem.files.home import GameHome
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.records_of_game_folder import Archive
from pbem.person.cached_views_and_readers import Snapshots
from pbem.person.check_seen_and_made_turns import need_last_made
from pbem.person.missing_seats_and_keys import (
    REFEREE_KEY_SENTENCE,
    co_dealer_import_hint,
    import_hint,
    is_referee_key_lost,
)
from pbem.person.user_game import UserGame
from pbem.records.read_and_sign_record import read
from pbem.terminal.clean_text import clean
from pbem.text.clock import now as time_now

if TYPE_CHECKING:
    from pbem.judge.turn_inputs_and_outcome import AdvanceOptions, Outcome, RefereeMemory
    from pbem.judge.turn_maker import Progress


class Refereeing:
    """The referee's view of the next turn, as the folder was when it was read."""

    def __init__(self, game: UserGame) -> None:
        self.game = game
        self.progress: Progress | None = None
        """The progress of the last try in this process, so that the next one need not start
        again."""
        self.heads: list[bytes] = []
        """The heads after all turns, with those of the turns that the last try made."""

    def forget_outlook(self) -> None:
        """Forget the outlook, after the folder has changed; the turn maker continues where it
        stopped."""
        vars(self).pop("outlook", None)
        self.heads = []

    def key(self) -> SigningKey:
        """Return the key of the referee, or of the deputy. Raises CliError for anybody else."""
        game = self.game
        if profile := game.roles.deputy or game.roles.referee:
            return game.keyring.key(profile)
        if is_referee_key_lost(game):
            raise CliError(REFEREE_KEY_SENTENCE, import_hint(game), KEY)
        maker, deputy_since = game.game_folder.maker(), game.game_folder.deputy_since
        name, sentence = (
            clean(maker.name),
            f"only {clean(maker.called)}, can act as the referee now",
        )
        if deputy_since:
            sentence += f": {name} has made the turns since turn {deputy_since}"
        plays = game.roles.seats or game.has_handed_over()
        hint = f"if you are {name}: {import_hint(game)}"
        if co_dealer_hint := co_dealer_import_hint(game):
            hint = f"{hint}; {co_dealer_hint}"
        raise CliError(sentence, "" if plays else hint, KEY)

    @cached_property
    def outlook(self) -> Outcome:
        """The outcome of an `advance` now; computed only once (see try_next_turn: the home notes
        what it learns)."""
        need_last_made(self.game)
        outcome = self.try_next_turn()
        if outcome.new_records:
            self.progress = None  # these records were not written: the next run makes them again
        return outcome

    def try_next_turn(
        self, options: AdvanceOptions | None = None, now: int | None = None
    ) -> Outcome:
        """Return what `advance` would write at a time (default: now); see `Advance` in
        pbem.judge.next_turn.

        Nothing is written to the folder. The home notes the heads of the written turns, when the
        orders that may still be changed arrived, and a snapshot of the progress. Before turn 1, the
        options of earlier runs count too; see remember_options.
        """
        moment = time_now() if now is None else now
        try:
            return self._try_next_turn(options, moment)
        except FileError:
            # another command of the referee may have read a turn that came after this one listed
            # the folder
            listed_names = self.game.names
            self.game.read_again()
            if self.game.names == listed_names:
                raise
            return self._try_next_turn(options, moment)

    def _try_next_turn(self, options: AdvanceOptions | None, moment: int) -> Outcome:
        from pbem.judge.next_turn import Advance
        from pbem.judge.referee_secrets import secrets_of

        game = self.game
        key = self.key()
        if not game.listing.reached:
            options = remembered_options(game.game_home, options)
        snapshots, progress = Snapshots(game), self.progress
        if progress is None and game.names.turns:  # some turn is in the folder, as names say
            progress = snapshots.resume_progress(key.public, secrets_of(game.game_folder, key))
        keep_progress = partial(snapshots.keep_progress, key.public)  # for the next process
        run = Advance(
            game.game_folder, key, moment, options, progress, keep_progress, self._remembered()
        )
        self.progress = None  # a run that fails must leave no progress behind
        outcome = run.run()
        if outcome.revisable_paths and game.charter.policies.change_of_mind:
            with suppress(StorageError):  # a home that cannot keep the note
                game.game_home.arrivals.note_arrivals(outcome.revisable_paths, moment)
        # one head before turn 1, then one after each turn; a turn that was just made is not written
        reached = game.listing.reached
        heads = run.chain.heads[: reached + 1]
        self._remember(heads)
        made_count = sum(name.kind == "turn" for name, _ in outcome.new_records)
        self.heads = run.chain.heads[: reached + 1 + made_count]
        self.progress = run.progress
        return outcome

    def _remember(self, heads: Sequence[bytes]) -> None:
        """Remember these heads. If another machine of the referee made the last turn in place of
        this machine's turn, the other turn counts, and `advance` says so."""
        game_home, chain = self.game.game_home, [head.hex() for head in heads]
        try:
            game_home.heads.remember(chain)
        except FileError:
            last_head, last_record = game_home.heads.last_position(), game_home.signed.last_record()
            if not last_head or not last_record or last_record.place != last_head.turn:
                raise
            if last_head.turn >= len(heads):
                raise
            if read(last_record.file).content.prev != heads[last_head.turn - 1]:
                raise
            game_home.heads.remember_instead(chain)

    def _remembered(self) -> RefereeMemory:
        """Return what this machine remembers about the game, as `advance` needs it."""
        from pbem.judge.turn_inputs_and_outcome import RefereeMemory

        game = self.game
        last_record, arrivals = game.game_home.signed.last_record(), dict[str, int]()
        if game.charter.policies.change_of_mind:
            with suppress(StorageError):
                arrivals = game.game_home.arrivals.times()
        # if this machine made the last turn here, no turn of it is missing
        is_last_turn_here = last_record is not None and last_record.place == game.listing.reached
        return RefereeMemory(is_last_turn_here, arrivals)


# ---- Remember how the referee wants to begin a game: options that are typed only once


def remembered_options(game_home: GameHome, typed_options: AdvanceOptions | None) -> AdvanceOptions:
    """Return the options of earlier runs together with the typed ones, which count first.

    The setting `begin` has the word `start`, and `+` or `-` with the id of each join to accept or
    to refuse. Options for later turns are left out.
    """
    from pbem.judge.turn_inputs_and_outcome import AdvanceOptions

    options = typed_options or AdvanceOptions()
    words = str(game_home.settings().get("begin", "")).split()
    accept, refuse = ([word[1:] for word in words if word[0] == sign] for sign in "+-")
    return AdvanceOptions(
        options.start or "start" in words,
        {*accept} - {*options.refuse} | {*options.accept},
        {*refuse} - {*options.accept} | {*options.refuse},
        options.go_on,
    )


def with_full_ids(game_folder: Archive, options: AdvanceOptions) -> AdvanceOptions:
    """Return the options with each id completed to 16 digits. Raises CliError.

    Anybody can make a join whose id begins with the same six digits, and a remembered id must not
    match such a join later.
    """
    join_ids = sorted(join_id.hex() for join_id in game_folder.joins())

    def full_ids(prefixes: Iterable[str]) -> list[str]:
        ids = []
        for prefix in prefixes:
            matches = [join_id for join_id in join_ids if join_id.startswith(prefix)]
            if not matches:
                sentence = f"no join in seats/ begins with {prefix}"
                raise CliError(sentence, "type the six digits at the end of the join file's name")
            if len(matches) > 1:
                sentence = f"several joins begin with {prefix}: {', '.join(matches)}"
                raise CliError(sentence, "give more digits")
            ids.append(matches[0][:16])
        return ids

    return replace(options, accept=full_ids(options.accept), refuse=full_ids(options.refuse))


def remember_options(game_home: GameHome, options: AdvanceOptions | None, has_begun: bool) -> None:
    """Remember which joins were accepted and refused, and whether to begin without empty seats.

    The option to begin without empty seats is remembered only once the game `has_begun`, because a
    referee who plays answers before turn 1 exists.
    """
    all_options = remembered_options(game_home, options)
    words = [f"+{i}" for i in sorted(all_options.accept)]
    words += [f"-{i}" for i in sorted(all_options.refuse)]
    setting = " ".join(["start", *words] if all_options.start and has_begun else words)
    if game_home.settings().get("begin", "") != setting:
        game_home.change_setting("begin", setting)
