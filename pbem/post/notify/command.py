"""The command `notify`: where `pbem run` sends notifications, such as that it is your move."""

from __future__ import annotations

from typing import Annotated

from pbem.cli.command_line.declarations import Argument, Group
from pbem.cli.failure import NOT_YET, CliError
from pbem.cli.options import JsonOption

notify = Group(
    help="Where pbem run tells you that it is your move: ntfy, Telegram, desktop and more."
)


@notify.command("add")
def notify_add(
    url: Annotated[str, Argument(help="The address, in the form that apprise expects.")],
) -> None:
    """Add an address: your move, a deadline that is near, the end, and troubles are told there."""
    from pbem.post.notify.addresses import NotifyBook, shown
    from pbem.storage.private.home import Home

    NotifyBook(Home.find()).add(url)
    print(f"added {shown(url)}")
    print("next: pbem notify test")


@notify.command("list")
def notify_list(json: JsonOption = False) -> None:
    """List the addresses, without their secrets."""
    from pbem.post.notify.addresses import NotifyBook, shown
    from pbem.storage.private.home import Home

    found = [shown(url) for url in NotifyBook(Home.find()).urls]
    if json:
        from pbem.cli.json_output import print_data

        print_data("notify list", found)
        return
    for number, url in enumerate(found, start=1):
        print(f"{number}: {url}")
    if not found:
        print("there are no addresses yet; next: pbem notify add URL")


@notify.command("remove")
def notify_remove(
    number: Annotated[int, Argument(help="The number of the address in `pbem notify list`.")],
) -> None:
    """Remove an address."""
    from pbem.post.notify.addresses import NotifyBook, shown
    from pbem.storage.private.home import Home

    print(f"removed {shown(NotifyBook(Home.find()).remove(number))}")


@notify.command("test")
def notify_test() -> None:
    """Send a notification to all addresses."""
    from pbem.post.notify.addresses import EXAMPLE, NotifyBook, send, shown
    from pbem.storage.private.home import Home

    urls = NotifyBook(Home.find()).urls
    if not urls:
        raise CliError("there are no addresses yet", EXAMPLE)
    if failed := send(urls, "pbem", "This is a test. pbem run will tell you when it is your move."):
        told = f"the test was not accepted by {', '.join(map(shown, failed))}"
        raise CliError(told, "check the address, and that this computer is online", NOT_YET)
    print(f"sent the test to {len(urls)} address{'es' if len(urls) > 1 else ''}")
