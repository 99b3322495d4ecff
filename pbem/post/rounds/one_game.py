"""Look after one game: make the turns that can be made, and write the letters that are due."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.cli.clock import now
from pbem.mail.people import People
from pbem.post.rounds.game_letters import GameLetters
from pbem.post.rounds.people import carry_over
from pbem.storage.fingerprint import fingerprint
from pbem.storage.read_file import Mark
from pbem.storage.store.address import Place, is_gone

if TYPE_CHECKING:
    from pbem.cli.session.keyring import Keyring
    from pbem.cli.session.session import Session
    from pbem.play.making.outcome import Outcome
    from pbem.post.letters.outbox import Outbox
    from pbem.post.notify.notifier import Notifier
    from pbem.post.rounds.log import Log

PURPOSE: Final = "post-1"
_ANY: Final = Mark(0, 0, 0)
HOUR: Final = 3600
MOST_TURNS: Final = 500
"""The most turns of one game that one pass makes, because bots could go on for ever."""


class GameKeeper:
    """Looks after the games of one home."""

    def __init__(
        self, keyring: Keyring, outboxes: dict[str, Outbox], notifier: Notifier, log: Log
    ) -> None:
        """`outboxes` has the outbox of each profile; a game uses that of the profile with which you
        play."""
        self.keyring, self.home = keyring, keyring.home
        self.outboxes, self.notifier, self.log = outboxes, notifier, log
        self._keys = fingerprint(self.home.root / "profiles")

    def look_after(self, ident: str, *, stores: bool = True) -> bool:
        """Do what can be done in one game; return whether anything in it has changed.

        `stores` says whether to look after games in stores too. Raises what commands raise; then
        the next pass looks at the game again.
        """
        mine = self.home.game(ident)
        place = mine.place
        if place is None or is_gone(place) or not (stores or isinstance(place, Path)):
            return False
        cache = mine.cache(PURPOSE)
        kept = cache.get("game", _ANY)
        if kept and kept["of"] == self._stamp(ident, place) and not _is_time(kept):
            return False
        made, until = now(), self._work(ident, place)
        # the stamp is taken last, because the work writes to the folder and to the home
        cache.put("game", _ANY, {"of": self._stamp(ident, place), "made": made, "until": until})
        cache.save()
        return True

    def _stamp(self, ident: str, place: Place) -> list[str]:
        mine = fingerprint(self.home.game(ident).root, skip={"cache"})
        return [
            self._keys,
            mine,
            self.home.folder(place).stamp(),
            str(place),
            ",".join(self.outboxes),
            str(self.notifier.wanted),
        ]

    # -------------------------------------------------------------- the work
    def _work(self, ident: str, place: Place) -> list[int]:
        """Make turns and write letters; return the times at which to look again."""
        from pbem.cli.session.session import Session

        session = Session(place, home=self.home, keyring=self.keyring)
        if session.game_folder.game.hex() != ident:
            return []
        outcome = self._advance(session) if session.roles.referee else None
        self._write_letters(session, outcome)
        return [*_moments(outcome), *self._notify(session)]

    def _notify(self, session: Session) -> list[int]:
        """Plan the notifications for this person; return the times at which to look again."""
        if not self.notifier.wanted:
            return []
        from pbem.post.notify.news import near_moment, news_of

        self.notifier.add(news_of(session))
        return [near_moment(session)]

    def _advance(self, session: Session) -> Outcome:
        """Make every turn that can be made now."""
        from pbem.cli.turns.advance_report import made_lines, referee_notes
        from pbem.cli.turns.make_turns import step

        title = session.game_folder.charter.content.title
        for _ in range(MOST_TURNS):
            outcome, notes = step(session)
            for note in notes:
                self.log.note(f"{session.place} {note}", note, title)
            for line in made_lines(outcome):
                self.log.say("turn", line, title)
            if not outcome.write:
                break
        for note in referee_notes(session, outcome):
            self.log.note(f"{session.place} {note}", note.removeprefix("note: "), title)
        if told := _wrong_clock(outcome):
            self.log.note(f"clock {session.place}", told, title)
        return outcome

    def _write_letters(self, session: Session, outcome: Outcome | None) -> None:
        outbox = self._outbox(session)
        people = People(session.mine)
        carry_over(session, people)
        if outbox is None or not (people.addresses or session.roles.mail):
            return
        letters = GameLetters(session, people)
        for mailing in (*letters.due(), *letters.turn_mails()):
            outbox.put(mailing.letter, now())
            letters.writer.note_sent(mailing.parcel)
        for letter in letters.reminders(outcome) if outcome else ():
            outbox.put(letter, now())

    def _outbox(self, session: Session) -> Outbox | None:
        """Return the outbox of the profile that you use in this game, or of the default one."""
        roles = session.roles
        mine = [roles.referee, *(roles.seats[seat] for seat in sorted(roles.seats)), "default"]
        found = [self.outboxes[name] for name in mine if name in self.outboxes]
        return found[0] if found else next(iter(self.outboxes.values()), None)


def _is_time(kept: dict[str, Any]) -> bool:
    """Return whether a time to look again has come, or the clock was set back."""
    return now() < int(kept["made"]) or any(
        int(kept["made"]) < moment <= now() for moment in kept["until"]
    )


def _wrong_clock(outcome: Outcome) -> str:
    """Say that the date of the last turn is well after now; empty if it is not."""
    from pbem.text.dates import utc_date

    turn = outcome.turn
    if turn is None or turn.time <= now() + HOUR:
        return ""
    told = f"turn {turn.turn} is dated {utc_date(turn.time)}, which is later than now"
    return f"{told}: check this computer's clock; no deadline passes before that date"


def _moments(outcome: Outcome | None) -> list[int]:
    """Return the times at which this game can go on, or somebody gets a reminder, without any new
    file."""
    from pbem.cli.deadlines.due import due

    if outcome is None or outcome.over:
        return []
    moments = [outcome.held_until] if outcome.held_until else []
    if outcome.turn and outcome.turn.deadline:
        when = due(outcome.policies, outcome.phase, outcome.turn.time, outcome.turn.deadline)
        time = when.deadline - when.made
        moments += [when.counts, when.deadline - time // 2, when.deadline - time // 4]
    return moments
