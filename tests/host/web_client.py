"""A program that asks a host about the sample game, by HTTP."""

import base64
from collections.abc import Mapping

import urllib3

from pbem.records.read_and_sign_record import Content, Record
from tests.host.written_records import DIGITS, VECTORS, in_time, path_of
from tests.kit.running_host import RunningHost

POOL = urllib3.PoolManager(retries=False)
PUT = {"If-None-Match": "*"}


class Client:
    """Asks a host about the sample game."""

    def __init__(self, host: RunningHost) -> None:
        self.base = f"{host.url}/g/{DIGITS}/"
        self.records = in_time(VECTORS / "sample")

    def get(self, path: str = "", **headers: str) -> urllib3.BaseHTTPResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return POOL.request("GET", self.base + path, headers=named)

    def put(
        self, path: str, data: bytes, headers: Mapping[str, str] = PUT
    ) -> urllib3.BaseHTTPResponse:
        return POOL.request("PUT", self.base + path, body=data, headers=headers)

    @property
    def turn_2(self) -> Record[Content]:
        return next(one for one in self.records if path_of(one) == "turns/0002.toml")

    def put_turn_2(self) -> urllib3.BaseHTTPResponse:
        return self.put("turns/0002.toml", self.turn_2.file)

    def put_all(self, until: str = "") -> None:
        for record in self.records:
            if path_of(record) == until:
                return
            assert self.put(path_of(record), record.file).status == 201


def login_header(word: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"me:{word}".encode()).decode()}
