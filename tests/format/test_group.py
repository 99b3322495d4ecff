"""The group that hides cards: what is read, what is refused, and which builds of its library."""

import os
import subprocess
import sys
import tomllib
from dataclasses import replace
from types import SimpleNamespace

import pytest

from pbem.errors import CliError
from pbem.format import curve_group
from pbem.format.curve_group import IDENTITY, CurveLibrary, ScalarStream, read_point, read_scalar
from pbem.format.protocol_labels import make_label
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import L, P
from tests.kit.selection import ROOT
from tests.vectors.make_cards import no_points

LABEL = make_label("card-point")
BASE = b"\x58" + b"\x66" * 31  # RFC 8032 §5.1
OTHER_ENCODINGS = [
    (P + 3).to_bytes(32, "little"),  # y ≥ p; 3 is on the curve
    P.to_bytes(32, "little"),
    (P + 1).to_bytes(32, "little"),
    (1 | 1 << 255).to_bytes(32, "little"),  # "-0"
    (P - 1 | 1 << 255).to_bytes(32, "little"),
]
TWICE = "c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd6022"


def refused_as_field(read, data: bytes) -> bool:
    with pytest.raises(RecordError) as caught:
        read(data)
    return caught.value.reason == "field"


@pytest.mark.parametrize("why", no_points())
def test_points_not_of_prime_order_are_refused(why):
    assert refused_as_field(read_point, no_points()[why])


def test_another_encoding_of_a_point_is_refused_whatever_the_library_says(monkeypatch):
    """libsodium adds such points, and then two records would say the same."""
    good = curve_group.load_library()
    lax = replace(good, is_valid=lambda data: True)
    monkeypatch.setattr(curve_group, "_library", lambda: lax)
    for data in OTHER_ENCODINGS:
        assert refused_as_field(read_point, data)
    assert read_point(BASE) == BASE


@pytest.mark.parametrize("data", OTHER_ENCODINGS, ids=bytes.hex)
def test_a_hash_that_is_another_encoding_of_a_point_is_skipped(monkeypatch, data):
    hashes = [data + bytes(32), BASE + bytes(32)]
    monkeypatch.setattr(curve_group.hashlib, "sha512", lambda _: SimpleNamespace(digest=hashes.pop))
    hashes.reverse()
    curve_group.point_of.cache_clear()
    assert curve_group.point_of(LABEL, b"another encoding") == curve_group.multiply_base(8)
    curve_group.point_of.cache_clear()
    assert not hashes


@pytest.mark.parametrize("data", [IDENTITY, (P - 1).to_bytes(32, "little")], ids=bytes.hex)
def test_a_hash_to_a_point_of_small_order_gives_the_neutral_point(monkeypatch, data):
    """The page makes no exception: 8 times this point is the neutral one."""
    monkeypatch.setattr(
        curve_group.hashlib, "sha512", lambda _: SimpleNamespace(digest=lambda: data + bytes(32))
    )
    curve_group.point_of.cache_clear()
    assert curve_group.point_of(LABEL, b"small order") == IDENTITY
    curve_group.point_of.cache_clear()


def test_valid_points_are_read_unchanged():
    for point in (BASE, curve_group.multiply_base(7), curve_group.point_of(LABEL, b"x")):
        assert read_point(point) == point


def test_flipping_a_bit_of_a_point_nearly_always_makes_it_invalid():
    """And what is read then is another point, never the same one in another form."""
    changed_points = {
        bytes(byte ^ (1 << bit % 8 if index == bit // 8 else 0) for index, byte in enumerate(BASE))
        for bit in range(256)
    }
    valid_points = [point for point in changed_points if curve_group._library().is_valid(point)]
    assert len(changed_points) == 256
    assert 8 <= len(valid_points) <= 32  # half of all are on the curve, of these every eighth
    sums = {curve_group.add(point, curve_group.multiply(L - 1, BASE)) for point in valid_points}
    assert IDENTITY not in sums


def test_numbers_not_below_the_group_order_are_refused():
    for scalar in (0, 1, L - 1, 1 << 251):
        assert read_scalar(scalar.to_bytes(32, "little")) == scalar
        assert curve_group.scalar_bytes(scalar + 3 * L) == scalar.to_bytes(32, "little")
    for scalar in (L, L + 1, 2 * L, (1 << 256) - 1):
        assert refused_as_field(read_scalar, scalar.to_bytes(32, "little"))
    for length in (0, 31, 33, 64):
        assert refused_as_field(read_scalar, bytes(length))


def test_points_add_and_multiply_as_in_a_group():
    assert curve_group.multiply_base(1) == curve_group.multiply_base(L + 1) == BASE
    assert curve_group.multiply_base(2) == curve_group.add(BASE, BASE) == bytes.fromhex(TWICE)
    assert curve_group.multiply(5, bytes.fromhex(TWICE)) == curve_group.multiply_base(10)
    assert curve_group.subtract(bytes.fromhex(TWICE), BASE) == BASE
    assert curve_group.multiply(-1, BASE) == curve_group.subtract(IDENTITY, BASE)
    points = [BASE, bytes.fromhex(TWICE), IDENTITY, curve_group.multiply_base(3)]
    assert curve_group.weighted_sum([7, L - 1, 9, 0], points) == curve_group.multiply_base(5)
    assert curve_group.weighted_sum([], []) == IDENTITY


def test_sums_with_the_neutral_point_do_not_need_the_library():
    """Libraries refuse to multiply by zero, and to multiply the neutral point."""
    assert curve_group.multiply_base(0) == curve_group.multiply_base(2 * L) == IDENTITY
    assert curve_group.multiply(0, BASE) == curve_group.multiply(L, BASE) == IDENTITY
    assert curve_group.multiply(5, IDENTITY) == IDENTITY
    assert curve_group.add(IDENTITY, BASE) == curve_group.subtract(BASE, IDENTITY) == BASE
    assert curve_group.subtract(BASE, BASE) == IDENTITY


def test_a_weighted_sum_needs_one_scalar_for_each_point():
    with pytest.raises(ValueError, match="shorter"):
        curve_group.weighted_sum([1, 2], [BASE])


def test_hashes_of_different_texts_are_different_points_of_prime_order():
    points = {curve_group.point_of(LABEL, b"%d" % number) for number in range(40)}
    assert len(points) == 40
    assert all(read_point(point) for point in points)
    assert curve_group.point_of(LABEL, b"a", b"b") != curve_group.point_of(LABEL, b"ab")


def test_a_stream_of_scalars_goes_on_where_it_stopped():
    whole = ScalarStream(bytes(32)).next_scalars(5)
    stream = ScalarStream(bytes(32))
    assert [*stream.next_scalars(2), *stream.next_scalars(0), *stream.next_scalars(3)] == whole
    assert len(set(whole)) == 5
    assert max(whole) < L
    assert ScalarStream(b"\1" * 32).next_scalars(5) != whole


# ---- the library


def test_the_dealers_extra_installs_the_library_that_the_error_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [f'"{name}"' for name in project["optional-dependencies"]["dealers"]] == [
        curve_group.LIBRARY
    ]


def test_a_library_that_accepts_points_of_mixed_order_is_not_used():
    good = curve_group.load_library()
    assert curve_group.refuses_mixed_order(good)
    mixed_order = good.add(BASE, (P - 1).to_bytes(32, "little"))

    def is_valid_in_old_builds(data: bytes) -> bool:
        return data == mixed_order or good.is_valid(data)

    def is_never_valid(data: bytes) -> bool:
        return False

    for is_valid in (is_valid_in_old_builds, is_never_valid):
        old = CurveLibrary(good.add, good.subtract, good.multiply, good.multiply_base, is_valid)
        assert not curve_group.refuses_mixed_order(old)


def test_a_library_build_without_the_needed_functions_is_not_used():
    good = curve_group.load_library()

    def is_missing(*arguments: bytes) -> bytes:
        raise RuntimeError("not available in minimal builds")

    broken = CurveLibrary(
        is_missing, good.subtract, good.multiply, good.multiply_base, good.is_valid
    )
    assert not curve_group.refuses_mixed_order(broken)


def test_an_old_library_build_is_refused_with_the_command_to_mend_it(monkeypatch):
    bindings = pytest.importorskip("nacl.bindings")
    monkeypatch.setattr(bindings, "crypto_core_ed25519_is_valid_point", lambda data: True)
    with pytest.raises(CliError) as caught:
        curve_group.load_library()
    assert caught.value.sentence.endswith("its libsodium is too old")
    assert caught.value.hint.endswith('pip install "pynacl>=1.6.2"')


def test_without_the_library_the_error_names_the_command_to_install_it(monkeypatch):
    if sys.platform == "emscripten":
        pytest.skip("a tab has a library of its own")
    monkeypatch.setitem(sys.modules, "nacl", None)
    with pytest.raises(CliError) as caught:
        curve_group.load_library()
    assert (
        caught.value.sentence
        == "the library PyNaCl, which games in mode dealers need, is not installed"
    )
    assert caught.value.hint.endswith('pip install "pynacl>=1.6.2"')


WITHOUT = """
import sys
sys.modules["nacl"] = None
import pbem.cards.mixing
from pbem.errors import CliError
from pbem.format import curve_group
try:
    curve_group.multiply_base(1)
except CliError as error:
    print(error.sentence)
"""


def test_a_process_without_the_library_imports_all_and_fails_only_at_the_first_use():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert (
        done.stdout == "the library PyNaCl, which games in mode dealers need, is not installed\n"
    ), done.stderr


COMMAND = """
import sys
from pbem.cli import main
try:
    main()
finally:
    names = [name for name in sys.modules if name.split(".")[0] == "nacl" or "pbem.cards" in name]
    print("loaded:", names + [name for name in sys.modules if name == "pbem.format.curve_group"])
"""


@pytest.mark.sample(0)
def test_the_process_of_an_ordinary_command_does_not_load_the_library(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "demo", "--game", "classroom", "--players", "2"],
        capture_output=True, text=True, env=os.environ | {"PBEM_HOME": str(tmp_path)},
    )  # fmt: skip
    assert "loaded: []" in done.stdout, done.stdout + done.stderr
