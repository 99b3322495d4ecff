"""Whole games by mail alone: what three people write who see only their emails, and what it gives.

    python -m bench.replies_understood_in_games [SEED]

`asked back` counts replies of which nothing counted, `one tap` those of them whose answer had the
right choice among its links; `no answer` replies after which pbem was silent, because three in a
row had no readable order; `misread` those of which something was sealed that was not meant.
"""

import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.kit.people import Round
from tests.post.seats.by_mail_alone import RULESETS, WAYS, play_by_mail

OUTCOMES: Final = ("sealed", "asked back", "one tap", "no answer")
COLUMNS: Final = ("rounds", "turns", "emails", "tap", *WAYS, *OUTCOMES)


def main() -> None:
    """Print the table, a row for each ruleset when its game is over."""
    seed = sys.argv[1] if len(sys.argv) > 1 else "1"
    print("ruleset   ", *(f"{column:>{max(6, len(column))}}" for column in COLUMNS), "MISREAD  end")
    for ruleset in RULESETS:
        with tempfile.TemporaryDirectory() as folder:
            counts, is_over = play_by_mail(Round(Path(folder)), ruleset, 400, seed)
        cells = (f"{counts[column]:>{max(6, len(column))}}" for column in COLUMNS)
        end = "over" if is_over else "NOT OVER"
        print(f"{ruleset:10}", *cells, f"{counts['misread']:>7}  {end}", flush=True)


if __name__ == "__main__":
    main()
