"""Signed files: stock OpenSSH agrees with us, and no other bytes are the same file."""

import base64
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.format.openssh_key_files import read_key, write_key
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.format.signed_file import Signed, armor, namespace, sign, split, verify
from tests.format.openssh import make_key, needs_ssh_keygen, openssh_verifies, ssh_keygen
from tests.kit.refusals import refused_for

KEY = SigningKey(bytes(range(32)))
BODY = b'kind = "turn"\nv = 1\n'
FILE = sign("turn", BODY, KEY).file


@needs_ssh_keygen
def test_ssh_keygen_verifies_pbems_signature(tmp_path: Path) -> None:
    other = SigningKey(b"o" * 32).public
    assert openssh_verifies(tmp_path, FILE, KEY.public, "turn@pbem-1")
    assert not openssh_verifies(tmp_path, FILE, KEY.public, "orders@pbem-1")
    assert not openssh_verifies(tmp_path, FILE, other, "turn@pbem-1")
    assert not openssh_verifies(
        tmp_path, FILE.replace(b"v = 1", b"v = 2"), KEY.public, "turn@pbem-1"
    )


@needs_ssh_keygen
def test_ssh_keygen_makes_the_same_signature_as_pbem(tmp_path: Path) -> None:
    path = tmp_path / "key"
    key = read_key(make_key(path))
    done = ssh_keygen("-q", "-Y", "sign", "-f", path, "-n", namespace("join"), stdin=BODY)
    signed = sign("join", BODY, key)
    assert done.stdout == armor(signed)
    trailer = b"".join(b"# " + line + b"\n" for line in done.stdout.splitlines())
    assert split(BODY + trailer) == signed


def test_a_signed_file_is_split_into_text_kind_key_and_signature() -> None:
    signed = split(FILE)
    verify(signed)
    assert (signed.body, signed.kind, signed.key, signed.file) == (BODY, "turn", KEY.public, FILE)
    assert signed.id == sign("join", BODY, KEY).id != sign("turn", BODY + b"w = 1\n", KEY).id


def test_a_signature_for_one_kind_of_record_is_invalid_for_another() -> None:
    signed = split(FILE)
    with pytest.raises(RecordError, match=r"does not match.*\[signature\]"):
        verify(Signed(signed.body, "orders", signed.key, signed.signature))


def _retrailed(blob: bytes) -> bytes:
    text = base64.b64encode(blob).decode()
    rows = [text[i : i + 70] for i in range(0, len(text), 70)]
    lines = ["-----BEGIN SSH SIGNATURE-----", *rows, "-----END SSH SIGNATURE-----"]
    return BODY + "".join(f"# {line}\n" for line in lines).encode()


def _blob() -> bytes:
    return base64.b64decode("".join(r[2:] for r in FILE.decode().splitlines()[3:-1]))


TRAILERS = {
    "no signature": BODY,
    "no text": FILE[len(BODY) :],
    "empty": b"",
    "CRLF": FILE.replace(b"\n", b"\r\n"),
    "CRLF in the trailer": BODY + FILE[len(BODY) :].replace(b"\n", b"\r\n"),
    "two trailers": FILE + FILE[len(BODY) :],
    "comment before": BODY + b"# hello\n" + FILE[len(BODY) :],
    "comment after": FILE + b"# hello\n",
    "text after": FILE + b"a = 1\n",
    "empty line after": FILE + b"\n",
    "empty line before": BODY + b"\n#\n" + FILE[len(BODY) :],
    "no last line feed": FILE[:-1],
    "two spaces": FILE.replace(b"# -----END", b"#  -----END"),
    "other columns": FILE.replace(b"\n# ", b"\n# \n# ", 3),
    "whole blob on a line": BODY
    + b"# -----BEGIN SSH SIGNATURE-----\n# "
    + base64.b64encode(_blob())
    + b"\n# -----END SSH SIGNATURE-----\n",
    "another format": _retrailed(_blob().replace(b"\0\0\0\x01", b"\0\0\0\x02", 1)),
    "sha256": _retrailed(_blob().replace(b"\0\0\0\x06sha512", b"\0\0\0\x06sha256")),
    "reserved bytes": _retrailed(_blob().replace(b"pbem-1\0\0\0\0", b"pbem-1\0\0\0\x01x")),
    "another protocol": _retrailed(_blob().replace(b"pbem-1", b"pbem-2")),
    "bytes behind the signature": _retrailed(_blob() + b"\0\0\0"),
    "short": _retrailed(_blob()[:40]),
    "a letter lost": FILE.replace(b"# U1NI", b"# 1NI", 1),
    "not base64": FILE.replace(b"# U1NI", b"# ====", 1),
}


@pytest.mark.parametrize("data", TRAILERS.values(), ids=TRAILERS.keys())
def test_a_signed_file_with_an_altered_trailer_is_refused(data: bytes) -> None:
    with refused_for("trailer"):
        split(data)


def test_a_signed_file_of_one_mebibyte_is_read_and_a_longer_one_is_refused() -> None:
    room = (1 << 20) - len(FILE) + len(BODY)
    long = sign("turn", b"a" * (room - 1) + b"\n", KEY).file
    assert len(long) == 1 << 20
    assert split(long).file == long
    with pytest.raises(RecordError, match=r"\[size\]"):
        split(b"a" + long)


def test_a_file_without_text_or_signature_is_called_cut_off() -> None:
    for data in (BODY, FILE[len(BODY) :], b"# hello\n" + FILE, b"", b"\n"):
        with pytest.raises(
            RecordError, match=r"^this file does not end with a signature.*\[trailer\]"
        ):
            split(data)
    with pytest.raises(RecordError, match=r"^below its text, this file must have one signature"):
        split(BODY + b"#\n")


@given(st.integers(0, len(FILE)), st.integers(0, 3), st.binary(max_size=3))
def test_no_changed_bytes_make_a_valid_signed_file(at: int, cut: int, new: bytes) -> None:
    changed = FILE[:at] + new + FILE[at + cut :]
    with suppress(RecordError):
        verify(split(changed))
        assert changed == FILE


def test_a_signed_file_that_was_cut_short_is_refused() -> None:
    for length in range(len(FILE)):
        with pytest.raises(RecordError):
            split(FILE[:length])


def test_unusable_keys_are_refused_before_their_signature_is_checked() -> None:
    signed = split(FILE)
    with refused_for("key"):
        verify(Signed(signed.body, "turn", bytes(32), bytes(64)))
    forged = Signed(signed.body, "turn", signed.key, b"\x01" + bytes(63))
    with pytest.raises(
        RecordError, match=r"no real signature has such a first half .R. \[signature\]"
    ):
        verify(forged)


def test_a_key_read_from_its_file_makes_the_same_signature() -> None:
    assert sign("turn", BODY, read_key(write_key(KEY))).file == FILE
