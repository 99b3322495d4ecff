"""The end of a game on its page: the result, how ties fell, and whether the game was fair; and the
page with its audit, for which nobody needs a key.

An audit takes seconds, so its result is kept in the home until a file of the game changes. Messages
are not part of the game.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from engine.counts_and_lists_in_prose import counted, join_words
from pbem.errors import CliError
from pbem.files.file_errors import StorageError
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.format.record_error import RecordError
from pbem.judge.audit import audit
from pbem.judge.audit_report import Report
from pbem.judge.game_view import View
from pbem.judge.ranks_after_departures import departures_of, ranks_by_seat, scores_of
from pbem.person.session import Session
from pbem.records.twelve_words import parse_words
from pbem.terminal.clean_text import clean
from pbem.web.game_page_head import head_values
from pbem.web.open_games import OpenGame, game_of
from pbem.web.page_rendering import in_tab, page
from pbem.web.rematch_on_page import rematch_values
from pbem.wording.audit_certificate import headline, next_step_for, statement
from pbem.wording.audit_findings_to_show import choose_findings, finding_line
from pbem.wording.results import end_sentence, own_result_line, tie_lines

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


def result_values(view: View) -> dict[str, Any]:
    """Return the result of the game as values of a page: the user's own result, a sentence on the
    end, the lead of the winner, everybody's points by their parts."""
    ranks, departures = ranks_by_seat(view), departures_of(view)
    scores = sorted(scores_of(view), key=lambda score: (ranks[score.seat], score.rank))
    parts = list(dict.fromkeys(name for score in scores for name in score.parts))
    staying_scores = [score for score in scores if score.seat not in departures]
    lead = staying_scores[0].total - staying_scores[1].total if len(staying_scores) > 1 else 0
    second_scores = [
        score for score in staying_scores[1:] if score.total == staying_scores[1].total
    ]
    margin = f"{counted(lead, 'point')} ahead of "
    margin += join_words(clean(view.names[score.seat]) for score in second_scores)
    seats = sorted(view.names)
    rows = [
        {
            "seat": score.seat,
            "name": view.names[score.seat],
            "at": seats.index(score.seat) % 8,
            "rank": ranks[score.seat] or "–",
            "total": score.total,
            "parts": [score.parts.get(name, 0) for name in parts],
            "out": departures.get(score.seat, ""),
            "mine": score.seat == view.seat,
        }
        for score in scores
    ]
    return {
        "own_result": own_result_line(view),
        "said": end_sentence(view),
        "ties": tie_lines(view),
        "margin": margin if lead > 0 and ranks[staying_scores[0].seat] == 1 else "",
        "parts": parts,
        "rows": rows,
        "most": max([1, *(sum(n for n in score.parts.values() if n > 0) for score in scores)]),
    }


# ---- Whether the game was fair


def end_values(request: Request, game: OpenGame, view: View) -> dict[str, Any]:
    """Return what the page of a game that is over says below its result. `proof` is the result of
    the last audit, None if the page must ask for one."""
    return {
        "proof": remembered_audit(game.session),
        "rematch": rematch_values(request, game, view),
    }


async def show_proof(request: Request) -> Response:
    """Audit a game that is over, unless that was done since its files changed; show the result."""
    game = game_of(request)
    notes = await run_in_threadpool(audit_once, game.session)
    return page(request, "proof.html", proof=notes, **head_values(request, game, "table"))


# ---- The page with the audit


async def show_audit(request: Request) -> Response:
    """Audit the whole game, each file read again, and show the report.

    A browser tab, which has no network while it answers, reads the files that it keeps.
    """
    game = game_of(request)
    words = request.query_params.get("words", "").strip()
    try:
        head = parse_words(words) if words else None
    except RecordError as error:
        raise CliError(error.sentence, "type all twelve words that a player told you") from None
    folder = game.session.home.folder(game.session.place)
    if not in_tab(request):
        folder.bypass_copies()
    report: Report = await run_in_threadpool(audit, folder, head=head)
    shown_findings, hidden_counts = choose_findings(report)
    findings = [
        {
            "grade": finding.grade,
            "text": finding_line(finding),
            "next": next_step_for(report, finding),
            "reason": finding.reason,
        }
        for finding in shown_findings
    ]
    values: dict[str, Any] = {
        "report": report,
        "words": words,
        "findings": findings,
        "rest": hidden_counts,
        "verdict": headline(report),
        "certificate": statement(report),
    }
    return page(request, "audit.html", **values, **head_values(request, game, "audit"))


# ---- The audit that is remembered


class AuditNotes(Notes):
    """The result of the last audit of a game."""

    file = "audit.toml"
    files_digest: str = ""
    """A hash of the marks of all files that were audited."""
    is_proven: bool = False
    is_damaged: bool = False
    turns: int = 0
    playing_referee: str = ""
    """The name of a referee who played too, and so knew all cards while they played."""


def remembered_audit(session: Session) -> AuditNotes | None:
    """Return the result of the last audit; None if there was none since a file changed."""
    notes = _notebook(session).read()
    return notes if notes.files_digest == _files_digest(session) else None


def audit_once(session: Session) -> AuditNotes:
    """Audit the game, unless that was done since its files changed, and keep the result. Raises
    NoGameError, StorageError."""
    if notes := remembered_audit(session):
        return notes
    files_digest, report = _files_digest(session), audit(session.folder)
    notes = AuditNotes(
        files_digest=files_digest,
        is_proven=report.proven,
        is_damaged=bool(report.broken),
        turns=report.turns,
        playing_referee=report.referee if report.referee_played else "",
    )
    with suppress(StorageError):  # the home is read-only: the next page audits again
        _notebook(session).change(lambda _: notes)
    return notes


def _notebook(session: Session) -> Notebook[AuditNotes]:
    return Notebook(session.game_home.root, AuditNotes)


def _files_digest(session: Session) -> str:
    marks = sorted(session.listing.marks.items())
    return hashlib.sha256(repr(marks).encode()).hexdigest()
