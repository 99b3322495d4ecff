"""What rulesets and their users import from `engine`, which loads this when it is first asked."""

from typing import TYPE_CHECKING, Any

from engine.decisions import (
    DECK,
    DONE,
    Answer,
    Answers,
    Decision,
    Rules,
    Together,
    ask,
    ask_all,
    deal,
    deal_openly,
    die,
    reveal,
    shown,
    shuffle,
    under,
)
from engine.hooks import Hooks, Kits, hooks_of
from engine.log import Entry, line_number, merge, view
from engine.ruleset import (
    Bot,
    CardFile,
    Game,
    Kind,
    Option,
    Phase,
    Positions,
    Ruleset,
    State,
    Tag,
    Text,
)
from engine.screen.prose import Prose, described
from engine.screen.scene import Piece, Place, Scene
from engine.sentences.forms import Forms, Unreadable, shape_of
from engine.sentences.legality import filled, fits, forced, why_not, why_not_step
from engine.sentences.offers import Offers, Way
from engine.sentences.ready_lines import SKIP, ReadyLine, ReadyLines
from engine.sentences.standing_orders import Line, OrderSet, first_fit
from engine.sentences.stop_lines import STOP, Moment, StopLine
from engine.sentences.text import (
    ALL,
    CHANCE,
    PUBLIC,
    UNKNOWN,
    Seat,
    bare,
    cards_in,
    distinct,
    hidden,
    mask,
    put,
    take,
    zones_seen,
)
from engine.table import Illegal, Misfit, Pending, Table

if TYPE_CHECKING:
    from engine.dealer import Dealer, SeedDealer
    from engine.referee import Referee, Settler
    from engine.screen.drawings import Drawings, Look
    from engine.screen.result import Result, Score, ranked

__all__ = [
    "ALL",
    "CHANCE",
    "DECK",
    "DONE",
    "PUBLIC",
    "SKIP",
    "STOP",
    "UNKNOWN",
    "Answer",
    "Answers",
    "Bot",
    "CardFile",
    "Dealer",
    "Decision",
    "Drawings",
    "Entry",
    "Forms",
    "Game",
    "Hooks",
    "Illegal",
    "Kind",
    "Kits",
    "Line",
    "Look",
    "Misfit",
    "Moment",
    "Offers",
    "Option",
    "OrderSet",
    "Pending",
    "Phase",
    "Piece",
    "Place",
    "Positions",
    "Prose",
    "ReadyLine",
    "ReadyLines",
    "Referee",
    "Result",
    "Rules",
    "Ruleset",
    "Scene",
    "Score",
    "Seat",
    "SeedDealer",
    "Settler",
    "State",
    "StopLine",
    "Table",
    "Tag",
    "Text",
    "Together",
    "Unreadable",
    "Way",
    "ask",
    "ask_all",
    "bare",
    "cards_in",
    "deal",
    "deal_openly",
    "described",
    "die",
    "distinct",
    "filled",
    "first_fit",
    "fits",
    "forced",
    "hidden",
    "hooks_of",
    "line_number",
    "mask",
    "merge",
    "put",
    "ranked",
    "reveal",
    "shape_of",
    "shown",
    "shuffle",
    "take",
    "under",
    "view",
    "why_not",
    "why_not_step",
    "zones_seen",
]

_LATER = {
    "Dealer": "engine.dealer",
    "SeedDealer": "engine.dealer",
    "Referee": "engine.referee",
    "Settler": "engine.referee",
    "Result": "engine.screen.result",
    "Score": "engine.screen.result",
    "ranked": "engine.screen.result",
    "Drawings": "engine.screen.drawings",
    "Look": "engine.screen.drawings",
}
"""The names that most commands do not need, with their modules."""


def __getattr__(name: str) -> Any:
    """Import a name of `_LATER` when somebody asks for it (PEP 562)."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
