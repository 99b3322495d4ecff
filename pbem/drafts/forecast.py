"""The forecast: what a seat's lines would do now, if other seats did nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from engine import (
    CHANCE,
    DONE,
    PUBLIC,
    UNKNOWN,
    Decision,
    Entry,
    Line,
    Place,
    QuestionKind,
    Ruleset,
    Table,
    bare,
    first_fit,
    forced,
)
from engine.sentences.ready_lines import chosen_option
from pbem.drafts.order_file_toml import quote_option
from pbem.judge.game_view import View
from pbem.terminal.game_prose import Teller, spaced

MAX_STEPS, MAX_STAND_IN_STEPS = 400, 8
_SHOWN_CARD = re.compile(r"(?<!\[)\?")
"""A card that others will see, but that is not known yet; hidden cards are in brackets."""
_NUMBER = re.compile(r"-?\d+")


class Forecast:
    """The effects of the seat's lines on a copy of its table. Other seats do nothing wherever the
    rules allow that.

    Decisions of one wave are answered at the same time, before the table shows any of them. The
    forecast ends where chance, another player's choice or a hidden card decides, and where the
    seat would be asked.
    """

    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        """Forecast these lines, all of the seat's; ``own_place``, ``entries`` and ``end``
        are the result."""
        self.view, self.table = view, view.table_again()
        self.entries: list[Entry] = []
        """The entries that would follow."""
        self.end = ""
        """Why the forecast ends."""
        self.own_place: Place | None = None
        """The seat's own place after its last act that comes before any change by others; None if
        there is no such act. Later changes, by whomever, do not count."""
        state = self.table.state
        self.orders = view.play.ruleset.orders(view.seat, state.round, lines, state)
        self._listed_kinds = {line.kind for line in lines if not line.always}
        self._public_entry_count = 0
        self._run()

    def _run(self) -> None:
        """Settle one question after the other until one cannot be settled, the game is over, or
        there were too many. Only entries up to the seat's own decide ``own_place``."""
        own_place, is_unchanged_by_others, has_acted = self._own_place(), True, False
        while self.table.pending and len(self.entries) < MAX_STEPS:
            key, decision = self.table.pending[0]
            settlement = self._settle(key, decision)
            if isinstance(settlement, str):
                self.end = settlement
                if is_unchanged_by_others and (has_acted or own_place == self._own_place()):
                    self._end_wave(has_acted)
                return
            entry = Entry(key, decision.seat, *settlement, to=decision.to)
            self.entries.append(entry)
            if entry.seat == self.view.seat and not has_acted:
                has_acted, is_unchanged_by_others = (
                    True,
                    is_unchanged_by_others and own_place == self._own_place(),
                )
            entry_count = self.table.entries
            self.table.take_answer(entry.text)
            self.orders.entered(entry, self.table.state)
            if (
                has_acted and is_unchanged_by_others and self.table.entries > entry_count
            ):  # the wave is complete
                own_place = self._own_place()
                self.own_place = self.own_place if decision.fact else own_place
            has_acted = has_acted and self.table.entries == entry_count
        self.end = "" if self.table.pending else "then the game is over"

    def _end_wave(self, has_acted: bool) -> None:
        """Set `own_place` although another player's choice ends the forecast inside a wave:
        complete the wave with any answers, because what others choose at the same time as the seat
        does not change its place."""
        texts = []
        for key, decision in self.table.pending:
            settlement = self._settle(key, decision)
            has_acted = has_acted or decision.seat == self.view.seat
            if not isinstance(settlement, str):
                texts.append(settlement[0])
            elif decision.seat != self.view.seat and (text := self._stand_in(decision)):
                texts.append(text)
            else:
                return
        if has_acted and len(self.table.open_decisions) > 1:
            for text in texts:
                self.table.take_answer(text)
            self.own_place = self._own_place()

    def _stand_in(self, decision: Decision) -> str:
        """Choose an answer for another seat. Of unknown cards it takes those with the greatest
        numbers, so that the round does not end at once for lack of food."""
        steps: list[str] = []
        while decision.script and decision.ends not in steps:
            options = decision.option_list(steps)
            if not options or len(steps) == MAX_STAND_IN_STEPS:
                return ""
            steps.append(decision.ends if decision.ends in options else options[0])
        cards = next(iter(self.view.play.ruleset.decks.values()))
        shown_card = max(cards, key=lambda card: int((_NUMBER.search(card) or "0")[0]))
        return _SHOWN_CARD.sub(shown_card, "; ".join(steps))

    def _own_place(self) -> Place | None:
        places = self.view.play.ruleset.scene(self.table.state).places
        return next((place for place in places if place.seat == self.view.seat), None)

    @property
    def sentences(self) -> list[str]:
        """The entries as sentences, and why the forecast ends."""
        teller = Teller(self.view.play.ruleset, self.view.names)
        sentences = [sentence for entry in self.entries for sentence in teller.entry(entry)]
        return [*sentences, self.end or "and so on"]

    def _settle(self, key: str, decision: Decision) -> tuple[str, str] | str:
        """Return the answer to a question and how it was settled; or, if nobody can tell, a
        sentence on what comes then."""
        options = decision.option_list([]) if decision.script else decision.option_list()
        if decision.seat == CHANCE:
            return "then chance decides"
        if decision.fact:
            is_known = UNKNOWN not in options[0]
            return (options[0], "fact") if is_known else "then other players' cards are revealed"
        kind = self.view.play.ruleset.kinds[decision.kind]
        if decision.seat != self.view.seat:
            return self._settle_for_other_seat(kind, decision, options)
        if answer := self.orders.answer(key, decision, self.table.state):
            return answer
        if len(options) == 1 and self._all_see_one():
            return options[0], "forced"
        if decision.unasked and decision.default:
            return decision.default(), "default"
        sentence = f"then you are asked for {kind.name} ({kind.question})"
        if decision.script and kind.name in self._listed_kinds:
            sentence = (
                f'your lines for {kind.name} do not end with "{kind.ends}", so they do not count'
            )
            return f"{sentence} yet; you are asked again ({kind.question})"
        return sentence

    @cached_property
    def _public(self) -> Table[Any]:
        return self.view.table_again(PUBLIC)

    def _all_see_one(self) -> bool:
        """Return whether the public table too lists only one option: it does not show which hidden
        cards are equal, so it can list several where this seat sees one."""
        for entry in self.entries[self._public_entry_count :]:
            self._public.take_answer(entry.masked_for(PUBLIC).text)
        self._public_entry_count = len(self.entries)
        return forced(self._public.pending[0][1])

    def _settle_for_other_seat(
        self, kind: QuestionKind, decision: Decision, options: list[str]
    ) -> tuple[str, str] | str:
        """Answer for another seat, if it has no choice, may do nothing, or has a default that needs
        no hidden card; otherwise return a sentence that the seat decides."""
        if len(set(options)) == 1 and not decision.script:  # one step is not an answer
            return options[0], "" if UNKNOWN in options[0] else "forced"
        if DONE in options:
            return DONE, "default"
        if decision.default and not decision.script and not any(UNKNOWN in o for o in options):
            return decision.default(), "default"
        name = self.view.names.get(decision.seat, decision.seat)
        return f"then {name} decides ({kind.question})"


def lines_now(
    ruleset: Ruleset[Any], state: Any, decision: Decision, lines: Sequence[Line]
) -> list[str]:
    """Say what each line would choose if it were alone: `"plants only" → a1 eats`."""
    if decision.script:
        return []
    options, rows = decision.option_list(), []
    for line in lines:
        ready_call = ruleset.ready_lines.read(line.kind, line.text)
        if ready_call is not None and ready_call.line.keeps:
            remaining_options = ready_call.line.keeps(
                state.clone(PUBLIC), decision.seat, options, ready_call.argument
            )
            omitted_count = len(options) - len(remaining_options) if remaining_options else 0
            quantity = f"{omitted_count} of {len(options)} choices" if omitted_count else "nothing"
            effect = f"leaves out {quantity}"
        else:
            seat = decision.seat
            choice = (
                chosen_option(ready_call, state, seat, options)
                if ready_call
                else first_fit(line.text, options)
            )
            effect = spaced(bare(choice)) if choice else "nothing: it is not possible now"
        rows.append(f"{quote_option(line.text)} → {effect}")
    return rows
