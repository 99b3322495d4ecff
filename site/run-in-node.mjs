// The site's Python under Node, for tests: what the worker does without a browser.
// node run-in-node.mjs SITE [CODE]: with CODE, run it; a package in the environment PACKAGES is on the path.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [site, code, ...mounts] = process.argv.slice(2);
const here = (name) => pathToFileURL(`${fs.realpathSync(site)}/${name}`).href;
const { loadPyodide } = await import(here("pyodide.mjs"));
const { noble } = await import(here("crypto.mjs"));
const py = await loadPyodide({ stdLibURL: `${site}/stdlib.zip`, env: { HOME: "/home/web", PBEM_HOME: "/home/web/pbem" } });
py.registerJsModule("noble", noble);
const pack = fs.readFileSync(`${site}/app.pack`);
let at = 4 + pack.readUInt32LE(0);
for (const [name, size] of JSON.parse(pack.subarray(4, at).toString())) {
  const path = `/app/${name}`;
  py.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  py.FS.writeFile(path, new Uint8Array(pack.subarray(at, at + size)));
  at += size;
}
for (const mount of mounts) { // FROM=TO
  const [root, to] = mount.split("=");
  py.FS.mkdirTree(to);
  py.FS.mount(py.FS.filesystems.NODEFS, { root }, to);
}
py.runPython("import sys; sys.path.insert(0, '/app')");
let found;
try {
  found = await py.runPythonAsync(code);
} catch (error) { // not the whole source of the interpreter
  console.error(String(error.message || error).slice(-4000));
  process.exit(1);
}
if (found !== undefined) console.log(found);
process.exit(0);
