"""The names that rulesets and their users import from `engine`; loaded at the first use of one."""

from engine.actions import Action, Actions, Listing
from engine.card_zones import distinct, hidden, put, take, zones_seen
from engine.dealer import Dealer, SeedDealer
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
from engine.log import ALL, CHANCE, PUBLIC, Entry, Seat, line_number, merge, view
from engine.referee import Referee, Settler
from engine.replayed_table import Illegal, Misfit, Pending, Table
from engine.result_by_points_and_tie_breaks import Result, Score, ranked
from engine.rules_page_and_lesson import Chapter, Example, Lesson, LessonStep
from engine.ruleset import (
    Bot,
    CardFile,
    Game,
    Option,
    Phase,
    Positions,
    QuestionKind,
    Ruleset,
    State,
    Tag,
    Text,
)
from engine.scene_prose_and_drawings import (
    Drawings,
    Look,
    Piece,
    Place,
    Prose,
    Scene,
    docstring_line,
)
from engine.sentences.cards_in_brackets import UNKNOWN, bare, cards_in, mask
from engine.sentences.lazy_card_options import Offers, Way
from engine.sentences.legality import (
    ImpossibleStep,
    NotInHand,
    filled,
    fits,
    forced,
    reason_of,
    why_not,
    why_not_step,
)
from engine.sentences.order_line_matching import Line, OrderSet, first_fit
from engine.sentences.ready_lines import SKIP, ReadyLine, ReadyLines
from engine.sentences.sentence_forms import Forms, Sentence, Sentences, Unreadable, shape_of
from engine.sentences.stop_lines import STOP, Moment, StopLine
