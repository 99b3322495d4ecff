"""Games on a host, by commands: from `new --at` to "Proven"."""

import os
import re
import time
from unittest.mock import patch

import pytest

from pbem.host.kept_games import FRESH_SECONDS
from tests.host.host_games import RULESETS, bot_answers, make_on_host
from tests.kit.named_games import answer_as_bot, session_at
from tests.kit.people import NOW, Person, Round, output_of
from tests.kit.processes import PATIENCE
from tests.kit.running_host import RunningHost
from tests.kit.table_requests import enter_table, send_form

BUCKET = "s3://club/games"
"""Where the host `in_bucket` keeps its games."""


class Places:
    """Rhea deals and plays on the host; Ann uses the host too; Bo gets bundles by mail; Cy uses the
    bucket in which the host keeps its games, past the host."""

    def __init__(self, table: Round, host: RunningHost, ruleset: str) -> None:
        host.host.counts.requests.limit = 1_000_000  # a game of hours is played in a minute
        line = f"--players Rhea,Ann,Bo,Cy --referee-plays --game {ruleset}"
        self.address, lines = make_on_host(table, host, line)
        people = (table.person(name) for name in ("rhea", "ann", "bo", "cy"))
        self.rhea, self.ann, self.bo, self.cy = people
        self.post = table.root / "bundle.txt"
        output_of(self.ann, lines["Ann"])
        self.bo.place = table.root / "far-away"
        self.bo.place.mkdir()
        assert self.mail(self.rhea, f"-C {self.address} --to Bo", self.bo, "")
        self.folder = str(next(self.bo.place.iterdir()))
        output_of(self.bo, ["join", "-C", self.folder, lines["Bo"].partition("--invite ")[2]])
        self.mail_from_bo()
        self.bucket = f"{BUCKET}/{host.games.game_at(self.address[-32:]).name}"
        output_of(self.cy, lines["Cy"].replace(self.address, self.bucket))

    def mail(self, writer: Person, options: str, reader: Person, place: str) -> bool:
        """Send a bundle and read it; return whether there was anything to send."""
        self.post.unlink(missing_ok=True)
        if writer.pbem(f"send {options} -o {self.post}").exit:
            return False
        output_of(reader, f"receive {place} {self.post}")
        return True

    def mail_from_bo(self) -> None:
        assert self.mail(self.bo, f"-C {self.folder}", self.rhea, f"-C {self.address}")

    def advance(self) -> str:
        said = self.rhea.pbem(f"advance -C {self.address}")
        assert said.exit in (0, 5), said.text
        if "seal your own orders first" in said.text:
            with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(NOW)}):
                answer_as_bot(session_at(self.address, self.rhea), "a")
        return said.text

    def play(self) -> None:
        """Everybody answers, from their place, until the game is over."""
        said, answered_at = self.advance(), time.monotonic()
        while "the game is over" not in said:
            answered = "seal your own orders first" in said or "made turns" in said
            answered |= bot_answers(self.ann, self.address, "b")
            self.mail(self.rhea, f"-C {self.address} --to Bo", self.bo, f"-C {self.folder}")
            if bot_answers(self.bo, self.folder, "c"):
                self.mail_from_bo()
                answered = True
            answered |= bot_answers(self.cy, self.bucket, "d")
            if answered:
                answered_at = time.monotonic()
            else:  # the host may not have looked into its bucket since Cy's answer
                assert time.monotonic() < answered_at + PATIENCE, said
                time.sleep(FRESH_SECONDS)
            said = self.advance()
        self.mail(self.rhea, f"-C {self.address} --to Bo", self.bo, f"-C {self.folder}")


@pytest.mark.host
@pytest.mark.parametrize(
    "ruleset",
    [pytest.param(one, marks=[] if one == "classroom" else pytest.mark.long) for one in RULESETS],
)
def test_people_at_a_host_by_mail_and_in_its_bucket_play_a_game_to_the_end(
    table: Round, in_bucket: RunningHost, ruleset: str
) -> None:
    places = Places(table, in_bucket, ruleset)
    places.play()
    for place in (places.address, places.folder, places.bucket):
        table.person("eve").pbem(f"audit {place}").checked(0, out="Proven: ")


@pytest.mark.long
def test_the_secret_address_of_a_game_is_in_no_record_and_no_folder_name(table, host):
    address, lines = make_on_host(table, host, "--players Ann,Bo")
    output_of(table.person("ann"), lines["Ann"])
    secret = address.rpartition("/")[2]
    for path in (table.root / "data").rglob("*"):
        assert secret not in str(path)
        assert path.is_dir() or secret.encode() not in path.read_bytes()


def test_a_pasted_line_is_enough_to_join_a_game_on_a_host(table: Round, host: RunningHost):
    address, lines = make_on_host(table, host, "--players Ann,Bo,Cy")
    output_of(table.person("ann"), ["join", f"  Ann:  pbem {lines['Ann']}"])
    said = output_of(table.person("bo"), ["join", "-"], f"Bo: pbem {lines['Bo']}\n")
    next_line = re.search(r"next: wait for the referee; `pbem (.*)` says when", said)
    assert "not begun" in output_of(table.person("bo"), next_line[1]), (
        "what it says next works as typed"
    )
    assert address in output_of(table.person("bo"), "list")
    wrong = lines["Cy"].replace(address[-32:], "ab" * 16)
    said = table.person("cy").pbem(["join", wrong]).checked(2)
    assert "Traceback" not in said.text


@pytest.mark.long
def test_a_line_pasted_at_pbem_table_is_enough_to_join_a_game_on_a_host(table, host):
    address, lines = make_on_host(table, host, "--players Ann,Bo --game origin")
    asking = enter_table(table.person("ann"))
    answer = send_form(asking, "/join", invite=f"Ann:  pbem {lines['Ann']}")
    assert answer.status == 200, answer.text
    assert b"seats/a-" in host.games.game_at(address[-32:]).tagged_list()[1]
    output_of(table.person("bo"), lines["Bo"])
    output_of(table.person("rhea"), f"advance -C {address}")
    shown = asking.get("/").text
    assert "savannah" in shown
    assert "your move" in shown.lower(), shown
