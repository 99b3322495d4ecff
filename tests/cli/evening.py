"""docs/first-evening.md, typed word for word: `python -m tests.cli.evening` renews it.

In that page a fence ```console holds what is typed (`ann$ pbem …`) and what is printed below it. A
fence ```toml is what the person saves in the editor that the next `--edit` opens. Each person has a
home of their own; `~/Sync` is one folder for all.
Keys, table and clock are fixed, so every byte comes out the same.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from pbem.files.home import Home
from pbem.format.keys import SigningKey, write_key
from tests.cli.people import Person, Said

PAGE = Path(__file__).parents[2] / "docs/first-evening.md"
NOW = 1_700_000_000
TABLE = sha256(b"the first evening").hexdigest()[:32]
_FENCE = re.compile(r"```(console|toml)\n(.*?)```\n", re.DOTALL)
_PROMPT = re.compile(r"^(ann|bo|eve)\$ (.*)$")
_INVITE = re.compile(r"\bsavannah:([a-p]):\S+")


@dataclass
class Evening:
    """Three people, from nothing."""

    root: Path
    now: int = NOW
    people: dict[str, Person] = field(default_factory=dict)
    invites: dict[str, str] = field(default_factory=dict)
    """By seat: the line that the referee was told to send."""

    def person(self, name: str) -> Person:
        if name not in self.people:
            home = self.root / name
            shared = self.root / "shared"
            for folder in (home, shared):
                folder.mkdir(parents=True, exist_ok=True)
            (home / "Sync").symlink_to(shared)
            mine = home / ".local/share/pbem"
            seed = sha256(f"first evening {name}".encode()).digest()
            Home(mine).write_key("default", write_key(SigningKey(seed)))
            env = {"HOME": str(home), "PBEM_TABLE": TABLE, "COLUMNS": "100"}
            env |= {"EDITOR": "false", "VISUAL": ""}
            self.people[name] = Person(name, mine, shared, home, env)
        return self.people[name]

    def type(self, name: str, line: str, saved: str = "") -> Said:
        """One line, perhaps of several commands joined by `&&`; `saved` goes into the editor."""
        person = self.person(name)
        said = Said(0, "", "")
        for part in line.split(" && "):
            done = self._one(person, part.strip(), saved)
            said = Said(done.exit, said.out + done.out, said.err + done.err)
            if done.exit:
                break
        return said

    def _one(self, person: Person, line: str, saved: str) -> Said:
        home = self.root / person.name
        line = re.sub(r"(?<=\s)~", str(home), line)
        if line.startswith("cd "):
            # not resolved: he stands in what he calls ~/Sync
            person.place = Path(os.path.normpath(person.place / line[3:].strip()))
            return Said(0, "", "")
        self.now += 60
        env = {"SOURCE_DATE_EPOCH": str(self.now)}
        if saved:
            draft = self.root / "saved.toml"
            draft.write_text(saved, "utf-8")
            env |= {"EDITOR": f"cp {draft}", "VISUAL": ""}
        return person.pbem(line.removeprefix("pbem "), **env)

    def invited(self, line: str) -> str:
        """The line with the invite of its seat as it was printed this time."""
        return _INVITE.sub(lambda found: self.invites.get(found[1], found[0]), line)

    def shown(self, name: str, said: Said) -> str:
        """What stands on the screen: both streams, homes as `~`."""
        home = str(self.root / name)
        text = (said.out + said.err).replace(home, "~")
        return text.replace(str(self.root / "shared"), "~/Sync").replace(str(self.root), "")


def played(page: str, root: Path) -> str:
    """The page with every answer as it really comes."""
    fences = list(_FENCE.finditer(page))
    evening, out, at = Evening(root), "", 0
    for number, fence in enumerate(fences):
        out += page[at : fence.start()]
        at = fence.end()
        if fence[1] == "toml":
            out += fence[0]
            continue
        before = fences[number - 1] if number else None
        saved = before[2] if before is not None and before[1] == "toml" else ""
        out += "```console\n" + _play(evening, fence[2], saved) + "```\n"
    return out + page[at:]


def _play(evening: Evening, block: str, saved: str) -> str:
    typed = [m for m in map(_PROMPT.match, block.splitlines()) if m]
    shown = ""
    for number, prompt in enumerate(typed):
        name, line = prompt[1], evening.invited(prompt[2])
        first = not any("--edit" in earlier[2] for earlier in typed[:number])
        said = evening.type(name, line, saved if first and "--edit" in line else "")
        evening.invites |= {found[1]: found[0] for found in _INVITE.finditer(said.out)}
        shown += f"{name}$ {line}\n{evening.shown(name, said)}"
    return shown


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        new = played(PAGE.read_text("utf-8"), Path(folder).resolve())
    PAGE.write_text(new, "utf-8")
    sys.stdout.write(f"{PAGE} renewed; read the diff\n")


if __name__ == "__main__":
    main()
