"""Compare two readers of plain email on the same replies: that of a commit, and the one here.

    python -m bench.compare_reply_readers_of_two_commits [COMMIT]

COMMIT is the one with the reader to compare with (default: the last one with free words). It is
checked out into a temporary worktree. The sets are those of tests/post/seats, and the cases of
../shared if they are there. Each line of the table counts replies: *right* (the choices that were
meant are sealed, or rightly nothing), *1 tap* (asked back with the right choice among the links;
the old reader has none), *asked*, *talk*, and MISREAD (something else is sealed).
"""

import base64
import json
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, Final

from tests.kit.selection import ROOT, SHARED

SEATS: Final = ROOT / "tests" / "post" / "seats"
LAST_FREE: Final = "e4d322ce"
FILES: Final = (
    "free_text.py", "naming.py", "words.py", "free_words.toml", "understand.py", "read.py",
    "strip_quotes.py", "html_text.py", "reply_email.py", "reply_meaning.py", "sentence_parser.py",
    "order_form.py", "quoted_mail.toml", "words.toml",
    "footers.toml",
)  # fmt: skip
"""The files that read replies, then or now."""
MEANINGS_OF_CASES: Final = (
    ("a04 a06 a08 a11 a12 c04", (9,)),
    ("a07 a10 b01 b02 b06 b07 d01 d02 d04 d05 d07 e01 e02 e04 e05 e06", (3, 9)),
    ("b08", (4, 9)),
    ("a01 a02 b04 c01 c02 g01 g02", ()),
)
"""The cases of ../shared by their numbers, each with the numbers of the choices that it means."""
Item = dict[str, Any]
OLD_ROOMS: Final = {"pbem.acts": "pbem.desk", "pbem.plain_email": "pbem.mailseats"}
"""For each package: its name in the commit with the old reader."""
READ: Final = """
import base64, json, sys, tempfile
from pathlib import Path
sys.path = [one for one in sys.path if one != sys.argv[1]]  # the tests of this checkout, not ours
from pbem.acts.write_bundles_and_emails import MailSeat
from pbem.mail.incoming_email import Mail
from pbem.plain_email.order_form import OrderForm

new = Path("pbem/plain_email/reply_meaning.py").exists()
if new:
    from pbem.plain_email import reply_email as reading
    from pbem.plain_email import reply_meaning as understanding
    from tests.kit.mail_seats import at_turn_two, begin_mail_game as begun
    from tests.kit.named_games import session_of
    from tests.kit.people import Round
else:  # where these stood in the commit with the old reader
    from pbem.plain_email import read as reading
    from pbem.plain_email import understand as understanding
    from tests.cli.games import session_of
    from tests.cli.people import Round
    from tests.post.seats.mail_game import at_turn_two, begun

seats = {}
for to, make in (("food", begun), ("cards", at_turn_two)):
    seats[to] = MailSeat(session_of(make(Round(Path(tempfile.mkdtemp())))), "b")
plain = {to: OrderForm(seat.view) for to, seat in seats.items()}
lists = [["more", "rules"]] if new else []
whole = {to: OrderForm(seat.view, *lists) for to, seat in seats.items()}
write_letter = "write_turn_letter" if hasattr(MailSeat, "write_turn_letter") else "turn_text"
letters = {to: getattr(seat, write_letter)() for to, seat in seats.items()}

def read(to, form, text, sent=""):
    if new:
        from pbem.plain_email.strip_quotes import extract_own_text
        own = extract_own_text(text, sent, ["Bo", "bo@example.org"], ["Rhea", "rhea@example.org"])
        found = understanding.interpret_reply(own, form)
        wrong = bool(found.reason or found.rejected_commands)
        draft = understanding.make_draft(form.view, found, [])
    else:
        found = understanding.understand(reading.new_lines(text, sent), form)
        wrong = bool(found.wrong)
        draft = understanding.drafted(form.view, found, [])
    wrong = wrong or bool(draft.errors and found.lines)
    ends = {q.ends for q in form.questions}
    sealed = [] if wrong or not found.lines else [
        (line.kind, line.text) for line in draft.lines if not line.always and line.text not in ends]
    ended = not wrong and bool(found.lines) and not sealed
    return found, sorted(sealed) + ([["end", ""]] if ended else []), wrong

for item in json.load(sys.stdin):
    to, means = item["to"], item["means"]
    form = plain[to]
    if new and not all(number in form.listed_choices for number in means):
        form = whole[to]
    _, wanted, _ = read(to, form, chr(10).join(map(str, means)))
    text, sent, silent = item.get("text", ""), "", False
    if "file" in item:
        letter = letters[to]
        data = base64.b64decode(item["file"])
        quoted = chr(10).join(f"> {row}".rstrip() for row in letter.text.splitlines())
        filled = {"SUBJECT": letter.full_subject, "QUOTE": quoted, "TEXT": letter.text}
        for place, said in filled.items():
            data = data.replace(b"{" + place.encode() + b"}", said.encode())
        reply = reading.read_reply(Mail(data.lstrip()) if new else Mail(data), "x")
        text, sent = reply.text, letter.text
        if new:
            prefix = reading.find_automatic_prefix(reply.subject, form.view.title)
            silent = bool(reply.program_sign or prefix)
        else:
            silent = bool(reply.automatic)
    if item.get("introduced"):
        rows = letters[to].text.splitlines()
        mark = item["introduced"]
        text += chr(10).join((mark + row).rstrip() if mark else row for row in rows)
        sent = letters[to].text
    found, sealed, wrong = read(to, form, text, sent)
    sealed = [] if silent else sealed
    if sealed:
        what = "right" if [*map(list, sealed)] == [*map(list, wanted)] else "MISREAD"
    elif not means:
        what = "right"
    elif new and any(sorted(c.number for c in some) == sorted(means)
                     for some in understanding.possible_meanings(form.view, form, found, [])):
        what = "1 tap"
    else:
        what = "asked" if wrong else "talk"
    print(item["set"], what, sep=chr(9))
"""


def sets() -> list[Item]:
    """Return all replies of all sets, as data for `READ`."""
    items = list[Item]()
    if (SHARED / "cases" / "mail").exists():
        meanings = {name: means for names, means in MEANINGS_OF_CASES for name in names.split()}
        for name, means in meanings.items():
            (path,) = (SHARED / "cases" / "mail").glob(f"{name}-*")
            data = base64.b64encode(path.read_bytes()).decode()
            items.append({"set": "mail cases", "to": "food", "means": [*means], "file": data})
    for number, head in enumerate((SEATS / "attributions.txt").read_text("utf-8").split("\n%%\n")):
        for mark in ("> ", ">", ""):
            for answer, numbers in (("9", [9]), ("3\n9\n\nThanks!", [3, 9])):
                gap = "\n" * (1 + number % 2)
                items.append(
                    {"set": "attributions", "to": "food", "means": numbers, "introduced": mark,
                     "text": f"{answer}\n\n{head.strip()}{gap}"}
                )  # fmt: skip
    for name in ("free", "unseen", "fresh", "worldwide", "hostile"):
        replies = tomllib.loads((SEATS / f"{name}_replies.toml").read_text("utf-8"))["reply"]
        for reply in replies:
            row = {"set": name, "to": reply["to"], "means": reply["means"], "text": reply["says"]}
            items.append(row)
    for text in tomllib.loads((SEATS / "trap_replies.toml").read_text("utf-8"))["says"]:
        trap = {"set": "traps", "means": [], "text": text}
        items += [trap | {"to": email} for email in ("food", "cards")]
    return items


def measured(place: Path, items: list[Item]) -> dict[str, Counter[str]]:
    """Let the reader of the checkout at a place read the items; return the number of each verdict,
    by set."""
    code = READ
    if not (place / "pbem" / "plain_email").exists():
        for room, old_room in OLD_ROOMS.items():
            code = code.replace(room, old_room)
    finished = subprocess.run(
        [sys.executable, "-c", code, str(ROOT)], cwd=place, input=json.dumps(items), text=True,
        env={"PYTHONPATH": str(place), "PATH": "/usr/bin:/bin", "PBEM_HOME": tempfile.mkdtemp()},
        capture_output=True, check=False,
    )  # fmt: skip
    if finished.returncode:
        raise SystemExit(finished.stderr)
    counts_by_set: dict[str, Counter[str]] = {}
    for line in finished.stdout.splitlines():
        name, _, verdict = line.partition("\t")
        counts_by_set.setdefault(name, Counter())[verdict] += 1
    return counts_by_set


def lines_of(place: Path) -> dict[str, int]:
    """Return the number of lines of the files that read replies: of `code`, and of `data`."""
    rooms = (place / "pbem" / "plain_email", place / "pbem" / "mailseats")
    folder = next(room for room in rooms if room.exists())
    sizes = {name: len((folder / name).read_text("utf-8").split("\n")) - 1 for name in FILES
             if (folder / name).exists()}  # fmt: skip
    data = sum(size for name, size in sizes.items() if name.endswith(".toml"))
    return {"code": sum(sizes.values()) - data, "data": data}


def main() -> None:
    """Print the table, and the lines of both readers."""
    commit, items = sys.argv[1] if len(sys.argv) > 1 else LAST_FREE, sets()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "then"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", place, commit], check=True)
        try:
            results = {commit: measured(place, items), "here": measured(ROOT, items)}
            lines = {commit: lines_of(place), "here": lines_of(ROOT)}
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", place], check=True)
    columns = ("right", "1 tap", "asked", "talk", "MISREAD")
    print(f"{'set':14}{'reader':10}{'replies':>8}" + "".join(f"{column:>9}" for column in columns))
    for name in results["here"]:
        for reader, counts_by_set in results.items():
            counts = counts_by_set[name]
            row = "".join(f"{counts[column] or '':>9}" for column in columns)
            print(f"{name:14}{reader:10}{counts.total():>8}{row}")
    for reader, sizes in lines.items():
        print(f"lines of the reader, {reader}: {sizes['code']} code, {sizes['data']} data")


if __name__ == "__main__":
    main()
