"""The course's JSON test programs, run on this ruleset's own phases and decisions.

``python -m games.classroom.course_test_programs xstep4`` reads one case on standard input and
writes the answer; with ``--cases FILE`` it runs a file of cases and counts them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from engine import Decision, Game, Phase, Rules, Ruleset, Table, cards_in, why_not
from games.classroom.course_test_json import (
    SEATS,
    Json,
    Malformed,
    Position,
    read_cards,
    read_choice,
    read_list,
    read_number,
    read_row,
    say_choice,
    say_configuration,
)
from games.classroom.phases.feeding import can_eat, feeding_turn
from games.classroom.phases.legal_attacks_and_effects import why_not_attack
from games.classroom.rules import CLASSROOM
from games.classroom.sentences import FORMS
from games.classroom.silly_player import silly_choice, silly_feeding
from games.classroom.stacked_deck_games import StackedDealer, play_on, silly_answer
from games.classroom.table import State


def play(
    ruleset: Ruleset[State],
    position: tuple[State, str],
    dealer: StackedDealer,
    choices: Callable[[Decision], str],
) -> None:
    """Play these rules from a position, which is changed: a state and the name of a phase.

    ``choices`` answers the questions about the players' choices; the silly player answers all
    others, those about feeding. Raises Malformed for an answer that the rules refuse.
    """
    table = Table(Game(ruleset, position[0].seats), position=position)

    def choose(decision: Decision) -> str:
        text = choices(decision) if decision.kind == "choice" else silly_answer(decision)
        if reason := why_not(decision, text, table.viewpoint, ruleset.vocabulary):
            raise Malformed(f"{text!r}: {reason}")
        return text

    play_on(table, dealer, choose)


def reduced_rules(*phases: Phase[State]) -> Ruleset[State]:
    """Return the ruleset, reduced to these phases and one round."""
    return replace(CLASSROOM, phases=phases, over=lambda state: state.round > 1)


def play_one_feeding(state: State) -> Rules:
    """Play one step of the feeding phase for the starting player."""
    seat = state.order()[0]
    if can_eat(state, seat):
        yield from feeding_turn(state, seat)


# ------------------------------------------------------------------ the programs
def xattack(value: Json) -> Json:
    """Return whether the attacker is a carnivore that may attack the defender beside these
    neighbours.

    `value` is a list: the boards of defender, attacker, left and right neighbour. False stands for
    a neighbour that does not exist.
    """
    defender, attacker, left, right = read_list(value, "the input", 4)
    state = CLASSROOM.setup(CLASSROOM, "ab", {})
    neighbours = [[] if board is False else [board] for board in (left, right)]
    read_row(state, "a", [attacker])
    read_row(state, "b", [*neighbours[0], defender, *neighbours[1]])
    hunter, target = state.rows["a"][0], state.rows["b"][len(neighbours[0])]
    return bool(hunter.kit.hunts) and why_not_attack(state, hunter, target) is None


def xfeed(value: Json) -> Json:
    """Return what the silly player feeds.

    `value` is a list: the player, the food of the watering hole, the other players. The answer is
    false for nothing, the index of a board that eats, `[board, tokens]` for storing fat, or
    `[board, player, that player's board]` for an attack; the player is an index into the others.
    """
    player, hole, other_players = read_list(value, "the input", 3)
    position = Position([player, *read_list(other_players, "the other players")])
    state = position.state
    state.hole = read_number(hole, "the watering hole", 0)
    form, fields = FORMS.parse(silly_feeding(state, "a"))
    if form == "decline":
        return False
    index = board_index(state, fields["sp"])
    if form == "eats":
        return index
    if form == "stores":
        return [index, int(fields["n"])]
    return [index, SEATS.index(fields["who"][0]) - 1, board_index(state, fields["who"])]


def board_index(state: State, name: str) -> int:
    """Return the index of the board in its owner's row."""
    return [species.name for species in state.rows[name[0]]].index(name)


def xstep(value: Json) -> Json:
    """Play one step of the feeding phase for the first player; take and return a configuration."""
    position, deck = Position.read(value)
    rules = reduced_rules(Phase("feed", play_one_feeding))
    play(rules, (position.state, "feed"), StackedDealer(deck), silly_answer)
    return say_configuration(position.state, position.ids, deck)


def xstep4(value: Json) -> Json:
    """Play step 4 of a turn: the choices of all players, automatic traits, feeding.

    `value` is a list: a configuration, and an action for each player in order. Returns the
    configuration afterwards.
    """
    configuration, actions = read_list(value, "the input", 2)
    position, deck = Position.read(configuration)
    seats = position.state.order()
    action_list = read_list(actions, "the actions", len(seats))
    scripts = {
        seat: read_choice(position, seat, action)
        for seat, action in zip(seats, action_list, strict=True)
    }
    phases = [phase for phase in CLASSROOM.phases if phase.name in ("choice", "traits", "feed")]
    dealer = StackedDealer(deck)
    play(reduced_rules(*phases), (position.state, "choice"), dealer, lambda d: scripts[d.seat])
    return say_configuration(position.state, position.ids, deck)


def xsilly(value: Json) -> Json:
    """Return the silly player's choice, as an action.

    `value` is a list: the player, and the rows of the players before and after it. The other rows
    are checked, and make no difference. Raises Malformed, also for a player without cards.
    """
    player, boards_before, boards_after = read_list(value, "the input", 3)
    position = Position([player])
    rows_before = read_list(boards_before, "boards before")
    for row in (*rows_before, *read_list(boards_after, "boards after")):
        read_row(CLASSROOM.setup(CLASSROOM, "b", {}), "b", row)
    if not position.hands["a"]:
        raise Malformed("the player has no card")
    return say_choice(position.state, "a", silly_choice(position.state, "a"), position.hands["a"])


def xmain(value: Json) -> Json:
    """Play a complete game of silly players, with the cards in the order of the deck.

    `value` has the number of `players` and the `deck`. Returns the table after each step of each
    `turns`, the `final` table, and the `scores`, the best first. The `x` is the course's name for
    a test program.
    """
    if not isinstance(value, dict) or set(value) != {"players", "deck"}:
        raise Malformed("the input must be an object with 'players' and 'deck'")
    players = read_number(value["players"], "players", CLASSROOM.players[0], CLASSROOM.players[-1])
    deck = read_cards(value["deck"])
    state = CLASSROOM.setup(CLASSROOM, SEATS[:players], {})
    state.round, state.deck = 1, len(deck)
    ids = {seat: n for n, seat in enumerate(state.seats, 1)}
    diary = Diary(state, ids, deck)
    play(diary.ruleset(), (state, "deal"), diary, diary.choose)
    scores = {score.seat: score.total for score in CLASSROOM.result(state).scores}
    ranked = sorted(state.order(), key=lambda seat: -scores[seat])
    return {
        "turns": diary.turns,
        "final": say_configuration(state, ids, deck),
        "scores": [[ids[seat], scores[seat]] for seat in ranked],
    }


class Diary(StackedDealer):
    """Records the table after each step of each turn, and the hands in the order dealt."""

    def __init__(self, state: State, ids: Mapping[str, int], deck: Sequence[str]) -> None:
        """Begin a diary of the game that changes this state; ``ids`` are the players' ids by seat,
        ``deck`` is the whole deck at the start."""
        super().__init__(deck)
        self._state, self._ids, self._deck = state, ids, deck
        self._order = ""
        """The seats in the order of play of the present turn, which its end changes."""
        self._dealt_cards: dict[str, list[str]] = {seat: [] for seat in state.seats}
        """Each hand in the order dealt, which the course's indexes mean; a state sorts hands."""
        self.turns: list[dict[str, Json]] = []
        """For each turn, the players' `order`, their `actions`, and the table after each step."""

    def learn(self, decision: Decision, text: str) -> None:
        """Remember the cards that were dealt (see Dealer)."""
        super().learn(decision, text)
        self._dealt_cards[decision.to] += cards_in(text)

    def ruleset(self) -> Ruleset[State]:
        """Return the rules, changed so that the table is recorded after each phase."""
        return replace(CLASSROOM, phases=tuple(map(self._recorded, CLASSROOM.phases)))

    def _recorded(self, phase: Phase[State]) -> Phase[State]:
        """Return the phase, which also adds the table after it to the last turn."""

        def run(state: State) -> Rules:
            if phase.name == "deal":
                self._order = state.order()
                self.turns.append({"order": [self._ids[seat] for seat in self._order]})
            elif phase.name == "choice":
                self.turns[-1]["actions"] = []
            yield from phase.run(state)
            if phase.name in TABLE_KEYS:
                table = say_configuration(state, self._ids, self._deck, self._order)
                self.turns[-1][TABLE_KEYS[phase.name]] = table

        return Phase(phase.name, run)

    def choose(self, decision: Decision) -> str:
        """Return the silly player's choice, note it in the diary, and take the cards that it uses
        out of the hand in the order dealt."""
        text, hand = silly_answer(decision), self._dealt_cards[decision.seat]
        action = say_choice(self._state, decision.seat, text, hand)
        self.turns[-1]["actions"].append(action)
        food, population_growths, body_growths, new_boards, replacements = action
        used_indexes = {food, *(index for board in new_boards for index in board)}
        for steps in (population_growths, body_growths, replacements):
            used_indexes |= {index for *_, index in steps}
        self._dealt_cards[decision.seat] = [
            card for index, card in enumerate(hand) if index not in used_indexes
        ]
        return text


TABLE_KEYS = {"deal": "after_step1", "feed": "after_step4", "end": "after_turn"}
"""The key in the output under which the table after each phase is written."""
PROGRAMS: Mapping[str, Callable[[Json], Json]] = {
    "xattack": xattack,
    "xfeed": xfeed,
    "xstep": xstep,
    "xstep4": xstep4,
    "xsilly": xsilly,
    "xmain": xmain,
}


# ------------------------------------------------------------------ cases
def normalized(value: Json) -> Json:
    """Return the value as it is compared: cards sorted, without empty lists of cards and without
    stored food (``fat-food``) of 0."""
    if isinstance(value, dict):
        return {key: normalized(part) for key, part in value.items()}
    if not isinstance(value, list):
        return value
    parts = [normalized(part) for part in value if part not in (["fat-food", 0], ["cards", []])]
    if len(parts) == 2 and parts[0] == "cards" and isinstance(parts[1], list):
        return ["cards", sorted(parts[1], key=json.dumps)]
    return parts


def differences(expected: Json, actual: Json, path: str = "") -> Iterator[str]:
    """Yield a sentence for each difference between two normalized values."""
    if isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
        for key in expected:
            yield from differences(expected[key], actual[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for n, (expected_part, actual_part) in enumerate(zip(expected, actual, strict=True)):
            yield from differences(expected_part, actual_part, f"{path}[{n}]")
    elif json.dumps(expected) != json.dumps(actual):
        yield f"{path or 'answer'}: {json.dumps(actual)}, not {json.dumps(expected)}"


def run_cases(program: Callable[[Json], Json], cases: Json) -> tuple[int, int]:
    """Run the cases of a file and print each difference, or why a case cannot be played; return
    how many passed and how many failed. Raises Malformed if this is no file of cases."""
    pass_count = fail_count = 0
    for name, case in read_cases(cases):
        try:
            problems = list(differences(normalized(case["out"]), normalized(program(case["in"]))))
        except Malformed as error:
            problems = [str(error)]
        for problem in problems:
            print(f"{name}: {problem}")
        pass_count, fail_count = pass_count + (not problems), fail_count + bool(problems)
    return pass_count, fail_count


def read_cases(cases: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield each case of a file, with its name. Raises Malformed."""
    if not isinstance(cases, dict):
        raise Malformed(
            "a file of cases must be an object that maps each case's name to its 'in' and 'out'"
        )
    for name, case in cases.items():
        if not isinstance(case, dict) or not {"in", "out"} <= case.keys():
            raise Malformed(f"case {name} needs 'in' and 'out'")
        yield name, case


def main(argv: Sequence[str] | None = None) -> int:
    """Run one program; returns 0 if it answered or all cases passed, 1 if a case failed.

    Returns 2 if the input could not be read.
    """
    parser = argparse.ArgumentParser(
        "python -m games.classroom.course_test_programs", description=__doc__
    )
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument(
        "--cases", metavar="FILE", help="read a file of cases, instead of one case from stdin"
    )
    options = parser.parse_args(argv)
    program = PROGRAMS[options.program]
    try:
        if options.cases is None:
            print(json.dumps(program(json.loads(sys.stdin.buffer.read()))))
            return 0
        pass_count, fail_count = run_cases(program, json.loads(Path(options.cases).read_bytes()))
    except (OSError, RecursionError, ValueError) as error:
        print(f"{options.program}: {describe_error(error)}", file=sys.stderr)
        return 2
    print(f"{pass_count} passed, {fail_count} failed")
    return 1 if fail_count else 0


def describe_error(error: Exception) -> str:
    """Return a sentence about a file or an input that cannot be read."""
    if isinstance(error, Malformed):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}"
    return f"this is not JSON: {error}"


if __name__ == "__main__":
    sys.exit(main())
