"""Every new trait meets every other in some rule case, in which neither could be left out."""

import pytest

from games.climate.card_file import NEW_TRAITS
from games.climate.rules import CLIMATE
from tests.rules.matrix import cells, covered
from tools.mutate_hooks import cases_of


@pytest.mark.long
def test_every_new_trait_meets_every_other() -> None:
    assert CLIMATE.kits is not None
    new = {cell for cell in cells(CLIMATE.kits.traits) if set(cell) & set(NEW_TRAITS)}
    assert len(new) == 6 * 17 + 21
    assert not new - set(covered(CLIMATE, cases_of("climate")))
