"""What test modules may import: the kit, and helper modules of folders; never other tests."""

import re

from tests.house.source import modules

TEST_MODULE = re.compile(r"tests\.([a-z_.]+\.)?(test_[a-z_]+|conftest)(\.|$)")


def test_no_test_module_imports_another() -> None:
    """What two of them share has a name in the kit, or in a module of their folder."""
    imported = [
        f"{module.path}:{line} {name}"
        for module in modules("tests", "bench", "tools")
        for line, name in module.imports()
        if TEST_MODULE.match(name)
    ]
    assert not imported
