"""No code cuts, searches or compares an English sentence, in Python or in the browser: what code
needs to know is a fact. And no sentence that a page can show says what to type, unless the part for
a terminal is marked (`pbem/text/terminal_and_page_wording.py`)."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.source import modules
from tests.kit.selection import ROOT

CUTS = {
    "count", "endswith", "find", "index", "partition", "removeprefix", "removesuffix", "replace",
    "rfind", "rindex", "rpartition", "rsplit", "split", "startswith",
}  # fmt: skip
"""Methods that look into a text, or cut it."""
PATTERNS = {"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub"}
PIECES = re.compile(
    r"[a-z]{2,},? [a-z]{2,}"  # two words
    r"|[a-z]{3,}[:;,] "  # the beginning of a line, such as `note: `
    r"|[;:,] [a-z]{3,}"  # the beginning of a clause
    r"|^(did|nothing|note|warning)\b"
)
"""Matches a part of a sentence that code may cut off or look for."""
SENTENCES = re.compile(r"([a-z]{2,},? ){2,}[a-z]{2,}|[a-z]{3,}[:;,] [a-z]{2,}")
"""Matches a sentence that code may compare with: the name of a state has one or two words."""
DATA = {
    "pbem/acts/rematch_invites.py": "the first line of a message that is an invite",
    "pbem/drawing": "`(face down)` marks a card in a scene (engine/screen.py)",
    "pbem/terminal/table.py": "`(face down)` marks a card in a scene",
    "pbem/wording/find_explanation.py": "what people type, perhaps copied from a scene",
    "games": "the sentences of the rules, which the protocol fixes",
    "pbem/host/request_limits.py": "the name of a group of requests",
    "pbem/person/mail_notebooks.py": "a line of our emails, which replies quote",
    "pbem/plain_email/typed_concessions.py": "what people type",
    "pbem/text/typed_absences.py": "what people type",
    "pbem/drafts/order_file_toml.py": "errors of a TOML parser",
    "pbem/format/mail_block.py": "a line of the format",
    "pbem/mail/incoming_email.py": "what mail programs write",
    "pbem/plain_email/reply_email.py": "what mail programs write",
    "pbem/plain_email/sentence_parser.py": "what people write in emails",
    "pbem/terminal/commands_and_paths_to_type.py": "commands to type, which get an address",
}
"""Modules or packages that look for texts of another kind, and which."""


def texts_of(node: ast.AST) -> Iterator[str]:
    """Yield the texts in an argument: of a literal, an f-string, or a tuple of them."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values):
            yield "{}".join(v.value for v in values if isinstance(v, ast.Constant))
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            for part in parts:
                yield from texts_of(part)


def named_texts(tree: ast.Module) -> dict[str, list[str]]:
    """Return the texts of the constants of a module, by name."""
    texts_by_name: dict[str, list[str]] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                texts_by_name[name] = list(texts_of(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                texts_by_name[name] = list(texts_of(value))
    return texts_by_name


def sentences_looked_for(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of each English text that code looks for in another text, or compares
    with one: a literal, or a constant of its module."""
    texts_by_name = named_texts(tree)
    for node in ast.walk(tree):
        arguments, english = list[ast.expr](), PIECES
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("re"), attr=name), args=[first, *_]):
                arguments = [first] if name in PATTERNS else []
            case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in CUTS:
                arguments = [first]
            case ast.Compare(left=left, ops=ops, comparators=others):
                kinds = ast.In | ast.NotIn | ast.Eq | ast.NotEq
                arguments = [left, *others] if any(isinstance(x, kinds) for x in ops) else []
                english = SENTENCES
        for argument in arguments:
            name = argument.id if isinstance(argument, ast.Name) else ""
            for text in (*texts_of(argument), *texts_by_name.get(name, ())):
                if english.search(text.replace(r"\s", " ")):
                    yield node.lineno, text


@pytest.mark.sample(0)
def test_no_code_cuts_or_compares_an_english_sentence() -> None:
    cuts = [
        f"{module.path}:{line}: {text}"
        for module in modules("pbem", "games", "engine")
        for line, text in sentences_looked_for(module.tree)
        if not any(f"{module.path}/".startswith(f"{place}/") for place in DATA)
    ]
    assert not cuts, "\n".join(cuts)


@pytest.mark.sample(0)
def test_each_exemption_from_the_check_of_cut_sentences_is_needed() -> None:
    needed = {m.path for m in modules() if any(sentences_looked_for(m.tree))}
    unused = {x for x in DATA if not any(p == x or p.startswith(f"{x}/") for p in needed)}
    assert not unused


@pytest.mark.parametrize(
    "code",
    [
        'str(error).removeprefix("nothing was signed: ")',
        'sentence.partition("; pbem advance")[0]', 'line.startswith("next: ")',
        'CLAUSE = "tap one of them"\nline.replace(CLAUSE, "reply")',
        'error.hint.startswith("did you mean")', 'if "see the folder" in note: pass',
        'if note == "there is no game here": pass', 're.sub(r"; it is kept as .*", "", line)',
        'text.endswith(f": {why} is not an option now")',
    ],
)  # fmt: skip
def test_each_way_to_cut_or_compare_a_sentence_is_seen(code: str) -> None:
    assert list(sentences_looked_for(ast.parse(code)))


def test_code_may_compare_texts_that_are_no_sentences() -> None:
    code = """
if state == "no winner": path.removeprefix("turns/")
sentence = "nothing is wrong with this".format(name=name)
"""
    assert not list(sentences_looked_for(ast.parse(code)))


SCRIPTS = re.compile(
    r"""(?:startsWith|endsWith|includes|indexOf|split|replace(?:All)?|match|test)\(\s*
    (?:(["'`])(?P<text>(?:(?!\1).)*)\1|/(?P<pattern>(?:[^/\n]|\\/)*)/[gimsuy]*)
    |[!=]==?\s*(["'`])(?P<compared>(?:(?!\4).)*)\4""",
    re.VERBOSE,
)
"""Matches where JavaScript looks for a text in another one, or compares two."""


def test_no_script_of_a_page_cuts_or_compares_an_english_sentence() -> None:
    files = [f for root in ("pbem", "site/page") for f in (ROOT / root).rglob("*.js")]
    assert len(files) > 10
    cuts = [
        f"{file.relative_to(ROOT)}: {text}"
        for file in files
        for match in SCRIPTS.finditer(file.read_text("utf-8"))
        for text in (match["text"], match["pattern"], match["compared"])
        if text and PIECES.search(text.replace(r"\s", " "))
    ]
    assert not cuts, "\n".join(cuts)


# ---- What to type

COMMANDS = re.findall(r"^  (\w+) +\w+:", (ROOT / "pbem/cli/commands.txt").read_text("utf-8"), re.M)
TO_TYPE = re.compile(rf"`?\bpbem (?:{'|'.join(COMMANDS)})\b|(?<![\w-])--[a-z]")
MARKERS = {"to_type", "at_address", "command_at"}
"""Calls whose texts no page shows."""
REACH_PAGES = (
    "pbem/drafts/checked_rows.py", "pbem/drafts/order_file_toml.py",
    "pbem/drafts/read_order_file.py", "pbem/files/", "pbem/format/", "pbem/judge/",
    "pbem/mail/record_filing.py", "pbem/mail/find_game_by_id.py",
    "pbem/mail/take_records_from_mail.py",
    "pbem/person/", "pbem/records/", "pbem/text/", "pbem/wording/deadlines_and_absences.py",
    "pbem/wording/joins.py", "pbem/wording/sealed_orders.py",
    "pbem/wording/status_warnings.py", "pbem/wording/evidence_from_own_machine.py", "games/",
    "engine/",
)  # fmt: skip
"""Modules whose sentences pages show."""
NOT_ON_PAGES = {
    "pbem/files/host_answer_about_new_game.py",
    "pbem/files/host_request_and_answer.py",
    "pbem/files/host_store.py",  # reads what a host answers
    "pbem/text/terminal_and_page_wording.py",
}


def unmarked_commands(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and text of each command or option to type outside a part for a terminal."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in MARKERS:
            return
        case ast.Call(func=ast.Name("TerminalText"), args=[template]):
            parts = [x.value for x in ast.walk(template) if isinstance(x, ast.Constant)]
            text = re.sub(r"\[\[.*?\]\]", "", "".join(map(str, parts)), flags=re.S)
            if TO_TYPE.search(text):
                yield node.lineno, text
            return
        case ast.Expr(value=ast.Constant()):  # a docstring
            return
        case ast.Constant(value=str(text)) if " " in text and TO_TYPE.search(text):
            yield node.lineno, text
    for child in ast.iter_child_nodes(node):
        yield from unmarked_commands(child)


@pytest.mark.sample(0)
def test_what_to_type_is_marked_for_the_terminal() -> None:
    assert len(COMMANDS) > 30
    unmarked = [
        f"{module.path}:{line}: {text}"
        for module in modules("pbem", "games", "engine")
        if module.path.startswith(REACH_PAGES) and module.path not in NOT_ON_PAGES
        for line, text in unmarked_commands(module.tree)
    ]
    assert not unmarked, "\n".join(unmarked)
