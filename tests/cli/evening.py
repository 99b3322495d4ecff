"""Pages of several people, typed word for word: `python -m tests.cli.evening` renews them.

In such a page a fence ```console holds what is typed (`ann$ pbem …`) and what is printed below it.
A fence ```toml is what the person saves in the editor that the next `--edit` opens. Each person has
a home of their own; `~/Sync` is one folder for all. What they typed before the page begins is in
`BEGINNINGS`, in the same form.
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
from pbem.format.openssh_key_files import write_key
from pbem.format.secret_and_public_keys import SigningKey
from tests.kit.people import Person, Said
from tests.kit.selection import ROOT

EVENING = ROOT / "docs/first-evening.md"
README = ROOT / "README.md"
FOLDER = ROOT / "docs/folder.md"
BEGUN = """```console
rhea$ cd ~/Sync
rhea$ pbem new savannah --players Ann,Bo --referee Rhea --deadline never
ann$ cd ~/Sync/savannah
ann$ pbem join --invite savannah:a:…
bo$ cd ~/Sync/savannah
bo$ pbem join --invite savannah:b:…
rhea$ cd savannah
rhea$ pbem advance
```
"""
BEGINNINGS = {
    README: f"""{BEGUN}
```toml
food = "cooperation 3"
play = ["done"]
feed = ["a1 eats"]
```
```console
ann$ pbem submit --edit
bo$ echo 'food = "fat tissue 5"' > ~/orders.toml
bo$ echo 'play = ["scavenger 6 on b1", "done"]' >> ~/orders.toml
bo$ echo 'feed = ["b1 eats"]' >> ~/orders.toml
```
""",
    FOLDER: f"""{BEGUN.replace("never", "48h")}
```toml
food = "symbiosis 4"
play = ["done"]
feed = ["a1 eats"]
```
```console
ann$ pbem submit --edit
bo$ echo 'food = "foraging 4"' > ~/orders.toml
bo$ echo 'play = ["burrowing 3 on b1", "done"]' >> ~/orders.toml
bo$ echo 'feed = ["b1 eats"]' >> ~/orders.toml
bo$ echo 'food = "horns 3"' > ~/next.toml
bo$ mkdir -p ~/../laptop
bo$ cp ~/.local/share/pbem/profiles/default/key ~/../laptop/bo-key
bo$ cp ~/next.toml ~/../laptop/next.toml
```
""",
}
"""What is typed before a page begins, in the same form."""
NOW = 1_700_000_000
TABLE = sha256(b"the first evening").hexdigest()[:32]
WATCHERS = {README: "rhea"}
PAGES = [EVENING, README, FOLDER]
_FENCE = re.compile(r"```(console|toml)\n(.*?)```\n", re.DOTALL)
_PROMPT = re.compile(r"^(ann|bo|eve|rhea|laptop)\$ (.*)$")
_INVITE = re.compile(r"\bsavannah:([a-p]):\S+")


@dataclass
class Evening:
    """Three people, from nothing."""

    root: Path
    now: int = NOW
    people: dict[str, Person] = field(default_factory=dict)
    invites: dict[str, str] = field(default_factory=dict)
    """By seat: the line that the referee was told to send."""
    watcher: str = ""
    """The referee whose `pbem advance --watch` runs elsewhere."""

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
            if self.watcher and part.startswith("pbem submit"):
                self._one(self.person(self.watcher), "pbem advance", "")
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
        if line.startswith("sleep "):
            self.now += 86400 * int(line.removeprefix("sleep ").removesuffix("d"))
            return Said(0, "", "")
        if not line.startswith("pbem ") or "|" in line:
            return person.shell(f"export SOURCE_DATE_EPOCH={self.now}; {line}")
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


def page_as_played(page: Path, root: Path) -> str:
    """The page with every answer as it really comes."""
    evening, text = Evening(root), page.read_text("utf-8")
    typed_on(evening, BEGINNINGS.get(page, ""))
    evening.watcher = WATCHERS.get(page, "")
    return typed_on(evening, text)


def typed_on(evening: Evening, text: str) -> str:
    """This text, typed in a game that goes on."""
    fences = list(_FENCE.finditer(text))
    out, at = "", 0
    for number, fence in enumerate(fences):
        out += text[at : fence.start()]
        at = fence.end()
        if fence[1] == "toml":
            out += fence[0]
            continue
        before = fences[number - 1] if number else None
        saved = before[2] if before is not None and before[1] == "toml" else ""
        out += "```console\n" + _play(evening, fence[2], saved) + "```\n"
    return out + text[at:]


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


def write_evening_pages() -> None:
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            new = page_as_played(page, Path(folder).resolve())
        page.write_text(new, "utf-8")
        sys.stdout.write(f"{page} renewed; read the diff\n")


if __name__ == "__main__":
    write_evening_pages()
