"""`pbem table` before it opens anything: what is missing, what is wrong."""

import socket
import sys
from collections.abc import Callable

from tests.kit.people import Round


def test_pbem_table_without_its_libraries_says_how_to_get_them(table, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("pbem.web.", "starlette."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    said = table.person("ann").pbem("table")
    assert (said.exit, said.out) == (2, "")
    assert "needs libraries that are not installed" in said.err
    assert f'"{sys.executable}" -m pip install jinja2 starlette uvicorn' in said.err
    for prefix, line in {
        "/home/ann/.local/share/pipx/venvs/pbem": "pipx inject pbem jinja2 starlette uvicorn",
        "/home/ann/uv/tools/pbem": 'uv pip install --python "/home/ann/uv/tools/pbem" jinja2',
    }.items():
        monkeypatch.setattr(sys, "prefix", prefix)
        assert f"try: {line}" in table.person("ann").pbem("table").err


def test_pbem_table_refuses_a_folder_without_a_game(table: Round) -> None:
    table.person("ann").pbem("table -C nowhere").checked(2, err="there is no game in nowhere")


def test_pbem_table_names_a_port_that_is_taken(game: Callable[[str], Round]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = game("begun").person("ann").pbem(f"table --port {port} --no-browser")
    assert said.exit == 2
    assert f"port {port} cannot be used" in said.err
