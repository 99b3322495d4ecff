"""Play games of bots without files, and count the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from random import Random
from time import perf_counter as now
from typing import Any, Final, NamedTuple

from engine import Decision, Entry, Game, OrderSet, Referee, cards_in
from engine.bots import answer, make_bot
from engine.dealer import Dealer, SeedDealer
from engine.ranking import Result
from engine.ruleset import Bot, Ruleset
from engine.simulation import play_out
from engine.value_classes import Value
from games.registry import PackageFault, fault_sentence
from pbem import __version__
from pbem.judge.bot_orders import round_lines, standing_lines
from pbem.judge.game_ruleset import digest_of, ruleset_with
from pbem.judge.order_line_checks import read_lines
from pbem.simulation.effects import Measure
from pbem.simulation.moment_sums import Moments, added, moments_of

# ---- Counts


class GameResult(Value):
    """The result of one game, and who played which traits and cards."""

    result: Result
    rounds: int
    decisions: int
    waves: Mapping[int, int] = field(default_factory=dict)
    plays: Mapping[str, set[str]] = field(default_factory=dict)
    """The seats that played each trait and card, which are named as in `Counts.moments`."""

    @property
    def measures(self) -> dict[str, int]:
        """The numbers that every game has, by name."""
        totals = {score.seat: score.total for score in self.result.scores}
        return {
            "decisions": self.decisions,
            "rounds": self.rounds,
            "winning_score": max(totals.values()),
            POINTS: sum(totals.values()),
            **{seat_measure(seat): total for seat, total in totals.items()},
        }

    def usage_numbers(self, name: str) -> tuple[int, int, int]:
        """Return the number of seats that played a trait or a card, their points, all points."""
        seats = self.plays.get(name, ())
        scores = self.result.scores
        player_points = [score.total for score in scores if score.seat in seats]
        return len(player_points), sum(player_points), sum(score.total for score in scores)


POINTS: Final = "score"
"""The measure of the points of all seats of a game together."""
TRAIT: Final = "trait "
CARD: Final = "card "


def seat_measure(seat: str) -> str:
    """Return the name of the measure of a seat's points."""
    return f"{POINTS} {seat}"


class Counts(Value):
    """Totals over some games; `a + b` are the totals over the games of both."""

    games: int = 0
    rounds_least: int = 0
    """The number of rounds of the shortest game."""
    rounds_most: int = 0
    decided_by: Mapping[str, int] = field(default_factory=dict)
    """The number of games that each tie-breaker decided."""
    parts: Mapping[str, int] = field(default_factory=dict)
    wins: Mapping[str, int] = field(default_factory=dict)
    """The number of games that each seat won alone."""
    shared_wins: Mapping[str, int] = field(default_factory=dict)
    """The number of wins that each seat shared with others."""
    waves: Mapping[str, int] = field(default_factory=dict)
    """The number of rounds for each number of waves of questions; empty if bots sent no orders."""
    moments: Mapping[str, Moments] = field(default_factory=dict)
    """The moments of each measure, of traits (`trait horns`) and of cards (`card horns 3`); if two
    rulesets are compared, the games with the same number in both make one row."""

    @classmethod
    def of_game(cls, played: GameResult, rival: GameResult | None = None) -> Counts:
        """Return the counts of one game; `rival` is the same game in the other ruleset."""
        result, pair = played.result, (played, rival) if rival else (played,)
        winners = dict.fromkeys(result.winners, 1)
        parts: Counter[str] = Counter()
        for score in result.scores:
            parts.update(score.parts)
        rows: dict[str, list[int]] = {
            name: [1, *(game.measures[name] for game in pair)] for name in played.measures
        }
        for usage in {usage for game in pair for usage in game.plays}:
            rows[usage] = [1, *(number for game in pair for number in game.usage_numbers(usage))]
        return cls(
            games=1,
            rounds_least=played.rounds,
            rounds_most=played.rounds,
            decided_by={result.decided_by: 1} if result.decided_by else {},
            parts=parts,
            wins=winners if len(winners) == 1 else {},
            shared_wins={} if len(winners) == 1 else winners,
            waves={str(number): rounds for number, rounds in played.waves.items()},
            moments={name: moments_of(row) for name, row in rows.items()},
        )

    def total(self, measure: str) -> int:
        """Return the sum of a measure over all games."""
        return self.moments[measure][1] if measure in self.moments else 0

    def __add__(self, other: Counts) -> Counts:
        if not self.games or not other.games:
            return self if self.games else other
        totals = {name: _added(amount, getattr(other, name)) for name, amount in vars(self).items()}
        totals["rounds_least"] = min(self.rounds_least, other.rounds_least)
        totals["rounds_most"] = max(self.rounds_most, other.rounds_most)
        return Counts(**totals)

    def summary(self, names: Mapping[str, str]) -> dict[str, Any]:
        """Return means (with three decimals), counts and the `sums` behind them, as data for JSON;
        `names` are the names of the bots by seat."""
        places = self.games * len(names)
        return {
            "decisions": self.total("decisions"),
            "decisions_mean": _mean(self.total("decisions"), self.games),
            "rounds_mean": _mean(self.total("rounds"), self.games),
            "rounds_least": self.rounds_least,
            "rounds_most": self.rounds_most,
            **self._waves(),
            "winning_score_mean": _mean(self.total("winning_score"), self.games),
            "score_mean": _mean(self.total(POINTS), places),
            "parts_mean": {part: _mean(n, places) for part, n in sorted(self.parts.items())},
            "decided_by": dict(sorted(self.decided_by.items())),
            "seats": [
                {
                    "seat": seat,
                    "bot": bot,
                    "wins": self.wins.get(seat, 0),
                    "shared_wins": self.shared_wins.get(seat, 0),
                    "score_mean": _mean(self.total(seat_measure(seat)), self.games),
                    **self._spread(seat),
                }
                for seat, bot in names.items()
            ],
            "sums": {
                "parts": dict(sorted(self.parts.items())),
                **({"waves": dict(self._waves_in_order())} if self.waves else {}),
                "moments": {name: list(self.moments[name]) for name in sorted(self.moments)},
            },
        }

    def _spread(self, seat: str) -> dict[str, float]:
        if self.games < 2 or not (moments := self.moments.get(seat_measure(seat))):
            return {}
        points = Measure(moments)
        return {
            "score_error": round(points.mean().error, 6),
            "score_spread": round(points.spread, 6),
        }

    def _waves(self) -> dict[str, float]:
        """Return the mean number of waves in a round and its 95th percentile, which at least 95 of
        100 rounds do not exceed; empty if bots sent no orders."""
        if not self.waves:
            return {}
        rounds = sum(self.waves.values())
        total = sum(int(number) * count for number, count in self.waves.items())
        counted_rounds, percentile_waves = 0, 0
        for number, count in self._waves_in_order():
            counted_rounds, percentile_waves = counted_rounds + count, int(number)
            if 100 * counted_rounds >= 95 * rounds:
                break
        return {
            "waves_per_round_mean": _mean(total, rounds),
            "waves_per_round_p95": percentile_waves,
        }

    def _waves_in_order(self) -> list[tuple[str, int]]:
        return sorted(self.waves.items(), key=lambda item: int(item[0]))

    @classmethod
    def from_summary(cls, games: int, summary: Mapping[str, Any]) -> Counts:
        """Return the counts that made this summary. Raises LookupError or TypeError if none did."""
        sums: Mapping[str, Any] = summary["sums"]
        seats: Sequence[Mapping[str, Any]] = summary["seats"]
        return cls(
            games,
            summary["rounds_least"],
            summary["rounds_most"],
            dict(summary["decided_by"]),
            dict(sums["parts"]),
            {row["seat"]: row["wins"] for row in seats},
            {row["seat"]: row["shared_wins"] for row in seats},
            dict(sums.get("waves", {})),
            {name: tuple(moments) for name, moments in sums["moments"].items()},
        )


def _added(amount: Any, other_amount: Any) -> Any:
    """Return the sum of two counts, or of two containers of counts, part by part; a key that only
    one dict has keeps its value."""
    if isinstance(amount, int):
        return amount + other_amount
    if isinstance(amount, tuple):
        return added(amount, other_amount)
    return {
        key: _added(amount[key], other_amount[key])
        if key in amount and key in other_amount
        else amount.get(key, other_amount.get(key))
        for key in {**amount, **other_amount}
    }


def _mean(total: int, count: int) -> float:
    """Three decimals from whole numbers, so that every machine gets the same result."""
    return (2000 * total + count) // (2 * count) / 1000 if count else 0.0


# ---- Bots that send orders, as people do by mail

WAYS: Final = ("ask", "policy", "whole")
"""The ways to fill one set of orders: `ask`, an answer to each question; `policy`, cards when asked
and standing orders for the rest; `whole`, everything at the start of the round."""


class PlayWithOrders:
    """One game that stops whenever seats must be asked, and counts these stops: the waves."""

    def __init__(
        self, game: Game[Any], bots: Mapping[str, Bot], ways: Mapping[str, str], dealer: Dealer
    ) -> None:
        """Prepare a game; `ways` gives one of WAYS for each seat."""
        self.game, self.bots, self.ways = game, bots, ways
        self.referee = Referee(game, dealer, checks_entries=False)
        self.waves: Counter[int] = Counter()
        """The number of times that seats were asked, by round."""
        self.decisions = 0
        """The number of questions with more than one possible answer, no matter who answered."""
        self.orders: dict[str, OrderSet] = {}
        """The orders in force, by seat."""
        self.answers: dict[str, str] = {}
        """Answers to questions that were asked alone, by key."""
        self._sent_rounds: set[tuple[str, int]] = set()
        """The rounds for which each seat has sent orders: seat and round."""

    def play(self) -> None:
        """Play the game to its end."""
        while pending := self.referee.advance(self):
            self.waves[self.state.round] += 1
            self.answers.clear()
            for seat in self.game.seats:
                questions = {key: question for key, question in pending if question.seat == seat}
                self._ask(seat, questions)

    @property
    def state(self) -> Any:
        """The state of the full table."""
        return self.referee.full_table.state

    @property
    def rounds(self) -> int:
        """The number of rounds that were played."""
        return int(self.state.round) - 1

    def waves_by_round(self) -> Counter[int]:
        """Return how many rounds had each number of waves."""
        return Counter(self.waves[number] for number in range(1, self.rounds + 1))

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Answer a question with the orders of its seat (see engine.Settler)."""
        orders = self.orders.get(decision.seat)
        order_answer = orders.answer(key, decision, self.state) if orders else None
        if order_answer is None and key in self.answers:
            return self.answers[key], "line [0]"
        return order_answer

    def entered(self, entry: Entry) -> None:
        """Tell the orders of the entry's seat about a new entry (see engine.Settler)."""
        self.decisions += entry.by.startswith(("line", "always"))
        if (orders := self.orders.get(entry.seat)) and entry.by != "line [0]":
            orders.entered(entry, self.state)

    def _ask(self, seat: str, questions: Mapping[str, Decision]) -> None:
        """Let the bot of a seat send orders, if its way does so now, and answer the questions that
        its orders leave open. `questions` are those of the seat, by key; there may be none."""
        way, round_key = self.ways[seat], (seat, self.state.round)
        begins_round = way == "whole" and round_key not in self._sent_rounds
        if begins_round or (way == "policy" and questions):
            self._sent_rounds.add(round_key)
            self.send(seat, self._write_orders(seat, questions.values()))
        for key, decision in questions.items():
            orders = self.orders.get(seat)
            if orders is None or orders.answer(key, decision, self.state) is None:
                self.answers[key] = answer(self.bots[seat], self.state, decision)

    def _write_orders(self, seat: str, questions: Collection[Decision]) -> list[str]:
        """Return the order lines that the bot of a seat writes in its way."""
        ruleset = self.game.ruleset
        texts = round_lines(ruleset, self.state, seat, self.bots[seat], questions)
        if self.ways[seat] != "policy":
            return texts
        cards = {question.kind for question in questions if ruleset.kinds[question.kind].cards}
        card_texts = [text for text in texts if text.partition(":")[0] in cards]
        return card_texts + standing_lines(ruleset)

    def send(self, seat: str, texts: Sequence[str]) -> None:
        """Put the order lines of a seat in force."""
        lines = read_lines(texts)
        self.orders[seat] = self.game.ruleset.orders(seat, self.state.round, lines, self.state)


# ---- Games of bots without files

SEATS: Final = "abcdefghijklmnopqrstuvwxyz"


class OtherVersionError(Exception):
    """Raised if a worker has another version of pbem or the ruleset, whose games could differ."""


class Setup(Value):
    """The facts that determine a game, together with its number."""

    game: str
    """The ruleset's name."""
    players: int
    seed: int
    """The seed of the study; the game with number 7 gets its cards and dice from `SEED.7`."""
    bots: tuple[str, ...]
    """The bot's name for each seat."""
    options: Mapping[str, str]
    rules: str
    """The ruleset's version."""
    digest: str = ""
    """The start of the ruleset's digest, in which each card and each trait's hooks count."""
    cards: str = ""
    """The text of the card file; empty for the ruleset's own cards."""
    against: str = ""
    """The name of the ruleset to compare with; empty if there is none."""
    against_digest: str = ""
    orders: str = ""
    """The ways in which bots send orders (`ask`, `policy` or `whole`): one word for all seats, or
    one for each with commas between; empty if bots answer directly."""
    pbem: str = __version__

    @property
    def names(self) -> dict[str, str]:
        """The bot's name by seat."""
        return dict(zip(SEATS, self.bots, strict=False))


class Batch(NamedTuple):
    """The games that one task of a worker plays."""

    setup: Setup
    numbers: range


class Played(NamedTuple):
    """The results of a batch."""

    counts: Counts
    seconds: float
    """The time that the games took."""


def setup_of(
    ruleset: Ruleset[Any],
    players: int,
    seed: int,
    bots: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    orders: str = "",
    cards: str = "",
    against: Ruleset[Any] | None = None,
) -> Setup:
    """Return the setup of a study; `bots` is one name for all seats or one for each seat. Without
    names, all are greedy if the ruleset has a greedy bot.

    Raises ValueError for a number of players, a bot or an option that the ruleset does not know,
    and for an unknown way to send orders.
    """
    ways = orders.split(",") if orders else []
    if unknown := [way for way in ways if way not in WAYS]:
        raise ValueError(f"--orders is one of: {', '.join(WAYS)}; not {unknown[0]!r}")
    if ways and len(ways) not in (1, players):
        raise ValueError(
            f"give --orders one way for all seats, or {players} ways (one for each seat), not "
            f"{len(ways)}"
        )
    game = ruleset.game(SEATS[:players], options)
    rulesets = [ruleset, against] if against else [ruleset]
    names = bots_for_seats(bots or [usual_bot(rulesets)], players)
    setup = Setup(
        ruleset.name,
        players,
        seed,
        tuple(names),
        dict(game.options),
        ruleset.version,
        _short_digest(ruleset),
        cards,
        against.name if against else "",
        _short_digest(against) if against else "",
        orders,
    )
    for one_ruleset in rulesets:
        game_in(one_ruleset, setup)
        for name in names:
            make_bot(one_ruleset, name, Random(0))
    return setup


def usual_bot(rulesets: Sequence[Ruleset[Any]]) -> str:
    """Return the bot that plays if nobody says which: the greedy one, if all rulesets have it."""
    return "greedy" if all("greedy" in ruleset.bots for ruleset in rulesets) else "random"


def game_in(ruleset: Ruleset[Any], setup: Setup) -> Game[Any]:
    """Return the game of a study in one of its rulesets, with the options that this ruleset has.

    Raises ValueError for a number of players or an option's value that it does not know.
    """
    names = {option.name for option in ruleset.options}
    options = {name: value for name, value in setup.options.items() if name in names}
    return ruleset.game(SEATS[: setup.players], options)


def _short_digest(ruleset: Ruleset[Any]) -> str:
    return digest_of(ruleset).hex()[:12]


def bots_for_seats(bots: Sequence[str], players: int) -> list[str]:
    """Return the bot's name for each seat. Raises ValueError unless there are 1 or `players`."""
    if len(bots) not in (1, players):
        raise ValueError(
            f"give one bot for all seats, or {players} bots (one for each seat), not {len(bots)}"
        )
    return list(bots) * (players if len(bots) == 1 else 1)


def rulesets_of(setup: Setup) -> list[Ruleset[Any]]:
    """Return the ruleset of a study and, if there is one, the ruleset to compare it with.

    Raises UnknownGame, and OtherVersionError if this process has different versions or cards.
    """
    rulesets = [ruleset_with(setup.game, setup.cards)]
    if setup.against:
        rulesets.append(ruleset_with(setup.against))
    needed = (setup.digest, setup.against_digest)
    for ruleset, digest in zip(rulesets, needed, strict=False):
        if (__version__, _short_digest(ruleset)) != (setup.pbem, digest):
            own_versions = f"pbem {__version__}, {ruleset.name} {_short_digest(ruleset)}"
            needed_versions = f"pbem {setup.pbem}, {ruleset.name} {digest}"
            raise OtherVersionError(f"a worker has {own_versions}, but must have {needed_versions}")
    return rulesets


def play_batch(batch: Batch) -> Played:
    """Play a batch; the rulesets are found by their names, so that any process can do it.

    Raises UnknownGame, OtherVersionError if this process has different versions or cards, and
    PackageFault.
    """
    try:
        return play_numbers(rulesets_of(batch.setup), batch.setup, batch.numbers)
    except Exception as error:
        # another process would not get the traceback
        if sentence := fault_sentence(error):
            raise PackageFault(sentence) from None
        raise


def play_numbers(rulesets: Sequence[Ruleset[Any]], setup: Setup, numbers: range) -> Played:
    """Play the games with these numbers: each in the study's ruleset, then in the other."""
    games, counts, started_at = [game_in(ruleset, setup) for ruleset in rulesets], Counts(), now()
    for number in numbers:
        counts += Counts.of_game(*(_play(game, setup, f"{setup.seed}.{number}") for game in games))
    return Played(counts, now() - started_at)


def _play(game: Game[Any], setup: Setup, seed: str) -> GameResult:
    """Play one game of bots to its end, and return the result and the counts of a study. The seed
    decides decks, dice and the choices of bots. If the setup says how bots send orders, their
    orders are played as by mail; then nobody counts who used which card."""
    bots: dict[str, Bot] = {
        seat: make_bot(game.ruleset, name, Random(f"{seed}.{seat}"))
        for seat, name in zip(game.seats, setup.bots, strict=True)
    }
    dealer = SeedDealer(seed.encode())
    if setup.orders:
        ways = bots_for_seats(setup.orders.split(","), setup.players)
        sending = PlayWithOrders(game, bots, dict(zip(game.seats, ways, strict=True)), dealer)
        sending.play()
        result = game.ruleset.result(sending.state)
        return GameResult(result, sending.rounds, sending.decisions, sending.waves_by_round())
    plays: dict[str, set[str]] = {}

    def watch(state: Any, seat: str, text: str) -> None:
        cards = [*cards_in(text), *game.ruleset.shows(state, text)]
        traits = game.ruleset.traits_given(text)
        for usage in (*(CARD + card for card in cards), *(TRAIT + trait for trait in traits)):
            plays.setdefault(usage, set()).add(seat)

    played = play_out(game, bots, dealer, watch)
    result = game.ruleset.result(played.table.state)
    return GameResult(result, played.rounds, played.decisions, plays=plays)
