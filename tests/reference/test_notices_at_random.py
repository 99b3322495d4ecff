"""Games in which people say anything at any time: the referee's program never makes a turn that
readers refuse, never stops, and every audit is clean. PBEM_SEED repeats one.
"""

import json
import random
from pathlib import Path

import pytest

from tests.kit.people import Round
from tests.reference.chaos import Chaos
from tests.reference.seeds import repeatable, seeds


@pytest.mark.long
@pytest.mark.parametrize("seeds", seeds(8, 24, 120), ids=len)
def test_with_random_notices_every_turn_is_accepted_as_right(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        chaos = Chaos(Round(tmp_path / str(seed)), random.Random(seed))
        with repeatable(seed, lambda chaos=chaos: chaos.options):  # type: ignore[misc]
            chaos.play(14)
            said = chaos.table.person("ann").pbem("audit savannah --json")
            found = json.loads(said.out)["data"]["findings"]
            assert not [one for one in found if one["grade"] == "broken"]
