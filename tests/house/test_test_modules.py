"""What test modules may import, and what their helpers may be called."""

import ast
import re
from collections import defaultdict

import pytest

from tests.house.source import modules

TEST_MODULE = re.compile(r"tests\.([a-z_.]+\.)?(test_[a-z_]+|conftest)(\.|$)")


NO_HELPERS = ("_", "test_", "pytest_")
"""What begins the names of other functions: a module's own, tests, hooks of pytest."""


@pytest.mark.sample(0)
def test_no_test_module_imports_another() -> None:
    """What two of them share has a name in the kit, or in a module of their folder."""
    imported = [
        f"{module.path}:{line} {name}"
        for module in modules("tests", "bench", "tools")
        for line, name in module.imports()
        if TEST_MODULE.match(name)
    ]
    assert not imported


def places_of_helpers() -> dict[str, list[str]]:
    """Where each helper function of the tests is defined, by its name."""
    places: dict[str, list[str]] = defaultdict(list)
    for module in modules("tests"):
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith(NO_HELPERS):
                places[node.name].append(module.path)
    return places


def test_each_helper_name_means_one_thing() -> None:
    """A name says what the value is: `finding_line`, not `told`. What two modules have alike is
    in the kit, or in a module of their folder."""
    places = places_of_helpers()
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
    assert (places["told"], places["ok"], places["played"]) == ([], [], [])
