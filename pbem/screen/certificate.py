"""The certificate: what an audit says in words, from the facts of its report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from pbem.format.canonical import Reason
from pbem.judge.audit_report import DEPUTY, REFEREE, Finding, Report
from pbem.records import schema
from pbem.screen.notice_words import describe_event, describe_removal
from pbem.text.names import counted, join_words

_PEOPLE: Final = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}
_NEW_COPY: Final = (
    "get the file again from another player; if their copy is the same, ask the "
    "person who signed the file"
)
_FIXES: Final[dict[Reason, str]] = {
    "parent": "let the folder sync, or ask another player to run pbem send --all",
    "version": "install the version of pbem that the referee uses",
    **dict.fromkeys(("size", "file", "name", "trailer", "signature", "grammar"), _NEW_COPY),
    **dict.fromkeys(("canonical", "field", "place", "key"), _NEW_COPY),
}


def headline(report: Report) -> str:
    """Return the verdict, how far it goes, and who can mend what is damaged."""
    if not report.heads:
        how_far = "there is no readable game.toml of this game"
    elif report.broken:
        so_far = f"what is public is right through turn {report.certain}"
        how_far = so_far if report.certain else "no turn is certain"
        how_far += f"; {_faults_clause(len(report.broken))}"
    elif not report.turns:
        how_far = "the game has not begun"
    elif report.proven:
        how_far = counted(report.turns, "turn")
    else:
        reason = "final.toml is missing" if report.over else "the game is not over"
        how_far = f"all that can be checked through turn {report.turns}; {reason}"
    line = f"{report.verdict}: {how_far}"
    return f"{line}; {_menders(report)}" if report.broken else line


def statement(report: Report) -> list[str]:
    """Say in sentences what the audit certifies."""
    if not report.heads:
        return ["Nothing was audited: there is no readable game.toml of this game."]
    sentences = [_counts_sentence(report), _reach_sentence(report)]
    if report.referee_played:
        seats = ", ".join(sorted(set(report.plays) - report.bots.keys()))
        sentences.append(f"{report.referee} dealt and played ({seats}), and could see every hand.")
    if report.told is not None:
        clause = f"The words you were told are those of turn {report.told}: "
        same_game = "it is the same game."
        if report.told != report.turns:
            same_game = "the same game so far. Ask for newer words: later turns could differ."
        sentences.append(clause + same_game)
    sentences += [*_memory_sentences(report), *_join_sentences(report)]
    if turns := report.other_zones:
        names = f"turn {turns[0]}" + (f" and {len(turns) - 1} more" if len(turns) > 1 else "")
        clause = f"The deadline of {names} differs from the one that the time zone data here gives"
        signed = f"the deadline that {report.referee} signed counts"
        little = "but only by as much as versions of such data can differ"
        sentences.append(f"{clause}, {little}: {signed}.")
    if not report.broken:
        limit = "pbem cannot tell who was using them"
        sentences.append(f"The audit can speak only about the keys that joined: {limit}.")
    sentences += _change_sentences(report)
    if report.turns >= schema.MAX_TURN:
        clause = f"Turn {report.turns} is the last that a game can have, so it ended the game"
        sentences.append(f"{clause} with the scores as they were.")
    dealer = (
        f"{report.referee} or {report.deputy}, the deputy," if report.deputy else report.referee
    )
    sentences.append(f"Nobody can prove that {dealer} did not tell anybody hidden information.")
    if report.messages:
        clause = "signed by its writer" if report.messages == 1 else "signed by their writers"
        sentences.append(
            f"{counted(report.messages, 'message')}, {clause}: not a part of the game."
        )
    sentences += _mail_seat_sentences(report)
    if bots := [f"{seat} ({bot})" for seat, bot in report.bots.items() if seat in report.names]:
        clause = "holds their keys, and they contributed no secret share to the shuffle"
        sentences.append(f"Bots played {', '.join(bots)}: {report.referee} {clause}.")
    return sentences


def next_step_for(report: Report, finding: Finding) -> str:
    """Say what to do about a finding: who to ask, or how to get the file; empty if nothing."""
    if finding.grade in ("stray", "foreign"):
        return ""
    name = {REFEREE: report.referee, DEPUTY: report.deputy}.get(finding.culprit, "")
    if finding.proof:
        return f"keep both files and show them to everybody: {name}'s key signed both"
    if name:
        return f"{name} signed this: send {name} this line and ask for an explanation"
    if finding.culprit:
        return f"ask {finding.culprit}, whose key signed this"
    return _FIXES.get(finding.reason, "")


def report_as_json(report: Report) -> dict[str, Any]:
    """Return the report as plain data, with ids and heads in hex."""
    written_values: dict[str, Any] = {
        "game": report.game.hex(),
        "plays": list(report.plays),
        "by_word": [join._asdict() for join in report.by_word],
        "left_out": [join._asdict() for join in report.left_out],
        "heads": [head.hex() for head in report.heads],
        "notices": [{"turn": turn, "text": sentence} for turn, sentence in _events(report)],
        "removed": [{"turn": turn, "text": sentence} for turn, sentence in _removals(report)],
        "statement": statement(report),
        "findings": [
            {name: getattr(finding, name) for name in _FINDING_IN_JSON}
            | {"next": next_step_for(report, finding)}
            for finding in report.findings
        ],
    }
    plain_names = (name for name in _REPORT_IN_JSON if name not in written_values)
    values = {name: getattr(report, name) for name in plain_names} | written_values
    return {name: values[name] for name in _REPORT_IN_JSON}


_REPORT_IN_JSON: Final = (
    "title", "ruleset", "referee", "game", "names", "plays", "bots", "by_mail", "by_word",
    "left_out", "turns", "certain", "orders", "dice", "cards", "heads", "words", "other_zones",
    "notices", "removed", "for_open_seats", "by_default", "deputy", "over", "final", "proven",
    "told", "waiting", "messages", "referee_played", "seat", "remembered", "saw", "verdict",
    "statement", "findings", "exit",
)  # fmt: skip
_FINDING_IN_JSON: Final = (
    "grade", "path", "reason", "sentence", "culprit", "turn", "proof", "exit",
)  # fmt: skip


def _menders(report: Report) -> str:
    menders = []
    reasons = {finding.reason for finding in report.broken if not finding.culprit}
    culprits = {finding.culprit: None for finding in report.broken if finding.culprit}
    if "version" in reasons:
        menders.append("you, if you install the version of pbem that the referee uses")
    if "fork" in reasons:
        menders.append("the person who told you the words, if they read them again")
    if reasons - {"version", "fork"}:
        menders.append("any person whose files are whole, if they send you the game again")
    if culprits:
        names = {REFEREE: report.referee, DEPUTY: report.deputy}
        called = ", ".join(names.get(culprit) or culprit for culprit in culprits)
        menders.append(f"nobody but {called}, who signed what is wrong")
    return f"who can mend it: {'; '.join(menders)}"


def _memory_sentences(report: Report) -> list[str]:
    """Say what the audit of a seat could compare with."""
    if not report.seat:
        return []
    clause = f"From seat {report.seat}: this machine remembers"
    if not report.remembered and not report.saw:
        gap = "nothing of this game, so it cannot tell whether orders were dropped"
        return [f"{clause} {gap}, or whether turns are missing at the end."]
    last_turn = f"turn {report.saw} as the last that it saw" if report.saw else "no turn"
    if not report.remembered:
        gap = "no sealed orders, so it cannot tell whether orders were dropped"
        return [f"{clause} {last_turn}, but {gap}."]
    sealed_orders = counted(report.remembered, "set of sealed orders", "sets of sealed orders")
    return [f"{clause} {sealed_orders}, and {last_turn}; it compared them with what is here."]


def _change_sentences(report: Report) -> list[str]:
    sentences = []
    if report.notices:
        changed = "; ".join(f"turn {turn}: {event}" for turn, event in _events(report))
        sentences = [f"Signed notices have changed who plays or how the game ended: {changed}."]
    removals = _removals(report)
    sentences += [f"Turn {turn}: {removal}, as the charter says." for turn, removal in removals]
    for seat, number in sorted(report.for_open_seats.items()):
        clause = f"A bot answered {counted(number, 'question')} for seat {seat} while it was open"
        sentences.append(f"{clause}, as the charter says; nobody could choose for the bot.")
    if report.by_default:
        counts = [f"{seat} ({number})" for seat, number in sorted(report.by_default.items())]
        questions = counted(sum(report.by_default.values()), "question")
        sentences.append(
            f"The default settled {questions} that no order answered: {', '.join(counts)}."
        )
    return sentences


def _events(report: Report) -> list[tuple[int, str]]:
    """Say what the listed notices brought about: each time the turn, and a sentence."""
    return [(row.turn, describe_event(row.about, row.fields)) for row in report.notices]


def _removals(report: Report) -> list[tuple[int, str]]:
    """Say who was removed for being silent too long: each time the turn, and a sentence."""
    return [(turn, describe_removal(report.names[seat])) for turn, seat in report.removed]


def _mail_seat_sentences(report: Report) -> list[str]:
    sentences = []
    for seat, key_turn in report.by_mail.items():
        time_clause = f"until turn {key_turn} " if key_turn else ""
        key_clause = f"{report.referee} had the key of this seat and signed its orders "
        key_clause += f"{time_clause}for them"
        claim = f"the orders are what {report.first_names.get(seat, seat)} wrote"
        order_claim = f"{report.referee} wrote none of these orders after seeing somebody else's"
        sentences.append(
            f"{report.first_names.get(seat, seat)} ({seat}) answered by plain email: {key_clause}. "
            f"There is only {report.referee}'s word for it that {claim}, and that {order_claim}."
        )
    return sentences


def _join_sentences(report: Report) -> list[str]:
    sentences = []
    # a seat without a join that the referee took in without the invite: each person had it
    chosen_seats = {join.seat for join in report.by_word} - {
        join.seat for join in report.by_word if join.counts
    }
    for seat, name, digits, counts, _ in report.by_word:
        if not seat:
            clause = f"Only {report.referee} decided whether the join {digits} counts"
            sentences.append(f"{clause}, and that join is not here.")
        if seat in chosen_seats or not seat:
            continue
        invite_clause = f"although it was made with{'out' * counts} the invite"
        verb = "accepted" if counts else "left out"
        join = f"the join {digits} of {name} for seat {seat}"
        sentences.append(f"{report.referee} {verb} {join} {invite_clause}: no record says why.")
    for seat in sorted(chosen_seats - {""}):
        rejected_joins = [join for join in report.by_word if join.seat == seat]
        people = f"{_PEOPLE.get(len(rejected_joins) + 1, 'Several')} people joined seat {seat}"
        joins = ", ".join(f"{join.digits} of {join.name}" for join in rejected_joins)
        rejection = f"and not the join{'s' * (len(rejected_joins) > 1)} {joins}"
        accepted = f"{report.referee} accepted {report.first_names.get(seat, seat)}"
        sentences.append(f"{people} with one invite; {accepted}, {rejection}.")
    for seat, name, digits, _, shares in report.left_out:
        join = f"{name} joined for seat {seat} with the right invite ({digits})"
        clause = f"it came too late, or {report.referee} left it out. No record says which of the "
        clause += "two happened"
        if shares:
            clause = f"it names a key of {shares}, and two joins with the same key never both "
            clause += "count"
        sentences.append(f"{join}, and turn 1 does not mention it: {clause}.")
    return sentences


def _deck_sentence(report: Report) -> str:
    names = report.first_names or report.names
    held_seats = {*report.plays, *report.by_mail}
    shares = [name for seat, name in names.items() if seat not in held_seats]
    if not shares:
        return f"{report.referee} alone determined the deck's order: no other person plays."
    shares_of = f"the secret shares of {join_words([report.referee, *shares])}"
    clause = f"The deck's order was determined by {shares_of} together"
    exception = f"{report.referee} and the player who joined last worked together"
    return f"{clause}: nobody could choose it, unless {exception}."


class CardWords(NamedTuple):
    """The certificate's words about the cards of one mode (see `CardMode`)."""

    proof: str
    """A clause after the number of cards that turns commit to."""
    deck_sentence: Callable[[Report], str]
    """Says who determined the order of the deck, once all is proven."""


CARD_WORDS: Final = {"referee": CardWords(" that nobody could swap unnoticed", _deck_sentence)}
"""The words for each mode, by its name."""


def _counts_sentence(report: Report) -> str:
    orders = counted(report.orders, "set of orders", "sets of orders")
    cards = counted(report.cards, "card")
    if report.cards and not report.broken:
        cards += CARD_WORDS[report.mode].proof
    dice = counted(report.dice, "die", "dice")
    return f"{counted(report.turns, 'turn')}, {orders}, {dice}, {cards}."


def _reach_sentence(report: Report) -> str:
    if report.broken:
        return _reach_of_damaged(report)
    if report.proven:
        proof = "every signature, card, die, move and standing order is right"
        return f"Proven: {proof}. {CARD_WORDS[report.mode].deck_sentence(report)}"
    if not report.turns:
        return "The game has not begun: there is no turn yet that could be right or wrong."
    so_far = f"Everything that can be checked is correct through turn {report.turns}"
    so_far = f"{so_far}, but not proven"
    if report.over:
        return f"{so_far}: final.toml, which opens everything hidden, is missing."
    return f"{so_far}: the hidden parts can be checked only when the game is over."


def _reach_of_damaged(report: Report) -> str:
    certain_turn, faults = report.certain, _faults_clause(len(report.broken))
    if not certain_turn:
        return f"No turn is certain: {faults}."
    sentence = f"{_turn_range(1, certain_turn)}: what is public is right, but not proven"
    if report.final:
        sentence = f"{_turn_range(1, certain_turn)}: everything is right, also what was hidden"
    elif any(finding.path == "final.toml" for finding in report.broken):
        sentence += ": final.toml does not open the game"
    if report.last_turn <= certain_turn:
        return f"{sentence}. {faults[0].upper()}{faults[1:]}."
    verb = "is" if report.last_turn == certain_turn + 1 else "are"
    uncertain = f"{_turn_range(certain_turn + 1, report.last_turn)} {verb} not certain"
    return f"{sentence}. {uncertain}: {faults}."


def _turn_range(first_turn: int, last_turn: int) -> str:
    if first_turn == last_turn:
        return f"Turn {first_turn}"
    return f"Turns {first_turn} to {last_turn}"


def _faults_clause(number: int) -> str:
    return "one thing is wrong" if number == 1 else f"{number} things are wrong"
