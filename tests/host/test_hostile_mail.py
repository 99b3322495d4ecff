"""Mail to a host that deals: it makes no games, and goes by the limits that requests go by."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.mail.write_and_describe_bundle import format_bundle
from tests.host.dealing import FORM, POOL, everybody_joins, game_from_form, wait_for_turn
from tests.host.host_games import bot_answers
from tests.host.writer import LARGE, SMALL, Writer
from tests.kit.people import NOW, Round, key_of, output_of
from tests.kit.processes import until
from tests.kit.record_files import record_at
from tests.kit.running_host import HostProcess
from tests.kit.small_mail_servers import BO, RHEA, MailHost, use_small_servers
from tests.post.collecting import mail_with_text

pytestmark = pytest.mark.host


@pytest.fixture
def host_reading_mail(tmp_path: Path, table: Round, mail_server: MailHost) -> Iterator[HostProcess]:
    """A host that deals and reads a mailbox, with the games where mail would make new ones."""
    data = tmp_path / "data"
    owner = replace(table.person("owner"), home=tmp_path / "owner" / "dealer")
    use_small_servers(owner, mail_server)
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


def test_mail_makes_no_game_on_a_host(host_reading_mail, table, mail_server):
    """Eve has never been here. Her game would be made beside those of the host."""
    game_from_form(host_reading_mail, FORM)
    eve = table.person("eve")
    output_of(eve, "new pond --players Ann,Bo")
    charter = record_at(table.shared / "pond" / "game.toml")
    data = Path(host_reading_mail.data)
    until(lambda: any(data.glob("dealing-*/*")))  # it has the folders that it needs to deal
    before = {one.name for one in data.iterdir()}
    mail_server.put(RHEA, mail_with_text("eve@example.org", format_bundle([charter], "pond")))
    wait_until_read(host_reading_mail, mail_server)
    assert {one.name for one in data.iterdir()} == before
    home = host_reading_mail.home / "dealer" / "games"
    assert len(list(home.iterdir())) == 1, "nothing is kept of a game that is not here"
    host_reading_mail.stop()
    host_reading_mail.start()


def test_a_strange_folder_beside_the_games_keeps_no_host_from_starting(host_reading_mail):
    game_from_form(host_reading_mail, FORM)
    host_reading_mail.stop()
    (Path(host_reading_mail.data) / "holidays").mkdir()
    host_reading_mail.start()
    told = "pbem does not touch 'holidays', because it is not a game that this host keeps"
    until(
        lambda: told in host_reading_mail.log.read_text(),
        every=0.1,
        why=host_reading_mail.log.read_text,
    )
    game_from_form(host_reading_mail, FORM)


def test_mail_to_a_host_is_limited_like_requests(host_reading_mail, table, mail_server):
    ann, bo = everybody_joins(host_reading_mail, table, FORM | {"players": "Ann,Bo"})
    address = ann.env["PBEM_FOLDER"]
    wait_for_turn(address, 1)
    writer = Writer(bo, address, "b", key_of("bo"))
    many = [writer.made(number % 99 + 1, SMALL) for number in range(150)]
    large = [writer.made(number + 1, LARGE) for number in range(10)]
    mail_server.put(RHEA, mail_with_text(BO, format_bundle(large, "large"), "<1@example.org>"))
    mail_server.put(RHEA, mail_with_text(BO, format_bundle(many, "many"), "<2@example.org>"))
    wait_until_read(host_reading_mail, mail_server)
    refusal = "seat b already has 40 sets of orders for turn 1"
    until(lambda: refusal in host_reading_mail.log.read_text(), why=host_reading_mail.log.read_text)
    listed = POOL.request("GET", f"{address}/").data.decode().splitlines()
    sizes = [int(line.split()[1]) for line in listed if line.startswith("orders/0001-b")]
    assert 4 <= len(sizes) <= 40
    assert sum(size > 16_384 for size in sizes) == 4
    assert bot_answers(ann, address, "a")
