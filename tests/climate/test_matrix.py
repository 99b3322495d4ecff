"""Every new trait meets every other in some rule case, in which neither could be left out."""

import pytest

from games.climate.card_file import NEW_TRAITS
from games.climate.rules import CLIMATE
from tests.rules.matrix import cells, covered
from tools.mutate_hooks import cases_of


@pytest.mark.long
def test_each_new_trait_of_climate_meets_every_trait_in_some_rule_case() -> None:
    assert CLIMATE.kits is not None
    new = {cell for cell in cells(CLIMATE.kits.traits) if set(cell) & set(NEW_TRAITS)}
    assert len(new) == 6 * 17 + 21
    assert not new - set(covered(CLIMATE, cases_of("climate")))
