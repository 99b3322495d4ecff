"""Build the site that plays in a browser.

`python -m tools.browser_site [--quick] [FOLDER]` (make site).

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
* `manifest.webmanifest`, `icon-*.png`: for a browser that puts the page on a home screen;
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
PINNED_LIBRARIES = SITE / "python-libraries.txt"
LIBRARIES = ROOT / "build" / "site-libraries"
OWN_PACKAGES = {"pbem", "engine", "games"}
LIBRARY_PACKAGES = {*re.findall(r"^(\w+)==", PINNED_LIBRARIES.read_text(), re.MULTILINE)}
DATA_PACKAGES = {"tzdata"}
"""Packages that are copied whole: nothing imports the zones by name."""
ENTRY_MODULES = ["pbem.web.program_in_tab"]
NEVER_PACKED = {
    # what a tab has no use for: other stores, the servers, mailboxes, processes
    "pbem.files.host_http_connections", "pbem.files.s3_store", "pbem.stores",
    "pbem.workers.worker_pool",
    "pbem.post", "pbem.host", "pbem.web.server", "markupsafe._speedups",
    "games.hook_argument_and_value_checks",
    "typing_extensions",  # only an older Python needs it
}  # fmt: skip
LEFT_OUT_MODULES = SITE / "left-out-of-python.txt"
"""Modules of Python's library that nothing in the pack imports when it runs."""
NOBLE_MODULES = ("curves/ed25519.js", "ciphers/aes.js")
FIRST_FILES = [
    "worker.js", "pyodide.mjs", "memory-snapshot.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm",
]  # fmt: skip
"""The files that a fresh browser fetches first; the rest comes while it compiles them, the smallest
first."""
LARGE_FILES = ["pyodide.asm.wasm", "stdlib.zip", "app.pack"]
"""The files that somebody waits for; the page says how much of them is here."""
ICON_WIDTHS = {"icon-180.png": 180, "icon-192.png": 192, "icon-512.png": 512}
"""By name, the pixels of each icon that is drawn to its edges."""
MASKABLE_ICON, MASKABLE_WIDTH = "icon-maskable.png", 512
INSTALL_FILES = {"manifest.webmanifest", MASKABLE_ICON, *ICON_WIDTHS}
"""The files that only a browser fetches that puts the page on a home screen."""


def build(folder: Path) -> None:
    """Build everything into the folder, which is emptied first. The folder `…-stage` beside it has
    the program before it is compiled."""
    stage = folder.with_name(f"{folder.name}-stage")
    for emptied_folder in (stage, folder):
        shutil.rmtree(emptied_folder, ignore_errors=True)
        emptied_folder.mkdir(parents=True)
    _fetch_packages()
    _stage_program(stage / "app")
    excluded_modules = json.dumps(LEFT_OUT_MODULES.read_text().split())
    subprocess.run(["node", SITE / "compile.mjs", stage, folder, excluded_modules], check=True)
    _copy_noble(folder / "noble")
    for file in (SITE / "page").iterdir():
        shutil.copyfile(file, folder / file.name)
    shutil.copytree(ROOT / "pbem/web/static", folder / "static")
    from pbem.replay.page import player_script, styles

    (folder / "static/drawing.css").write_bytes(styles().encode())
    (folder / "static/player.js").write_bytes(player_script().encode())
    _draw_icons(folder)
    _compress([folder / name for name in LARGE_FILES])
    _stamp(folder)
    _compress([p for p in folder.rglob("*") if _is_uncompressed(p)])
    _print_sizes(folder)


def _fetch_packages() -> None:
    """Fetch the packages in the lock files from npm and PyPI; npm and pip compare the hashes."""
    npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    _run_if_changed(SITE / "package-lock.json", NPM, npm)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += [
        "--no-deps",
        "--require-hashes",
        "--requirement",
        PINNED_LIBRARIES,
        "--target",
        LIBRARIES,
    ]
    # the same wheels on all computers
    pip += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.14"]
    pip += ["--abi", "cp314", "--platform", "manylinux2014_x86_64", "--no-compile"]
    _run_if_changed(PINNED_LIBRARIES, LIBRARIES, pip)


def _run_if_changed(lock: Path, folder: Path, command: Sequence[str | Path]) -> None:
    """Run a command that fills this folder, if the lock file has changed since."""
    stamp_file = folder / ".pbem-lock"
    if stamp_file.exists() and stamp_file.read_bytes() == lock.read_bytes():
        return
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(command, cwd=SITE, check=True)
    stamp_file.write_bytes(lock.read_bytes())


# ---- the program: the modules that can be reached from the tab's, and their data


def _stage_program(stage: Path) -> None:
    """Copy the modules that can be reached, the data of their packages, and the modules that stand
    in for missing ones, into a folder."""
    module_paths = _reached()
    for name, path in module_paths.items():
        target = stage.joinpath(*name.split("."))
        target = target / "__init__.py" if path.name == "__init__.py" else target.with_suffix(".py")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for top in sorted(OWN_PACKAGES):
        for path in (ROOT / top).rglob("*"):
            inner_path = path.relative_to(ROOT)
            is_code = path.suffix in (".py", ".pyc") or not path.is_file()
            # the page gives these out itself, or does not need them
            is_elsewhere = {"static", "fonts", "package_template", "threats.toml"} & {*path.parts}
            room = next(
                folder for folder in inner_path.parents if (ROOT / folder / "__init__.py").exists()
            )
            if not is_code and not is_elsewhere and (stage / room).is_dir():
                (stage / inner_path).parent.mkdir(exist_ok=True)
                shutil.copyfile(path, stage / inner_path)
    (stage / "pbem/web/static").mkdir()
    (stage / "pbem/web/static/none").write_text("the page's own files are beside the worker\n")
    for package in DATA_PACKAGES:
        texts = shutil.ignore_patterns("*.tab", "*.zi")  # the same zones again, for people to read
        shutil.copytree(LIBRARIES / package, stage / package, ignore=texts)
    shutil.copytree(SITE / "stand_ins", stage, dirs_exist_ok=True)
    print(f"{len(module_paths)} modules reached from {', '.join(ENTRY_MODULES)}")


def _reached() -> dict[str, Path]:
    """Return the paths of all modules of `OWN_PACKAGES` and `LIBRARY_PACKAGES` that the program can
    import, at its start or later, by their dotted names. Each brings its packages."""
    remaining_names = [*ENTRY_MODULES, *_all_games()]
    module_paths: dict[str, Path] = {}
    while remaining_names:
        name = remaining_names.pop()
        if (
            name in module_paths
            or _is_never(name)
            or name.partition(".")[0] not in OWN_PACKAGES | LIBRARY_PACKAGES
        ):
            continue
        try:
            spec = _spec(name)
        except (ImportError, AttributeError, ValueError):
            continue  # `from module import name`: the name is no module
        if spec is None or not spec.origin or not spec.origin.endswith(".py"):
            continue
        module_paths[name] = path = Path(spec.origin)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        remaining_names += _imports(ast.parse(path.read_bytes()), package)
        while "." in name:
            name = name.rpartition(".")[0]
            remaining_names.append(name)
    return module_paths


def _spec(name: str) -> ModuleSpec | None:
    """Find a module of this project, or of the libraries for the page. Raises ImportError,
    AttributeError or ValueError for a name that is no module."""
    package, _, _ = name.rpartition(".")
    if name.partition(".")[0] in OWN_PACKAGES:
        return importlib.util.find_spec(name)
    return PathFinder.find_spec(name, [str(LIBRARIES.joinpath(*package.split(".")))])


def _is_never(name: str) -> bool:
    return any(
        name == never_packed or name.startswith(f"{never_packed}.") for never_packed in NEVER_PACKED
    )


def _all_games() -> Iterator[str]:
    for top in ("engine", "games"):
        for path in (ROOT / top).rglob("*.py"):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    """Yield the dotted names that a module in this package imports: modules, and names in them,
    which may be modules too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent_parts = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent_parts, *([base] if base else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # the names of modules that are imported by name
            yield from re.findall(r"^(?:pbem|games|engine)(?:\.[a-z_]+)+$", node.value)


# ---- the ciphers: the modules that these two import, without a bundler


def _copy_noble(folder: Path) -> None:
    """Copy the modules of `NOBLE_MODULES`, and all that they import, with relative imports."""
    remaining_paths, copied = [NPM / "@noble" / name for name in NOBLE_MODULES], set[Path]()
    while remaining_paths:
        path = remaining_paths.pop().resolve()
        if path in copied:
            continue
        copied.add(path)
        target = folder / path.relative_to(NPM.resolve() / "@noble")
        target.parent.mkdir(parents=True, exist_ok=True)
        prefix = "../" * (len(target.relative_to(folder).parts) - 1)
        text = path.read_text()
        specs = re.findall(r"""^(?:import|export)\b[^;]*? from ['"]([^'"]+)['"];""", text, re.M)
        remaining_paths += [
            NPM / name if name.startswith("@noble/") else path.parent / name for name in specs
        ]
        text = re.sub(r"from '@noble/([^']+)'", rf"from '{prefix or './'}\1'", text)
        (folder / "package.json").write_text('{"type": "module"}\n')  # for Node, in tests
        target.write_text(re.sub(r"^//# sourceMappingURL=.*\n?", "", text, flags=re.MULTILINE))


# ---- icons


def _draw_icons(folder: Path) -> None:
    """Draw the icons for home screens. A system cuts the maskable one into a shape of its own, so
    the drawing stands in its middle, on a ground that reaches the edges."""
    from resvg_py import svg_to_bytes

    icon = (ROOT / "pbem/web/static/icon.svg").read_text()
    ground = re.search(r' rx="7"', icon)
    assert ground, "the icon has no ground with round corners"
    square = icon.replace(ground[0], "", 1)
    maskable = square.replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"', 1)
    maskable = maskable.replace('<rect width="32"', '<rect x="-4" y="-4" width="40"', 1)
    maskable = maskable.replace(' height="32"', ' height="40"', 1)
    assert maskable.count("40") == 4, "the icon has another size"
    for name, width in ICON_WIDTHS.items():
        drawing = square if name == "icon-180.png" else icon  # iOS makes the corners round
        (folder / name).write_bytes(svg_to_bytes(svg_string=drawing, width=width))
    (folder / MASKABLE_ICON).write_bytes(svg_to_bytes(svg_string=maskable, width=MASKABLE_WIDTH))


# ---- the version, and compressed copies


def _stamp(folder: Path) -> None:
    """Write the version into `memory-snapshot.mjs`, and with the hash of each file into `sw.js` and
    `site.json`. The version is a hash of all other files. Exit for a bad SITE_HOSTS."""
    files = sorted(p for p in folder.rglob("*") if _is_original(p) and p.name != "sw.js")
    hashes = {p.relative_to(folder).as_posix(): _digest(p) for p in files}
    version = hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()[:16]
    hosts = os.environ.get("SITE_HOSTS", "").split()
    if bad_hosts := [
        host for host in hosts if not re.fullmatch(r"https://[a-z0-9.-]+(:[0-9]+)?", host)
    ]:
        sys.exit(f"SITE_HOSTS: {bad_hosts[0]!r} is no address like https://pond.example.org")
    hashes["memory-snapshot.mjs"] = _fill(folder / "memory-snapshot.mjs", VERSION=version)
    sizes = {name: (folder / name).stat().st_size for name in hashes}
    later_names = sorted({*hashes} - {*FIRST_FILES} - INSTALL_FILES, key=sizes.get)
    ordered = {name: hashes[name] for name in (*FIRST_FILES, *later_names)}
    large = {name: sizes[name] for name in LARGE_FILES}
    megabytes = round(sum(_compressed_size(folder / name) for name in LARGE_FILES) / 1e6, 1)
    values = {"HOSTS": " ".join(hosts), "FILES": ordered, "LARGE": large, "MEGABYTES": megabytes}
    hashes["sw.js"] = _fill(folder / "sw.js", VERSION=version, **values)
    (folder / "site.json").write_text(
        json.dumps({"version": version, "hosts": hosts, "files": hashes}, indent=1)
    )


def _fill(path: Path, **values: Any) -> str:
    """Write each value, as JSON, in place of its name in quotes into a script; return the script's
    hash."""
    text = path.read_text()
    for name, value in values.items():
        text = text.replace(f'"{name}"', json.dumps(value, separators=(",", ":")))
    path.write_text(text)
    return _digest(path)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _compress(paths: Sequence[Path]) -> None:
    """Write compressed copies of the files beside them, of those that get smaller."""
    subprocess.run(["node", SITE / "compress.mjs", *map(str, paths)], check=True)
    for path in paths:
        data = path.read_bytes()
        gzipped = gzip.compress(data, 9, mtime=0)
        if len(gzipped) < len(data):
            Path(f"{path}.gz").write_bytes(gzipped)


def _is_original(path: Path) -> bool:
    """Return whether a path is a file, and no compressed copy."""
    return path.is_file() and path.suffix not in (".br", ".gz")


def _is_uncompressed(path: Path) -> bool:
    """Return whether a path is a file that is no compressed copy, and has none."""
    return _is_original(path) and not Path(f"{path}.gz").exists()


def _compressed_size(path: Path, ending: str = "br") -> int:
    """Return the bytes of a file that travel, if the browser takes this compression."""
    copy = Path(f"{path}.{ending}")
    return (copy if copy.exists() else path).stat().st_size


def _print_sizes(folder: Path) -> None:
    """Print the sizes of what a visit fetches, and the hash of the page."""
    paths = [p for p in folder.rglob("*") if _is_original(p) and p.name not in INSTALL_FILES]
    sizes = [sum(p.stat().st_size for p in paths)]
    sizes += [sum(_compressed_size(p, ending) for p in paths) for ending in ("gz", "br")]
    total = "{:,} bytes; {:,} with gzip, {:,} with brotli".format(*sizes)
    print(f"{folder}: {len(paths)} files, {total}")
    from pbem.host.browser_program_files import Site

    print(f"hash of the page: {Site(folder).hash}")


def is_new(folder: Path) -> bool:
    """Return whether nothing has changed since this site was built."""
    inputs = [SITE, ROOT / "pbem", ROOT / "engine", ROOT / "games", Path(__file__)]
    files = [p for top in inputs for p in (top.rglob("*") if top.is_dir() else (top,))]
    files = [p for p in files if "node_modules" not in p.parts and p.suffix != ".pyc"]
    newest = max(p.stat().st_mtime for p in files if p.is_file())
    built = folder / "site.json.gz"
    return built.exists() and built.stat().st_mtime > newest


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    folders = [argument for argument in sys.argv[1:] if argument != "--quick"]
    target = Path(folders[0]).absolute() if folders else ROOT / "build" / "site"
    target.parent.mkdir(exist_ok=True)
    with open(f"{target}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two workers of the tests may want it
        if not (quick and is_new(target)):
            os.environ["SITE_BROTLI"] = "4" if quick else "11"
            build(target)
