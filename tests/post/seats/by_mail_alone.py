"""Three people who play whole games and see only their emails: Bo the text, Cy and Di the page.

What they write is built from the emails alone. What was sealed is then compared with what they
meant, which is the only thing for which the game itself is asked.
"""

import random
import re
from collections import Counter
from email.message import EmailMessage

from engine import bare
from pbem.acts.emails_to_seat_by_mail import MailSeat
from pbem.plain_email.order_form import OrderForm
from pbem.terminal.game_prose import spaced
from tests.kit.mail_seats import (
    ASKED,
    letters,
    links_in,
    mail_in_file,
    receive,
    reply,
    sealed_lines,
    successful,
    text_of,
)
from tests.kit.named_games import session_of
from tests.kit.people import TABLE, Person, Round

RULESETS = ["evolution", "digital", "climate", "origin", "classroom"]
PEOPLE = {"a": "Bo", "b": "Cy", "c": "Di"}
PLAYERS = ",".join(f"{name} <{name.lower()}@example.org>" for name in PEOPLE.values())
NEW = f'--players "{PLAYERS}" --mail-seats Bo,Cy,Di --deadline never --referee Rhea'
MOST_TRIES = 12
WAYS = {
    "number": [
        "{n}", "{n} please", "I'll take {n}, thanks!", "Hi Rhea,\n\n{n}\n\nBest,\n{me}", "no. {n}",
        "{n}.\n\nSent from my phone", "option {n}", "{n}\n-- \n{me}\nRoom 12, tel. 030 44",
        "{n}. When is the next game?",
    ],
    "as it stands": ["{words}", "{n}: {words}", "{words}, please", "{words}.\n\nCheers\n{me}"],
    "several": ["{n}, {m}", "{n} and {m}", "{n}\n{m}", "{n} then {m}"],
    "prose": [
        "I think I will go for {words} this time", "Let me have {words} :)", "{short}",
        "so, {words} it is!", "Morning! Bad night, two kids with a cough. {words}, I guess.",
        "what about {short}", "Ann would hate it, but: {words}",
    ],
    "vague": [
        "{n} or {m}", "{n}? or rather {m}", "not sure, maybe {n}", "anything but {n}",
        "{n}, unless somebody attacks me", "what does {n} do?",
    ],
    "talk": ["Is it me?", "Nice weather here. And where you are?", "tell: well played, everybody!"],
    "command": ["help", "status", "show", "more", "rules", "explain food"],
}  # fmt: skip
"""The ways to answer: `n` and `m` are numbers of choices, `words` and `short` their words."""
SILENT = ("vague", "talk", "command")
"""The ways that order nothing."""


def choices_in(text: str) -> dict[str, str]:
    """The numbers of the first question that an email asks, with the words of their choices."""
    for _, rows in ASKED.findall(text):
        joined = re.sub(r"\n {4,}(?=\S)", " ", rows)
        if listed := re.findall(r"^ {2}(\d+): (.*?)(?: {3}\(.*\))?$", joined, re.M):
            return dict(listed)
    return {}


class Player:
    """A person who reads only emails, and answers as they say."""

    def __init__(self, rhea: Person, seat: str, chance: random.Random) -> None:
        self.rhea, self.seat, self.chance = rhea, seat, chance
        self.counts = Counter[str]()

    def turn_mail(self) -> EmailMessage:
        """The last turn mail to this player."""
        mine = re.compile(rf".*-\d+-{self.seat}(-v\d+)?")
        return mail_in_file([one for one in letters(self.rhea) if mine.fullmatch(one.stem)][-1])

    def send(self, mail: EmailMessage | bytes) -> EmailMessage | None:
        """Send an email; the answer that `receive` names, or None if it leaves that to Rhea."""
        self.counts["emails"] += 1
        said, name = successful(receive(self.rhea, bytes(mail))).out, PEOPLE[self.seat]
        if f"pbem has answered {name} too often" in said and "wrote " not in said:
            self.counts["no answer"] += 1
            return None
        [(path, to)] = re.findall(r"^wrote (.*\.eml) \(an email to (\w+)\)$", said, re.M)
        assert to == name
        return mail_in_file(self.rhea.place / path)

    def writes(self, mail: EmailMessage, said: str) -> EmailMessage | None:
        """Reply in plain text; the answer."""
        return self.send(reply(mail, said, Message_ID=self._ident()))

    def taps(self, tap: EmailMessage) -> EmailMessage | None:
        """Send what a link opens, as it is; the answer."""
        del tap["Message-ID"]
        tap["Message-ID"] = self._ident()
        return self.send(tap)

    def _ident(self) -> str:
        return f"<{self.seat}.{self.chance.random()}@mail.example.org>"

    def answers(self) -> None:
        """Answer the turn mail until nothing is asked any more."""
        successful(self.rhea.pbem(f"send --to {self.seat} -C savannah"))
        mail = self.turn_mail()
        for attempt in range(MOST_TRIES):
            choices = choices_in(text_of(mail))
            if not choices:
                return
            mail = self._answers(mail, choices, plainly=attempt > MOST_TRIES // 2)
            told = text_of(mail)
            if "\nUNDERSTOOD" in told and "You still have to answer" not in told:
                return
        raise AssertionError(told)

    def _answers(
        self, mail: EmailMessage, choices: dict[str, str], *, plainly: bool
    ) -> EmailMessage:
        """Answer in some way; the answer to that, or to the tap on what it offers.

        Without an answer, the player still has the email that was there before.
        """
        before, chance = self._sealed(), self.chance
        number, other = (*chance.sample(sorted(choices), 2), "")[:2] if len(choices) > 1 else (
            next(iter(choices)), "")  # fmt: skip
        number = next(iter(choices)) if plainly else number
        links = {tap.get_content().strip(): tap for tap in links_in(mail)}
        way = self._way(bool(other), plainly)
        self.counts[way] += 1
        if way == "tap" and number in links:
            told, meant = self.taps(links[number]), [number]
        else:
            words = choices[number]
            said = "{n}" if way == "tap" else chance.choice(WAYS[way])
            short = " ".join(word[:5] for word in words.split())
            said = said.format(n=number, m=other, words=words, short=short, me=PEOPLE[self.seat])
            told = self.writes(mail, said)
            meant = [] if way in SILENT else [number, other] if way == "several" else [number]
        if told is not None and "NOT COUNTED YET" in text_of(told):
            self.counts["asked back"] += 1
            offered = {tap.get_content().strip(): tap for tap in links_in(told)}
            known = [body for body in offered if self._lines([number]) == self._said_by(body)]
            self._judge(before, [], told)
            if not (known and meant):
                return told
            self.counts["one tap"] += 1
            told, meant = self.taps(offered[known[0]]), [number]
        self._judge(before, meant, told)
        return mail if told is None else told

    def _way(self, has_several: bool, plainly: bool) -> str:
        ways = ["tap"] if self.seat != "a" else ["number"]
        if plainly:
            return ways[0]
        ways = ways * 6 + ["as it stands", "prose", "talk", "command"] * (1 + (self.seat == "a"))
        ways += ["several", "vague"] if has_several else []
        return self.chance.choice(ways)

    # -------------------------------------------------------------- what was sealed
    def _sealed(self) -> list[str]:
        lines = [spaced(bare(line)) for line in sealed_lines(self.rhea, self.seat)]
        return [line for line in lines if not line.startswith("always")]

    def _lines(self, numbers: list[str]) -> list[str]:
        view = MailSeat(session_of(self.rhea), self.seat).view
        meant = [OrderForm(view).choices_by_number[int(number)] for number in numbers]
        return [f"{one.kind}: {spaced(bare(one.text))}" for one in meant]

    def _said_by(self, body: str) -> list[str]:
        """The lines that the body of a link stands for: numbers, or lines."""
        return self._lines(re.findall(r"\d+", body)) if body[0].isdigit() else body.split("\n")

    def _judge(self, before: list[str], meant: list[str], told: EmailMessage | None) -> None:
        """Count an email of which something is sealed that it did not mean."""
        after, lines = self._sealed(), self._lines(meant)
        if told is None or "\nUNDERSTOOD" not in text_of(told):
            self.counts["misread"] += after != before
            return
        self.counts["sealed"] += 1
        kinds = {line.partition(":")[0] for line in lines}
        end = re.search(r"The last choice must\s+be: (\w+)\.", text_of(self.turn_mail()))
        ends = {f"{kind}: {said}" for kind in kinds for said in ("done", end[1] if end else "")}
        mine = [line for line in after if line.partition(":")[0] in kinds]
        right = [line for line in mine if line in lines] == lines and {*mine} <= {*lines, *ends}
        self.counts["misread"] += not right


def begin_by_mail(table: Round, ruleset: str, seed: str) -> dict[str, Player]:
    """Begin a game; its players by their seats."""
    rhea = table.person("rhea")
    successful(rhea.pbem(f"new savannah --game {ruleset} {NEW} --table {TABLE}"))
    return {seat: Player(rhea, seat, random.Random(f"{seed}{seat}")) for seat in PEOPLE}


def play_by_mail(table: Round, ruleset: str, turns: int, seed: str) -> tuple[Counter[str], bool]:
    """Play some turns; what was counted, and whether the game is over."""
    people, counts = begin_by_mail(table, ruleset, seed), Counter[str]()
    rhea = table.person("rhea")
    over = table.shared / "savannah" / "final.toml"
    for _ in range(turns):
        assert rhea.pbem("advance -C savannah").exit in (0, 5)
        if over.exists():
            break
        counts["turns"] += 1
        status = rhea.pbem("status -C savannah").out
        for seat, name in PEOPLE.items():
            if f"{seat} {name} (by email): MISSING" in status:
                people[seat].answers()
                round_number = re.search(r"^round (\d+)", text_of(people[seat].turn_mail()), re.M)
                counts["rounds"] = int(round_number[1]) if round_number else counts["rounds"]
    return sum((one.counts for one in people.values()), counts), over.exists()
