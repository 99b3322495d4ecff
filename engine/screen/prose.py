"""Turn a game's sentences into prose for people; the sentences themselves do not change."""

from collections.abc import Collection, Mapping
from dataclasses import field

from engine.values import Value


class Prose(Value):
    """Templates that turn sentences into prose.

    A template has the fields of its form; ``{name}`` is the player who acted. A sentence without a
    template is printed unchanged.
    """

    told: Mapping[str, str] = field(default_factory=dict)
    """Templates for what was done, by form; ``kind.form``, for one kind of decision, takes
    precedence."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """Templates for orders, by form; ``{new}`` is the name of the piece that an order makes, if
    known."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """For facts that are revealed: the template of the sentence, and the template of its prose."""
    common: Mapping[str, str] = field(default_factory=dict)
    """Templates for changes of the scene's common facts, by label, with the fields ``{before}`` and
    ``{after}``. Changes of other facts are not reported."""
    own: Mapping[str, str] = field(default_factory=dict)
    """The facts of a seat's place whose changes are reported: label, and name in prose."""
    said: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The changes that a sentence itself reports, by form as in ``told``: for each label, how much
    the number of the piece ``{sp}`` (or of a common fact) grows. Any other change is reported below
    the sentence."""
    emptied: Collection[str] = ()
    """Labels of numbers (common, or of a piece) whose fall to 0 pbem does not report."""
    new: tuple[str, str] = ("{pieces} is new", "{pieces} are new")
    gone: tuple[str, str] = ("{pieces} is gone", "{pieces} are gone")
    """Sentences on pieces that came (``new``) or left (``gone``): for one piece, and for
    several."""


def described(thing: object) -> str:
    """Return the docstring of a trait's class, or of a phase, on one line."""
    return " ".join((thing.__doc__ or "").split())
