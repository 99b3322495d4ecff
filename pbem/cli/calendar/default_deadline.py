"""The deadline of a new game, unless the referee says another."""

from __future__ import annotations

DEFAULT = "48h"
"""Two days: a mail a day reaches everybody in time, in every zone, and a lost day is forgiven."""
