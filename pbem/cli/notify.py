"""The commands `notify …`: how `run` tells you that it is your move."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.shared_options import JsonOption
from pbem.errors import NOT_YET, CliError
from pbem.files.home import Home
from pbem.post.notifications import EXAMPLE, NotifyBook, censored_url, send
from pbem.terminal.json_and_progress import print_data
from pbem.wording.notifications import (
    NO_ADDRESSES_SENTENCE,
    TEST_NOTIFICATION,
    TEST_NOTIFICATION_STEP,
    sent_test_line,
)

notify = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@notify.command("add")
def notify_add(
    url: Annotated[
        str,
        typer.Argument(
            help="The address, in the form of the Python package apprise, such as ntfy://my-games."
        ),
    ],
) -> None:
    """Add an address: your move, a deadline that is near, the end, and troubles are told there."""
    NotifyBook(Home.find()).add(url)
    print(f"added {censored_url(url)}")
    print(TEST_NOTIFICATION_STEP)


@notify.command("list")
def notify_list(json: JsonOption = False) -> None:
    """List the addresses, without their secrets."""
    addresses = [censored_url(address) for address in NotifyBook(Home.find()).notes.urls]
    if json:
        print_data("notify list", addresses)
        return
    for number, address in enumerate(addresses, start=1):
        print(f"{number}: {address}")
    if not addresses:
        print(NO_ADDRESSES_SENTENCE)


@notify.command("remove")
def notify_remove(
    number: Annotated[int, typer.Argument(help="The number of the address in `pbem notify list`.")],
) -> None:
    """Remove an address."""
    print(f"removed {censored_url(NotifyBook(Home.find()).remove(number))}")


@notify.command("test")
def notify_test() -> None:
    """Send a notification to all addresses."""
    urls = NotifyBook(Home.find()).notes.urls
    if not urls:
        raise CliError("there are no addresses yet", EXAMPLE)
    if failed := send(urls, "pbem", TEST_NOTIFICATION):
        addresses = ", ".join(map(censored_url, failed))
        problem = f"pbem could not send the test notification to {addresses}"
        raise CliError(problem, "check the address, and that this computer is online", NOT_YET)
    print(sent_test_line(len(urls)))
