"""The rooms and their arrows: pbem → games → engine, and who may touch files, crypto, clocks."""

import ast
import re
import subprocess
import sys
from importlib import import_module

import pytest

from tests.house.source import ROOT, Module, modules

MAY_IMPORT = {
    "engine": {"engine"},
    "games": {"engine", "games"},
    "pbem": {"engine", "games", "pbem", "cryptography", "distributed", "rich", "tomlkit", "typer"}
    | {"jinja2", "markupsafe", "starlette", "uvicorn", "aiobotocore", "fsspec", "paramiko", "s3fs"}
    | {"apprise", "imapclient", "keyring", "resvg_py", "tzlocal", "urllib3"}
    | {"http_ece", "nacl", "noble", "py_vapid", "pyodide", "segno"},
}
FILES = {"fileinput", "glob", "io", "os", "pathlib", "shutil", "sqlite3", "tempfile"}
CRYPTO = {"hashlib", "hmac", "secrets", "ssl"}
CLOCKS = {"datetime", "time"}
NETWORK = {"asyncio", "http", "smtplib", "socket", "subprocess", "urllib"}
FORBIDDEN = {
    "engine": FILES | CRYPTO | CLOCKS | NETWORK | {"tomllib"},
    "games": FILES | CRYPTO | CLOCKS | NETWORK,
    "pbem": set(),
}
# the harness reads the course's case files and standard input
READS_CASES = "games/classroom/course_test_programs.py"
# where a heavy library may load as soon as the module does; elsewhere inside functions
TOP_LEVEL = {
    "cryptography": ("pbem/format/", "pbem/host/web_push.py"),
    "typer": "pbem/cli/",
    "tomlkit": None,
    "rich": None,
}
TOP_LEVEL["distributed"] = None
# only the module that the address of a server loads
TOP_LEVEL |= {
    "fsspec": ("pbem/stores/", "pbem/files/s3_store.py"),
    "paramiko": "pbem/stores/sftp.py",
}
TOP_LEVEL |= dict.fromkeys(("aiobotocore", "s3fs"), "pbem/files/s3_store.py")
TOP_LEVEL |= dict.fromkeys(("jinja2", "markupsafe", "starlette"), ("pbem/web/", "pbem/host/"))
TOP_LEVEL["uvicorn"] = ("pbem/host/web_server.py", "pbem/web/server.py")
TOP_LEVEL |= {"urllib3": ("pbem/files/host_http_connections.py", "pbem/host/web_push.py")}
TOP_LEVEL |= dict.fromkeys(("http_ece", "py_vapid"), "pbem/host/web_push.py")
# only the modules that a browser tab loads
TAB_MODULES = (
    "pbem/format/crypto_and_key_files_in_browser.py",
    "pbem/format/curve_group_in_browser.py",
)
TOP_LEVEL |= dict.fromkeys(("noble", "pyodide"), TAB_MODULES)
TOP_LEVEL |= {"apprise": None, "keyring": None, "nacl": None, "resvg_py": None, "tzlocal": None}
# only the module that opens a connection to a mailbox
TOP_LEVEL |= {"imapclient": "pbem/post/imap_client_with_limits.py"}


def may_import(module: Module, name: str) -> bool:
    top = name.split(".")[0]
    if top in FORBIDDEN[module.room]:
        return module.path == READS_CASES and top in FILES
    return top in MAY_IMPORT[module.room] or top in sys.stdlib_module_names


@pytest.mark.long
def test_only_the_store_knows_the_libraries_of_stores():
    wrong = [
        f"{m.path}:{line}: {name}"
        for m in modules("pbem")
        for line, name in m.imports()
        if name.split(".")[0] in ("aiobotocore", "fsspec", "paramiko", "s3fs")
        and not m.path.startswith(("pbem/files/s3_store.py", "pbem/stores/"))
    ]
    assert not wrong


def too_early(module: Module, name: str) -> bool:
    top = name.split(".")[0]
    if top not in TOP_LEVEL:
        return False
    home = TOP_LEVEL[top]
    return home is None or not module.path.startswith(home)


@pytest.mark.sample(0)
def test_imports_follow_the_arrows():
    wrong = [
        f"{m.path}:{line}: {name}"
        for m in modules()
        for line, name in m.imports()
        if not may_import(m, name)
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("path", "line", "allowed"),
    [
        ("engine/log.py", "import games", False),
        ("engine/log.py", "from engine.sentences.sentence_forms import say", True),
        ("engine/log.py", "from .forms import say", True),
        ("engine/log.py", "from ..games import evolution", False),
        ("engine/log.py", "import hashlib", False),
        ("games/chess/rules.py", "def f():\n    from pbem import cli", False),
        ("games/chess/rules.py", "import pathlib", False),
        ("games/chess/rules.py", "import tomllib", True),
        ("games/classroom/course_test_programs.py", "import pathlib", True),
        ("pbem/cli/main.py", "import typer, games.chess, os", True),
        ("pbem/cli/main.py", "import numpy", False),
    ],
)
def test_an_import_against_the_arrows_is_seen(path, line, allowed):
    module = Module(path, line)
    assert all(may_import(module, name) for _, name in module.imports()) is allowed


def test_rules_open_no_file():
    readers = {"open", "read_text", "read_bytes", "write_text", "write_bytes"}
    package_data = {"joinpath", "files"}
    wrong = []
    for m in modules("engine", "games"):
        for node in m.nodes:
            if isinstance(node, ast.Call) and m.path != READS_CASES:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name not in readers:
                    continue
                chain = set(ast.unparse(node).replace("(", ".").split("."))
                if not (m.room == "games" and chain & package_data):
                    wrong.append(f"{m.path}:{node.lineno}: {ast.unparse(node)}")
    assert not wrong


@pytest.mark.sample(0)
def test_heavy_libraries_load_only_where_they_are_needed():
    wrong = [
        f"{m.path}:{line}: {name}"
        for m in modules("pbem")
        for line, name in m.imports(top_level=True)
        if too_early(m, name)
    ]
    assert not wrong


def test_a_heavy_library_that_loads_with_its_module_is_seen():
    inside = Module("pbem/files/a.py", "def f():\n    import tomlkit")
    outside = Module("pbem/files/a.py", "try:\n    import tomlkit\nexcept ImportError: pass")
    assert not [n for _, n in inside.imports(top_level=True) if too_early(inside, n)]
    assert [n for _, n in outside.imports(top_level=True) if too_early(outside, n)]


@pytest.mark.skipif(not (ROOT / "pbem/cli").exists(), reason="no commands yet")
def test_starting_the_command_line_loads_no_heavy_library():
    heavy = ["cryptography", "tomlkit", "rich", "pydantic", "games", "engine"]
    code = f"import sys, pbem.cli; print(*[m for m in {heavy} if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == ""


def circles(found: tuple[Module, ...]) -> list[str]:
    """Modules that reach themselves through imports, also through late ones and those for types."""
    names = {m.name for m in found}
    reach = {m.name: {n for _, n in m.imports()} & names - {m.name} for m in found}
    for _ in names:  # the closure: no chain is longer than there are modules
        grown = {m: r.union(*(reach[n] for n in r)) for m, r in reach.items()}
        if grown == reach:
            break
        reach = grown
    return sorted(m for m, r in reach.items() if m in r)


@pytest.mark.sample(0)
def test_no_modules_import_each_other_in_a_circle():
    assert not circles(modules())


def test_an_import_circle_is_seen():
    a, b, c = Module("x/a.py", "import x.b"), Module("x/b.py", "from x import c"), "from . import a"
    assert circles((a, b)) == []
    for text in (c, f"def f():\n    {c}", f"if TYPE_CHECKING:\n    {c}"):
        assert circles((a, b, Module("x/c.py", text))) == ["x.a", "x.b", "x.c"]


# ------------------------------------------------------------------ folders
def folder_at_depth(name: str, depth: int) -> str:
    """The folder that holds a module, not deeper than this below the project's root."""
    return "/".join(name.split(".")[:-1][:depth])


def folder_arrows(found: tuple[Module, ...], depth: int) -> dict[str, set[str]]:
    """Which folder imports from which, folders deeper than ``depth`` told as their parent."""
    names = {m.name for m in found}
    arrows: dict[str, set[str]] = {}
    for m in found:
        at = folder_at_depth(f"{m.name}.x" if m.path.endswith("__init__.py") else m.name, depth)
        for _, name in m.imports():
            to = folder_at_depth(name, depth)
            if name in names and to not in (at, "pbem"):
                arrows.setdefault(at, set()).add(to)
    return arrows


def runs_back(arrows: dict[str, set[str]]) -> list[str]:
    """Folders that reach themselves by way of another; one inside the other is one room."""
    reach = {at: set(to) for at, to in arrows.items()}
    for _ in arrows:
        reach = {at: to.union(*(reach.get(n, set()) for n in to)) for at, to in reach.items()}
    return sorted(at for at, to in reach.items() if at in to)


def test_no_arrow_runs_back_between_the_folders_of_a_room():
    assert not runs_back(folder_arrows(modules("pbem"), 2))


def test_two_folders_that_import_each_other_are_seen():
    one, two = Module("pbem/a/x.py", "import pbem.b.y"), Module("pbem/b/y.py", "import pbem.a.x")
    assert runs_back(folder_arrows((one, two), 2)) == ["pbem/a", "pbem/b"]
    assert not runs_back(folder_arrows((one, Module("pbem/b/y.py", "")), 2))


# ------------------------------------------------------------------ rows of rooms and modules
def drawn_rooms() -> list[set[str]]:
    """The rooms in each row of the drawing in the architecture, the lowest row first."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    drawing = page.partition("holds this drawing against the imports.\n\n")[2].split("\n\n")[0]
    rooms = {path.name for path in (ROOT / "pbem").iterdir() if path.is_dir()}
    return [{*row[:40].split()} & rooms for row in reversed(drawing.splitlines())]


def documented_modules(room: str) -> list[set[str]]:
    """The modules that each line of a list in the docstring of a room names, in its order."""
    text = import_module(f"pbem.{room}").__doc__ or ""
    return [{*re.findall(r"`(\w+)`", line.split(": ")[0])} for line in text.split("\n* ")[1:]]


def test_each_room_of_the_drawing_uses_only_rooms_in_rows_below():
    rows = drawn_rooms()
    arrows = folder_arrows(modules("pbem"), 2)
    row_of_room = {f"pbem/{room}": number for number, row in enumerate(rows) for room in row}
    pairs = {(user, used) for user, many in arrows.items() for used in many if used}
    assert {room for pair in pairs for room in pair} <= row_of_room.keys()
    assert not [pair for pair in pairs if row_of_room[pair[1]] >= row_of_room[pair[0]]]


def upward_arrows(found: tuple[Module, ...], rows: list[set[str]]) -> list[str]:
    """Imports from a module of the same row or of a row below."""
    row_of_module = {name: number for number, row in enumerate(rows) for name in row}
    short_names = {m.name: m.name.rpartition(".")[2] for m in found}
    arrows = {
        (short_names[m.name], short_names[name])
        for m in found
        for _, name in m.imports()
        if name in short_names
    }
    upward = (pair for pair in arrows if row_of_module[pair[1]] >= row_of_module[pair[0]])
    return sorted(" → ".join(pair) for pair in upward)


def test_the_modules_of_a_person_use_only_rows_above_their_own():
    found = tuple(
        m
        for m in modules("pbem")
        if m.path.startswith("pbem/person/") and not m.path.endswith("__init__.py")
    )
    rows = documented_modules("person")
    assert {m.name.rpartition(".")[2] for m in found} == set().union(*rows)
    assert not upward_arrows(found, rows)


def test_the_docstring_of_the_judge_names_each_of_its_modules():
    names = {m.name.rpartition(".")[2] for m in modules("pbem") if m.path.startswith("pbem/judge/")}
    assert names - {"judge"} == set().union(*documented_modules("judge"))


def test_an_import_from_a_row_that_is_not_lower_is_seen():
    found = Module("x/a.py", "import x.b"), Module("x/b.py", ""), Module("x/c.py", "import x.a")
    assert upward_arrows(found, [{"b"}, {"a"}, {"c"}]) == []
    assert upward_arrows(found, [{"b"}, {"a", "c"}]) == ["c → a"]
    assert upward_arrows(found, [{"a"}, {"b"}, {"c"}]) == ["a → b"]


def hidden_names(package: Module, modules_inside: set[str]) -> set[str]:
    """What a package defines or imports under the name of one of its own modules. Once that module
    is imported, it takes the place of the other, for whoever looks after that."""
    names = {
        node.name
        for node in package.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    for node in package.tree.body:
        if isinstance(node, ast.ImportFrom):
            inside = package.absolute(node) == package.name
            names |= set() if inside else {alias.asname or alias.name for alias in node.names}
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names & modules_inside


def test_no_module_takes_the_place_of_a_name_of_its_package():
    paths = {module.path for module in modules()}
    for package in modules():
        folder, _, file = package.path.rpartition("/")
        if file == "__init__.py":
            inside = {path.removeprefix(f"{folder}/").partition("/")[0] for path in paths}
            names = {name.removesuffix(".py") for name in inside}
            assert not hidden_names(package, names), package.path


def test_a_name_of_a_package_that_a_module_of_it_hides_is_seen():
    text = "from pbem.other import play\nfrom pbem.cli import show\ndef run(): ...\nnew = 1\n"
    package = Module("pbem/cli/__init__.py", text)
    assert hidden_names(package, {"run", "new", "play", "show"}) == {"run", "new", "play"}
