"""Whole games in which three people see only their emails: Bo the text, Cy and Di the page."""

import random
from collections import Counter
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine import bare
from pbem.desk.send import MailSeat
from pbem.mailseats.order_form import OrderForm
from pbem.screen.tell import spaced
from tests.kit.mail_seats import (
    asked_in,
    letters,
    links_in,
    ok,
    opened,
    orders_of_bo,
    receive,
    reply,
    text_of,
)
from tests.kit.named_games import session_of
from tests.kit.people import TABLE, Person, Round

RULESETS = ["evolution", "digital", "climate", "origin", "classroom"]
PEOPLE = {"a": "Bo", "b": "Cy", "c": "Di"}
PLAYERS = ",".join(f"{name} <{name.lower()}@example.org>" for name in PEOPLE.values())
NEW = f'--players "{PLAYERS}" --mail-seats Bo,Cy,Di --deadline never --referee Rhea'
WORDS = ["{0}", "{0} please", "I'll take {0}, thanks!", "Hi Rhea,\n\n{0}\n\nBest,\nBo", "no. {0}"]
VAGUE = ["{0} or {1}", "{0}? or rather {1}", "not sure, maybe {0}"]


class Player:
    """A person who reads only emails, and writes as the seat's letter says."""

    def __init__(self, rhea: Person, seat: str, chance: random.Random) -> None:
        self.rhea, self.seat, self.chance, self.sent = rhea, seat, chance, 0

    def last(self, kind: str) -> EmailMessage:
        """The last email to this player: the `turn` mail, or an `answer`."""
        mine = [one for one in letters(self.rhea) if f"-{self.seat}" in one.stem]
        return opened([one for one in mine if ("answer" in one.name) is (kind == "answer")][-1])

    def send(self, mail: EmailMessage, said: str) -> str:
        """Reply; the text of the answer."""
        self.sent += 1
        ident = f"<{self.seat}{self.sent}.{self.chance.random()}@mail.example.org>"
        ok(receive(self.rhea, reply(mail, said, Message_ID=ident)))
        return text_of(self.last("answer"))

    def tap(self, tap: EmailMessage) -> str:
        """Send what a link opens, as it is; the text of the answer."""
        self.sent += 1
        del tap["Message-ID"]
        tap["Message-ID"] = f"<{self.seat}{self.sent}.{self.chance.random()}@mail.example.org>"
        ok(receive(self.rhea, tap.as_bytes()))
        return text_of(self.last("answer"))

    def answers(self, counts: Counter[str]) -> None:
        """Answer the turn mail until nothing is asked any more."""
        ok(self.rhea.pbem(f"send --again --to {self.seat} -C savannah"))
        mail = self.last("turn")
        for attempt in range(6):
            asked = asked_in(text_of(mail))
            if not asked:
                return
            numbers = next(iter(asked.values()))
            number = numbers[0] if attempt > 1 else self.chance.choice(numbers)
            told = self._writes(mail, number, numbers, counts)
            if "NOT COUNTED YET" in told:
                counts["asked back"] += 1
                taps = links_in(self.last("answer"))
                if not taps:
                    continue
                number, told = "", self.tap(taps[0])
            if "\nUNDERSTOOD" in told:
                counts["counted"] += 1
                self._check(number, counts)
                if "You still have to answer" not in told:
                    return
                mail = self.last("answer")
        raise AssertionError(told)

    def _writes(
        self, mail: EmailMessage, number: str, numbers: list[str], counts: Counter[str]
    ) -> str:
        counts["emails"] += 1
        if self.seat == "a":
            return self.send(mail, self.chance.choice(WORDS).format(number))
        if self.seat == "c" and len(numbers) > 1 and self.chance.random() < 0.2:
            other = next(one for one in numbers if one != number)
            told = self.send(mail, self.chance.choice(VAGUE).format(number, other))
            assert "NOT COUNTED YET" in told, told
            return told
        taps = {tap.get_content().strip(): tap for tap in links_in(mail)}
        return self.tap(taps[number]) if number in taps else self.send(mail, number)

    def _check(self, number: str, counts: Counter[str]) -> None:
        """Count what is sealed but was not written."""
        view = MailSeat(session_of(self.rhea), self.seat).view
        meant = OrderForm(view).by_number[int(number)] if number else None
        sealed = [spaced(bare(line)) for line in orders_of_bo(self.rhea, self.seat)]
        if meant and f"{meant.kind}: {spaced(bare(meant.text))}" not in sealed:
            counts["misread"] += 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_some_turns_by_mail_alone(ruleset: str, tmp_path: Path):
    counts, _ = played(Round(tmp_path), ruleset, turns=8)
    assert counts["counted"] >= 8


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_by_mail_alone(ruleset: str, tmp_path: Path):
    counts, over = played(Round(tmp_path), ruleset, turns=400)
    assert over
    assert counts["counted"] > 10


def played(table: Round, ruleset: str, turns: int) -> tuple[Counter[str], bool]:
    """Play some turns; what was counted, and whether the game is over."""
    rhea, chance, counts = table.person("rhea"), random.Random(ruleset), Counter[str]()
    ok(rhea.pbem(f"new savannah --game {ruleset} {NEW} --table {TABLE}"))
    people = {seat: Player(rhea, seat, chance) for seat in PEOPLE}
    over = table.shared / "savannah" / "final.toml"
    for _ in range(turns):
        assert rhea.pbem("advance -C savannah").exit in (0, 5)
        if over.exists():
            break
        counts["turns"] += 1
        status = rhea.pbem("status -C savannah").out
        for seat, name in PEOPLE.items():
            if f"{seat} {name} (by email): MISSING" in status:
                people[seat].answers(counts)
    print(ruleset, dict(counts), "over" if over.exists() else "goes on")
    assert counts["misread"] == 0
    return counts, over.exists()
