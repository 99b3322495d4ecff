"""The choice that is made for a silent seat, in words: the same in reports, letters and pages."""

from __future__ import annotations

from typing import Final

LEAST_HARMFUL_CHOICE: Final = "the least harmful choice"
"""The answer that the default gives for a seat that stays silent."""
LEAST_HARMFUL_CHOICES: Final = "the least harmful choices"
CHOICE_AFTER_DEADLINE: Final = f"after that, {LEAST_HARMFUL_CHOICE} is made"
"""The end of a sentence about a deadline."""
