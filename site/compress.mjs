// Write a brotli copy beside each of these files, unless it would not be smaller.
import fs from "node:fs";
import zlib from "node:zlib";

const c = zlib.constants;
for (const name of process.argv.slice(2)) {
  const data = fs.readFileSync(name);
  const quality = Number(process.env.SITE_BROTLI ?? 11); // tests are in a hurry
  const params = { [c.BROTLI_PARAM_QUALITY]: quality, [c.BROTLI_PARAM_LGWIN]: 24, [c.BROTLI_PARAM_SIZE_HINT]: data.length };
  const small = zlib.brotliCompressSync(data, { params });
  if (small.length < data.length) fs.writeFileSync(`${name}.br`, small);
}
