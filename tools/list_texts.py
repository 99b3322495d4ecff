"""Every text that people may read, one a line: `python -m tools.list_texts [--docstrings N]`.

For people who edit or judge the English of the project. Each line has the place in the source, the
place where people meet the text, and the text as they meet it. The module says what people look at,
and a role whether it is an error, what to do about one, the help of an option, … Where a script, a
page or a test has the text as pbem printed it, it stands so here, with what stands around it
behind it, in ``«»``, and ``⏎`` for a new line. Everywhere else, examples stand in for what pbem
fills in (`tools/texts_as_shown.py`).

Texts are the strings in engine, games and pbem that have a space in them, as a terminal shows them.
Docstrings, patterns, types in quotes and the word list are left out.
With ``--docstrings N`` it prints N docstrings instead, spread evenly over all modules.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Container, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tools.texts_as_shown import PLACEHOLDER, Screens, as_in_a_terminal, with_examples

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("engine", "games", "pbem")
NO_TEXT = {
    "engine/value_classes.py",  # errors for whoever writes code
    "pbem/cards/card_protocol_labels.py",
    "pbem/format/protocol_labels.py",
}
PARTS_OF_A_TYPE = (
    ast.Expression, ast.BinOp, ast.BitOr, ast.Subscript, ast.Attribute, ast.Name, ast.Load,
    ast.Tuple, ast.List, ast.Constant,
)  # fmt: skip
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the path and the tree of each module."""
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if path not in NO_TEXT:
                yield path, ast.parse(file.read_text("utf-8"), path)


CONSTANTS = dict[str, str]()
"""The texts of the constants that the module being read knows, by name: other texts are made with
them."""


def _note_constants(tree: ast.Module) -> None:
    """Note the texts of the constants that a module defines."""
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name.isupper():
                match value:
                    case ast.Call(func=ast.Name("TerminalText"), args=[part]):
                        value = part
                match value:
                    case ast.Constant(value=str() | int() as text):
                        CONSTANTS[name] = str(text)
                    case ast.JoinedStr():
                        CONSTANTS[name] = _filled(value)


def _know_constants(
    path: str, tree: ast.Module, constants_by_path: dict[str, dict[str, str]]
) -> None:
    """Note the constants that a module knows: its own, and those that it imports."""
    CONSTANTS.clear()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            imported = constants_by_path.get(node.module.replace(".", "/") + ".py", {})
            for alias in node.names:
                if alias.name in imported:
                    CONSTANTS[alias.asname or alias.name] = imported[alias.name]
    _note_constants(tree)
    constants_by_path[path] = dict(CONSTANTS)


def _placeholder(node: ast.expr) -> str:
    """Return what stands for a filled-in value: the text of a constant, or all words that may stand
    there, or the name of the variable or attribute which a call, such as ``join``, prepares."""
    match node:
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.IfExp(body=ast.Constant(value=str(first)), orelse=ast.Constant(value=str(second))):
            return f"{{{first}/{second}}}"
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mult()):
            return f"{{{text}/}}"
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="format")) if (
            name in CONSTANTS
        ):
            return CONSTANTS[name]
    return "{" + _name_of_value(node) + "}"


PREPARES = {
    "abs", "brief", "bytes", "clean", "counted", "deck_in_words", "format_name", "hex", "int",
    "join", "join_names",
    "join_words", "len", "list", "local_date", "map", "max", "min", "named", "one_line", "quoted",
    "repr", "round", "sorted", "spaced", "str", "utc_date",
}  # fmt: skip
"""Functions that only prepare a value for people: the value has the better name."""
METHODS_OF_TEXTS = {"removeprefix", "removesuffix", "replace", "strip", "rstrip", "lstrip"}
"""Methods of a text that only prepare it, too."""
GENERAL_NAMES = {
    "body", "card", "id", "index", "key", "kind", "letter", "name", "names", "number", "path",
    "phrase", "population", "seat", "sentence", "text", "title", "turn", "word", "words",
}  # fmt: skip
"""Attributes that say nothing without their owner, such as a name."""


def _name_of_value(node: ast.expr) -> str:
    """Return a name for the value of an expression, as people would call what it contains."""
    match node:
        case ast.Attribute(value=owner, attr=name) if name in GENERAL_NAMES:
            owner_name = _name_of_value(owner).lstrip("_")
            return name if owner_name in ("self", "…", name) else f"{owner_name}_{name}"
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=part) | ast.IfExp(body=part) | ast.BinOp(left=part):
            return _name_of_value(part)
        case ast.Call(func=function, args=arguments):
            return _name_of_call(function, arguments)
    return "…"


def _name_of_call(function: ast.expr, arguments: list[ast.expr]) -> str:
    """Return a name for what a function or a method returns."""
    match function:
        case ast.Attribute(value=owner, attr=method) if method in METHODS_OF_TEXTS:
            return _name_of_value(owner)
        case ast.Attribute(value=ast.Name(id="self"), attr=method) if not arguments:
            return method.lstrip("_")
        case ast.Attribute(value=owner) if not arguments:
            return _name_of_value(owner)
    match arguments:
        case [*_, ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() as part] if (
            _name_of_value(function) in PREPARES
        ):
            return _name_of_value(part)
    return _name_of_value(function).lstrip("_")


def _filled(node: ast.JoinedStr, texts_by_name: dict[str, str] | None = None) -> str:
    """Return the text of an f-string, with names in braces where values are filled in.

    ``texts_by_name`` has the texts of the variables that are known."""
    parts = []
    for value in node.values:
        match value:
            case ast.FormattedValue(value=ast.Name(id=name)) if text := (texts_by_name or {}).get(
                name
            ):
                parts.append(text)
                continue
        if isinstance(value, ast.FormattedValue):
            placeholder = _placeholder(value.value)
            is_quoted = value.conversion == ord("r") and placeholder.endswith("}")
            parts.append(placeholder[:-1] + "!r}" if is_quoted else placeholder)
        elif isinstance(value, ast.Constant):
            parts.append(str(value.value))
    return "".join(parts)


def _texts(
    node: ast.AST,
    role: str = "",
    texts_by_name: dict[str, str] | None = None,
    parts: Container[str] = (),
    roles_by_name: dict[str, str] | None = None,
) -> Iterator[tuple[int, str, str]]:
    """Yield line, role and text of each string in a node that is a value, so no docstring.

    A text that a function puts together is yielded as a whole: ``texts_by_name`` has the
    texts of its variables, ``parts`` the names of those that are only parts, ``roles_by_name``
    the roles of those that become arguments of errors.
    """
    texts_by_name = {} if texts_by_name is None else texts_by_name
    roles_by_name = {} if roles_by_name is None else roles_by_name
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        texts_by_name, parts = {}, _names_of_parts(node)
        if not role and node.name.startswith("why_"):
            role = "reason why this is not possible"
        roles_by_name = {
            argument.id: argument_role
            for call in ast.walk(node)
            if isinstance(call, ast.Call)
            for argument, argument_role in _roles_of_arguments(call)
            if isinstance(argument, ast.Name)
        }
    text = _whole_text(node, texts_by_name)
    if text is not None:
        names = [x.id for x in getattr(node, "targets", ()) if isinstance(x, ast.Name)]
        if text and not any(name in parts for name in names):
            for name in names:
                role = "what to do" if name == "hint" else roles_by_name.get(name, role)
            yield getattr(node, "lineno", 0), role, text
        return
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.IfExp()) if name in parts:
            return
    for child, child_role in _with_roles(node, role):
        yield from _texts(child, child_role, texts_by_name, parts, roles_by_name)


ROLES_OF_ERRORS = {
    "FileError": "error, after the path of a file",
    "StorageError": "error, after the path of a file",
    "FieldError": "error, after the name of a field in a signed file",
    "RecordError": "error in a signed file of the game, after the path of the file",
}
"""The roles of errors with a place of their own, by the class of the error."""


def _roles_of_arguments(call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """Yield the arguments of a call that makes an error, each with its role."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name.endswith(
            ("Error", "Refusal", "Trouble")
        ):
            role = ROLES_OF_ERRORS.get(name, "error")
            has_remedy = name in ("CliError", "Trouble")
            sentence, hint = [_sum_of(x, {}) for x in call.args[:2]] if call.args[1:] else ("", "")
            for number, argument in enumerate(call.args):
                if not has_remedy:
                    yield argument, role
                elif number:
                    yield argument, f"what to do, below the error: {sentence}".rstrip(": ")
                else:
                    yield argument, f"{role}; below it, what to do: {hint}" if hint else role
        case ast.Name(id="Sentence"):
            words = {x.arg or "": _sum_of(x.value, {}) for x in call.keywords}
            meaning = words.get("ordered") or words.get("deed") or ""
            roles = dict(ROLES_IN_SENTENCES)
            for argument_name in ("1", "use") if meaning else ():
                roles[argument_name] += f", which means: {meaning}"
            roles["target"] += words.get("use", "")
            yield from _roles_in_games(call, roles)
        case ast.Name(id="ReadyLine"):
            line, remark = (_sum_of(x, {}) for x in call.args[1:3])
            roles = {
                name: role.format(line=line, remark=remark)
                for name, role in ROLES_IN_READY_LINES.items()
            }
            yield from _roles_in_games(call, roles)


ROLES_IN_SENTENCES = {
    "1": "a line that a player may write in an order file",
    "deed": "a line about what happened in a turn",
    "ordered": "an answer that a player has chosen",
    "use": "the button with which a player chooses this action",
    "target": "the button with which a player chooses where, below the button for the action: ",
}
NO_TEXTS_IN_SENTENCES = {"card", "changes", "removed_card_field"}
ROLES_IN_READY_LINES = {
    "1": "a line in words that a player may write in an order file; the remark beside it: {remark}",
    "2": "remark in an order file that explains the line: {line}",
}


def _roles_in_games(call: ast.Call, roles: dict[str, str]) -> Iterator[tuple[ast.expr, str]]:
    """Yield the arguments of a call in a ruleset, each with its role, by name or position."""
    for number, argument in enumerate(call.args):
        yield argument, roles.get(str(number), "")
    for keyword in call.keywords:
        if keyword.arg not in NO_TEXTS_IN_SENTENCES:
            yield keyword.value, roles.get(keyword.arg or "", "")


ROLES_OF_TEMPLATES = {
    "events": "line of a turn that says what happened",
    "announcements": "announces what will happen unless somebody prevents it",
    "confirmations": "to the person who has just declared this",
}
"""The roles of the templates of a kind of notice, by the name of their table."""


def _with_roles(node: ast.AST, role: str) -> Iterator[tuple[ast.AST, str]]:
    """Yield the parts of a node, each with the role of its texts."""
    match node:
        case ast.AnnAssign(target=ast.Name(id=name)):
            role = ROLES_OF_TEMPLATES.get(name, role)
    if isinstance(node, ast.Call):
        if arguments := list(_roles_of_arguments(node)):
            yield from arguments
            return
        match node.func:
            case ast.Name(id="Option" | "Argument") | ast.Attribute(attr="Option" | "Argument"):
                role = "help"
    for child in _parts_with_texts(node):
        yield child, role


def _parts_with_texts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that may have texts for people: no names of values, and nothing
    with which a value is compared."""
    match node:
        case ast.Dict(keys=keys, values=values):
            yield from (key for key in keys if key and not _is_name(key))
            yield from values
        case ast.Compare() | ast.MatchValue():
            return
        case ast.Subscript(value=ast.Name(id="Literal")):
            return
        case ast.Subscript(value=part, slice=ast.Constant()):
            yield part
        case _:
            yield from ast.iter_child_nodes(node)


def _is_name(node: ast.expr) -> bool:
    """Whether this is a short text, as the keys of a table are."""
    return isinstance(node, ast.Constant) and len(str(node.value).split()) < MIN_SENTENCE_WORDS


def _whole_text(node: ast.AST, texts_by_name: dict[str, str]) -> str | None:
    """Return the text of a value or of an assignment, and note the variable; empty for a docstring,
    None if the parts of the node have to be searched."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return ""
        case ast.Constant(value=str()) | ast.JoinedStr() | ast.BinOp(op=ast.Add()):
            return _sum_of(node, texts_by_name) or None
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            text = _sum_of(value, texts_by_name)
            texts_by_name[name] = text
            return text or None
        case ast.AugAssign(target=ast.Name(id=name), value=value) if text := _sum_of(
            value, texts_by_name
        ):
            texts_by_name[name] = texts_by_name.get(name, "") + text
            return texts_by_name[name]
    return None


def _names_of_parts(function: ast.AST) -> frozenset[str]:
    """Return the variables of a function whose texts become parts of other texts."""
    names = set[str]()
    for node in ast.walk(function):
        match node:
            case (
                ast.FormattedValue(value=ast.Name(id=name))
                | ast.AugAssign(target=ast.Name(id=name))
            ):
                names.add(name)
            case ast.BinOp(left=ast.Name(id=name), op=ast.Add()):
                names.add(name)
    return frozenset(names)


def _sum_of(node: ast.AST, texts_by_name: dict[str, str]) -> str:
    """Return the text of a string, or of several that are put together; empty for anything
    else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr():
            return _filled(node, texts_by_name)
        case ast.Name(id=name):
            return texts_by_name.get(name, "") or CONSTANTS.get(name, "")
        case ast.Call(func=ast.Name(id="TerminalText" | "to_type"), args=[part]):
            return _sum_of(part, texts_by_name)
        case ast.Call(func=ast.Attribute(value=template, attr="format")):
            return _sum_of(template, texts_by_name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            left_text, right_text = _sum_of(left, texts_by_name), _sum_of(right, texts_by_name)
            return left_text + right_text if left_text and right_text else ""
    return ""


def subject_of(path: str, tree: ast.Module) -> str:
    """Return what people are looking at: the command, or the first sentence on the module."""
    subject = " ".join((ast.get_docstring(tree) or "").split()).partition(". ")[0].rstrip(".")
    command = Path(path).stem
    return f"pbem {command}: {subject}" if path.startswith("pbem/cli/") else subject


VERB = re.compile(r"\b(is|are|was|were|has|have|had|does|do|did|can|cannot|could|must|may|will)\b")
FIRST_OF_A_PART = {
    "the",
    "a",
    "an",
    "of",
    "to",
    "with",
    "by",
    "for",
    "in",
    "from",
    "as",
    "and",
    "or",
}
AFTER_A_NAME_ROLE = "after the name of a file or person"
IN_A_FILE_ROLE = "what a signed file of the game must contain"
ROLES_OF_PARTS = {"", AFTER_A_NAME_ROLE, IN_A_FILE_ROLE}
"""The roles of texts that may be parts of others."""
VALUE_OF_A_FIELD = re.compile(
    r"(?:base64|printable|an? |true or|string,|\{?\w*\}? ?(?:to|hex)|one of|`ssh|\d|\{description"
    r"|seat's)"
)
"""Matches words about the values that a field of a file may have."""
BETWEEN_MARKS = re.compile(r"""(?:^|[:;,.·(|"“#>=⏎] ?)«[^»]*»(?:$|[:;,.·)|"”<]| ⏎| \d)""")
"""Matches a text that has a place of its own in a line."""
AFTER_A_NAME = re.compile(
    r"(already|answers|belongs|contains|could|damaged|does|has|is|names|needs|not|unpacks|was)\b"
)
"""Matches the beginning of a text that stands after the name of a file or a person."""
MIN_SENTENCE_WORDS = 5
NO_PROSE = re.compile(
    r"\bpb-|\(\?|\\[a-z]|-src '|^\[Unit\]|\n\[Unit\]|^M1 |^pb |^</?[a-z!]|[a-z-]+:[^;{} ]+;[a-z-]+:"
    r"|@media|https\?:|\dpx\b|\)\$|%\(|attachment;|\], Mapping|^\s*-----"
    r'|^\[?\?(?: |:|\])|^(?:\{cards\} )?\w+ = "\d'
)
"""Matches patterns, orders for unknown cards, headers, a service, drawings, HTML, styles, and lines
of a card file."""


def is_prose(text: str) -> bool:
    """Whether people read it: at least two words of letters beside what is filled in."""
    words = len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^{}]*\}", "", text))) > 1 and " " in text
    return words and not NO_PROSE.search(text) and not is_type(text)


def is_type(text: str) -> bool:
    """Whether the text is a type in quotes, such as ``str | None`` or ``dict[str, int]``."""
    if "|" not in text and "[" not in text:
        return False
    try:
        parts = ast.walk(ast.parse(text, mode="eval"))
    except SyntaxError:
        return False
    return all(isinstance(part, PARTS_OF_A_TYPE) for part in parts)


class Template(NamedTuple):
    """One text of the source, with names in braces where pbem fills something in."""

    place: str
    """Path and line."""
    role: str
    """The role of the text; empty if the source does not show one."""
    met: str
    """The place where people meet the text: the subject of the module, and the role of the text."""
    text: str


def _with_names_of_logged_values(text: str) -> str:
    """Return a template of a log with a name in braces for each ``%s`` and ``%r``."""
    numbers = count(1)
    return re.sub("%[sr]", lambda _: f"{{{next(numbers)}_logged}}", text)


def templates() -> Iterator[Template]:
    """Yield the templates of all texts that people read, in the order of the modules."""
    trees = list(modules())
    constants_by_path = dict[str, dict[str, str]]()
    for _ in range(2):  # the first time, constants that others are made with may be unknown
        for path, tree in trees:
            _know_constants(path, tree, constants_by_path)
    for path, tree in trees:
        _know_constants(path, tree, constants_by_path)
        subject = subject_of(path, tree)
        for line, role, raw_text in sorted(_texts(tree)):
            text = _with_names_of_logged_values(as_in_a_terminal(raw_text))
            if is_prose(text):
                if path.startswith("pbem/records/") and not role.startswith("error"):
                    role = IN_A_FILE_ROLE
                    if VALUE_OF_A_FIELD.match(text):
                        text = f"the value must be {text}"
                elif not role and AFTER_A_NAME.match(text):
                    role = AFTER_A_NAME_ROLE
                role_with_examples = with_examples(as_in_a_terminal(role), path)
                met = f"{subject} ({role_with_examples})" if role else subject
                yield Template(f"{path}:{line}", role, met, " ".join(text.split()))


def messages(screens: Screens) -> Iterator[str]:
    """Yield a line for each text that people read: its place in the source, the place where people
    meet it, the text as they read it, and its surroundings, if these are known.

    A text that stands in several places is listed once. A few words without a role are a part of a
    text: they are listed if a line is known in which people read them.
    """
    listed_texts = set[str]()
    for place, role, met, template in templates():
        if template in listed_texts:
            continue
        listed_texts.add(template)
        found = screens.find(template)
        if role in ROLES_OF_PARTS and is_part(template) and not (found and stands_alone(found)):
            continue
        shown, screen = found or (with_examples(template, place), "")
        yield " | ".join([place, met, shown, *filter(None, [screen])])


def stands_alone(found: tuple[str, str]) -> bool:
    """Whether a text that was found is a whole line, or stands between marks, as headings do."""
    _, screen = found
    return not screen or bool(BETWEEN_MARKS.search(screen))


def is_part(template: str) -> bool:
    """Whether these are too few words for a text of their own."""
    words = PLACEHOLDER.sub(" ", template).split()
    begins_as_a_part = words[:1] and words[0] in FIRST_OF_A_PART and not VERB.search(template)
    if template[:1] in ",;:)":
        return True
    return len(words) < MIN_SENTENCE_WORDS or (bool(begins_as_a_part) and len(words) < 8)


def docstrings() -> Iterator[str]:
    """Yield ``module:name: docstring``, in the order of the modules."""
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, DOCUMENTED) and (docstring := ast.get_docstring(node)):
                yield f"{path}:{getattr(node, 'name', '')}: {' '.join(docstring.split())}"


def main() -> None:
    """Print the messages, or as many docstrings as the option says."""
    parser = argparse.ArgumentParser(prog="python -m tools.list_texts")
    parser.add_argument("--docstrings", type=int, metavar="N", default=0)
    docstring_count = parser.parse_args().docstrings
    rows = list(docstrings() if docstring_count else messages(Screens(ROOT)))
    step = max(1, len(rows) // docstring_count) if docstring_count else 1
    print("\n".join(rows[::step][: docstring_count or None]))


if __name__ == "__main__":
    main()
