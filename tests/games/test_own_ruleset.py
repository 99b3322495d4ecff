"""`pbem games new` writes a package that plays, is tested and studied; its faults are its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from games.evolution.rules import EVOLUTION
from tests.kit.people import Person, Round, Said
from tests.kit.selection import ROOT
from tools.document_hooks import PAGE, page_with_table


@pytest.fixture
def designer(tmp_path: Path) -> Person:
    """Somebody who made the package myhouse, and installed it as pip does with --editable."""
    ann = Round(tmp_path).person("ann")
    ann.pbem("games new myhouse").checked(0)
    info = tmp_path / "site" / "myhouse-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: myhouse\nVersion: 1\n")
    project = (ann.place / "myhouse" / "pyproject.toml").read_text()
    (target,) = re.findall(r'^myhouse = "(.*)"$', project, re.MULTILINE)
    (info / "entry_points.txt").write_text(f"[pbem.games]\nmyhouse = {target}\n")
    use_package(ann, ann.place)
    return ann


def use_package(person: Person, folder: Path) -> None:
    paths = [folder / "myhouse", folder.parent / "site", ROOT]
    person.env["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    person.env["PYTHONDONTWRITEBYTECODE"] = "1"  # two edits in one second look alike to Python


def edit(person: Person, file: str, old: str, new: str) -> None:
    path = person.place / "myhouse" / "myhouse" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


CASES = "rules test myhouse/cases.toml"


@pytest.mark.sample(0)
def test_the_case_of_a_new_package_passes_and_an_edit_counts_at_once(designer: Person) -> None:
    said = designer.really(CASES)
    assert (said.exit, said.out) == (0, "1 case, no differences.\n")
    edit(designer, "traits.py", "EXTRA_SIZE = 1", "EXTRA_SIZE = 0")
    designer.really(CASES).checked(1, out="'a1 attacks b1' is not offered")
    edit(designer, "traits.py", "EXTRA_SIZE = 0", "EXTRA_SIZE = 2")
    said = designer.really(CASES).checked(1, out="a1 attacks b2")
    page = (ROOT / "docs" / "change-a-card.md").read_text("utf-8")
    assert said.out.splitlines()[1].strip() in " ".join(page.split())
    edit(designer, "traits.py", "EXTRA_SIZE = 2", "EXTRA_SIZE = 1")
    assert designer.really(CASES).exit == 0
    assert "myhouse      2-6 players" in designer.really("games").out
    assert "larger when it attacks" in designer.really("explain --game myhouse sharp claws").out


@pytest.mark.sample(0)
@pytest.mark.parametrize("horns", ["5 5 5 5 5 5 5", ""])
def test_the_page_of_rules_leaves_out_examples_with_cards_that_are_gone(
    designer: Person, horns: str
) -> None:
    example = "Example: Three cards."
    page = designer.really("explain --game myhouse how to play")
    assert example in " ".join(page.out.split())
    assert "long neck 4; horns 3; carnivore 2" in page.out
    edit(designer, "cards.toml", 'horns = "1 2 3 3 4 4 5"', f'horns = "{horns}"')
    for line in ("horns", "how to play", "feed", "sharp claws"):
        designer.really(f"explain --game myhouse {line}").checked(0)
    page = designer.really("explain --game myhouse how to play")
    assert example not in " ".join(page.out.split())
    assert "long neck 4; carnivore 2" in page.out
    assert "A ROUND" in page.out


@pytest.mark.sample(0)
def test_a_study_of_the_package_shows_its_trait(designer: Person) -> None:
    line = "sim myhouse --against evolution --bots random --games 40 --jobs 2 --json"
    said = designer.really(line).checked(0)
    data = json.loads(said.out)
    assert data["traits"]["sharp_claws"]["played"] > 0
    assert data["cards"]["sharp_claws 5"]["played"] > 0
    assert data["compared_with"] == "evolution"
    assert data["digest"] != data["against_digest"]


@pytest.mark.sample(0)
def test_a_study_does_not_go_on_with_other_cards(designer: Person) -> None:
    assert designer.really("sim myhouse --games 2 --save s.json").exit == 0
    edit(designer, "cards.toml", 'horns = "1 2', 'horns = "2 2')
    designer.really("sim --from s.json --games 4").checked(2, err="a card or a trait differs")


@pytest.mark.sample(0)
def test_a_study_does_not_go_on_with_a_trait_that_does_something_else(designer: Person) -> None:
    """The cards and the names of the hooks are the same; only what a hook returns differs."""
    assert designer.really("sim myhouse --games 2 --save s.json").exit == 0
    edit(designer, "traits.py", "EXTRA_SIZE = 1", "EXTRA_SIZE = 2")
    designer.really("sim --from s.json --games 4").checked(2, err="a card or a trait differs")
    edit(designer, "traits.py", "EXTRA_SIZE = 2", "EXTRA_SIZE = 1")
    assert designer.really("sim --from s.json --games 4").exit == 0


@pytest.mark.sample(0)
def test_a_game_does_not_go_on_with_a_trait_that_does_something_else(designer: Person) -> None:
    """Nobody is accused: the audit says that the package has changed, and how to go on."""
    succeed(designer, "demo -C played --game myhouse --players 2 --bot random --seed 3")
    succeed(designer, "audit -C played/savannah")
    edit(designer, "traits.py", "EXTRA_SIZE = 1", "EXTRA_SIZE = 4")
    change = "the rules of the package myhouse have changed since this game began"
    said = designer.really("audit -C played/savannah").checked(6, out=change)
    assert "to repair the game: undo the changes to the package" in said.out
    assert "copy the package under a new name" in said.out
    for accusation in ("signed what is wrong", "version of pbem"):
        assert accusation not in said.out + said.err
    edit(designer, "traits.py", "EXTRA_SIZE = 4", "EXTRA_SIZE = 1")
    succeed(designer, "audit -C played/savannah")


@pytest.mark.long
def test_greedy_bots_use_a_new_trait_for_what_it_does(designer: Person) -> None:
    """The larger the claws, the more often the bot plays them."""
    shares = []
    for size in ("0", "4"):
        edit(designer, "traits.py", "EXTRA_SIZE = ", f"EXTRA_SIZE = {size} + 0 * ")
        data = json.loads(designer.really("sim myhouse --games 30 --json").out)
        shares.append(data["traits"].get("sharp_claws", {"played": 0})["played"])
        edit(designer, "traits.py", f"EXTRA_SIZE = {size} + 0 * ", "EXTRA_SIZE = ")
    assert shares[1] > shares[0] + 0.05


# ---------------------------------------------------------------- faults
CLAWS = "myhouse/traits.py, line 12, in SharpClaws."
HORNS = "myhouse/cards.toml, line 15: "


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("traits.py", "EXTRA_SIZE = 1", "EXTRA_SIZE = = 1", "traits.py, line 5: SyntaxError"),
        ("traits.py", "def attack_size", "def atack_size",
            CLAWS + "atack_size: there is no hook called atack_size; did you mean 'attack_size'?"),
        ("traits.py", "attacker: Species, size: int", "attacker: Species",
            CLAWS + "attack_size: pbem calls it with (Species, int), but its arg"),
        ("traits.py", "SharpClaws()}", "SharpClaws}",
            CLAWS + "attack_size: pbem calls it with (Species, int), but its arguments are (self,"),
        ("traits.py", "evolution.table", "evolution.tabel", "line 3: ModuleNotFoundError"),
        ("rules.py", "name=\"myhouse\"", "name=\"house\"", 'has the name "house"; its entry point'),
        ("cards.toml", 'horns = "1', 'horns = "x', HORNS + "horns: 'x' is not a food number"),
        ("cards.toml", 'horns = "1', 'horns = "100', HORNS + "horns: '100' is not"),
        ("cards.toml", "horns =", "hornz =", HORNS + "'hornz' is not a trait; did you mean"),
        ("cards.toml", "[food]", "[fod]", "myhouse/cards.toml: there is no table [food]"),
        ("cards.toml", 'horns = "', "horns = '", HORNS),
        ("cards.toml", 'horns = "1 2 3 3 4 4 5"', "horns = 1", HORNS + "horns: write the"),
    ],
)  # fmt: skip
def test_a_package_that_cannot_be_loaded_is_named(
    designer: Person, file: str, old: str, new: str, sentence: str
) -> None:
    edit(designer, file, old, new)
    for line in (CASES, "sim myhouse --games 1", "demo -C d --game myhouse --players 2"):
        said = designer.really(line).checked(6, err="the package myhouse has a fault: ")
        assert sentence in said.err
    designer.really("games").checked(6, "classroom", "the package myhouse has a fault: ")
    assert designer.really("sim evolution --games 1").exit == 0


@pytest.mark.sample(0)
def test_a_faulty_package_hides_no_other_game(designer: Person) -> None:
    for name, game in (("pond", "myhouse"), ("lake", "evolution")):
        succeed(designer, f"new {name} --game {game} --players Ann,Bo")
    edit(designer, "traits.py", "EXTRA_SIZE = 1", "EXTRA_SIZE = = 1")
    listed = succeed(designer, "list")
    assert "the package myhouse has a fault: myhouse/traits.py, line 5" in " ".join(
        listed.out.split()
    )
    assert "lake" in listed.out
    assert "pond" in listed.out
    edit(designer, "traits.py", "EXTRA_SIZE = = 1", "EXTRA_SIZE = 1")
    assert "has a fault" not in succeed(designer, "list").out


HOOK = "return size + EXTRA_SIZE"


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    "fault", ["return size // 0", 'raise ValueError("ouch")', "return self[3]"]
)
def test_a_fault_in_a_hook_names_the_line(designer: Person, fault: str) -> None:
    edit(designer, "traits.py", HOOK, fault)
    sentence = "myhouse/traits.py, line 13, in SharpClaws.attack_size: "
    for line in (CASES, "sim myhouse --games 60 --jobs 1", "sim myhouse --games 60 --jobs 2"):
        said = designer.really(line).checked(6, err=f"the package myhouse has a fault: {sentence}")
        assert "bug" not in said.err


@pytest.mark.sample(0)
@pytest.mark.parametrize("value", ["None", "'3'", "2.5"])
def test_a_hook_that_returns_a_wrong_value_is_named(designer: Person, value: str) -> None:
    edit(designer, "traits.py", HOOK, f"return {value}")
    place = "myhouse/traits.py, line 12, in SharpClaws.attack_size"
    sentence = f"{place}: it returned {value}, which is not int"
    for line in (CASES, "sim myhouse --games 60 --jobs 1", "sim myhouse --games 60 --jobs 2"):
        said = designer.really(line).checked(6, err=f"the package myhouse has a fault: {sentence}")
        assert "bug" not in said.err


@pytest.mark.sample(0)
@pytest.mark.parametrize(("offer", "value"), [("[3]", "3"), ("'eat'", "'eat'"), ("None", "None")])
def test_a_hook_that_offers_no_sentences_is_named(designer: Person, offer: str, value: str) -> None:
    meals = f"\n    def extras(self, state, species):\n        return {offer}\n"
    edit(designer, "traits.py", HOOK + "\n", HOOK + "\n" + meals)
    place = "myhouse/traits.py, line 15, in SharpClaws.extras"
    designer.really(CASES).checked(6, err=f"{place}: it returned {value}, which is not ")


@pytest.mark.sample(0)
def test_a_fault_in_the_middle_of_a_game_loses_nothing(designer: Person, tmp_path: Path) -> None:
    """The turn fails, the folder stays as it was, and the game goes on without the fault; but not
    with a package that has changed."""
    cards = designer.place / "myhouse" / "myhouse" / "cards.toml"
    cards.write_text('[food]\nsharp_claws = "' + "3 " * 60 + '"\n')
    cause = designer.place / "cause of the fault"
    leaf = f"        return 1 / 0 if Path({str(cause)!r}).exists() else None\n"
    leaf = f"\n    def leaf(self, state, species):\n{leaf}"
    edit(designer, "traits.py", HOOK + "\n", HOOK + "\n" + leaf)
    edit(designer, "traits.py", "\nEXTRA_SIZE", "from pathlib import Path\n\nEXTRA_SIZE")
    table = Round(tmp_path)
    rhea, bo = table.person("rhea"), table.person("bo")
    people = {"Ann": designer, "Bo": bo}
    for person in (rhea, bo):
        use_package(person, designer.place)
    made = succeed(rhea, "new pond --game myhouse --players Ann,Bo")
    for name, invite in re.findall(r"^  (\w+):  pbem join --invite (\S+)$", made.out, re.M):
        succeed(people[name], ["join", "-C", "pond", "--invite", invite])
    succeed(rhea, "advance -C pond")
    for person in people.values():
        succeed(person, "submit -C pond -", 'food = "[sharp_claws 3]"\n')
    succeed(rhea, "advance -C pond")
    for seat, person in zip("ab", people.values(), strict=True):
        succeed(person, "submit -C pond -", f'play = ["[sharp_claws 3] on {seat}1", "done"]\n')
    cause.touch()
    before = {path: path.read_bytes() for path in pond_files(rhea)}
    fault = "myhouse/traits.py, line 17, in SharpClaws.leaf: ZeroDivisionError"
    rhea.really("advance -C pond").checked(6, err=fault)
    assert {path: path.read_bytes() for path in pond_files(rhea)} == before
    edit(designer, "traits.py", leaf, leaf.replace("1 / 0", "None"))
    change = "the rules of the package myhouse have changed since this game began"
    rhea.really("advance -C pond").checked(6, err=change)
    assert {path: path.read_bytes() for path in pond_files(rhea)} == before
    edit(designer, "traits.py", leaf.replace("1 / 0", "None"), leaf)
    cause.unlink()
    succeed(rhea, "advance -C pond")


def succeed(person: Person, line: str | list[str], stdin: str = "") -> Said:
    return person.really(line, stdin).checked(0)


def pond_files(person: Person) -> list[Path]:
    return sorted(path for path in (person.place / "pond").rglob("*") if path.is_file())


# ---------------------------------------------------------------- names and places
@pytest.fixture
def visitor(tmp_path: Path) -> Person:
    """Somebody without a package."""
    return Round(tmp_path).person("ann")


@pytest.mark.parametrize(
    ("game", "hint"),
    [("evolution", "of your own: pbem games new myhouse --from evolution"), ("origin", "")],
)
def test_a_ruleset_without_card_files_says_what_to_do_instead(
    visitor: Person, game: str, hint: str
) -> None:
    (visitor.place / "my-cards.toml").write_text("x = 1\n")
    said = visitor.pbem(f"sim {game} --cards my-cards.toml")
    assert said.exit == 1
    assert f"{game} cannot use a card file" in said.err
    assert hint in said.err
    assert "--cards-template" not in said.err


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("games new My-House", "'My-House' cannot name a ruleset"),
        ("games new evolution", "a ruleset called evolution is installed already"),
        ("games new json", "Python has a module called json already"),
        ("games new pbem", "Python has a module called pbem already"),
        ("games new house --from origin", "a package cannot start from 'origin'"),
        ("games new house --from climate", "write a card file instead"),
        ("games new pond", "a folder called pond already; nothing was overwritten"),
    ],
)
def test_a_package_that_cannot_be_made_is_refused_and_nothing_is_written(
    visitor: Person, line: str, sentence: str
) -> None:
    (visitor.place / "pond").mkdir()
    visitor.pbem(line).checked(2, err=sentence)
    assert [path.name for path in visitor.place.iterdir()] == ["pond"]


def test_a_package_made_from_the_app_extends_the_rules_of_the_app(visitor: Person) -> None:
    made = visitor.pbem("games new pond --from digital --json")
    data = json.loads(made.out)["data"]
    assert data["next"][2] == "pbem sim pond --against digital --games 3000"
    rules = (visitor.place / "pond" / "pond" / "rules.py").read_text()
    assert "from games.digital.rules import DIGITAL" in rules


def test_the_page_on_changing_a_card_lists_each_hook_once() -> None:
    page = PAGE.read_text("utf-8")
    assert page_with_table(page) == page, "run python -m tools.document_hooks"
    for hook in EVOLUTION.kits.hooks if EVOLUTION.kits else ():
        assert page.count(f"| `{hook}` | ") == 1


# ---------------------------------------------------------------- a real installation
@pytest.mark.long
def test_the_printed_commands_install_test_and_study_a_new_package(tmp_path: Path) -> None:
    """In an environment of its own, into which pip installed pbem: exactly what is printed."""
    venv.create(tmp_path / "venv", system_site_packages=False, with_pip=True)
    bin_folder = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    environ = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environ |= {"PBEM_HOME": str(tmp_path / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    environ["PATH"] = f"{bin_folder}{os.pathsep}{environ['PATH']}"

    def shell(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            line, shell=True, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
        )

    installed = shell(f'python -m pip install "{ROOT}"')
    assert installed.returncode == 0, installed.stderr
    made = shell("pbem games new myhouse")
    install, case, study = (line.strip() for line in made.stdout.splitlines()[1:])
    assert shell(install).returncode == 0
    assert shell(case).stdout == "1 case, no differences.\n"
    traits = tmp_path / "myhouse" / "myhouse" / "traits.py"
    for size, code in (("0", 1), ("1", 0), ("2", 1)):  # an edit, a second one, a third one
        traits.write_text(re.sub("EXTRA_SIZE = .*", f"EXTRA_SIZE = {size}", traits.read_text()))
        assert shell(case).returncode == code
    said = shell(study.replace("3000", "30"))
    assert said.returncode == 0, said.stderr
    assert "With myhouse, a seat has " in said.stdout
