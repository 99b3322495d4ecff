// The interpreter's memory as it was when the program had just been imported: the next start of this
// version goes on from there. No file of the person was open then, so nothing of theirs is in it.
const interpreter = import("./pyodide.asm.mjs");
const CACHE = `pbem-${"VERSION"}`; // the service worker keeps this version's files there
const NAME = new URL("memory", self.location).href;

const HASH = "x-sha256"; // the interpreter would run whatever the browser's storage has made of it
const hash = async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Return the kept memory as an answer, or undefined.
export async function find() {
  try {
    return await (await caches.open(CACHE)).match(NAME);
  } catch {
    return undefined;
  }
}

// Return the bytes of this answer, which are still the ones that were kept.
export async function read(kept) {
  const found = await kept.arrayBuffer();
  if ((await hash(found)) !== kept.headers.get(HASH)) throw Error("the kept memory is damaged");
  return found;
}

// If the browser refuses, the next start is as slow as this one. Without a service worker, nobody would
// remove it after this version.
export async function keep(bytes) {
  try {
    if (!(await caches.has(CACHE))) return;
    const answer = new Response(bytes, { headers: { [HASH]: await hash(bytes) } });
    await (await caches.open(CACHE)).put(NAME, answer);
  } catch { /* as said */ }
}

export const drop = () => caches.open(CACHE).then((cache) => cache.delete(NAME)).catch(() => {});

// What loadPyodide needs to begin with this memory, which may still be on its way. `known` are the
// JavaScript objects that Python holds.
export function options(memory, known) {
  return {
    _makeSnapshot: !memory,
    _loadSnapshot: memory,
    _snapshotDeserializer: (name) => known[name],
    // Python's memory has its first size, and does not grow for what comes: pyodide's issue 6254
    createPyodideModule: async (settings) => {
      const length = (await memory)?.byteLength ?? 0;
      const instantiate = settings.instantiateWasm;
      settings.instantiateWasm = (imports, go) => instantiate(imports, (instance, module) => {
        const heap = instance.exports.memory;
        const missing = length - heap.buffer.byteLength;
        if (missing > 0) heap.grow(Math.ceil(missing / 65536));
        go(instance, module);
      });
      return (await interpreter).default(settings);
    },
  };
}

// Return the memory as it is now; undefined if Python holds an object that is not known.
export function copy(py, known) {
  const serializer = (object) => {
    const name = Object.keys(known).find((one) => known[one] === object);
    if (!name) throw Error("an object that the next start would not have");
    return name;
  };
  try {
    return py.makeMemorySnapshot({ serializer });
  } catch {
    return undefined;
  }
}
