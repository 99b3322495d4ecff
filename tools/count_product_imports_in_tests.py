"""Count the import statements of tests outside the kit that name the product, by package.

python -m tools.count_product_imports_in_tests               this project
python -m tools.count_product_imports_in_tests ../old ..     the numbers of several checkouts
"""

import ast
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path


def product_imports(root: Path) -> Counter[str]:
    """Return the number of statements for each package of `pbem`, in the checkout at `root`."""
    counts = Counter[str]()
    for path in sorted((root / "tests").rglob("*.py")):
        if path.relative_to(root).parts[1] == "kit":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            packages = [".".join(name.split(".")[:2]) for name in names]
            counts.update(package for package in packages if package.split(".")[0] == "pbem")
    return counts


def main(words: Sequence[str]) -> None:
    columns = [product_imports(Path(word)) for word in words or ["."]]
    for package in sorted({package for counts in columns for package in counts}):
        print(f"{package:20}", *(f"{counts[package]:6}" for counts in columns))
    print(f"{'all':20}", *(f"{counts.total():6}" for counts in columns))


if __name__ == "__main__":
    main(sys.argv[1:])
