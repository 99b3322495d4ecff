"""A host that is killed at random moments: nothing that it took is lost or half there."""

import os
import random
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
import urllib3

from pbem.records.press_message import Press
from pbem.records.read_and_sign_record import Content, Record, make
from tests.host.written_records import DIGITS, VECTORS, in_time, path_of
from tests.kit.processes import PATIENCE
from tests.kit.running_host import HostProcess
from tests.kit.sample_records import sample

pytestmark = pytest.mark.host
KILLS = int(os.environ.get("PBEM_KILLS", "20"))


def messages() -> list[Record[Content]]:
    """All messages that Bo and the referee can write after turn 1."""
    game = sample()
    plain = game.public.content
    assert isinstance(plain, Press)
    made: list[Record[Content]] = []
    for number in range(1, 65):
        for seat, key in (("b", game.bo), ("", game.ann)):
            text = (f"message {number}",)
            made.append(make(replace(plain, seat=seat, number=number, text=text), key))
    return made


class Writer(threading.Thread):
    """Puts files one after another, each again until the host has answered."""

    def __init__(self, url: str, records: list[Record[Content]]) -> None:
        super().__init__(daemon=True)
        self.url, self.records = f"{url}/g/{DIGITS}/", records
        self.pool = urllib3.PoolManager(retries=False, timeout=PATIENCE)
        self.taken: dict[str, bytes] = {}
        self.stop = False

    def run(self) -> None:
        for record in self.records:
            while not self.stop and not self.put(record):
                time.sleep(0.01)

    def put(self, record: Record[Content]) -> bool:
        path = path_of(record)
        headers = {"If-None-Match": "*"}
        try:
            answer = self.pool.request("PUT", self.url + path, body=record.file, headers=headers)
        except urllib3.exceptions.HTTPError:
            return False
        assert answer.status in (200, 201, 429), (answer.status, answer.data)
        if answer.status != 429:
            self.taken[path] = record.file
        return answer.status != 429


def put_sample_game(url: str) -> None:
    """The sample game up to turn 1."""
    first = [r for r in in_time(VECTORS / "sample") if r.content.turn <= 1]
    kinds = ("charter", "join", "turn")
    own = [r for r in first if r.content.kind == "orders" and r.content.seat == "a"]
    wanted = [r for r in first if r.content.kind in kinds or r in own]
    writer = Writer(url, wanted)
    writer.run()
    assert len(writer.taken) == len(wanted)


def test_a_host_killed_at_random_loses_no_file_that_it_took(tmp_path: Path):
    chance, data = random.Random(28), tmp_path / "data"
    host = HostProcess(str(data), tmp_path / "home")
    put_sample_game(host.url)
    records = messages()
    writers = [Writer(host.url, records[n::2]) for n in (0, 1)]
    kills = 0
    try:
        for writer in writers:
            writer.start()
        while kills < KILLS:
            time.sleep(chance.uniform(0.0, 0.25))
            host.kill()
            kills += 1
            host.start()
            for number, writer in enumerate(writers):
                if not writer.is_alive():  # all its files are there: the same once more
                    writers[number] = Writer(host.url, writer.records)
                    writers[number].start()
        for writer in writers:
            writer.join(PATIENCE)
            assert not writer.is_alive()
        taken = {path: file for writer in writers for path, file in writer.taken.items()}
        assert len(taken) == len(records)
        pool = urllib3.PoolManager()
        listed = pool.request("GET", f"{host.url}/g/{DIGITS}/").data.decode().splitlines()
        sizes = dict(line.rsplit(" ", 1) for line in listed)
        for path, file in taken.items():
            assert sizes[path] == str(len(file))
            assert pool.request("GET", f"{host.url}/g/{DIGITS}/{path}").data == file
        assert len(listed) == len(set(sizes)), "nothing is there twice"
    finally:
        for writer in writers:
            writer.stop = True
        host.kill()
