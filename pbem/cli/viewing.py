"""The commands `log`, `since`, `audit` and `explain`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing, suppress
from typing import Annotated, Any

import typer

from engine import Ruleset
from games.registry import names
from pbem.acts.replay import with_all_hands
from pbem.cli.options import (
    FolderOption,
    FoldersArgument,
    JobsOption,
    JsonOption,
    NoPressOption,
    PassphraseOption,
    SeatOption,
    complete_game,
    named_folders,
)
from pbem.errors import BUG, NOT_YET, RULES, CliError, PbemError
from pbem.files.folder import SharedFolder
from pbem.files.home import Home
from pbem.files.open_place import open_place
from pbem.format.canonical import RecordError
from pbem.judge.archive import NoGameError
from pbem.judge.audit import audit as examine
from pbem.judge.audit_report import Report
from pbem.judge.press import Message
from pbem.judge.rules import ruleset_of
from pbem.judge.threat_list import threats
from pbem.judge.view import View
from pbem.judge.witness import Witness
from pbem.person.messages import MessagesHere, by_turn
from pbem.person.seen import note_heads
from pbem.person.session import Session
from pbem.person.user_game import chosen_place
from pbem.records.words import parse_words
from pbem.terminal.failures import bug_sentence, sentence_of
from pbem.terminal.output import print_data, progress
from pbem.terminal.table import wrapped
from pbem.terminal.tell import message_lines
from pbem.terminal.terminal import clean, folding_width, print_folded, say, stdout_style
from pbem.wording.certificate import headline, report_as_json
from pbem.wording.explain import (
    EXPLAINED_WORDS_HEADING,
    entries,
    find,
    groups,
    names_piece,
    print_text,
    ruleset_called,
)
from pbem.wording.findings import finding_line, print_report
from pbem.wording.scores import final_score_lines
from pbem.wording.story import entries_of, events_as_rows, story_by_turn
from pbem.wording.views import UNOPENED_NOTE, messages_heading, since_heading


def audit(
    folders: FoldersArgument = None,
    head: Annotated[
        str | None, typer.Option(metavar="WORDS", help="The twelve words that a player told you.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="Also check from your own seat's viewpoint."),
    ] = None,
    attacks: Annotated[
        bool, typer.Option("--attacks", help="List known attacks, who notices each, and when.")
    ] = False,
    jobs: JobsOption = None,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Check every signature, card, die, move and line of a game; you need no key."""
    if attacks:
        _print_attacks(json)
        return
    several = named_folders(folders, folder)
    if folders and len(folders) > 1:
        if head is not None or seat:
            told = "--head and --as work with only one game, but you gave several folders"
            raise CliError(told, "pbem audit FOLDER, once for each of them")
        raise SystemExit(audit_many(folders, jobs, json))
    place = several[0]
    mine = _witness(Session(place, seat, passphrase_file)) if seat else None
    report = examine(folder_to_audit(place), head=_typed_head(head), witness=mine)
    home, game = Home.find(), report.game.hex()
    if not report.exit and game in home.games():
        note_heads(home.game(game), report.heads)
    if json:
        print_data("audit", report_as_json(report))
    else:
        print_report(report)
    raise SystemExit(report.exit)


def _print_attacks(json: bool) -> None:
    if json:
        print_data("attacks", {g: [row._asdict() for row in rows] for g, rows in threats().items()})
        return
    for group, rows in threats().items():
        print(f"{group}:")
        for row in rows:
            print_folded(f"  - {row.attack} ({row.who}): {row.caught}; {row.when}", 4)


def _typed_head(words: str | None) -> bytes | None:
    try:
        return None if words is None else parse_words(words)
    except RecordError as error:
        hint = "type the twelve words that a player's `pbem status` shows"
        raise CliError(f"--head: {error.sentence}", hint) from None


def _witness(session: Session) -> Witness:
    """A key that joined for the seat but did not get it is a witness too."""
    home = session.game_home
    sealed, odd = home.receipts.times(), home.sightings.implausible_turns()
    paths, saw = home.receipts.paths(), home.heads.last_position()
    if session.requested_seat not in session.roles.seats:
        joins = [record.content for record in session.game_folder.joins().values()]
        wanted = {join.key for join in joins if join.seat == session.requested_seat}
        for profile, public in session.keyring.publics.items():
            if public in wanted:
                key = session.keyring.key(profile)
                return Witness(session.requested_seat, key.seed, sealed, False, odd, 1, paths, saw)
    who = session.need_seat()
    key = session.seat_key(who)
    since = session.key_valid_from(who) if session.listing.reached else 1
    return Witness(who, key.seed, sealed, True, odd, since, paths, saw)


def folder_to_audit(folder: str | None) -> SharedFolder:
    """Return the folder to audit. Raises CliError if it is a file, StorageError for a wrong
    address."""
    place = chosen_place(folder)
    if place.path and os.path.isfile(place.path):  # False for any path that cannot be looked up
        hint = "if the file is a zip, unpack it; then give the path of the folder that "
        raise CliError(f"{folder} is a file; an audit needs a folder", f"{hint}contains game.toml")
    return open_place(place)  # without local copies: an audit reads the files in their place


# ---- Audit several folders: one verdict for each, in their order, and the worst exit code

WORST_FIRST = (BUG, 6, 4, 3, 7, 2, 1, 5)
NOT_AUDITED = "not audited"
KINDS = ("PROVEN", "RIGHT SO FAR", "DAMAGED", NOT_AUDITED)

Audited = Report | CliError
"""The audit of one folder: its report, or the reason why there is none."""


def _kind(one: Audited) -> str:
    return NOT_AUDITED if isinstance(one, CliError) else one.verdict


def _lines(folder: str, one: Audited) -> Iterator[str]:
    if isinstance(one, CliError):
        yield f"{clean(folder)}: not audited: {clean(one.sentence)}"
        if one.hint:
            yield f"  try: {clean(one.hint)}"
        return
    yield f"{clean(folder)}: {clean(headline(one))}"
    for finding in sorted(one.broken, key=lambda found: found.path):
        yield f"  {finding_line(finding)}"


def _row(folder: str, one: Audited) -> dict[str, Any]:
    if isinstance(one, CliError):
        return {"folder": folder, "error": one.sentence, "next": one.hint, "exit": one.exit}
    return {"folder": folder, **report_as_json(one)}


def audit_many(folders: Sequence[str], jobs: int | None, json: bool) -> int:
    """Audit the folders, print the verdicts, and return the worst exit code."""
    audited: list[Audited] = []
    with progress(len(folders)) as show, closing(_in_order(folders, jobs)) as results:
        for folder, one in zip(folders, results, strict=True):
            audited.append(one)
            for line in () if json else _lines(folder, one):
                print(line, flush=True)
            show(len(audited))
    if json:
        print_data("audit", list(map(_row, folders, audited)))
    else:
        number = Counter(map(_kind, audited))
        kinds = [f"{number[kind]} {kind}" for kind in KINDS if number[kind]]
        print(f"{len(audited)} folders: {', '.join(kinds)}.")
    return worst({one.exit for one in audited})


def worst(codes: Collection[int]) -> int:
    """Return the exit code that tells most about what went wrong in several games; 0 if nothing
    did."""
    return next((code for code in WORST_FIRST if code in codes), 0)


def _in_order(folders: Sequence[str], jobs: int | None) -> Generator[Audited]:
    from pbem.workers.crew import Lost, Processes, ThisProcess, cores, spread

    lost = "the processes that audited this game died; the computer may have run out of memory"
    number = min(jobs or cores(), len(folders))
    early: dict[int, Audited] = {}
    turn = 0
    crew = Processes(number) if number > 1 else ThisProcess()
    with closing(spread(audit_one, [*enumerate(folders)], crew)) as results:
        for (place, _), done in results:
            early[place] = CliError(lost, "", NOT_YET) if isinstance(done, Lost) else done
            while turn in early:
                yield early.pop(turn)
                turn += 1


def audit_one(task: tuple[int, str]) -> Audited:
    """Audit one folder. Every error becomes a sentence, so that the next folder can be audited."""
    try:
        return examine(folder_to_audit(task[1]))
    except PbemError as error:
        hint = error.hint if isinstance(error, CliError) else ""
        return CliError(str(error), hint, error.exit)
    except Exception as error:  # noqa: BLE001 - a bug in one audit must not end the others
        sentence = sentence_of(error)
        return CliError(sentence or bug_sentence(error), "", RULES if sentence else BUG)


def complete_word(ctx: Any, incomplete: str) -> list[str]:
    """Complete a word for `explain` in the rules of `--game` or of the folder's game, with hyphens
    for spaces."""
    with suppress(Exception):  # then the shell simply completes nothing
        ruleset = _ruleset(ctx.params.get("game") or "", ctx.params.get("folder"))
        known = [name for group in groups(ruleset).values() for name in group]
        words = dict.fromkeys(name.lower().replace(" ", "-") for name in known)
        return [word for word in words if word.startswith(incomplete.lower())]
    return []


def explain(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD]...",
            autocompletion=complete_word,
            help="The card, phase, order, error or piece (such as b2) to explain.",
        ),
    ] = None,
    game: Annotated[
        str,
        typer.Option(
            autocompletion=complete_game, help="The ruleset (default: that of the game here)."
        ),
    ] = "",
    cards_template: Annotated[
        bool, typer.Option("--cards-template", help="Print a card file to start from.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Explain a card, phase, kind of order, error or piece; without WORD, list all words."""
    named = what[0] if what and len(what) == 1 and what[0] in names() else ""
    ruleset = _ruleset(game, folder)
    if named and named in entries(ruleset):
        named = ""  # the word is also a term of this game
    elif named and not game:
        ruleset = _ruleset(named, folder)
    if cards_template:
        if ruleset.card_file is None:
            told = "does not take a card file, because all its card values are known"
            raise CliError(f"{ruleset.name} {told}")
        print(ruleset.card_file.template(), end="")
    elif not what or named:
        _list(ruleset, json)
    else:
        word, view = " ".join(what), None
        if not game and names_piece(word):
            view = Session(folder, seat, passphrase_file).view()
        text = find(ruleset, word, view)
        if json:
            print_data("explain", text._asdict())
        else:
            print_text(text)


def _ruleset(game: str, folder: str | None) -> Ruleset[Any]:
    if game:
        return ruleset_called(game)
    try:
        return ruleset_of(Session(folder).game_folder.charter.content)
    except NoGameError:
        return ruleset_called("")


def _list(ruleset: Ruleset[Any], json: bool) -> None:
    found = {group: list(texts) for group, texts in groups(ruleset).items() if texts}
    if json:
        about = {"ruleset": ruleset.name, "title": ruleset.title, "about": ruleset.about}
        print_data("explain", about | {"groups": found})
        return
    style = stdout_style()
    print_folded(f"{ruleset.title}: {ruleset.about}")
    print(EXPLAINED_WORDS_HEADING)
    for group, words in found.items():
        for line in wrapped(words, style.width, f"  {group}: "):
            print(style.encodable(line))


def log(
    turn: Annotated[int, typer.Option(help="Show only this turn.")] = 0,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Show everything that happened, entry by entry, as far as you may see it.

    Once the game is over and an audit proves it, every hand is open; --as shows one seat's view.
    """
    session = Session(folder, seat, passphrase_file)
    view = session.view()
    if turn and not 1 <= turn <= view.turn:
        raise CliError(f"there is no turn {turn}; the last is {view.turn}", f"--turn {view.turn}")
    turns = range(turn, turn + 1) if turn else range(1, view.turn + 1)
    press = None if no_press else MessagesHere(session, view)
    said = press.read(turns) if press else []
    if not seat:
        view = with_all_hands(session, view)
    print_log(view, turns, json, "log", press, said)
    if press and not json:
        press.note_shown(turns)
    if view.is_over and not json and turn in (0, view.turn):
        print("\n".join(final_score_lines(view)))


def print_log(
    view: View,
    turns: range,
    json: bool,
    command: str,
    press: MessagesHere | None = None,
    messages: Sequence[Message] = (),
) -> None:
    """Print the entries of these turns, for people or as JSON, and the messages beside them."""
    if json:
        rows = [
            {"turn": n, "key": one.key, "seat": one.seat, "text": one.text, "by": one.by}
            for n, one in entries_of(view, turns)
        ]
        more: dict[str, Any] = {"notices": events_as_rows(view, turns)} if view.notices else {}
        if press:
            more["messages"] = [
                {
                    "turn": said.turn, "number": said.number, "time": said.time,
                    "from": said.writer, "name": said.name, "by": said.signer_state,
                    "to": said.recipient, "text": list(said.lines), "id": said.id,
                }
                for said in messages
            ]  # fmt: skip
        print_data(command, rows, **more)
        return
    story, written, style = story_by_turn(view, turns), by_turn(messages), stdout_style()
    for turn in sorted(story.keys() | written.keys()):
        for line in story.get(turn, ()):
            print_folded(line, len(line) - len(line.lstrip()) + 4)
        if press and turn in written:
            print(messages_heading(turn))
            for line in message_lines(written[turn], press.roles, folding_width()):
                print(style.encodable(line))
    if press and press.unopened:
        say(UNOPENED_NOTE)
    sys.stdout.flush()


def since(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    no_press: NoPressOption = False,
) -> None:
    """Show what happened since your last orders were used."""
    session = Session(folder, seat, passphrase_file)
    view = session.view()
    taken = view.accepted.get(view.seat, 1)
    if not json:
        print(since_heading(taken, view.turn, used_orders=view.seat in view.accepted))
    turns = range(taken, view.turn + 1)
    press = None if no_press else MessagesHere(session, view)
    print_log(view, turns, json, "since", press, press.messages_since(taken) if press else ())
    if press and not json:
        press.note_shown()
