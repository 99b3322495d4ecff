"""The matrix of Origin's rule cases has no empty cell: every two traits meet in a case of it."""

import re
from itertools import combinations_with_replacement
from pathlib import Path

from games.origin.traits import TRAITS
from pbem.rulecases.read_cases import Case, read_file

CELLS = list(combinations_with_replacement(sorted(TRAITS), 2))


def checked_sentences(case: Case) -> str:
    """What the case says is legal or not: the cells that it looks at, not what lies about."""
    (step,) = case.steps
    return " ".join([*step.offers, *(step.exactly or ()), *step.refuses])


def meets(case: Case, one: str, two: str) -> bool:
    """Whether the case plays one of the traits on an animal or pair that carries the other."""
    played = re.sub(r"^(?:on-one-animal|pair-on-pair|pair-with-traits|prey-of)-", "", case.id)
    played = played.replace("-", "_")
    if played not in (one, two):
        return False
    other = two if played == one else one
    carriers = [
        re.findall(r"\b[ab]\d+", text.partition(":")[0])
        for row in ("a", "b")
        for text in case.position.get(row, ())
        if re.search(rf"\b{other}\b", text.partition(":")[2])
    ]
    carriers += [
        re.findall(r"\b[ab]\d+", text)
        for text in case.position.get("pairs", ())
        if text.startswith(other)
    ]
    said = checked_sentences(case)
    return any(re.search(rf"\b{name}\b", said) for names in carriers for name in names)


def test_every_two_traits_of_origin_meet_in_a_case_of_its_matrix() -> None:
    cases = read_file(Path(__file__).parent / "origin" / "matrix.toml")
    assert not [cell for cell in CELLS if not any(meets(case, *cell) for case in cases)]
