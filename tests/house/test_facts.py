"""What the judge keeps is facts: only what is wrong with a file is kept as a sentence."""

import ast
import re

import pytest

from tests.house.source import Module, modules

NAMES = {"explanation", "said", "sentence", "sentences", "statement", "told", "words"}
IN_WORDS = re.compile(r"\bsentences?\b|\bin words\b|\bfor people\b")
HAVE_SENTENCES = {"CardDifferences", "Fault", "Finding", "Problem"}
"""Errors that were not raised, each with the sentence that would have been raised; and a table of
errors."""


def kept_sentences(module: Module) -> list[str]:
    """The fields of a module's classes that, by their names or docstrings, have sentences."""
    found = list[str]()
    classes = (node for node in module.nodes if isinstance(node, ast.ClassDef))
    for kept in (one for one in classes if one.name not in HAVE_SENTENCES):
        for field, after in zip(kept.body, [*kept.body[1:], None], strict=True):
            if not isinstance(field, ast.AnnAssign) or "ClassVar" in ast.unparse(field.annotation):
                continue
            assert isinstance(field.target, ast.Name)
            doc = ast.unparse(after) if isinstance(after, ast.Expr) else ""
            has_text = re.search(r"\bstr\b", ast.unparse(field.annotation))
            if has_text and (field.target.id in NAMES or IN_WORDS.search(doc)):
                found.append(f"{module.path}: {kept.name}.{field.target.id}")
    return found


@pytest.mark.sample(0)
def test_the_judge_keeps_no_sentence() -> None:
    judge = [module for module in modules("pbem") if module.path.startswith("pbem/judge/")]
    assert not [name for module in judge for name in kept_sentences(module)]
    classes = {n.name for m in judge for n in m.nodes if isinstance(n, ast.ClassDef)}
    assert classes >= HAVE_SENTENCES


def test_a_kept_sentence_is_seen() -> None:
    module = Module(
        "pbem/judge/a.py",
        '''
class A(Value):
    told: str
    names: dict[str, str]
    by: str
    """Who agreed, in words."""
    told_turn: int | None = None
    what: list[tuple[int, str]]
    """The turn, and a sentence."""
    events: ClassVar[Mapping[str, str]] = {}
    """Sentences."""
class Finding(Value):
    sentence: str
''',
    )
    names = ["told", "by", "what"]
    assert kept_sentences(module) == [f"pbem/judge/a.py: A.{name}" for name in names]
