"""Whatever is in a mail: no traceback, and nothing is written that was not signed."""

import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.files.home import Home
from pbem.mail.find_game_by_id import Places
from pbem.mail.take_records_from_mail import Receiving
from pbem.mail.unpack_mail import open_post
from tests.mail.post import CLIENTS, letter, web_page
from tests.mail.sample import ALL, BUNDLE, FILES, zip_file

Change = Callable[[str], str]


def _quote(mark: str) -> Change:
    return lambda text: "".join(f"{mark}{row}\n" for row in text.splitlines())


def _wrap(width: int) -> Change:
    """As mail programs break lines: at a space if there is one, else where the column ends."""
    return lambda text: re.sub(
        rf"([^\n]{{1,{width}}})(?: +|$\n?)|([^\n]{{{width}}})", r"\1\2\n", text
    )


CHANGES = st.one_of(
    st.sampled_from(["> ", ">", "| ", "  ", ">> ", "\t"]).map(_quote),
    st.integers(30, 90).map(_wrap),
    st.sampled_from([("\n", "\r\n"), (" ", "\u00a0"), ("-", "\u2011"), ("\n", "\n\n"), ("-", "–")])
    .map(lambda pair: lambda text: text.replace(*pair)),
)  # fmt: skip


@pytest.mark.sample(0)
@given(st.lists(CHANGES, max_size=4), st.sampled_from([*CLIENTS, None]), st.booleans())
@settings(max_examples=2 * settings.default.max_examples)
def test_records_that_mail_programs_have_mangled_are_read_unchanged(changes, client, as_page):
    text = BUNDLE
    for change in changes:
        text = change(text)
    data = client(text).as_bytes() if client else text.encode()
    if as_page and not client:
        data = web_page(text).encode()
    found = open_post(data, "x")
    assert [finding.data for finding in found] == FILES


SEEDS = [BUNDLE.encode(), FILES[0], zip_file(dict(zip("ab", FILES, strict=False)))]
SEEDS += [client(BUNDLE).as_bytes() for client in CLIENTS]
BITS = [b"From x\n", b"=", b"\n", b"<", b">", b"&#", b"\x00", b"\xff", b"-----BEGIN PBEM-----\n"]
BITS += [b"Content-Type: multipart/mixed; boundary=", b"charset=", b"\n\n", b"--", b"check: "]
BITS += [
    b"Content-Transfer-Encoding: base64\n",
    b"PK\x03\x04",
    b"# -----BEGIN SSH SIGNATURE-----\n",
]


@st.composite
def damaged(draw) -> bytes:
    """A mail with bytes taken out, doubled, turned round and put in."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(0, 5))):
        at, to = sorted([draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))])
        bit = draw(st.one_of(st.binary(max_size=6), st.sampled_from(BITS)))
        data = draw(
            st.sampled_from(
                [
                    data[:at] + bit + data[at:],
                    data[:at] + bit + data[at + len(bit) :],
                    data[:at] + data[min(to, at + 80) :],
                    data[:at] + data[at:to][:500] * 2 + data[to:],
                    data[:at],
                ]
            )
        )
    return data


@pytest.mark.long
@given(st.lists(damaged(), min_size=1, max_size=3))
@settings(max_examples=3 * settings.default.max_examples)
def test_nothing_is_written_that_was_not_signed(mails):
    with TemporaryDirectory() as folder:
        here, home = Path(folder) / "here", Path(folder) / "home"
        here.mkdir()
        intake = Receiving(Places(Home(home), here))
        for data in mails:
            intake.open(data, "x")
        intake.file_all()
        for path in here.rglob("*"):
            inner = path.relative_to(here).as_posix().removeprefix("savannah").lstrip("/")
            assert path.is_dir() or path.read_bytes() == ALL[inner]
        assert all(refusal.sentence for refusal in intake.refusals)


@given(st.binary(max_size=300), st.integers(0, 5))
def test_bytes_of_any_kind_are_never_taken_for_a_record(data, kind):
    for start in (b"", b"From x\nSubject: x\n", b"PK\x03\x04", letter().as_bytes())[kind % 4 :]:
        for finding in open_post(start + data, "x"):
            assert finding.data is None
