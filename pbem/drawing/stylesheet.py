"""Make the style sheet of all pictures.

A picture in a separate file gets a style sheet without CSS variables, because many programs that
show SVG files do not support them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pkgutil import get_data

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"--([\w-]+):\s*([^;]+);")
_DARK = "@media (prefers-color-scheme: dark)"
Colours = Mapping[str, str]


@lru_cache(1)
def stylesheet() -> str:
    """Return the style sheet of all pictures, light and dark."""
    found = get_data("pbem.drawing", "drawing.css")
    assert found is not None
    return found.decode("utf-8")


@lru_cache(1)
def plain_stylesheet() -> str:
    """Return the style sheet with every CSS variable replaced by its value."""
    text = re.sub(r"/\*.*?\*/\s*", "", stylesheet(), flags=re.DOTALL)
    begin = text.index(_DARK)
    end = text.index("}\n}\n", begin) + len("}\n}\n")
    light = dict(_VARIABLE.findall(text[:begin]))
    dark = light | dict(_VARIABLE.findall(text[begin:end]))
    rules = text[:begin] + text[end:]
    seats = {
        rule[1].strip(): dict(_VARIABLE.findall(rule[2]))
        for rule in _RULE.finditer(rules)
        if rule[1].strip().startswith(".pb-seat-")
    }
    bright, night = ("\n".join(_resolved(rules, colours, seats)) for colours in (light, dark))
    return f"{bright}\n{_DARK} {{\n{night}\n}}\n"


def _resolved(rules: str, colours: Colours, seats: Mapping[str, Colours]) -> Iterator[str]:
    """Yield the rules of the style sheet with these colours filled in.

    A rule that needs a seat's colour is written once for each seat.
    """
    for rule in _RULE.finditer(rules):
        selector, body = rule[1].strip(), " ".join(_VARIABLE.sub("", rule[2]).split())
        if not body or selector in seats:
            continue
        if "var(--seat" not in body:
            yield f"{selector} {{ {_filled(body, colours)} }}"
            continue
        for seat, own in seats.items():
            parts = [_below(seat, part.strip()) for part in selector.split(",")]
            yield f"{', '.join(parts)} {{ {_filled(body, {**colours, **own})} }}"


def _below(seat: str, selector: str) -> str:
    """Return a CSS selector for a seat's place and the elements in it."""
    if selector.startswith(".pb-mine"):
        return f"{seat}{selector}"
    return f"{seat} {selector.removeprefix('.pb ')}"


def _filled(body: str, colours: Colours) -> str:
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], body)
