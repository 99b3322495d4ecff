"""Key files as ssh-keygen writes them, and clear words for those that will not do."""

import base64
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.format import protocol_labels
from pbem.format.hashes_and_streams import kdf, u
from pbem.format.openssh_key_files import is_encrypted, public_of_file, read_key, write_key
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import (
    Secrets,
    SigningKey,
    parse_public_blob,
    parse_public_line,
    public_blob,
    public_line,
)
from pbem.records.invite import invite_code
from tests.format.openssh import make_key, needs_ssh_keygen, ssh_keygen
from tests.kit.refusals import refused_for
from tests.kit.selection import long

KEY = SigningKey(bytes(range(32)))
FILE = write_key(KEY)
ARMOR = FILE.splitlines()[0], FILE.splitlines()[-1]


@needs_ssh_keygen
@pytest.mark.parametrize("passphrase", ["", "correct horse"])
def test_a_key_file_made_by_ssh_keygen_is_read(tmp_path: Path, passphrase: str) -> None:
    data = make_key(tmp_path / "key", passphrase=passphrase)
    assert is_encrypted(data) == bool(passphrase)
    key = read_key(data, passphrase.encode())
    written = (tmp_path / "key.pub").read_text()
    assert written.startswith(public_line(key.public) + " ")


@needs_ssh_keygen
@pytest.mark.parametrize("passphrase", [None, b"correct horse"])
def test_ssh_keygen_reads_a_key_file_by_pbem(tmp_path: Path, passphrase: bytes | None) -> None:
    path = tmp_path / "key"
    path.write_bytes(write_key(KEY, passphrase))
    path.chmod(0o600)
    done = ssh_keygen("-y", "-P", (passphrase or b"").decode(), "-f", path)
    assert done.stdout.decode().split()[:2] == public_line(KEY.public).split()


def test_a_written_key_file_is_read_back() -> None:
    assert read_key(FILE).seed == KEY.seed
    assert read_key(FILE.replace(b"\n", b"\r\n")).seed == KEY.seed
    assert read_key(FILE, b"a word it does not need").seed == KEY.seed
    assert public_of_file(FILE) == KEY.public


def test_stray_characters_in_a_key_file_are_called_damage() -> None:
    stray = FILE[:100] + b"!!!!" + FILE[100:]
    for damaged in (stray, _refilled(lambda blob: b"X" + blob[1:])):
        for look in (read_key, is_encrypted, public_of_file):
            with pytest.raises(
                RecordError, match=r"^this is not a complete OpenSSH private key \[key\]"
            ):
                look(damaged)


@pytest.mark.sample(0)
def test_a_locked_key_file_needs_its_passphrase() -> None:
    locked = write_key(KEY, b"word")
    assert is_encrypted(locked)
    assert not is_encrypted(FILE)
    assert public_of_file(locked) == KEY.public
    assert read_key(locked, b"word").seed == KEY.seed
    for nothing in (None, b""):
        with pytest.raises(RecordError, match=r"needs its passphrase: type it.*\[key\]"):
            read_key(locked, nothing)
    with pytest.raises(RecordError, match=r"the passphrase is wrong.*\[key\]"):
        read_key(locked, b"other")


@needs_ssh_keygen
@pytest.mark.parametrize("kind", ["ecdsa", *long(["rsa"])])
def test_key_files_of_other_types_are_refused_by_name(tmp_path: Path, kind: str) -> None:
    data = make_key(tmp_path / "key", kind)
    with pytest.raises(RecordError, match=f"of type .*{kind}.*needs an Ed25519"):
        read_key(data)


def _with_algorithm(name: bytes) -> bytes:
    """A key file whose public half says it is of another kind."""
    blob = base64.b64decode(b"".join(FILE.splitlines()[1:-1]))
    other = len(name).to_bytes(4, "big") + name + public_blob(KEY.public)[15:]
    public = public_blob(KEY.public)
    sized = [len(p).to_bytes(4, "big") + p for p in (public, other)]
    text = base64.b64encode(blob.replace(sized[0], sized[1], 1))
    begin, end = FILE.splitlines()[0], FILE.splitlines()[-1]
    return b"\n".join([begin, text, end, b""])


def _refilled(change: Callable[[bytes], bytes]) -> bytes:
    """The key file with its binary content changed."""
    blob = change(base64.b64decode(b"".join(FILE.splitlines()[1:-1])))
    return b"\n".join([ARMOR[0], base64.b64encode(blob), ARMOR[1], b""])


OTHER_FILES = {
    "empty": (b"", "not a complete OpenSSH private key"),
    "public half": (public_line(KEY.public).encode(), "public half"),
    "putty": (b"PuTTY-User-Key-File-3: ssh-ed25519\n", "PuTTY"),
    "pem": (b"-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n", "OpenSSH's own"),
    "cut off": (FILE[:200], "not a complete OpenSSH"),
    "a line lost": (
        b"\n".join(FILE.splitlines()[:2] + FILE.splitlines()[4:]),
        "^this is not a complete",
    ),
    "not base64": (FILE.replace(b"AAAA", b"A!AA", 1), "^this is not a complete"),
    "another magic": (_refilled(lambda blob: b"X" + blob[1:]), "^this is not a complete"),
    "too short for its fields": (_refilled(lambda blob: blob[:20]), "^this is not a complete"),
    "damaged behind the public half": (
        _refilled(lambda blob: blob[:-9] + b"x" * 9),
        "^this is not a complete",
    ),
    "cut in the public half": (_refilled(lambda blob: blob[:90]), "^this is not a complete"),
    "a name that is none": (_with_algorithm(b"ssh ed25519"), "^this is not a complete"),
    "another kind": (
        _with_algorithm(b"ssh-dss"),
        "^this is a key of type ssh-dss; pbem needs an Ed25519",
    ),
    "a security key": (
        _with_algorithm(b"sk-ssh-ed25519@openssh.com"),
        "^this is a hardware key: it can sign, but pbem cannot derive",
    ),
    "nothing between": (ARMOR[0] + b"\n" + ARMOR[1], "^this is not a complete"),
    "beginning only": (ARMOR[0] + b"\n", "^this is not a complete OpenSSH private key"),
    "end only": (b"\n".join(FILE.splitlines()[1:]), "^this is not a complete OpenSSH private key"),
    "elliptic public half": (b"ecdsa-sha2-nistp256 AAAA", "^this file is the public half"),
    "hardware public half": (
        b" \nsk-ssh-ed25519@openssh.com AAAA",
        "^this file is the public half",
    ),
    "long": (FILE * 400, "too long"),
    "a byte too long": (FILE.ljust((1 << 16) + 1), "too long"),
}


def test_the_longest_allowed_key_file_is_read() -> None:
    assert read_key(FILE.ljust(1 << 16)).seed == KEY.seed


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        public_blob(KEY.public)[:-1],
        public_blob(KEY.public) + b"\0",
        public_blob(KEY.public).replace(b"ssh", b"ssx"),
        KEY.public,
    ],
)
def test_bytes_that_are_no_ed25519_public_key_are_refused(blob: bytes) -> None:
    with pytest.raises(RecordError, match=r"^this is not an Ed25519 public key \[key\]"):
        parse_public_blob(blob)


@pytest.mark.parametrize(("data", "words"), OTHER_FILES.values(), ids=OTHER_FILES.keys())
def test_files_that_are_no_private_key_are_refused_with_the_reason(data: bytes, words: str) -> None:
    with refused_for("key", words):
        read_key(data)


@given(st.integers(0, len(FILE) - 1), st.binary(min_size=1, max_size=3))
def test_a_changed_key_file_gives_the_same_key_or_an_error(at: int, new: bytes) -> None:
    with suppress(RecordError):
        assert read_key(FILE[:at] + new + FILE[at + len(new) :]).seed == KEY.seed


def test_a_key_file_with_anothers_public_half_is_refused() -> None:
    other = SigningKey(b"o" * 32)
    blob = base64.b64decode(b"".join(FILE.splitlines()[1:-1]))
    swapped = base64.b64encode(blob.replace(KEY.public, other.public, 1))
    with pytest.raises(RecordError, match=r"\[key\]"):
        read_key(b"\n".join([FILE.splitlines()[0], swapped, FILE.splitlines()[-1]]))


def test_a_public_key_is_read_back_from_its_line_and_wrong_lines_are_refused() -> None:
    line = public_line(KEY.public)
    assert parse_public_line(line) == KEY.public
    assert parse_public_blob(public_blob(KEY.public)) == KEY.public
    for bad in ("", line + " ann", line[:-1], line.removeprefix("ssh-ed25519 "), "ssh-rsa AAAA"):
        with refused_for("key"):
            parse_public_line(bad)
    with pytest.raises(RecordError, match="not a valid point of the curve"):
        parse_public_line(public_line(bytes(32)))


def test_derived_secrets_differ_by_use_game_and_seat() -> None:
    mine = Secrets(KEY.seed)
    table, game, other = b"t" * 16, b"g" * 32, b"h" * 32
    made = [mine.r_ref(table), mine.audit(table), mine.desk(table)]
    for where in ((game, "a"), (game, "b"), (other, "a")):
        made += [mine.held_seat(*where), mine.r(*where), mine.box(*where)]
        made += [mine.sealing(*where, 1, 1, b"d"), mine.sealing(*where, 1, 2, b"d")]
    assert len(set(made)) == len(made)
    assert Secrets(KEY.seed).r(game, "a") == mine.r(game, "a")


def test_secrets_are_derived_as_the_protocol_says() -> None:
    mine, seed, table, game = Secrets(KEY.seed), KEY.seed, b"t" * 16, b"g" * 32
    assert mine.r_ref(table) == kdf(seed, protocol_labels.R_REF, table)
    assert mine.audit(table) == kdf(seed, protocol_labels.AUDIT, table)
    assert mine.desk(table) == kdf(seed, protocol_labels.DESK, table)
    code = invite_code(mine.audit(table), table, "b")
    assert code == kdf(mine.audit(table), protocol_labels.INVITE, table, b"b", bytes(8))[:16]
    assert mine.held_seat(game, "b") == kdf(seed, protocol_labels.HELD_SEAT, game, b"b")
    assert mine.r(game, "b") == kdf(seed, protocol_labels.R_SEAT, game, b"b")
    assert mine.box(game, "b") == kdf(seed, protocol_labels.BOX_SEAT, game, b"b")
    seat = kdf(seed, protocol_labels.SEALING, game, b"b")
    assert mine.sealing(game, "b", 3, 2, b"d") == kdf(
        seat, protocol_labels.ORDERS, u(3), u(2), b"d"
    )


def test_printing_a_key_shows_only_its_public_half() -> None:
    assert repr(KEY) == f"SigningKey({public_line(KEY.public)})"
