"""Measure names without a noun, weak names, and docstrings that are riddles.

A name is vague if it consists of pronouns, participles, adverbs and adjectives only: `told`,
`left_out`. A weak name has at most two letters, or says only that there is a value: `data`.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.house.source import Module


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRONOUNS = _words(
    """one ones mine ours yours theirs his hers own other others who whom whose what which
    this that these those it them they me us each every both either few some any all several many
    much more most less least rest none nothing everything something everybody somebody same such
    two"""
)
PARTICIPLES = _words(
    """told said found kept made held left gone given taken known seen shown sent named
    listed wanted done begun drawn used passed looked moved answered asked waiting came saw went
    ran met got lost owed meant put chosen written typed begins dropped placed tried missed turned
    gave shared settled heard unheard spent began missing noted worked wait waits asks says
    tells"""
)
ADVERBS = _words(
    """here there then again away before after near nearby beside besides about above below
    inside outside until till since once soon late later early ahead over out off up down without
    within at by of to in on for from with when where why how almost already still yet ever never
    often together apart else otherwise instead maybe"""
)
ADJECTIVES = _words(
    """first second third last new old right wrong good bad whole odd strange plain sure
    big small long short high low wide fresh busy quiet ready due full alone aside"""
)
GLUE = _words(
    """text texts value values item items thing things data list info obj object var tmp result
    a an the not and or so as is be too very just x"""
)
"""Words that say only that there is a value: `told_text` is no better than `told`."""
PREDICATES = {"is", "has", "was", "can", "may", "must", "needs", "should", "are", "does"}
DIRECTIONS = {"left", "right", "up", "down", "above", "below"}
DRAWING = ("games/", "pbem/drawing", "pbem/terminal")
"""Where directions are nouns: on a table or a page."""
ALLOWED = {"why_not", "one_of", "to_data", "from_data"}
"""A reason, a validator, converters."""
PUBLISHED = set(_words("ALL about over put ready shown to turned_up ahead then"))
"""Names of `engine` on the pages for authors of games (docs/adding-a-game.md and docs/learn.md),
which other packages and lesson files use."""
WIRE = ("pbem/records/", "pbem/judge/notice_kinds.py")
"""Where the fields of classes are fields of signed files, which keep their names."""
CARD_TEXTS = ("games/", "/traits.py")
"""The beginning and the end of the paths of modules in which the docstring of a class is the text
of a card: `pbem explain` prints it below the card's name, so *it* and *its* are clear."""


def lacks_noun(name: str, kind: str = "local", path: str = "") -> bool:
    """Whether a name is vague.

    >>> lacks_noun("told"), lacks_noun("told_text"), lacks_noun("last"), lacks_noun("last_turn")
    (True, True, True, False)
    >>> lacks_noun("is_listed"), lacks_noun("is_ours"), lacks_noun("sent_at")
    (False, True, False)
    """
    words = [word for word in name.strip("_").lower().split("_") if word]
    vague = (PRONOUNS | PARTICIPLES | ADVERBS) - (DIRECTIONS if path.startswith(DRAWING) else set())
    if len(words) > 1 and words[0] in PREDICATES:
        return all(word in PRONOUNS for word in words[1:])
    if name in ALLOWED or (words[1:] == ["at"] and kind != "function"):
        return False
    if name in PUBLISHED and path.startswith("engine/") and kind != "local":
        return False
    if len(words) < 2:
        return bool({*words} & (vague | (ADJECTIVES - (DIRECTIONS - vague))))
    return {*words} <= vague | ADJECTIVES | GLUE and not vague.isdisjoint(words)


def is_weak(name: str) -> bool:
    """Whether a name has at most two letters, or consists of `text`, `data`, `item` and the like.

    >>> is_weak("at"), is_weak("_data"), is_weak("body")
    (True, True, False)
    """
    bare = name.strip("_")
    return len(bare) <= 2 or {*bare.split("_")} <= GLUE


def names(module: Module) -> Iterator[tuple[str, str, int]]:
    """Yield kind, name and line of everything that a module names."""
    fields = set[int]()
    for node in module.nodes:  # classes come before what they contain
        if isinstance(node, ast.ClassDef):
            fields |= {id(part.target) for part in node.body if isinstance(part, ast.AnnAssign)}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("__"):
                continue
            yield "function", node.name, node.lineno
            for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                if arg.arg not in ("self", "cls"):
                    yield "parameter", arg.arg, arg.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield "attribute", node.attr, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            kind = "attribute" if id(node) in fields else "local"
            if kind == "local" or not module.path.startswith(WIRE):
                yield "constant" if node.id.isupper() else kind, node.id, node.lineno


START = re.compile(
    r"(What|Whose|Who|Those|These|The ones?|That|It|They|How|Where|When|Why|All that"
    r"|Everything that|Some|Others)\b"
)
RELATIVE = re.compile(r"\b(who|which|that|whose|whom|what|those|these)\b", re.IGNORECASE)
PRONOUN = re.compile(r"\b(those|these|the ones?|its?|they|them|their)\b", re.IGNORECASE)


def is_riddle(docstring: str) -> bool:
    """Whether a docstring begins with a pronoun or question word, or its first sentence has three
    relative words or two pronouns.

    >>> is_riddle("What they said."), is_riddle("Return the players' messages.")
    (True, False)
    """
    first_sentence = re.split(r"(?<=[.:;])\s", " ".join(docstring.split()))[0]
    if START.match(docstring) or len(RELATIVE.findall(first_sentence)) >= 3:
        return True
    return len(PRONOUN.findall(first_sentence)) >= 2


def docstrings(module: Module) -> Iterator[tuple[int, str, bool]]:
    """Yield line and text of every docstring, also those below constants and attributes; and
    whether it describes a public name."""
    for node in module.nodes:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            continue
        if docstring := ast.get_docstring(node):
            name = getattr(node, "name", "")
            yield getattr(node, "lineno", 1), docstring, not name.startswith("_")
        if isinstance(node, ast.FunctionDef):
            continue
        for named, statement in zip(node.body, node.body[1:], strict=False):
            if not isinstance(named, ast.AnnAssign | ast.Assign):
                continue
            match statement:
                case ast.Expr(ast.Constant(str() as docstring)):
                    target = named.target if isinstance(named, ast.AnnAssign) else named.targets[0]
                    is_public = not ast.unparse(target).startswith("_")
                    yield statement.lineno, docstring, is_public


def lines_of_card_texts(module: Module) -> set[int]:
    """Return the lines of the classes whose docstrings are texts of cards."""
    prefix, suffix = CARD_TEXTS
    if not (module.path.startswith(prefix) and module.path.endswith(suffix)):
        return set()
    return {node.lineno for node in module.nodes if isinstance(node, ast.ClassDef)}


@dataclass(frozen=True)
class Measures:
    """The measures of one folder: numbers of names and docstrings, and places of the bad ones."""

    name_count: int
    docstring_count: int
    documented: int
    """The number of public modules, classes, functions, constants and attributes with a
    docstring."""
    vague: list[str]
    riddles: list[str]
    weak: list[str]

    @property
    def vague_share(self) -> float:
        """The percentage of names without a noun."""
        return 100 * len(self.vague) / max(1, self.name_count)

    @property
    def weak_share(self) -> float:
        """The percentage of weak names."""
        return 100 * len(self.weak) / max(1, self.name_count)

    @property
    def riddle_share(self) -> float:
        """The percentage of docstrings that are riddles."""
        return 100 * len(self.riddles) / max(1, self.docstring_count)


def measure(modules: Iterable[Module]) -> Measures:
    """Measure these modules together."""
    name_count, documented, docstring_count = 0, 0, 0
    vague, weak, riddles = list[str](), list[str](), list[str]()
    for module in modules:
        for kind, name, line in names(module):
            name_count += 1
            if lacks_noun(name, kind, module.path):
                vague.append(f"{module.path}:{line}: {kind} {name}")
            if is_weak(name):
                weak.append(f"{module.path}:{line}: {kind} {name}")
        card_lines = lines_of_card_texts(module)
        for line, docstring, is_public in docstrings(module):
            docstring_count += 1
            documented += is_public
            if is_riddle(docstring) and line not in card_lines:
                riddles.append(f"{module.path}:{line}: {' '.join(docstring.split())[:300]}")
    return Measures(name_count, docstring_count, documented, vague, riddles, weak)
