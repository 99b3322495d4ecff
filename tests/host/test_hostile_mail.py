"""Mail to a host that deals: it makes no games, and goes by the limits that requests go by."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.mail.sending import bundle
from pbem.records.read_record import read
from tests.host.dealing import FORM, POOL, everybody_joins, start_game, wait_for_turn
from tests.host.host_games import bot_answers
from tests.host.writer import LARGE, SMALL, Writer
from tests.kit.people import NOW, Round, key_of, output_of
from tests.kit.processes import until
from tests.kit.running_host import HostProcess
from tests.kit.small_mail_servers import BO, RHEA, MailHost, mail_host, use_small_servers
from tests.post.collecting import mail_with_text

pytestmark = pytest.mark.host


@pytest.fixture
def mails() -> Iterator[MailHost]:
    with mail_host() as found:
        yield found


@pytest.fixture
def dealing(tmp_path: Path, table: Round, mails: MailHost) -> Iterator[HostProcess]:
    """A host that deals and reads a mailbox, with the games where mail would make new ones."""
    data = tmp_path / "data"
    owner = replace(table.person("owner"), home=tmp_path / "owner" / "dealer")
    use_small_servers(owner, mails)
    output_of(owner, f"post setup --games {data}")
    host = HostProcess(str(data), tmp_path / "owner", "--deal", SOURCE_DATE_EPOCH=str(NOW))
    yield host
    host.stop()


def wait_until_read(host: HostProcess, mails: MailHost) -> None:
    """Start the host again, and wait until it has read all mail."""
    host.stop()
    host.start()
    last = max(mails.boxes[RHEA])
    until(lambda: last in mails.fetched, every=0.2, why=host.log.read_text)
    time.sleep(1)


def test_mail_makes_no_game_on_a_host(dealing: HostProcess, table: Round, mails: MailHost):
    """Eve has never been here. Her game would be made beside those of the host."""
    start_game(dealing, FORM)
    eve = table.person("eve")
    output_of(eve, "new pond --players Ann,Bo")
    charter = read((table.shared / "pond" / "game.toml").read_bytes())
    before = {one.name for one in Path(dealing.data).iterdir()}
    mails.put(RHEA, mail_with_text("eve@example.org", bundle([charter], "pond")))
    wait_until_read(dealing, mails)
    assert {one.name for one in Path(dealing.data).iterdir()} == before
    home = dealing.home / "dealer" / "games"
    assert len(list(home.iterdir())) == 1, "nothing is kept of a game that is not here"
    dealing.stop()
    dealing.start()


def test_a_folder_beside_the_games_keeps_no_host_from_starting(dealing: HostProcess):
    start_game(dealing, FORM)
    dealing.stop()
    (Path(dealing.data) / "holidays").mkdir()
    dealing.start()
    told = "'holidays' is no game of a host, so it is left alone"
    until(lambda: told in dealing.log.read_text(), every=0.1, why=dealing.log.read_text)
    start_game(dealing, FORM)


def test_mail_goes_by_the_limits_of_requests(dealing: HostProcess, table: Round, mails: MailHost):
    """Bo mails 150 small sets of orders and ten large ones; Ann's mail still counts."""
    ann, bo = everybody_joins(dealing, table, FORM | {"players": "Ann,Bo"})
    address = ann.env["PBEM_FOLDER"]
    wait_for_turn(address, 1)
    writer = Writer(bo, address, "b", key_of("bo"))
    many = [writer.made(number % 99 + 1, SMALL) for number in range(150)]
    large = [writer.made(number + 1, LARGE) for number in range(10)]
    mails.put(RHEA, mail_with_text(BO, bundle(large, "large"), "<1@example.org>"))
    mails.put(RHEA, mail_with_text(BO, bundle(many, "many"), "<2@example.org>"))
    wait_until_read(dealing, mails)
    listed = POOL.request("GET", f"{address}/").data.decode().splitlines()
    sizes = [int(line.split()[1]) for line in listed if line.startswith("orders/0001-b")]
    assert 4 <= len(sizes) <= 40
    assert sum(size > 16_384 for size in sizes) == 4
    assert bot_answers(ann, address, "a")
    said = dealing.log.read_text()
    assert "seat b already has 40 sets of orders for turn 1" in said
