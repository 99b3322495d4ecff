"""docs/mail.md, typed by the people in it."""

import re
import shutil

from tests.kit.people import TABLE, Person, output_of
from tests.kit.selection import ROOT

PAGE = (ROOT / "docs" / "mail.md").read_text("utf-8")
LINES = [
    line.split("$ ", 1)
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]


class Letters:
    """Rhea and Cy at their machines; a mail brings every bundle to the other's place."""

    def __init__(self, root):
        self.people = {}
        for name in ("rhea", "cy", "bo"):
            place = root / name
            place.mkdir()
            self.people[name] = Person(name, root / "home" / name, place, place)
            self.people[name].import_key()
            # Takes the # off the first choice of what is asked now.
            self.people[name].env["EDITOR"] = "sed -i '0,/^    # \"/s//    \"/'"

    def type(self, name: str, line: str) -> str:
        person = self.people[name]
        if line.startswith("cd "):
            person.place = person.place / line[3:]
            return ""
        line = line.removeprefix("pbem ")
        line += f" --table {TABLE}" if line.startswith("new ") else ""
        said = person.pbem(line.replace("INVITE", getattr(self, "invite", "")))
        assert said.exit == 0, (line, said.text)
        if line.startswith("new "):
            self.invites = re.findall(r"--invite (\S+)", said.out)
            self.invite = self.invites[1]
        self.carry(person)
        return said.text

    def carry(self, sender) -> None:
        to = self.people["cy" if sender.name == "rhea" else "rhea"]
        for bundle in sender.shared.glob("*.pbem"):
            if not (to.shared / bundle.name).exists():
                shutil.copy(bundle, to.shared)

    def bo_joins(self) -> None:
        """Bo shares Rhea's folder."""
        bo, rhea = self.people["bo"], self.people["rhea"]
        output_of(bo, ["join", "--invite", self.invites[0], "-C", str(rhea.shared / "savannah")])


def test_the_commands_on_the_page_about_mail_work_as_it_shows_them(tmp_path):
    letters = Letters(tmp_path)
    told = {}
    for number, (name, line) in enumerate(LINES):
        if line == "pbem advance":
            letters.bo_joins()
        if line.startswith("pbem receive savannah-"):
            letters.people[name].place = letters.people[name].shared  # any folder does
        told[number, line] = letters.type(name, line)
    assert len(LINES) >= 15
    (advance,) = (text for (_, line), text in told.items() if line == "pbem advance")
    assert "seat b plays by mail; to write the next email: pbem send --to b" in advance
    joined, submitted = (
        next(text for (_, line), text in told.items() if line.startswith(start))
        for start in ("pbem join", "pbem submit")
    )
    assert "next: pbem send, then mail the referee the file that it wrote" in joined
    assert "SEALED here as" in submitted
    assert "next: pbem send, then mail the referee the file that it wrote" in submitted
    folder = letters.people["rhea"].shared / "savannah"
    assert list((folder / "orders").glob("0001-b-1-*.toml"))
    names = set(re.findall(r"`(savannah[-\w]*\.pbem)`", PAGE))
    here = {path.name for person in letters.people.values() for path in person.shared.iterdir()}
    assert names <= here
