"""`pbem run` and `advance --watch` hear of news from a host without asking again and again."""

import subprocess
import sys

import pytest

from tests.host.origin_games import begin_on_host, submit_pass
from tests.kit.processes import until

pytestmark = pytest.mark.host


@pytest.mark.parametrize("words", ["run --every 3600", "advance --watch -C {address}"])
def test_run_and_watch_make_a_turn_as_soon_as_the_host_has_the_orders(table, host, words):
    address, rhea = begin_on_host(table, host, "Ann,Bo"), table.person("rhea")
    command = [sys.executable, "-m", "pbem", *words.format(address=address).split()]
    quiet = subprocess.DEVNULL
    running = subprocess.Popen(
        command, env=rhea.environ({}), cwd=rhea.place, stdout=quiet, stderr=quiet
    )
    try:
        until(lambda: host.host.counts.waiting_requests.amounts_by_network)
        for name in ("ann", "bo"):
            submit_pass(table.person(name), address)

        def is_made() -> bool:
            assert running.poll() is None
            return b"turns/0002.toml" in host.games.game_at(address[-32:]).tagged_list()[1]

        until(is_made)
    finally:
        running.terminate()
        running.wait()
