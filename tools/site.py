"""Build the page that plays in a browser: `python -m tools.site [--quick] [FOLDER]` (make site).

SITE_HOSTS="https://pond.example.org …" in the environment: the page may also use games there.

`--quick`, for tests: compress less, and do nothing if nothing has changed.

The folder then has static files only, which any web server can give out, below any path:

* `index.html`, `shell.js`, `sw.js`, `worker.js` …: the page itself, as in `site/page/`;
* `pyodide.*`: Python in WebAssembly, from npm, as the lock file names it by its hash;
* `noble/`: the ciphers, from npm likewise; only the addresses of their imports are changed;
* `stdlib.zip`: Python's own library, without what is never imported, compiled;
* `app.pack`: pbem and the libraries that its pages use, from PyPI, as `python-libraries.txt` names
  them by their hashes, all compiled by that same Python;
* `static/`: what the pages of `pbem table` load;
* `*.br` and `*.gz`: the same files compressed, for servers that give them out;
* `site.json`: the version, and the SHA-256 of every file.
"""

from __future__ import annotations

import ast
import fcntl
import gzip
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SITE = ROOT / "site"
NPM = SITE / "node_modules"
PINNED = SITE / "python-libraries.txt"
LIBRARIES = ROOT / "build" / "site-libraries"
OURS = {"pbem", "engine", "games"}
THEIRS = {*re.findall(r"^(\w+)==", PINNED.read_text(), re.MULTILINE)}
DATA = {"tzdata"}
"""Packages that are copied whole: nothing imports the zones by name."""
BEGIN = ["pbem.web.tab_program"]
NEVER = {
    # what a tab has no use for: other stores, the servers, mailboxes, processes
    "pbem.files.http_calls", "pbem.files.s3", "pbem.files.sftp", "pbem.workers.crew",
    "pbem.post", "pbem.host", "pbem.web.server", "markupsafe._speedups",
}  # fmt: skip
LEFT_OUT = SITE / "left-out-of-python.txt"
"""Modules of Python's library that nothing in the pack imports when it runs."""
NOBLE = ("curves/ed25519.js", "ciphers/aes.js")
FIRST = ["worker.js", "pyodide.mjs", "memory.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"]
"""What a fresh browser fetches first; the rest comes while it compiles, the smallest first."""


def build(out: Path) -> None:
    """Build everything into the folder, which is emptied first."""
    stage = out.with_name(f"{out.name}-stage")
    for folder in (stage, out):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    _install()
    _stage_program(stage / "app")
    dropped = json.dumps(LEFT_OUT.read_text().split())
    subprocess.run(["node", SITE / "compile.mjs", stage, out, dropped], check=True)
    _copy_noble(out / "noble")
    for file in (SITE / "page").iterdir():
        shutil.copyfile(file, out / file.name)
    shutil.copytree(ROOT / "pbem/web/static", out / "static")
    from pbem.replay.page import player_script, styles

    (out / "static/drawing.css").write_bytes(styles().encode())
    (out / "static/player.js").write_bytes(player_script().encode())
    _stamp(out)
    _compress(out)


def _install() -> None:
    """Fetch what the lock files name from npm and PyPI; npm and pip compare the hashes."""
    npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    _once(SITE / "package-lock.json", NPM, npm)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--require-hashes", "--requirement", PINNED, "--target", LIBRARIES]
    # the same wheels on all computers
    pip += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.14"]
    pip += ["--abi", "cp314", "--platform", "manylinux2014_x86_64", "--no-compile"]
    _once(PINNED, LIBRARIES, pip)


def _once(lock: Path, folder: Path, command: Sequence[str | Path]) -> None:
    """Run a command that fills this folder, if the lock file has changed since."""
    done = folder / ".pbem-lock"
    if done.exists() and done.read_bytes() == lock.read_bytes():
        return
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(command, cwd=SITE, check=True)
    done.write_bytes(lock.read_bytes())


# ---- the program: the modules that can be reached from the tab's, and their data


def _stage_program(stage: Path) -> None:
    reached = _reached()
    for name, path in reached.items():
        target = stage.joinpath(*name.split("."))
        target = target / "__init__.py" if path.name == "__init__.py" else target.with_suffix(".py")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for top in sorted(OURS):
        for path in (ROOT / top).rglob("*"):
            inside = path.relative_to(ROOT)
            code = path.suffix in (".py", ".pyc") or not path.is_file()
            elsewhere = {"static", "host", "fonts"} & {*path.parts}
            if not code and not elsewhere and (stage / inside).parent.parent.is_dir():
                (stage / inside).parent.mkdir(exist_ok=True)
                shutil.copyfile(path, stage / inside)
    (stage / "pbem/web/static").mkdir()
    (stage / "pbem/web/static/none").write_text("the page's own files are beside the worker\n")
    for package in DATA:
        texts = shutil.ignore_patterns("*.tab", "*.zi")  # the same zones again, for people to read
        shutil.copytree(LIBRARIES / package, stage / package, ignore=texts)
    shutil.copytree(SITE / "stand_ins", stage, dirs_exist_ok=True)
    print(f"{len(reached)} modules reached from {', '.join(BEGIN)}")


def _reached() -> dict[str, Path]:
    """Return all modules of `OURS` and `THEIRS` that can be imported, also late, with paths."""
    todo = [*BEGIN, *_all_games()]
    found: dict[str, Path] = {}
    while todo:
        name = todo.pop()
        if name in found or _is_never(name) or name.partition(".")[0] not in OURS | THEIRS:
            continue
        try:
            spec = _spec(name)
        except (ImportError, AttributeError, ValueError):
            continue  # a name in a module, not a module
        if spec is None or not spec.origin or not spec.origin.endswith(".py"):
            continue
        found[name] = path = Path(spec.origin)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        todo += _imports(ast.parse(path.read_bytes()), package)
        while "." in name:
            name = name.rpartition(".")[0]
            todo.append(name)
    return found


def _spec(name: str) -> ModuleSpec | None:
    package, _, _ = name.rpartition(".")
    if name.partition(".")[0] in OURS:
        return importlib.util.find_spec(name)
    return PathFinder.find_spec(name, [str(LIBRARIES.joinpath(*package.split(".")))])


def _is_never(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in NEVER)


def _all_games() -> Iterator[str]:
    for top in ("engine", "games"):
        for path in (ROOT / top).rglob("*.py"):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*up, *([base] if base else [])])
            yield base
            yield from (f"{base}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # the names of modules that are imported by name
            yield from re.findall(r"^(?:pbem|games|engine)(?:\.[a-z_]+)+$", node.value)


# ---- the ciphers: the modules that these two import, without a bundler


def _copy_noble(out: Path) -> None:
    todo, done = [NPM / "@noble" / one for one in NOBLE], set[Path]()
    while todo:
        path = todo.pop().resolve()
        if path in done:
            continue
        done.add(path)
        target = out / path.relative_to(NPM.resolve() / "@noble")
        target.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (len(target.relative_to(out).parts) - 1)
        text = path.read_text()
        specs = re.findall(r"""^(?:import|export)\b[^;]*? from ['"]([^'"]+)['"];""", text, re.M)
        todo += [NPM / one if one.startswith("@noble/") else path.parent / one for one in specs]
        text = re.sub(r"from '@noble/([^']+)'", rf"from '{up or './'}\1'", text)
        (out / "package.json").write_text('{"type": "module"}\n')  # for Node, in tests
        target.write_text(re.sub(r"^//# sourceMappingURL=.*\n?", "", text, flags=re.MULTILINE))


# ---- the version, and compressed copies


def _stamp(out: Path) -> None:
    """Write the version into `memory.mjs`, and with the hash of each file into `sw.js` and
    `site.json`."""
    files = sorted(p for p in out.rglob("*") if p.is_file() and p.name != "sw.js")
    hashes = {p.relative_to(out).as_posix(): _digest(p) for p in files}
    version = hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()[:16]
    hosts = os.environ.get("SITE_HOSTS", "").split()
    if bad := [one for one in hosts if not re.fullmatch(r"https://[a-z0-9.-]+(:[0-9]+)?", one)]:
        sys.exit(f"SITE_HOSTS: {bad[0]!r} is no address like https://pond.example.org")
    hashes["memory.mjs"] = _fill(out / "memory.mjs", VERSION=version)
    size = {name: (out / name).stat().st_size for name in hashes}
    ordered = {name: hashes[name] for name in (*FIRST, *sorted({*hashes} - {*FIRST}, key=size.get))}
    hashes["sw.js"] = _fill(out / "sw.js", VERSION=version, HOSTS=" ".join(hosts), FILES=ordered)
    (out / "site.json").write_text(
        json.dumps({"version": version, "hosts": hosts, "files": hashes}, indent=1)
    )


def _fill(path: Path, **values: Any) -> str:
    """Write values for their names into a script; return its hash."""
    text = path.read_text()
    for name, value in values.items():
        text = text.replace(f'"{name}"', json.dumps(value, separators=(",", ":")))
    path.write_text(text)
    return _digest(path)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _compress(out: Path) -> None:
    files = [p for p in out.rglob("*") if p.is_file()]
    names = [str(p) for p in files]
    subprocess.run(["node", SITE / "compress.mjs", *names], check=True)
    for path in files:
        data = path.read_bytes()
        small = gzip.compress(data, 9, mtime=0)
        if len(small) < len(data):
            Path(f"{path}.gz").write_bytes(small)
    sizes = [sum(p.stat().st_size for p in files)]
    for ending in ("gz", "br"):
        smaller = (Path(f"{p}.{ending}") for p in files)
        sizes.append(sum((s if s.exists() else s.with_suffix("")).stat().st_size for s in smaller))
    whole = "{:,} bytes; {:,} with gzip, {:,} with brotli".format(*sizes)
    print(f"{out}: {len(files)} files, {whole}")
    from pbem.host.site import Site

    print(f"hash of the page: {Site(out).hash}")


def is_new(out: Path) -> bool:
    """Return whether nothing has changed since this site was built."""
    inputs = [SITE, ROOT / "pbem", ROOT / "engine", ROOT / "games", Path(__file__)]
    files = [p for top in inputs for p in (top.rglob("*") if top.is_dir() else (top,))]
    files = [p for p in files if "node_modules" not in p.parts and p.suffix != ".pyc"]
    newest = max(p.stat().st_mtime for p in files if p.is_file())
    built = out / "site.json.gz"
    return built.exists() and built.stat().st_mtime > newest


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    folders = [one for one in sys.argv[1:] if one != "--quick"]
    target = Path(folders[0]).absolute() if folders else ROOT / "build" / "site"
    target.parent.mkdir(exist_ok=True)
    with open(f"{target}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two workers of the tests may want it
        if not (quick and is_new(target)):
            os.environ["SITE_BROTLI"] = "4" if quick else "11"
            build(target)
