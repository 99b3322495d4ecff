"""Scripts: what people type and what they see, in text files that a newcomer can read.

    # what this one shows
    start: begun

    $ [ann] pbem status
    savannah (evolution), turn 1

    ! [eve] pbem submit -
    2> error: to standard error
    [exit 5]

`start:` names a game of `tests/kit/named_games.py` to begin with. `[name]` is who types,
behind `$`, or behind `!` if the command fails; `2>` marks lines of standard error. `pbem` runs the
command, with `VAR=value` before it and `< FILE` or `<<END … END` behind it if need be; `cd` moves;
the rest, pipes too, is the shell's. `@b` is seat b's invite, as it was sent (`@b-forged`: with
another code). Remarks in between start with `##`. Ids and the words of heads are put as `<id>` and
`<twelve words>`. Keys, table and clock are fixed, so cards and dice fall alike every time.

Set PBEM_SCRIPTS=write and run the tests: every script is written anew, to be read in a diff. (A
change of the rules makes new games of all of them: other cards.)
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from pbem.records.invite import parse_invite
from tests.kit.named_games import invite
from tests.kit.people import Round, Said

_PROMPT = re.compile(r"[$!] \[([a-z]+)\] (.*)")
_SETTING = re.compile(r"""([A-Z_]+)=("[^"]*"|'[^']*'|\S*) """)


@dataclass
class Step:
    """One thing that is typed, and the lines that were expected below it."""

    who: str
    typed: str
    input: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What was said before it."""
    fails: bool = False

    def prompt(self) -> str:
        return f"{'!' if self.fails else '$'} [{self.who}] {self.typed}"


@dataclass
class Script:
    """One file."""

    path: Path
    start: str = ""
    head: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def text(self) -> str:
        lines = list(self.head)
        for step in self.steps:
            lines += [*step.remarks, step.prompt(), *step.input, *step.shown]
        return "\n".join(lines).rstrip("\n") + "\n"

    def play(self, table: Round) -> None:
        """Type every step, and put what came where the expected lines were."""
        for step in self.steps:
            gap = not step.shown or step.shown[-1] == ""
            said = _typed(table, step)
            step.fails = said.exit != 0
            step.shown = _lines(table, said) + ([""] if gap else [])


def read_script(path: Path) -> Script:
    found = Script(path)
    lines = iter(path.read_text("utf-8").splitlines())
    remarks: list[str] = []
    for line in lines:
        if prompt := _PROMPT.fullmatch(line):
            step = Step(prompt[1], prompt[2], remarks=remarks, fails=line[0] == "!")
            remarks = []
            found.steps.append(step)
            if here := re.search(r"<<(\w+)", step.typed):
                for inner in lines:
                    step.input.append(inner)
                    if inner == here[1]:
                        break
        elif found.steps and line.startswith("## "):
            remarks.append(line)
        elif found.steps:
            found.steps[-1].shown.append(line)
        else:
            found.head.append(line)
            if line.startswith("start: "):
                found.start = line.removeprefix("start: ").strip()
    return found


def _typed(table: Round, step: Step) -> Said:
    """Run a line. The shell runs all but `pbem`, which would take ten times as long there."""
    errors: list[str] = []

    def output(found: re.Match[str]) -> str:
        said = _typed(table, Step(step.who, found[1]))
        errors.append(said.err)
        return said.out.rstrip("\n")

    line = _IN_A_LINE.sub(output, step.typed)
    said = _run(table, replace(step, typed=line))
    return replace(said, err="".join(errors) + said.err)


_SIMPLE = r"(?:PBEM_[A-Z]+=\S+ )*pbem [^|>;$()]*"
_IN_A_LINE = re.compile(rf"\$\(({_SIMPLE}(?:\| [^()]*)?)\)")
_AT_THE_START = re.compile(rf"({_SIMPLE}) (?:> /dev/null|\| ((?:(?!pbem).)*))")
_AT_THE_END = re.compile(rf"((?:(?!pbem).)*)(;|\|) ({_SIMPLE})")


def _run(table: Round, step: Step) -> Said:
    shell = table.person(step.who).shell
    if found := not step.input and _AT_THE_START.fullmatch(step.typed):
        said = _one(table, Step(step.who, found[1]))
        then = shell(found[2], said.out) if found[2] else Said(said.exit, "", "")
        return Said(then.exit, then.out, said.err + then.err)
    if found := not step.input and _AT_THE_END.fullmatch(step.typed):
        first, piped = shell(found[1]), found[2] == "|"
        last = Step(step.who, f"{found[3]} <<END", [first.out.rstrip("\n"), "END"])
        said = _one(table, last if piped else Step(step.who, found[3]))
        return Said(said.exit, ("" if piped else first.out) + said.out, first.err + said.err)
    return _one(table, step)


def _one(table: Round, step: Step) -> Said:
    """Run one command in this process, or a line that has to be the shell's."""
    person, env, line = table.person(step.who), dict[str, str](), step.typed
    while setting := _SETTING.match(line):
        env[setting[1]] = setting[2].strip("\"'")
        line = line[setting.end() :]
    if line.startswith("cd "):
        person.place = (person.place / line[3:]).resolve()
        return Said(0, "", "")
    if not line.startswith("pbem") or re.search(r"[|>;$]", line):
        return person.shell("\n".join([step.typed, *step.input]))
    line, *inputs = (_invites(table, text) for text in (line, *step.input))
    stdin = "".join(f"{text}\n" for text in inputs[:-1])
    if found := re.search(r" < (\S+)$", line):
        stdin = (person.place / found[1]).read_text("utf-8")
    line = re.sub(r" <<?\s?\S+$", "", line)
    return person.pbem(line.removeprefix("pbem"), stdin, **env)


def _invites(table: Round, text: str) -> str:
    """`@b` is the line that the referee sent to the player of seat b."""

    def line(found: re.Match[str]) -> str:
        whole = invite(table, found[1])
        return replace(parse_invite(whole), code=bytes(16)).line() if found[2] else whole

    return re.sub(r"@([a-p])(-forged)?\b", line, text)


def _lines(table: Round, said: Said) -> list[str]:
    lines = table.plain(said.out).splitlines()
    lines += [f"2> {line}".rstrip() for line in table.plain(said.err).splitlines()]
    return lines + ([f"[exit {said.exit}]"] if said.exit else [])
