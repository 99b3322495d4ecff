// Unit tests inside Pyodide, with the ciphers of the page: node unit-tests.mjs ROOT PACKAGES ARGUMENTS…
// ROOT is the project; PACKAGES a site-packages with pytest. Arguments go to pytest.
import { loadPyodide } from "pyodide";
import { pathToFileURL } from "node:url";

const [root, packages, ...rest] = process.argv.slice(2);
const { noble } = await import(pathToFileURL(`${process.env.SITE}/crypto.mjs`).href);
const py = await loadPyodide({ env: { HOME: "/home/web", PYTHONDONTWRITEBYTECODE: "1", TZ: "UTC" } });
py.registerJsModule("noble", noble);
for (const [from, to] of [[root, "/disk/root"], [packages, "/disk/packages"]]) {
  py.FS.mkdirTree(to);
  py.FS.mount(py.FS.filesystems.NODEFS, { root: from }, to);
}
py.globals.set("ARGUMENTS", py.toPy(rest));
let code = 1;
try {
  code = py.runPython(`
import os, shutil, sys
skip = shutil.ignore_patterns(".git", ".venv", "build", "node_modules", "__pycache__", "*.so", ".*")
os.makedirs("/main")
for name in ("pbem", "engine", "games", "tests", "docs", "bench", "tools"):
    shutil.copytree(f"/disk/root/{name}", f"/main/{name}", ignore=skip, symlinks=True)
shutil.copy("/disk/root/pyproject.toml", "/main/pyproject.toml")
shutil.copytree("/disk/root/site/stand_ins", "/stand_ins", ignore=skip)
wanted = "py.py _pytest pytest pluggy iniconfig packaging pygments hypothesis _hypothesis_pytestplugin.py _hypothesis_globals.py _hypothesis_ftz_detector.py "
wanted += "sortedcontainers attr attrs jinja2 markupsafe starlette tomlkit tzdata typer "
wanted += "click rich shellingham typing_extensions.py annotated_doc markdown_it mdurl segno"
wanted = [name for name in wanted.split() if not os.path.exists(f"/disk/root/build/packages-for-tests/{name}")]
shutil.copytree("/disk/root/build/packages-for-tests", "/packages", ignore=skip)
for name in wanted:
    at = f"/disk/packages/{name}"
    if os.path.isdir(at):
        shutil.copytree(at, f"/packages/{name}", ignore=skip)
    elif os.path.exists(at):
        os.makedirs("/packages", exist_ok=True)
        shutil.copy(at, f"/packages/{name}")
sys.path[:0] = ["/main", "/stand_ins", "/packages"]
os.chdir("/main")
import pytest
pytest.main(["-p", "no:cacheprovider", "-p", "no:faulthandler", "-q", "--no-header", "--tb=line",
  "-o", 'addopts=--import-mode=importlib -m "not long and not browser and not host and not post and not store"',
  "-o", "filterwarnings=", "-o", "tmp_path_retention_count=3", *ARGUMENTS])
`);
} catch (error) {
  console.error(String(error.message || error).slice(-4000));
}
process.exit(Number(code));
