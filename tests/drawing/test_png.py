"""Pictures as PNG: their text is there, in every alphabet of the bundled fonts."""

import re
import struct
import zlib

from pbem.drawing.svg import png

Pixels = list[bytes]


def pixels(data: bytes) -> Pixels:
    """The rows of a PNG with four bytes a pixel (the filters of PNG, section 9)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, colours = struct.unpack(">IIBB", data[16:26])
    assert (depth, colours) == (8, 6)
    packed, at = b"", 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        packed += data[at + 8 : at + 8 + size] if name == b"IDAT" else b""
        at += size + 12
    raw, rows, before = zlib.decompress(packed), list[bytes](), bytes(4 * width)
    for number in range(height):
        kind, *row = raw[number * (4 * width + 1) : (number + 1) * (4 * width + 1)]
        for n in range(4 * width):
            left, up, corner = (
                (row[n - 4], before[n], before[n - 4]) if n > 3 else (0, before[n], 0)
            )
            near = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
            row[n] = (row[n] + (0, left, up, (left + up) // 2, near)[kind]) % 256
        before = bytes(row)
        rows.append(before)
    return rows


def pixels_of_words(words: str, family: str = "system-ui, sans-serif", weight: int = 400) -> Pixels:
    """The pixels of a small picture with these words."""
    return pixels(
        png(
            '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="24">'
            f"<style>text {{ font-family: {family}; font-weight: {weight} }}</style>"
            f'<text x="4" y="18">{words}</text></svg>',
            1,
        )
    )


def ink(rows: Pixels) -> int:
    """How many pixels are not empty."""
    return sum(row[n] > 60 for row in rows for n in range(3, len(row), 4))


def test_text_in_generic_families_is_drawn():
    """resvg drops such text unless it is told which font to use."""
    for family in ("system-ui, sans-serif", "sans-serif", "monospace", "No Such Font"):
        assert ink(pixels_of_words("long neck 3", family)) > 300
    assert ink(pixels_of_words("")) == 0


def test_bold_text_is_bold():
    assert ink(pixels_of_words("climbing", weight=700)) > 1.2 * ink(pixels_of_words("climbing"))


def test_names_of_many_alphabets_are_drawn():
    names = ["Zoë", "Łukasz", "Ελένη", "Владимир", "Հայկ", "דוד", "سارة", "გიორგი"]
    boxes = ink(pixels_of_words("\U000f1234"))
    found = [pixels_of_words(name) for name in names]
    assert all(ink(rows) > max(40, boxes) for rows in found)
    assert len({b"".join(rows) for rows in found}) == len(names)


def test_the_same_picture_has_the_same_bytes():
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><text y="15">b1</text></svg>'
    first = png(svg)
    png.cache_clear()
    assert png(svg) == first
    assert re.match(rb"\x89PNG", first)
