"""A second implementation of docs/protocol.md §14, with nothing from pbem:
`python tests/vectors/second_calls.py calls.json` checks each file, and fails at the first
difference."""

import base64
import hashlib
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from second import Ed25519PublicKey, InvalidSignature, canonical, wire

FIELDS: dict[str, tuple[type, str]] = {
    "address": (str, "[!-~]{3,1000}"),
    "auth": (str, "[0-9a-f]{32}"),
    "game": (str, "[0-9a-f]{64}"),
    "host": (str, "(?=.{8,300}$)https?://[!-~]+"),
    "kind": (str, "call"),
    "on": (bool, ".*"),
    "p256dh": (str, "[0-9a-f]{130}"),
    "seat": (str, "[a-p]"),
    "time": (int, "[0-9]+"),
    "v": (int, "1"),
    "way": (str, "push|mail"),
}
TRAILER = re.compile(rb"(?:# [^\n]*\n)+")
LINE = re.compile(r'([a-z0-9_]+ = ("[^"\\\\]*"|-?(0|[1-9][0-9]*)|true|false)\n)*')


def failed_check_of(data: bytes, game: str, host: str, keys: dict[str, str], now: int) -> str:
    """The first check that fails; empty if all are right."""
    if len(data) > 3000:
        return "size"
    cut = data.find(b"\n#") + 1
    body, trailer = data[:cut], data[cut:]
    if not cut or not TRAILER.fullmatch(trailer):
        return "trailer"
    rows = re.findall(rb"^# ([A-Za-z0-9+/=]+)$", trailer, re.MULTILINE)
    blob = base64.b64decode(b"".join(rows))
    key, signature = blob[33:65], blob[-64:]
    kind = blob[69:-101].decode("ascii", "replace").removesuffix("@pbem-1")
    if file_of(body, kind, key, signature) != data:
        return "trailer"
    if kind != "call":
        return "version"
    if key.hex() not in keys.values():
        return "key"
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, bytes_to_sign(body, kind))
    except InvalidSignature:
        return "signature"
    if not LINE.fullmatch(body.decode("ascii")):
        return "grammar"
    doc = tomllib.loads(body.decode("ascii"))
    if canonical(doc).encode() != body:
        return "canonical"
    return wrong_content(doc, key.hex(), game, host, keys, now)


def bytes_to_sign(body: bytes, kind: str) -> bytes:
    """What is signed."""
    digest = hashlib.sha512(body).digest()
    return b"SSHSIG" + wire(f"{kind}@pbem-1".encode(), b"", b"sha512", digest)


def file_of(body: bytes, kind: str, key: bytes, signature: bytes) -> bytes:
    """The file with this signature."""
    public, inner = wire(b"ssh-ed25519", key), wire(b"ssh-ed25519", signature)
    blob = b"SSHSIG\0\0\0\1" + wire(public, f"{kind}@pbem-1".encode(), b"", b"sha512", inner)
    text = base64.b64encode(blob).decode()
    rows = [text[i : i + 70] for i in range(0, len(text), 70)]
    lines = ["-----BEGIN SSH SIGNATURE-----", *rows, "-----END SSH SIGNATURE-----"]
    return body + "".join(f"# {line}\n" for line in lines).encode()


def wrong_content(
    doc: dict[str, Any], key: str, game: str, host: str, keys: dict[str, str], now: int
) -> str:
    """The first fault in what a request says."""
    if doc.get("v") != 1 or doc.get("kind") != "call":
        return "version"
    has_keys = doc.get("way") == "push" and doc.get("on") is True
    needed = set(FIELDS) - (set() if has_keys else {"auth", "p256dh"})
    if set(doc) != needed:
        return "field"
    for name, value in doc.items():
        kind, pattern = FIELDS[name]
        if type(value) is not kind or not re.fullmatch(pattern, str(value)):
            return "field"
    if doc["game"] != game or doc["host"] != host:
        return "place"
    if keys.get(doc["seat"]) != key:
        return "key"
    return "state" if abs(doc["time"] - now) > 600 else ""


def main(path: str) -> None:
    """Check all files."""
    known = json.loads(Path(path).read_text("ascii"))
    for number, one in enumerate(known["files"]):
        place = known["game"], known["host"]
        reason = failed_check_of(one["file"].encode(), *place, known["keys"], known["now"])
        assert reason == one["reason"], (number, reason, one["reason"])
    taken = sum(not one["reason"] for one in known["files"])
    print(f"right: {taken} call requests are taken, {len(known['files']) - taken} are refused")


if __name__ == "__main__":
    main(sys.argv[1])
