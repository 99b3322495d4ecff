"""The kernel: decisions, one log, masked views, lock-step tables, dealers. It knows no game."""

from engine.dealer import Dealer, SeedDealer
from engine.decisions import (
    DECK,
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
from engine.forms import Forms, Unreadable
from engine.hooks import Kits, hooks_of
from engine.legality import DONE, fits, forced, why_not, why_not_step
from engine.log import Entry, line_number, merge, view
from engine.referee import Referee, Settler
from engine.ruleset import Game, Kind, Option, Phase, Ruleset, State, Tag, Text
from engine.scene import Piece, Place, Result, Scene, Score
from engine.standing import Line, OrderSet, first_fit
from engine.table import Illegal, Misfit, Pending, Table
from engine.text import (
    ALL,
    CHANCE,
    PUBLIC,
    UNKNOWN,
    Seat,
    bare,
    cards_in,
    hidden,
    mask,
    put,
    take,
)

__all__ = [
    "ALL", "CHANCE", "DECK", "DONE", "PUBLIC", "UNKNOWN",
    "Answer", "Answers", "Dealer", "Decision", "Entry", "Forms", "Game", "Illegal", "Kind", "Kits", "Line",
    "Misfit", "Option", "OrderSet", "Pending", "Phase", "Piece", "Place", "Referee", "Result",
    "Rules", "Ruleset", "Scene", "Score", "Seat", "SeedDealer", "Settler", "State", "Table", "Tag",
    "Text", "Together", "Unreadable",
    "ask", "ask_all", "bare", "cards_in", "deal", "deal_openly", "die", "first_fit", "fits",
    "forced", "hidden", "hooks_of", "line_number", "mask", "merge", "put", "reveal", "shown",
    "shuffle", "take", "under", "view", "why_not", "why_not_step",
]
