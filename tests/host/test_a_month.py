"""A month on a host that deals: ten players, five games, real mail; people are away, lose a phone,
vanish, and play again. Two looks a day, by a clock that the test sets."""

import html
import json
import os
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import pytest
import urllib3

from tests.host.dealing import response_of_host
from tests.kit.mail_seats import opened_bytes
from tests.kit.named_games import answer_once_as_bot, session_at
from tests.kit.people import NOW, Person, Round, output_of
from tests.kit.real_mail_servers import MailServer, give_mailbox, server
from tests.kit.running_host import HostProcess

__all__ = ["server"]
pytestmark = [pytest.mark.host, pytest.mark.long]
TOKEN = "friends-of-the-pond"
HALF_DAY = 12 * 3600
LOOKS = int(os.environ.get("PBEM_LOOKS", "60"))
TABLES = {
    "evolution": "Ann Bo Cy", "digital": "Ann Di", "climate": "Ed Flo Gus",
    "origin": "Hal Ida Bo", "classroom": "Jo Cy Di Ann",
}  # fmt: skip
LOST, VANISHES, AWAY = 10, 5, 8
"""At which look Bo loses his phone, Gus vanishes, and Ann goes away for five days."""


@dataclass
class Table:
    """One game, as its players know it."""

    ruleset: str
    title: str
    address: str
    page: str
    seats: dict[str, Person] = field(default_factory=dict)
    ever: set[str] = field(default_factory=set)
    """Everybody who ever had a seat."""

    def turn(self) -> int:
        return max([0, *self.turns()])

    def turns(self) -> list[int]:
        return [int(n) for n in re.findall(r"turns/(\d+)", self.listed())]

    def listed(self) -> str:
        return urllib3.request("GET", f"{self.address}/").data.decode()

    @property
    def over(self) -> bool:
        return "final.toml" in self.listed()


class Month:
    def __init__(self, root: Path, server: MailServer) -> None:
        self.round, self.server, self.chance = Round(root), server, random.Random(5)
        self.now = NOW
        (root / "tokens").write_text(TOKEN)
        dealer = Person("rhea", root / "owner" / "dealer", root, root)
        (root / "owner").mkdir()
        give_mailbox(dealer, server)
        options = ["--deal", "--token-file", str(root / "tokens")]
        self.host = HostProcess(
            str(root / "data"), root / "owner", *options, SOURCE_DATE_EPOCH=str(NOW)
        )
        self.people = {
            name: self.round.person(name.lower())
            for names in TABLES.values()
            for name in names.split()
        }
        for name in self.people:
            server.empty(name.lower())
        self.tables = [self.started(rules, names.split()) for rules, names in TABLES.items()]

    def started(self, ruleset: str, names: list[str]) -> Table:
        players = [f"{name} <{self.server.address(name.lower())}>" for name in names]
        form = {"players": "\n".join(players), "game": ruleset, "pace": "day", "token": TOKEN}
        said = response_of_host(self.host, "/new", form | {"title": f"Our {ruleset}"}, data=True)
        assert said.status == 201, said.data
        (game,) = json.loads(said.data)
        table = Table(ruleset, game["title"], game["address"], game["page"])
        for seat in game["seats"]:
            self.join(table, self.people[seat["name"]], seat["seat"], seat["command"])
        return table

    def join(self, table: Table, who: Person, seat: str, command: str, more: str = "") -> None:
        output_of(who, f"{command.removeprefix('pbem ')} {more}")
        table.seats[seat] = who
        table.ever.add(who.name)

    # -------------------------------------------------------------- time
    def half_a_day(self) -> None:
        """Let the clock of everybody go on; the host is started again, and makes what is due."""
        self.now += HALF_DAY
        self.host.restart_at(self.now)
        for who in self.people.values():
            who.env["SOURCE_DATE_EPOCH"] = str(self.now)

    def settle(self) -> None:
        """Wait until the host has looked after every game."""
        before: list[str] = []
        while (lists := [table.listed() for table in self.tables]) != before:
            before = lists
            wait_a_little()

    def evening(self, here: set[str]) -> None:
        """Most of those who are here look at their games, and answer."""
        for table in self.tables:
            for seat, who in sorted(table.seats.items()) if not table.over else ():
                if who.name in here and self.chance.random() < 0.85:
                    self.plays(table, seat)

    def plays(self, table: Table, seat: str) -> None:
        """Somebody looks at a game, and answers if they are asked."""
        who = table.seats[seat]
        with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(self.now)}):
            session = session_at(table.address, who, seat)
            if seat in session.roles.seats:
                answer_once_as_bot(session, seat)


def tables_of(month: Month, name: str) -> list[tuple[Table, str]]:
    """The games of somebody that are not over, each with their seat."""
    mine = [(table, seat) for table in month.tables for seat, who in table.seats.items()
            if who.name == name]  # fmt: skip
    return [(table, seat) for table, seat in mine if not table.over]


def away_for(now: int) -> str:
    """Five days from now on, as somebody types them."""
    first, last = (time.strftime("%Y-%m-%d", time.gmtime(now + days * 86_400)) for days in (0, 5))
    return f"{first}..{last}"


def loses_the_phone(month: Month) -> None:
    """Bo has neither keys nor games any more; the others vouch for a new key, by voice."""
    lost = month.people["Bo"]
    new = Person("bo", lost.home.with_name("bo-new-phone"), lost.shared, lost.place, dict(lost.env))
    month.people["Bo"] = new
    for table, seat in tables_of(month, "bo"):
        said = output_of(new, f"notice key --lost --as {seat} -C {table.address}")
        line = re.search(rf"\b{seat}:[0-9a-f]{{64}}:[0-9a-f]{{64}}:[A-Z2-7]{{8}}", said)[0]
        for other, who in table.seats.items():
            if other != seat:
                output_of(who, f"notice vouch --yes {line} -C {table.address}")
        table.seats[seat] = new


def somebody_new(month: Month, old: str, name: str, gone: set[str]) -> None:
    """Whoever started a game looks at its page; if a seat is open, somebody gets a link for it."""
    for table, seat in tables_of(month, old):
        page = response_of_host(month.host, table.page).data.decode()
        if f'name="seat" value="{seat}"' in page:
            assert response_of_host(month.host, table.page, {"seat": seat}).status == 303
            page = response_of_host(month.host, table.page).data.decode()
            command = html.unescape(re.search(r"<code>pbem (join -C [^<]*)</code>", page)[1])
            new = month.round.person(f"{name}-too")
            new.env.update(month.people[name.title()].env)
            month.join(table, new, seat, command, f"--name '{name.title()} too'")
            gone.discard(old)


def rematch(month: Month, table: Table) -> Table:
    """The same people play again, by the page that the end of the game leads to."""
    page = response_of_host(month.host, f"/new?again={table.address[-32:]}").data.decode()
    names = html.unescape(re.search(r"<textarea[^>]*>([^<]*)<", page)[1]).split("\n")
    people = {who.name: who for who in table.seats.values()}
    assert sorted(name.split()[0].lower() for name in names) == sorted(
        name.partition("-")[0] for name in people
    )
    new = month.started(table.ruleset, [name for name in names if name in month.people])
    month.tables.append(new)
    return new


def check_month(month: Month) -> None:
    """No game is stuck, nothing is forged, and nobody got a mail twice or without a reason."""
    for table in month.tables:
        said = output_of(month.round.person("eve"), f"audit {table.address}")
        assert "fork" not in said
        turns = sorted((month.host.home.parent / "data").rglob("turns/*.toml"))
        assert turns
        if table.over:
            assert "Proven" in said
            continue
        status = month.round.person("eve").pbem(f"status -C {table.address} --json")
        dated = json.loads(status.out)["data"]["deadline"]
        assert dated > month.now, f"{table.title} waits for nobody's deadline"
    for name in month.people:
        mails = [opened_bytes(one) for one in month.server.letters(name.lower(), "rhea")]
        subjects = Counter(str(mail["Subject"]) for mail in mails)
        mine = [table for table in month.tables if name.lower() in table.ever]
        of_turns = sum(len(table.turns()) for table in mine)
        reminders = sum(count for subject, count in subjects.items() if "is waiting" in subject)
        print(name, len(mails), "mails,", reminders, "reminders,", of_turns, "turns")
        assert len(mails) - reminders <= of_turns + 3 * len(mine)
        assert reminders <= 2 * of_turns
        assert len(mails) > of_turns / 2, "turns are mailed"


def wait_a_little() -> None:
    time.sleep(3)


@pytest.fixture
def month(tmp_path: Path, server: MailServer) -> Iterator[Month]:
    one = Month(tmp_path, server)
    yield one
    one.host.stop()


def test_a_month(month: Month):
    gone, again = set[str](), list[Table]()
    for look in range(LOOKS):
        month.half_a_day()
        month.settle()
        if not again:
            again = [rematch(month, table) for table in month.tables if table.over][:1]
        here = set(month.people) - {name.title() for name in gone}
        here -= {"Ann"} if AWAY <= look < AWAY + 10 else set()
        month.evening({name.lower() for name in here} | {"hal-too"})
        if look == AWAY:
            for table, seat in tables_of(month, "ann"):
                output_of(
                    table.seats[seat], f"notice away '{away_for(month.now)}' -C {table.address}"
                )
        if look == LOST:
            loses_the_phone(month)
        if look == VANISHES:
            gone.add("gus")
        if "gus" in gone:
            somebody_new(month, "gus", "hal", gone)
    month.half_a_day()
    month.settle()
    assert again or LOOKS < 60, "no game ended and was played again"
    stands = [(table.title, table.turn(), table.over) for table in month.tables]
    assert not gone or LOOKS < 60, f"nobody took the seat over: {stands}"
    check_month(month)
