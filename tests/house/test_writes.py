"""Every change to a disk goes through one module: else the crash tests would not see it."""

import ast
import re
from collections.abc import Iterator

from tests.house.source import Module, modules

HERE = ("pbem/files/syscalls.py", "pbem/files/syscalls_in_browser.py")
OS_CALLS = {"chmod", "fdopen", "ftruncate", "link", "makedirs", "mkdir", "mkfifo", "remove"}
OS_CALLS |= {"removedirs", "rename", "renames", "replace", "rmdir", "symlink", "truncate", "unlink"}
OS_CALLS |= {"write"}
METHODS = {"chmod", "hardlink_to", "mkdir", "rename", "rmdir", "symlink_to", "touch", "unlink"}
METHODS |= {"write_bytes", "write_text"}
STORE_MODULES = ("pbem/files/fsspec_store.py", "pbem/files/s3_store.py", "pbem/stores/sftp.py")
STORE_NAMES = ("self.files", "server")
"""The file system of a store, in the modules of stores: a change there is on no disk of ours."""
MODULES = {"shutil", "tempfile"}
WRITING = re.compile(r"[rwxabt+]*[wxa+][rwxabt+]*")


def is_change(call: ast.Call) -> bool:
    """Does this call change a disk, as far as its text tells?"""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name not in OS_CALLS | METHODS | {"open"}:
        return False
    base = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if base == "os":
        return name in OS_CALLS
    if name == "open":
        said = [a.value for a in ast.walk(call) if isinstance(a, ast.Constant)]
        return any(isinstance(s, str) and WRITING.fullmatch(s) for s in said)
    return name in METHODS and base not in ("", "syscalls")


def is_in_store(m: Module, call: ast.Call) -> bool:
    return m.path in STORE_MODULES and ast.unparse(call.func).startswith(STORE_NAMES)


def changes(m: Module) -> Iterator[str]:
    calls = (n for n in m.nodes if isinstance(n, ast.Call))
    found = (c for c in calls if is_change(c) and not is_in_store(m, c))
    return (f"{c.lineno}: {ast.unparse(c)}" for c in found)


def test_only_one_module_changes_the_disk():
    wrong = [
        f"{m.path}:{told}" for m in modules("pbem") if m.path not in HERE for told in changes(m)
    ]
    wrong += [
        f"{m.path}:{line}: {name}"
        for m in modules("pbem")
        if m.path not in HERE
        for line, name in m.imports()
        if name.split(".")[0] in MODULES
    ]
    assert not wrong


def test_code_that_changes_the_disk_is_seen():
    text = "open(p)\nopen(p, 'wb')\np.write_text('')\nos.replace(a, b)\nsyscalls.unlink(p)\n"
    assert [t[0] for t in changes(Module("pbem/x.py", text))] == ["2", "3", "4"]
