"""Reports are worded in `pbem/wording`: other rooms have the sentences of errors, and of the places
that `EXEMPT` lists with a reason."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache

import pytest

from tests.house.source import Module, modules

ROOMS = ("acts", "cli", "host", "judge", "person", "post")
"""The rooms whose reports are worded in `pbem/wording`."""

EXEMPT = {
    "pbem/acts/sign_notice.py:NotSignedError": "an error's sentence",
    # letters
    "pbem/acts/players_email_replies.py": "answers to emails, and the referee's notes on them",
    "pbem/acts/write_bundles_and_emails.py:BundleWriter": "paragraphs of letters",
    "pbem/acts/emails_to_seat_by_mail.py:MailSeat": "paragraphs of letters to mail seats",
    "pbem/person/mail_notebooks.py:ECHO_START": "a line of letters that marks a copy",
    # the judge: errors, faults, problems and findings, where they arise
    "pbem/judge/consent.py": "reasons why people cannot agree, which refusals quote",
    "pbem/judge/which_joins_count.py:seat_players": "faults of joins",
    "pbem/judge/order_line_checks.py": "problems of order lines",
    "pbem/judge/read_and_check_record_file.py:RecordFiles": "faults of files",
    "pbem/judge/next_turn.py:Advance._finder": "the sentence of an error of the finder",
    "pbem/judge/notice_kinds.py": "templates of each kind: a new kind of notice is one class",
    "pbem/judge/sealed_dealing_mode.py": "differences of a turn from the right one",
    # dialogs: a question stands beside the code that takes its answer
    "pbem/cli/notice.py:_need_confirmation": "asks for a confirmation",
    "pbem/cli/notice.py:notice_concede": "a confirmation",
    "pbem/cli/notice.py:notice_hand_over": "a confirmation",
    "pbem/cli/notice.py:notice_leave": "a confirmation",
    "pbem/cli/notice.py:notice_vouch": "a confirmation",
    "pbem/cli/submit.py:ends_wished": "asks whether to add a line",
    "pbem/cli/play.py": "the dialog of `pbem play`",
    "pbem/person/keyring.py:ask_on_terminal": "asks for a passphrase",
    "pbem/post/set_up_mailbox.py:_new_account": "asks for an address",
    "pbem/post/set_up_mailbox.py:set_up": "asks for a password",
    "pbem/post/set_up_mailbox.py:APP_PASSWORD_NOTE": "a column of the table of providers",
    "pbem/post/set_up_mailbox.py:NO_PASSWORDS_NOTE": "a column of the table of providers",
    # answers of a host to programs
    "pbem/host/answer_requests.py:_wrong_method_response": "a refusal",
    "pbem/host/answer_requests.py:Host.owner": "whose password a refusal asks for",
    "pbem/host/record_gate.py": "refusals",
    "pbem/host/request_guard.py": "refusals",
    "pbem/host/page_credentials.py:ask_for_password": "a refusal",
    "pbem/host/storage_capacity.py:Capacity.full_clause": "the cause in a refusal",
    "pbem/host/new_game_pages.py:PACES": "choices of a form, each with the deadline that it means",
}
"""Places with sentences of their own, and why: a file, or a class, function or constant in it."""

HAS_WORDS = re.compile(r"(?:[A-Za-z]{2,}[^\w-]+){2,}[A-Za-z]{2,}")
FOR_PROGRAMS = re.compile(
    r"\(\?|\\[bd]"  # a regular expression
    r"|^[a-z]+/[a-z]+;|\b\w+-src\b|filename=|auth=Bearer|^[a-z]+-[a-z-]+, "  # a header
    r"|^<svg |\[Unit\]"  # a picture, a service
    r"|^[A-Z ]+$|^\w+=[\w &]+$"  # a verdict, a condition
)
"""Matches texts that people do not read."""
COMMAND = re.compile(r"(cd  && )?pbem [a-z]+( [a-z-]+)?( -{1,2}[a-z-]+| [A-Z]+| -| …)*")
"""Matches a command to type with nothing else."""
ERROR = re.compile(
    r"(Error|Refusal|Stop|Trouble|Unsure|Illegal|Misfit|Unreadable|Problem|Fault|Finding)\b"
)
EXPLAINS = re.compile(r"why|missing|not_|^_?note$|complain$|refuse")
"""Parts of the names of functions that say what is wrong: their texts are findings."""
HELPERS = (
    "Option", "Argument", "Typer", "needing_libraries", "person_called", "_need_only", "to_type",
)  # fmt: skip
"""Calls whose texts are the help of an option, an error with its hint, or what to type."""
ASSIGNMENTS = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def is_error(node: ast.AST) -> bool:
    """Whether all texts in a node are what an error, a finding or the help of an option says."""
    match node:
        case ast.Raise() | ast.Assert():
            return True
        case ast.Call():
            name: str = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
            return name in HELPERS or bool(ERROR.search(name) or EXPLAINS.search(name))
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            returned = ast.unparse(node.returns) if node.returns else ""
            return bool(EXPLAINS.search(node.name) or ERROR.search(returned))
        case ast.Assign(targets=[ast.Attribute(attr="hint")]):
            return True
    return False


@cache
def targets_of(node: ast.AST) -> set[str]:
    """Return the names to which a statement assigns a value."""
    if not isinstance(node, ASSIGNMENTS):
        return set()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = [part for target in targets for part in ast.walk(target)]
    return {part.id for part in parts if isinstance(part, ast.Name)}


@cache
def spoken_parts(node: ast.AST) -> tuple[ast.AST, ...]:
    """Return the parts of a node without its condition, unless that assigns a name."""
    condition = getattr(node, "test", None)
    condition = None if isinstance(condition, ast.NamedExpr) else condition
    return tuple(child for child in ast.iter_child_nodes(node) if child is not condition)


def loads(node: ast.AST, error_names: set[str]) -> set[tuple[str, bool]]:
    """Return each name that is read in a node, and whether it becomes a part of an error there.

    A name in a condition is left out, because its text goes nowhere.
    """
    found, stack = set[tuple[str, bool]](), [(node, False)]
    while stack:
        node, in_error = stack.pop()
        in_error = in_error or is_error(node) or bool(targets_of(node) & error_names)
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                found.add((name, in_error))
            case ast.Attribute(value=ast.Name("self"), attr=name, ctx=ast.Load()):
                found.add((f"self.{name}", in_error))
        stack += [(child, in_error) for child in spoken_parts(node)]
    return found


@cache
def error_names_in(function: ast.AST) -> set[str]:
    """Return the names whose texts go into errors, and nowhere else."""
    names: set[str] = set().union(*map(targets_of, ast.walk(function)))
    while names:
        uses = loads(function, names)
        kept = {name for name, in_error in uses if in_error}
        kept -= {name for name, in_error in uses if not in_error}
        if names & kept == names:
            return names
        names &= kept
    return names


def sentences(node: ast.AST, error_names: set[str]) -> Iterator[tuple[int, str]]:
    """Yield line and text of each sentence in a node: at least three words, not for an error."""
    if is_error(node) or targets_of(node) & error_names:
        return
    parts, children = [], [*ast.iter_child_nodes(node)]
    match node:
        case ast.Constant(str() as text):
            parts = [text]
        case ast.JoinedStr(values):
            parts = [str(part.value) for part in values if isinstance(part, ast.Constant)]
            children = [part for part in values if not isinstance(part, ast.Constant)]
    text = " ".join(parts)
    if any(" " in part for part in parts) and HAS_WORDS.search(text):
        is_for_programs = FOR_PROGRAMS.search(text) or COMMAND.fullmatch(text.strip())
        assert isinstance(node, ast.expr)
        if not is_for_programs:
            yield node.lineno, text
    for child in children:
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not is_docstring:
            yield from sentences(child, error_names)


def named_parts(module: Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield functions, methods and other statements of a module, each with its name and that of its
    class; the name of a statement is that of its constant."""

    def in_body(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from in_body(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, FUNCTIONS):
                yield f"{prefix}{node.name}", node
            elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                yield prefix + "".join(targets_of(node)), node

    yield from in_body(module.tree.body, "")


def names_in_errors(files: Iterable[Module]) -> frozenset[str]:
    """Return the names of constants that errors use, of functions that they call, and of constants
    from which these are made; the name of a method follows the path of its module."""
    names = set[str]()
    parts = [(module.path, *part) for module in files for part in named_parts(module)]
    for path, _, node in parts:
        if isinstance(node, FUNCTIONS) and any(map(is_error, ast.walk(node))):
            uses = loads(node, error_names_in(node))
            names |= {name.replace("self.", f"{path}:") for name, in_error in uses if in_error}
    for path, name, node in reversed(parts):  # a constant is made from earlier ones
        if is_used(path, name, names) or targets_of(node) & names:
            names |= {name for name, _ in loads(node, set()) if name.isupper()}
    return frozenset(names)


def is_used(path: str, name: str, names: Collection[str]) -> bool:
    """Whether a function or constant of a module is among these names."""
    return (f"{path}:{name.rpartition('.')[2]}" if "." in name else name) in names


def reports(module: Module, used_in_errors: Collection[str]) -> dict[str, list[str]]:
    """Return each sentence of a module that is not an error's, with its line, by its place."""
    sentences_by_place: dict[str, list[str]] = {}
    for name, node in named_parts(module):
        if is_used(module.path, name, used_in_errors):
            continue
        error_names = error_names_in(node) if isinstance(node, FUNCTIONS) else set()
        if lines := [f"{line}: {text}" for line, text in sentences(node, error_names)]:
            sentences_by_place.setdefault(f"{module.path}:{name}", []).extend(lines)
    return sentences_by_place


def exemption_of(place: str) -> str:
    """Return the row of `EXEMPT` for a place; empty if there is none."""
    path, _, name = place.partition(":")
    rows = (place, f"{path}:{name.partition('.')[0]}", path)
    return next((row for row in rows if row in EXEMPT), "")


@cache
def all_reports() -> dict[str, list[str]]:
    paths = tuple(f"pbem/{room}/" for room in ROOMS)
    files = [module for module in modules("pbem") if module.path.startswith(paths)]
    used_in_errors = names_in_errors(modules("pbem"))
    return {
        place: lines for module in files for place, lines in reports(module, used_in_errors).items()
    }


@pytest.mark.sample(0)
@pytest.mark.parametrize("room", ROOMS)
def test_only_the_wording_room_words_reports(room: str) -> None:
    left = {
        place: lines
        for place, lines in all_reports().items()
        if place.startswith(f"pbem/{room}/") and not exemption_of(place)
    }
    assert not left, "\n".join(f"{place}\n    {line}" for place in left for line in left[place])


@pytest.mark.sample(0)
def test_each_exemption_from_the_wording_room_is_needed() -> None:
    assert not EXEMPT.keys() - {exemption_of(place) for place in all_reports()}


def test_a_report_is_seen_and_an_error_is_not() -> None:
    module = Module(
        "pbem/acts/a.py",
        '''
HINT_OF_DEADLINES = "write a deadline such as 72h"
NEWS_SENTENCE: Final = "a new turn is here now"
FORM = re.compile(r"(?:once a week|every single week)")
def report(view: View) -> list[str]:
    """Return lines that say what happened here."""
    print(f"the game is waiting for {view.name or 'all of the players'}")
    note("broken", "turns/0001.toml", "this file is no turn at all")
    lines = [] if view.over else ["you may still send"
        " orders for this turn"]
    return lines or CliError("no game is in this folder")
def check(view: View) -> str:
    told = "there is no such seat here"
    if view.over:
        raise CliError(told, HINT_OF_DEADLINES)
    said = "the file is there again"
    if view.seat:
        raise CliError(said)
    print(said)
    return "nothing is wrong with this"
def why_not(view: View) -> str:
    return "there is no such seat here"
def step_after(view: View) -> str:
    return "pbem notice end --no-winner"
def new(name: Annotated[str, Option(help="The name of the game")] = "") -> None: ...
class Files:
    def read(self) -> None:
        raise FileError(self.clause_about_stray())
    def clause_about_stray(self) -> str:
        return "it does not belong here"
''',
    )
    assert reports(module, names_in_errors([module])) == {
        "pbem/acts/a.py:NEWS_SENTENCE": ["3: a new turn is here now"],
        "pbem/acts/a.py:report": [
            "7: the game is waiting for ",
            "7: all of the players",
            "9: you may still send orders for this turn",
        ],
        "pbem/acts/a.py:check": ["16: the file is there again", "20: nothing is wrong with this"],
    }
