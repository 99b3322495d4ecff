"""Parts of a table for a page, in HTML: a piece, a card, a fact. Their text keeps its size in any
box; the icons are those of the page's `sprite`, the styles those of `pbem/replay/player.css`."""

from __future__ import annotations

import re

from engine import Piece
from pbem.drawing.pieces_and_cards import CardWords, Icons, initials, read_card
from pbem.drawing.svg import attributes_of, words


def _span(classes: str, *parts: str, **attributes: object) -> str:
    """Write an element for text; an element without content needs its end in HTML."""
    return f"<span{attributes_of({'class_': classes, **attributes})}>{''.join(parts)}</span>"


def _unseen(label: str) -> str:
    """Write text that only screen readers say, because an icon shows it."""
    return _span("sr", words(label), " ")


def icon(name: str) -> str:
    """Return an icon of the sprite; empty without a name."""
    use = f"<use{attributes_of({'href': f'#pb-{name}'})}/>"
    return f'<svg class="pb-icon" aria-hidden="true">{use}</svg>' if name else ""


def piece_html(piece: Piece, icons: Icons, seat_index: int = 0) -> str:
    """Return a piece; `seat_index` gives its player's colour."""
    key = f"piece:{piece.name}"
    stats = (_stat(name, fact_value, icons, f"{key}:{name}") for name, fact_value in piece.facts)
    cards = (
        laid_card_html(card, icons, f"{key}:card:{index}") for index, card in enumerate(piece.cards)
    )
    return _span(
        f"pb pb-one pb-box pb-seat-{seat_index % 8}",
        _span("pb-top", _span("pb-tag", words(piece.name)), " "),
        _span("pb-stats", *stats),
        _span("pb-laid", *cards) if piece.cards else "",
        data_piece=piece.name,
        data_key=key,
    )


def _stat(name: str, fact_value: str, icons: Icons, key: str) -> str:
    art, label = icon(icons.name_in(name)), name.replace("_", " ")
    shown_label = _unseen(label) if art else _span("", words(label), " ")
    number = f"<b>{words(fact_value.replace('_', ' '))}</b> "
    kind = "pb-stat" if fact_value[:1].isdigit() else "pb-stat pb-long"
    return _span(kind, art, shown_label, number, data_fact=name, data_key=key)


def laid_card_html(card_text: str, icons: Icons, key: str) -> str:
    """Return a card that lies on a piece; `key` is its address in scripts. Where there is little
    room a page may leave out the name of a card whose icon says it all (`pb-plain`)."""
    card_words = read_card(card_text, icons)
    name = " / ".join(card_words.faces)
    is_plain = name.replace(" ", "_") in icons.icons and not card_words.down
    return _span(
        f"pb-strip-box{' pb-plain' if is_plain else ''}{_down_class(card_words)}",
        *(_emblem(face, icons) for face in card_words.faces[:1]),
        _span("pb-label", _breakable(words(name or "face down")), " ", _note(card_words)),
        _digit(card_words, icons),
        data_card=card_text if card_words.faces else None,
        data_key=key,
    )


def card_html(card_text: str, icons: Icons, key: str = "") -> str:
    """Return a whole card; `card_text` is as in a scene; `?` is a back."""
    card_words = read_card(card_text, icons)
    name = " / ".join(card_words.faces)
    emblems = "".join(_emblem(face, icons) for face in card_words.faces)
    return _span(
        f"pb pb-one pb-whole{_down_class(card_words)}",
        _span("pb-picture", emblems),
        _span("pb-label", _breakable(words(name or card_words.in_words)), " ", _note(card_words)),
        _digit(card_words, icons),
        data_card=card_text if card_words.faces else None,
        data_key=key or None,
    )


_LONG_WORD = re.compile(r"\b(\w{9,})(tion|ment|ness)\b")


def _breakable(label: str) -> str:
    """Return a label in which a word that is too long for a card on a phone has a soft hyphen."""
    return _LONG_WORD.sub("\\1\u00ad\\2", label)


def _down_class(card_words: CardWords) -> str:
    if not card_words.faces:
        return " pb-hidden"
    return " pb-down" if card_words.down else ""


def _emblem(face: str, icons: Icons) -> str:
    return icon(icons.name_in(face)) or _span("pb-initials", initials(face), aria_hidden="true")


def _note(card_words: CardWords) -> str:
    return _span("pb-aside", "face down ") if card_words.faces and card_words.down else ""


def _digit(card_words: CardWords, icons: Icons) -> str:
    """Return the number on a card, and the icons that stand beside it."""
    number = _span("pb-digit", words(card_words.number), " ") if card_words.number else ""
    marks = "".join(icon(mark) + _unseen(mark) for mark in card_words.marks if mark in icons.icons)
    return number + (_span("pb-marks", marks) if marks else "")


def fact_html(name: str, fact_value: str, icons: Icons, key: str) -> str:
    """Return a fact of the table or of a player."""
    label, shown_value = icons.player_fact_names.get(name, name), fact_value.replace("_", " ")
    is_face_down = fact_value.endswith(("face down", "(face down)"))
    art = (
        icons.name_in(fact_value)
        if is_face_down
        else icons.name_in(name) or icons.name_in(fact_value)
    )
    return _span(
        "pb-one pb-chip",
        icon(art),
        _span("", words(label.replace("_", " ")), " "),
        f"<b>{words(shown_value)}</b>",
        data_fact=name,
        data_key=key,
    )


def track_html(name: str, fact_value: str, icons: Icons) -> str:
    """Return a fact of the table that is one of several steps: all steps, the current one marked,
    with the words beside them."""
    steps = icons.looks[name].steps
    current_step = max((step for step in steps if fact_value.startswith(step)), key=len, default="")
    boxes = (
        _span("pb-stop pb-here" if step == current_step else "pb-stop", icon(icons.name_in(step)))
        for step in steps
    )
    effect = fact_value.removeprefix(current_step).strip(" ()").replace("_", " ")
    return _span(
        "pb-one pb-chip",
        _span("pb-stops", *boxes, aria_hidden="true"),
        _span("", words(name.replace("_", " ")), " "),
        f"<b>{words(current_step)}</b> ",
        _span("soft", words(effect)),
        data_fact=name,
        data_key=f"fact:{name}",
    )
