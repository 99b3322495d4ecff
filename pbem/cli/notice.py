"""The commands `notice …`: what you declare to the other players, signed with your key."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem.acts.invite_next_player import invite_next_player
from pbem.acts.new_keys_of_seat import change_key, request_vouching, vouching_obstacle
from pbem.acts.read_typed_absences_and_delays import typed_absence, typed_deadline, typed_delay
from pbem.acts.sign_notice import Declared, declare, note_notice_reported, standing_soon
from pbem.cli.shared_options import (
    FolderOption,
    JsonOption,
    NowOption,
    PassphraseOption,
    SeatOption,
)
from pbem.errors import CliError
from pbem.judge.notice_kinds import (
    Concede,
    HandOver,
    Leave,
    NoticeKind,
    SetClock,
    Vote,
    parse_key_line,
)
from pbem.judge.read_and_check_record_file import file_name
from pbem.person.due_mail import due_mail, mail_method
from pbem.person.next_step import step_after_signing
from pbem.person.session import Session
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE
from pbem.terminal.clean_text import clean
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import say
from pbem.text.clock import now as clock
from pbem.wording.due_and_written_mail import due_mail_lines
from pbem.wording.key_backup_loss_and_theft import back_up_key_line
from pbem.wording.next_step import next_line_after_signing
from pbem.wording.notices import (
    NOTHING_NEW_SENTENCE,
    counts_when_listed,
    hours_left_clause,
    signed_line,
    what_you_declared,
)
from pbem.wording.open_seats import next_player_lines
from pbem.wording.votes_and_vouching import cannot_vouch, vouch_request_lines

# ---- When turns are due: `notice away`, `delay`, `deadline` and `clock`

notice = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@notice.command("away")
def notice_away(
    days: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DAYS]",
            help="The days of your absence, in your time zone: until friday, 24 dec to 2 jan, or "
            "2026-12-24..2027-01-02.",
        ),
    ] = None,
    back: Annotated[
        bool, typer.Option("--back", help="Say that you are not away after all.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Announce an absence: the game does not wait for you then, and your silence does not count."""
    absence = typed_absence(" ".join(days or ()), back)
    _declare(absence, folder, seat, json, passphrase_file)


@notice.command("delay")
def notice_delay(
    span: Annotated[
        list[str],
        typer.Argument(
            metavar="TIME", help="How long to put the deadline off, for example 24h or 2 days."
        ),
    ],
    again: Annotated[
        bool,
        typer.Option(
            "--again", help="Put the deadline off again, although you have put it off already."
        ),
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Put this deadline off; the charter says for how long in the whole game."""
    delay = typed_delay(" ".join(span))
    session = Session(folder, seat, passphrase_file)
    declared = declare(session, delay, signs_again=again)
    session.refresh()
    standing, writer_seat = standing_soon(session), declared.record.content.seat
    hours_left = standing.calendar.hours_left(standing.charter.policies, writer_seat)
    report_notice(
        session, declared, json, hours_left_clause(hours_left, is_repeat=declared.is_repeat)
    )


@notice.command("deadline")
def notice_deadline(
    rule: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULE]",
            help="The deadline that you propose, for example 72h, sunday 20:00 or never, written "
            "as for `pbem new`.",
        ),
    ] = None,
    phase: Annotated[str, typer.Option(help="Propose the deadline only for this phase.")] = "",
    no: Annotated[bool, typer.Option("--no", help="Take back your proposal.")] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Propose a different deadline; all players, and last the referee, must propose it."""
    session = Session(folder, seat, passphrase_file)
    deadline, reading_clause = typed_deadline(session, " ".join(rule or ()), phase, no=no)
    report_notice(session, declare(session, deadline), json, reading_clause)


@notice.command("clock")
def notice_clock(
    folder: FolderOption = None,
    seat: SeatOption = None,
    now: NowOption = "",
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Say that the date of the last turn is wrong; if half of the players and, last, the referee
    agree, it goes back."""
    _declare(SetClock(clock()), folder, seat, json, passphrase_file)


# ---- Who plays, with which keys, and how the game ends

YesOption = Annotated[
    bool, typer.Option("--yes", help="Go on without being asked whether you are sure.")
]


@notice.command("concede")
def notice_concede(
    yes: YesOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Give up the game: the others play on, and you are ranked last."""
    _need_confirmation(yes, "you cannot take a concession back")
    _declare(Concede(), folder, seat, json, passphrase_file)


@notice.command("leave")
def notice_leave(
    yes: YesOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Give up your seat, so that somebody else can take it over."""
    _need_confirmation(yes, "if you give up your seat, you cannot get it back")
    _declare(Leave(), folder, seat, json, passphrase_file)


@notice.command("end")
def notice_end(
    draw: Annotated[bool, typer.Option("--draw", help="Vote to end the game as a draw.")] = False,
    no_winner: Annotated[
        bool,
        typer.Option(
            "--no-winner",
            help="Vote to end the game without a winner, because the others are silent. The "
            "referee must vote the same way.",
        ),
    ] = False,
    no: Annotated[
        bool, typer.Option("--no", help="Take back your vote, or cancel what others announced.")
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Vote to end the game now: if all players agree, it ends with the scores as they are."""
    is_set = {"--draw": draw, "--no-winner": no_winner, "--no": no}
    options = [option for option in is_set if is_set[option]]
    if len(options) > 1:
        problem = f"{' and '.join(options)} cannot be combined"
        raise CliError(problem, "use only one of these options")
    results = {"--draw": DRAW, "--no-winner": NO_WINNER, "--no": PLAY_ON}
    result = results[options[0]] if options else SCORE
    _declare(Vote(result), folder, seat, json, passphrase_file)


@notice.command("key")
def notice_key(
    profile: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The name of the profile in which pbem keeps the new key."
        ),
    ] = "new-key",
    recovery: Annotated[
        str, typer.Option(metavar="PROFILE", help="Sign with your recovery key.")
    ] = "",
    lost: Annotated[
        bool,
        typer.Option(
            "--lost", help="If you lost both keys: ask the other players to confirm a new key."
        ),
    ] = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Play with a new key from now on; the old key, which others may know, no longer counts."""
    session = Session(folder, None if recovery or lost else seat, passphrase_file)
    if lost:
        _request_vouching(session, seat or "", profile, json)
        return
    declared = change_key(session, seat or "", profile, recovery)
    if not json:
        print(back_up_key_line(session, profile))
    report_notice(session, declared, json)


def _request_vouching(session: Session, seat: str, profile: str, json: bool) -> None:
    """Make a new key, and print the line that the others need to confirm it."""
    vouch, game = request_vouching(session, seat, profile), session.game_folder.game
    line, words = vouch.line(game), vouch.words(game)
    if json:
        print_data("notice", {"about": "vouch", "seat": seat, "line": line, "words": words})
        return
    print(back_up_key_line(session, profile))
    for request_line in vouch_request_lines(line, words, has_host=session.charter.automaton):
        print(request_line)
    if obstacle := vouching_obstacle(session, seat):
        say(cannot_vouch(obstacle))


@notice.command("vouch")
def notice_vouch(
    line: Annotated[
        str,
        typer.Argument(
            metavar="LINE", help="The line that the player sent you. Use - to read it from a pipe."
        ),
    ],
    yes: YesOption = False,
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Confirm the new key of a player who lost theirs; ask them by voice first."""
    session = Session(folder, seat, passphrase_file)
    game = session.game_folder.game
    vouch = parse_key_line(sys.stdin.readline() if line == "-" else line, game)
    name = clean(session.name_of(vouch.seat) or f"the player of seat {vouch.seat}")
    _need_confirmation(
        yes,
        f"ask {name}, by phone or in person, whether {name} has these words: {vouch.words(game)}",
    )
    report_notice(session, declare(session, vouch), json)


@notice.command("hand-over")
def notice_hand_over(
    yes: YesOption = False,
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """For the referee: let the deputy make the turns from now on."""
    session = Session(folder, None, passphrase_file)
    session.refereeing.key()
    _need_confirmation(yes, "if you hand the game over, you can no longer make its turns")
    report_notice(session, declare(session, HandOver("referee")), json)


@notice.command("invite")
def notice_invite(
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="The letter of the open seat.")],
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """For the referee: print an invite with which somebody new can take over an open seat."""
    session, seat = Session(folder, None, passphrase_file), seat.lower()
    invite, notes = invite_next_player(session, seat)
    for note in notes:
        say(note)
    if json:
        print_data("notice", {"about": "invite", "seat": seat, "invite": invite.line()})
    else:
        print("\n".join(next_player_lines(session, standing_soon(session), seat, invite.line())))


def _declare(
    declaration: NoticeKind,
    folder: str | None,
    seat: str | None,
    json: bool,
    passphrase_file: Path | None,
) -> None:
    """Sign a notice with this declaration, and print what was signed."""
    session = Session(folder, seat, passphrase_file)
    report_notice(session, declare(session, declaration), json)


def report_notice(session: Session, declared: Declared, json: bool, clause: str = "") -> None:
    """Print which notice was written, and the next step; then note that the user knows of it.

    Notes go to standard error. The `clause` goes on with the sentence on what was declared, which
    speaks of the standing before the notice: the session reads the folder again after it.
    """
    record, is_repeat, notes = declared
    for note in notes:
        say(note)
    if json:
        content = record.content
        data = {"about": content.about, "from": content.writer, "turn": content.turn}
        data |= {"id": record.id.hex(), "path": file_name(record).path, "again": is_repeat}
        print_data("notice", data)
    else:
        sentence = f"{what_you_declared(session, record)}{clause}"
        session.refresh()
        print(signed_line(record.id, sentence, is_repeat=is_repeat))
        if is_repeat:
            print(NOTHING_NEW_SENTENCE)
        is_referee = bool(session.roles.referee)
        step = step_after_signing(mail_method(session), is_referee=is_referee)
        next_line = next_line_after_signing(step, session.place)
        if next_line:
            print(next_line)
        if is_referee:
            for line in due_mail_lines(due_mail(session), session):
                say(line)
        if not step.act:  # else the next line says what to do first
            print(counts_when_listed(session.game_folder.maker().name))
    note_notice_reported(session, record)


def _need_confirmation(yes: bool, warning: str) -> None:
    """Return if the user is sure, because of `--yes` or by typing yes. Otherwise raise CliError.
    `warning` says what cannot be undone, or what to ask before."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise CliError(warning, "add --yes if you are sure")
    print(f"{warning}. Type yes to go on: ", end="", flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise CliError("nothing was signed")
