"""What the notice `vote` does: the players agree to end the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.play.seats.rule import Rule, plays, who
from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import Notice
from pbem.records.notices.sayings import DRAW, PLAY_ON, Vote


class VoteRule(Rule[Vote]):
    """`vote`: a vote counts until the seat writes a new one.

    If all players agree, the game ends.
    """

    saying = Vote

    def why_not(self, standing: Standing, notice: Notice, said: Vote) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if said.result == PLAY_ON and notice.seat not in standing.votes:
            return "the seat has not voted, so there is no vote to take back"
        if standing.votes.get(notice.seat) == said.result:
            return "the seat has already voted for this"
        return plays(standing, notice)

    def apply(self, standing: Standing, notice: Notice, said: Vote, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        votes = {**standing.votes, notice.seat: said.result}
        if said.result == PLAY_ON:
            del votes[notice.seat]
        return replace(standing, votes=votes)

    def tell(self, notice: Notice, said: Vote, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        name = who(notice, names)
        if said.result == PLAY_ON:
            return f"{name} wants to play on, and takes back their vote to end the game"
        what = "as a draw" if said.result == DRAW else "with the scores as they are"
        return f"{name} votes to end the game {what}"
