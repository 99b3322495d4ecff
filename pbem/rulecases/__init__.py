"""Rule cases: each has a position, the answers given, and the offers, refusals and results to
expect.

The format is for players (docs/rule-cases.md). Each file says which game it is about.
"""

from pbem.rulecases.report import main, run_files
from pbem.rulecases.run_case import Outcome

__all__ = ["Outcome", "main", "run_files"]
