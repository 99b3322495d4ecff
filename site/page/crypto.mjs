// The ciphers, as pbem/format/crypto_and_key_files_in_browser.py asks for them.
import { ed25519, x25519 } from "./noble/curves/ed25519.js";
import { interleavedMSMUnsafe } from "./noble/curves/abstract/curve.js";
import { aessiv } from "./noble/ciphers/aes.js";

const SUM_WINDOW = 5; // bits: measured, the best for 2 to 258 points
const pieces = (data) => Array.from({ length: data.length / 32 }, (_, n) => data.subarray(32 * n, 32 * n + 32));
const integer = (data) => data.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

export const noble = {
  publicOfSeed: (seed) => ed25519.getPublicKey(seed),
  sign: (message, seed) => ed25519.sign(message, seed),
  // as RFC 8032 and the terminal do it; the other rule, ZIP 215, takes some signatures that they refuse
  verify: (signature, message, key) => ed25519.verify(signature, message, key, { zip215: false }),
  publicOfSecret: (secret) => x25519.getPublicKey(secret),
  shared: (secret, key) => x25519.getSharedSecret(secret, key),
  seal: (key, plain, associated) => aessiv(key, associated).encrypt(plain),
  open: (key, box, associated) => aessiv(key, associated).decrypt(box),
  Point: ed25519.Point,
  // scalars and points of 32 bytes each, one after the other; the time depends on them
  weightedSum: (scalars, points) =>
    interleavedMSMUnsafe(ed25519.Point, pieces(points).map((data) => ed25519.Point.fromBytes(data)), SUM_WINDOW)(
      pieces(scalars).map(integer),
    ).toBytes(),
};
