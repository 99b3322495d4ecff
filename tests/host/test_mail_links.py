"""What `pbem run` writes to the players of a game on a host: a link with which one plays."""

import re
import shlex
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.host.host_games import make_on_host
from tests.kit.mail_seats import opened_bytes, reply, text_of
from tests.kit.people import NOW, Person, output_of
from tests.kit.running_host import RunningHost, StartHost
from tests.kit.small_mail_servers import BO, RHEA, MailHost, mail_host, run_once, use_small_servers

CY = "cy@example.org"
DAY = 24 * 3600


@pytest.fixture
def with_page(start_host: StartHost, tmp_path: Path) -> RunningHost:
    """A host that serves a page."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<!DOCTYPE html>")
    (site / "site.json").write_text('{"hosts": []}')
    return start_host(site=site)


def newest_mail(host: MailHost, address: str) -> EmailMessage:
    return opened_bytes(host.mails(address)[-1])


def person_at(person: Person, seconds: int) -> Person:
    person.env["SOURCE_DATE_EPOCH"] = str(NOW + seconds)
    return person


@pytest.mark.long
def test_every_mail_to_a_player_has_a_link_that_opens_the_game(table, with_page):
    address, lines = make_on_host(
        table, with_page, "--players Ann,Cy --game classroom --bots greedy:1 --deadline 2d"
    )
    rhea, ann, cy = (table.person(name) for name in ("rhea", "ann", "cy"))
    link = f"{with_page.url}/g/{address[-32:]}/play"
    output_of(ann, lines["Ann"])
    output_of(rhea, f"post address -C {address} Cy {CY}")
    with mail_host() as host:
        use_small_servers(rhea, host)
        run_once(rhea)
        text = text_of(newest_mail(host, CY))
        invited = re.search(rf"^    {with_page.url}/g/\w+/play#join=\S+$", text, re.MULTILINE)
        typed = re.search(r"^    pbem (join -C .+)$", text, re.MULTILINE)
        assert invited
        assert typed
        assert invited.start() < text.index("You need pbem") < typed.start()
        invite = shlex.split(typed[1])[-1]
        assert invited[0].endswith(f"/g/{address[-32:]}/play#join={invite}"), "it is not broken up"
        said = " ".join(text[: invited.start()].split())
        assert len(re.findall(r"\. [A-Z]", said)) == 5, "six short sentences"
        output_of(cy, typed[1])

        run_once(rhea)
        mail = newest_mail(host, CY)
        assert "asks you for" in mail["Subject"]
        assert "You need the attached file only if you play by mail alone" in text_of(mail)
        assert f"Play your turn:\n\n    {link}\n" in text_of(mail)

        run_once(person_at(rhea, 3 * DAY // 2))
        mail = newest_mail(host, CY)
        assert mail["Subject"] == "savannah: turn 1 is waiting for you"
        assert f"Play your turn:\n\n    {link}\n" in text_of(mail)

        for person in (ann, cy):
            output_of(person_at(person, 3 * DAY // 2), f"notice end -C {address}")
        run_once(rhea)
        mail = newest_mail(host, CY)
        assert mail["Subject"] == "savannah: the game is over"
        assert f"See how it ended:\n\n    {link}\n" in text_of(mail)
        assert f"    {link.replace('/g/', '/new?again=').removesuffix('/play')}\n" in text_of(mail)
        for data in host.mails(CY)[1:]:
            assert invite.encode() not in data, "a link to a game holds no way to a seat"


def test_a_mail_about_a_game_on_a_host_without_a_page_has_no_link(table, start_host):
    host = start_host()
    address, _ = make_on_host(table, host, "--players Ann,Cy")
    rhea = table.person("rhea")
    output_of(rhea, f"post address -C {address} Cy {CY}")
    with mail_host() as mails:
        use_small_servers(rhea, mails)
        run_once(rhea)
        text = text_of(newest_mail(mails, CY))
    assert f"    pbem join -C {address} --invite savannah:b:" in text
    assert "#join=" not in text
    assert "browser" not in text


@pytest.mark.long
def test_a_mail_to_a_player_without_pbem_has_a_link_to_the_table(table, with_page):
    address, lines = make_on_host(
        table, with_page,
        f'--players "Ann,Bo <{BO}>" --mail-seats Bo --game classroom --bots greedy:1',
    )  # fmt: skip
    rhea = table.person("rhea")
    link = f"{with_page.url}/g/{address[-32:]}/play"
    output_of(table.person("ann"), lines["Ann"])
    with mail_host() as host:
        use_small_servers(rhea, host)
        run_once(rhea)
        mail = newest_mail(host, BO)
        assert f"\n  {link}\n" in text_of(mail)
        page = mail.get_body(("html",)).get_content()
        assert f'<a href="{link}">{link}</a>' in page
        host.put(RHEA, reply(mail, "1"))
        run_once(rhea)
        answer = " ".join(text_of(newest_mail(host, BO)).split())
    assert "Your reply changed nothing" not in answer
    assert "UNDERSTOOD" in answer
