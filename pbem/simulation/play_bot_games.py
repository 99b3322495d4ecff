"""Play games of bots without files, in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from time import perf_counter as now
from typing import Any, Final, NamedTuple

from engine import Game, cards_in
from engine.dealer import SeedDealer
from engine.make_and_ask_bots import make_bot
from engine.play_bot_game import play_out
from engine.ruleset import Bot, Ruleset
from engine.value_classes import Value
from games.package_faults import PackageFault, fault_sentence
from pbem import __version__
from pbem.judge.game_ruleset import digest_of, ruleset_with
from pbem.simulation.bot_games_with_round_orders import WAYS, PlayWithOrders
from pbem.simulation.totals_of_games import CARD, TRAIT, Counts, GameResult

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
            raise OtherVersionError(
                f"a worker process has {own_versions}, but this study needs {needed_versions}"
            )
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
