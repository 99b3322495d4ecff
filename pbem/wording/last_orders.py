"""Notes in words on the user's last sealed orders: put back into the folder, or not counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.terminal.clean_text import clean
from pbem.text.terminal_and_page_wording import TerminalText

if TYPE_CHECKING:
    from pbem.person.restore_last_orders import LastOrdersNote

_TEMPLATES: Final = {
    "outranked": TerminalText(
        "for turn {turn}, your orders[[ {counting_short_id} (revision {counting_revision})]] "
        "count, and not your last orders on this computer[[, {short_id} (revision {revision})]]. "
        "Perhaps an old file came back, or you sealed orders on another computer. To use other "
        "orders, seal them again[[: pbem submit]]"
    ),
    "put_back": TerminalText(
        "your orders[[ {short_id} (revision {revision})]] for turn {turn} were missing from "
        "the folder; pbem has put the orders back"
    ),
    "not_put_back": TerminalText(
        "your orders[[ {short_id} (revision {revision})]] for turn {turn} are missing from the "
        "folder, and pbem cannot put the orders back now: {error_sentence}"
    ),
}


def last_orders_sentence(note: LastOrdersNote) -> str:
    """Return a note on the user's last orders, in words."""
    facts = note._asdict() | {"error_sentence": clean(note.error_sentence)}
    return _TEMPLATES[note.event].format(**facts)
