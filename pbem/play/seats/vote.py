"""What the notice `vote` does: the players agree to end the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.play.seats.rule import Rule, plays, who
from pbem.play.seats.standing import END_WORDS, Standing
from pbem.records.notices.notice_record import REFEREE, Notice
from pbem.records.notices.sayings import NO_WINNER, PLAY_ON, Vote


class VoteRule(Rule[Vote]):
    """`vote`: a vote counts until its writer writes a new one, or until a seat leaves those who
    must agree.

    If all who must agree want the same, the game ends.
    """

    saying = Vote

    def why_not(self, standing: Standing, notice: Notice, said: Vote) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if standing.votes.get(notice.writer) == said.result:
            return "the seat has already voted for this"
        if notice.writer == REFEREE and said.result in (NO_WINNER, PLAY_ON):
            return ""
        return plays(standing, notice)

    def apply(self, standing: Standing, notice: Notice, said: Vote, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        votes = {who: vote for who, vote in standing.votes.items() if who != notice.writer}
        if said.result != PLAY_ON:  # without a vote, too: no older one can follow
            votes[notice.writer] = said.result
        return replace(standing, votes=votes, voted={**standing.voted, notice.writer: turn})

    def told(self, standing: Standing, notice: Notice, said: Vote) -> str:
        """Say what happened, for people; `standing` is the game's standing before the notice."""
        told = super().told(standing, notice, said)
        voted = said.result == PLAY_ON and notice.writer in standing.votes
        return f"{told}, and takes back their vote to end the game" if voted else told

    def tell(self, notice: Notice, said: Vote, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        name = who(notice, names)
        if said.result == PLAY_ON:
            return f"{name} wants to play on"
        return f"{name} votes to end the game {END_WORDS[said.result]}"
