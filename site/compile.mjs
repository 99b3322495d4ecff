// Byte-compile the program and Python's library in the very interpreter that will load them:
// node compile.mjs STAGE OUT NAMES, where STAGE/app has the sources and NAMES what is left out.
import fs from "node:fs";
import path from "node:path";
import { loadPyodide } from "pyodide";

const [stage, out, dropped] = process.argv.slice(2);
const pyodide = path.dirname(new URL(import.meta.resolve("pyodide")).pathname);
// tracebacks in a tab name lines without columns: the compiled files are an eighth smaller
const py = await loadPyodide({ env: { PYTHONNODEBUGRANGES: "1" } });
for (const [at, root] of [["/app", `${stage}/app`], ["/out", out], ["/npm", pyodide]]) {
  py.FS.mkdirTree(at);
  py.FS.mount(py.FS.filesystems.NODEFS, { root }, at);
}
py.globals.set("DROPPED", dropped);
py.registerJsModule("noble", {}); // imported with the templates, and not called
py.runPython(`
import ast, importlib._bootstrap_external as loader, importlib.util, json, os, shutil, struct, sys, zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, "/app")
from pbem.web.page_rendering import templates
templates().compile_templates("/app/pbem/web/compiled_templates", zip=None, ignore_errors=False)
shutil.rmtree("/app/pbem/web/templates")

def compiled(data, name, optimize, keep_texts=False):
    tree = ast.parse(data)
    for node in ast.walk(tree):
        # a string alone explains what stands above it: no page shows it, and it would only travel
        if not keep_texts and isinstance(getattr(node, "body", None), list):
            texts = [x for x in node.body if isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant)]
            node.body = [x for x in node.body if x not in texts] or [ast.copy_location(ast.Pass(), x) for x in texts]
    code = compile(tree, name, "exec", dont_inherit=True, optimize=optimize)
    return loader._code_to_hash_pyc(code, importlib.util.source_hash(data), False)

rows = []
for folder, _, names in sorted(os.walk("/app")):
    for name in sorted(names):
        at = os.path.join(folder, name)
        inside = os.path.relpath(at, "/app")
        data = open(at, "rb").read()
        if name.endswith(".py"):
            # the texts of "explain" are docstrings of the rulesets; asserts check what a type cannot
            rules = inside.startswith(("games/", "engine/"))
            ours = rules or inside.startswith("pbem/")
            rows.append((inside + "c", compiled(data, at, 0 if ours else 2, rules)))
        elif not name.endswith((".pyc", "py.typed")):
            rows.append((inside, data))
# one file: the length of a list of names and sizes, the list, then all bytes, one after the other
head = json.dumps([[name, len(data)] for name, data in rows]).encode()
with open("/out/app.pack", "wb") as pack:
    pack.write(struct.pack("<I", len(head)) + head + b"".join(data for _, data in rows))

dropped, kept = json.loads(DROPPED), 0
with zipfile.ZipFile("/npm/python_stdlib.zip") as old, zipfile.ZipFile("/out/stdlib.zip", "w") as new:
    for name in sorted(old.namelist()):
        dotted = name.removesuffix(".py").replace("/", ".")
        if name.endswith("/") or any(dotted == d or dotted.startswith(d + ".") for d in dropped):
            continue
        data = old.read(name)
        if name.endswith(".py"):
            data, name = compiled(data, "/lib/python314.zip/" + name, 2), name + "c"
        new.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data)
        kept += 1
print(len(rows), "files of the program,", kept, "of Python's library")
`);
for (const name of ["pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs"]) {
  fs.copyFileSync(`${pyodide}/${name}`, `${out}/${name}`);
}
const lock = JSON.parse(fs.readFileSync(`${pyodide}/pyodide-lock.json`));
fs.writeFileSync(`${out}/pyodide-lock.json`, JSON.stringify({ ...lock, packages: {} }));
process.exit(0);
