"""The certificate: the report of an audit in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engine.counts_and_lists_in_prose import count_times, counted, join_words
from pbem.files.signed_and_seen import Sighting
from pbem.format.record_error import Reason
from pbem.judge.audit_report import DEPUTY, REFEREE, Evidence, Finding, Report
from pbem.judge.evidence_from_own_machine import DroppedNotice, Unseated
from pbem.judge.game_ruleset import cure_for_other_rules
from pbem.judge.order_fates import OrderFate
from pbem.records import record_header
from pbem.text.least_harmful_choice import LEAST_HARMFUL_CHOICE
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.evidence_from_own_machine import (
    explain_dropped_notice,
    explain_fate,
    explain_implausible_date,
    explain_unseated,
)
from pbem.wording.notices import describe_event, describe_removal
from pbem.wording.who_sees_hands import Dealers, hand_sentences

_PEOPLE: Final = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}
_NEW_COPY: Final = (
    "get the file again from another player; if their copy is the same, ask the "
    "person who signed the file"
)
_FIXES: Final[dict[Reason, str]] = {
    "parent": TerminalText(
        "let the folder sync, or ask another player [[to run pbem send --all||to send you all "
        "files]]"
    ),
    **dict.fromkeys(("size", "file", "name", "trailer", "signature", "grammar"), _NEW_COPY),
    **dict.fromkeys(("canonical", "field", "place", "key"), _NEW_COPY),
}


# ---- The verdict in one line

_NO_CHARTER: Final = "{verdict}: pbem cannot read the game.toml of this game"
_NO_TURNS: Final = "{verdict}: the game has not begun"
_PROVEN_TURNS: Final = "{verdict}: {turns}"
_FINAL_IS_MISSING: Final = (
    "{verdict}: everything that pbem can check up to turn {turn}; final.toml is missing"
)
_GAME_IS_NOT_OVER: Final = (
    "{verdict}: everything that pbem can check up to turn {turn}; the game is not over"
)
_DAMAGED_AFTER: Final = (
    "{verdict}: everything public is correct up to turn {turn}; {faults}; {repairs}"
)
_DAMAGED: Final = "{verdict}: no turn is certain to be right; {faults}; {repairs}"
_NO_CHARTER_DAMAGED: Final = f"{_NO_CHARTER}; {{repairs}}"


def headline(report: Report) -> str:
    """Return the verdict, how far it goes, and how to repair what is damaged."""
    if not report.heads:
        template = _NO_CHARTER_DAMAGED if report.broken else _NO_CHARTER
    elif report.broken:
        template = _DAMAGED_AFTER if report.certain else _DAMAGED
    elif not report.turns:
        template = _NO_TURNS
    elif report.proven:
        template = _PROVEN_TURNS
    else:
        template = _FINAL_IS_MISSING if report.over else _GAME_IS_NOT_OVER
    return template.format(
        verdict=report.verdict,
        turn=report.certain if report.broken else report.turns,
        turns=counted(report.turns, "turn"),
        faults=_faults_clause(len(report.broken)),
        repairs=_repairs(report),
    )


_REPAIRS: Final = "to repair the game: {repairs}"
_ASK_READER_OF_WORDS: Final = "ask the person who told you the words to read them to you again"
_ASK_OWNER_OF_FILES: Final = "ask anybody whose files are complete to send you the game again"
_ASK_SIGNERS: Final = "ask {names}, who signed what is wrong (nobody else can repair that)"


def _repairs(report: Report) -> str:
    """Return the clause on how to repair what is broken. Each broken thing without a culprit can be
    repaired by others; what a person signed wrongly, only by that person."""
    repairs = []
    reasons = {finding.reason for finding in report.broken if not finding.culprit}
    culprits = {finding.culprit: None for finding in report.broken if finding.culprit}
    if "version" in reasons:
        repairs.append(cure_for_other_rules(report.ruleset))
    if "fork" in reasons:
        repairs.append(_ASK_READER_OF_WORDS)
    if reasons - {"version", "fork"}:
        repairs.append(_ASK_OWNER_OF_FILES)
    if culprits:
        known_names = {REFEREE: report.referee, DEPUTY: report.deputy}
        known_names |= {f"co-dealer {n}": name for n, name in enumerate(report.dealers)}
        names = ", ".join(known_names.get(culprit) or culprit for culprit in culprits)
        repairs.append(_ASK_SIGNERS.format(names=names))
    return _REPAIRS.format(repairs="; ".join(repairs))


# ---- What the audit certifies

_NOTHING_AUDITED: Final = (
    "Nothing was checked, because pbem cannot read the game.toml of this game."
)
_REFEREE_PLAYED: Final = "{referee} dealt the cards, played {seats}, and could see every hand."
_SAME_GAME: Final = (
    "The words that you gave are the words of turn {turn}: you and whoever told you the words "
    "have the same game."
)
_SAME_GAME_SO_FAR: Final = (
    "The words that you gave are the words of turn {turn}: up to that turn, you and whoever told "
    "you the words have the same game. Ask for the words of the last turn too, because later turns "
    "could differ."
)
_OTHER_ZONE: Final = (
    "According to this computer's time zone data, the deadline of turn {turn} would be at a "
    "slightly different time than {referee} signed. Versions of such data can differ by this much, "
    "so the deadline is valid."
)
_OTHER_ZONES: Final = (
    "According to this computer's time zone data, {count} deadlines, the first in turn {turn}, "
    "would be at slightly different times than {referee} signed. Versions of such data can differ "
    "by this much, so the deadlines are valid."
)
_ONLY_KEYS: Final = "The audit checks keys, not people: pbem cannot tell who used a key."
_LAST_TURN: Final = (
    "A game can have at most {turn} turns, so turn {turn} ended the game with the scores as they "
    "were."
)
_MAY_HAVE_TOLD: Final = "Nobody can check whether {dealer} told anybody hidden information."
_REFEREE_OR_DEPUTY: Final = "{referee} or {deputy}, the deputy,"
_MESSAGE: Final = "There is {messages}, signed by its writer; messages are not a part of the game."
_MESSAGES: Final = (
    "There are {messages}, each signed by its writer; messages are not a part of the game."
)
_BOTS: Final = (
    "Bots played {bots}. {referee} has the keys of the bots, and the bots added no secret to the "
    "shuffle."
)


def statement(report: Report) -> list[str]:
    """Say in sentences what the audit certifies."""
    if not report.heads:
        return [_NOTHING_AUDITED]
    referee = report.referee
    sentences = [_counts_sentence(report), _reach_sentence(report)]
    if report.referee_played:
        own_seats = sorted(set(report.plays) - report.bots.keys())
        seats = join_words(f"seat {seat}" for seat in own_seats)
        sentences.append(_REFEREE_PLAYED.format(referee=referee, seats=seats))
    if report.told is not None:
        template = _SAME_GAME if report.told == report.turns else _SAME_GAME_SO_FAR
        sentences.append(template.format(turn=report.told))
    sentences += [*_memory_sentences(report), *_join_sentences(report)]
    if turns := report.other_zones:
        template = _OTHER_ZONES if len(turns) > 1 else _OTHER_ZONE
        sentences.append(template.format(turn=turns[0], count=len(turns), referee=referee))
    if not report.broken:
        sentences.append(_ONLY_KEYS)
    sentences += _change_sentences(report)
    if report.turns >= record_header.MAX_TURN:
        sentences.append(_LAST_TURN.format(turn=report.turns))
    dealer = referee
    if report.deputy:
        dealer = _REFEREE_OR_DEPUTY.format(referee=referee, deputy=report.deputy)
    sentences.append(_MAY_HAVE_TOLD.format(dealer=dealer))
    if report.messages:
        template = _MESSAGE if report.messages == 1 else _MESSAGES
        sentences.append(template.format(messages=counted(report.messages, "message")))
    sentences += _mail_seat_sentences(report)
    bots = [f"seat {seat} ({bot})" for seat, bot in report.bots.items() if seat in report.names]
    if bots:
        sentences.append(_BOTS.format(bots=join_words(bots), referee=referee))
    return sentences


# ---- What to do about a finding

_SHOW_BOTH: Final = "keep both files and show them to everybody: {name}'s key signed both"
_ASK_SIGNER: Final = "{name} signed this file: send this line to {name}, and ask for an explanation"
_ASK_OWNER: Final = "ask {culprit}, whose key signed this file"


def next_step_for(report: Report, finding: Finding) -> str:
    """Say what to do about a finding: who to ask, or how to get the file; empty if nothing."""
    if finding.grade in ("stray", "foreign"):
        return ""
    name = {REFEREE: report.referee, DEPUTY: report.deputy}.get(finding.culprit, "")
    if finding.proof:
        return _SHOW_BOTH.format(name=name)
    if name:
        return _ASK_SIGNER.format(name=name)
    if finding.culprit:
        return _ASK_OWNER.format(culprit=finding.culprit)
    if finding.reason == "version":
        return cure_for_other_rules(report.ruleset)
    return _FIXES.get(finding.reason, "")


def explain_evidence(evidence: Evidence) -> str:
    """Say what a machine remembers about a file, and whom to ask."""
    match evidence.memory:
        case OrderFate() as fate:
            return explain_fate(fate)
        case DroppedNotice() as notice:
            return explain_dropped_notice(notice, evidence.maker)
        case Unseated() as unseated:
            return explain_unseated(unseated, evidence.maker)
        case Sighting() as sighting:
            return explain_implausible_date(sighting, evidence.maker)


def sentence_of_finding(finding: Finding) -> str:
    """Return what is wrong with a file: the finding's own sentence, or its evidence in words."""
    return explain_evidence(finding.evidence) if finding.evidence else finding.sentence


def report_as_json(report: Report) -> dict[str, Any]:
    """Return the report as plain data, with ids and heads in hex."""
    worded_fields: dict[str, Any] = {
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
            | {"sentence": sentence_of_finding(finding), "next": next_step_for(report, finding)}
            for finding in report.findings
        ],
    }
    other_names = (name for name in _REPORT_IN_JSON if name not in worded_fields)
    fields = {name: getattr(report, name) for name in other_names} | worded_fields
    return {name: fields[name] for name in _REPORT_IN_JSON}


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


# ---- Parts of the statement

_NO_MEMORY: Final = (
    "For seat {seat}, this computer remembers nothing of this game. So pbem cannot tell whether "
    "somebody dropped orders, or whether the last turns are missing."
)
_NO_ORDERS_REMEMBERED: Final = (
    "For seat {seat}, this computer last saw turn {turn}, but remembers no sealed orders. So "
    "pbem cannot tell whether somebody dropped orders."
)
_NO_TURN_REMEMBERED: Final = (
    "For seat {seat}, this computer remembers {orders}, but no turn. pbem compared the orders "
    "with this folder, and reports what differs."
)
_COMPARED: Final = (
    "For seat {seat}, this computer remembers {orders}, and last saw turn {turn}. pbem compared "
    "the orders and the turn with this folder, and reports what differs."
)


def _memory_sentences(report: Report) -> list[str]:
    """Say what the audit of a seat could compare with."""
    if not report.seat:
        return []
    if report.remembered:
        template = _COMPARED if report.saw else _NO_TURN_REMEMBERED
    else:
        template = _NO_ORDERS_REMEMBERED if report.saw else _NO_MEMORY
    orders = counted(report.remembered, "set of sealed orders", "sets of sealed orders")
    return [template.format(seat=report.seat, turn=report.saw, orders=orders)]


_CHANGES: Final = "The turns list these signed notices: {events}."
_EVENT_IN_TURN: Final = "turn {turn}: {event}"
_REMOVAL: Final = "Turn {turn}: {removal}, as game.toml says."
_BOT_ANSWERED: Final = (
    "While seat {seat} was open, a bot answered {questions} for it, as game.toml says. Nobody "
    "could change the bot's answers."
)
_DEFAULT_SETTLED: Final = (
    f"{{questions}} got no answer, so {LEAST_HARMFUL_CHOICE} was made: {{counts}}."
)


def _change_sentences(report: Report) -> list[str]:
    """Say what notices, removals, bots and defaults changed in the game."""
    sentences = []
    if report.notices:
        events = [_EVENT_IN_TURN.format(turn=turn, event=event) for turn, event in _events(report)]
        sentences = [_CHANGES.format(events="; ".join(events))]
    sentences += [
        _REMOVAL.format(turn=turn, removal=removal) for turn, removal in _removals(report)
    ]
    for seat, number in sorted(report.for_open_seats.items()):
        questions = counted(number, "question")
        sentences.append(_BOT_ANSWERED.format(questions=questions, seat=seat))
    if report.by_default:
        counts = [
            f"{count_times(number)} for seat {seat}"
            for seat, number in sorted(report.by_default.items())
        ]
        questions = counted(sum(report.by_default.values()), "question")
        sentences.append(_DEFAULT_SETTLED.format(questions=questions, counts=join_words(counts)))
    return sentences


def _events(report: Report) -> list[tuple[int, str]]:
    """Return the event of each listed notice: the turn, and a sentence."""
    return [(row.turn, describe_event(row.kind, row.fields)) for row in report.notices]


def _removals(report: Report) -> list[tuple[int, str]]:
    """Return each removal of a player who was silent too long: the turn, and a sentence."""
    return [(turn, describe_removal(report.names[seat])) for turn, seat in report.removed]


_MAIL_SEAT: Final = (
    "{player} ({seat}) answered by plain email: {referee} had the key of this seat and signed its "
    "orders. Only {referee} can say whether {player} wrote these orders, and whether {referee} "
    "changed any of them after seeing other players' orders."
)
_FORMER_MAIL_SEAT: Final = (
    "{player} ({seat}) answered by plain email: until turn {turn}, {referee} had the key of this "
    "seat and signed its orders. Only {referee} can say whether {player} wrote these orders, and "
    "whether {referee} changed any of them after seeing other players' orders."
)


def _mail_seat_sentences(report: Report) -> list[str]:
    """Return a sentence for each seat whose player answered by plain email, perhaps only until a
    turn gave the seat its player's own key."""
    return [
        (_FORMER_MAIL_SEAT if key_turn else _MAIL_SEAT).format(
            player=report.first_names.get(seat, seat),
            seat=seat,
            referee=report.referee,
            turn=key_turn,
        )
        for seat, key_turn in report.by_mail.items()
    ]


_UNKNOWN_JOIN: Final = (
    "{referee} alone decided about the join {digits}, and that join is missing from this folder."
)
_ACCEPTED_JOIN: Final = (
    "{referee} accepted the join {digits} of {name} for seat {seat}, although {name} joined "
    "without the invite. No record says why."
)
_REJECTED_JOIN: Final = (
    "{referee} left out the join {digits} of {name} for seat {seat}, although {name} joined with "
    "the invite. No record says why."
)
_CHOSEN_JOIN: Final = (
    "{number} people joined seat {seat} with one invite; {referee} accepted {player}, and not the "
    "join {joins}."
)
_CHOSEN_JOIN_OF_MANY: Final = (
    "{number} people joined seat {seat} with one invite; {referee} accepted {player}, and not the "
    "joins {joins}."
)
_LATE_JOIN: Final = (
    "{name} joined seat {seat} with the right invite, but turn 1 does not mention the join "
    "{digits}. The join came too late, or {referee} left it out. No record says which of the two "
    "happened."
)
_JOIN_OF_SHARED_KEY: Final = (
    "{name} joined seat {seat} with the right invite, but turn 1 does not mention the join "
    "{digits}. One of the join's keys is also a key of {owner}, and a key can have only one seat."
)


def _join_sentences(report: Report) -> list[str]:
    """Return sentences on the joins about which only the referee decided, seat by seat, and on the
    joins that turn 1 does not mention."""
    referee, sentences = report.referee, []
    # a seat without a join that the referee took in without the invite: each person had it
    chosen_seats = {join.seat for join in report.by_word} - {
        join.seat for join in report.by_word if join.counts
    }
    for seat, name, digits, counts, _shares in report.by_word:
        if not seat:
            sentences.append(_UNKNOWN_JOIN.format(referee=referee, digits=digits))
        elif seat not in chosen_seats:
            template = _ACCEPTED_JOIN if counts else _REJECTED_JOIN
            line = template.format(referee=referee, digits=digits, name=name, seat=seat)
            sentences.append(line)
    for seat in sorted(chosen_seats - {""}):
        rejected_joins = [join for join in report.by_word if join.seat == seat]
        template = _CHOSEN_JOIN_OF_MANY if len(rejected_joins) > 1 else _CHOSEN_JOIN
        sentence = template.format(
            number=_PEOPLE.get(len(rejected_joins) + 1, "Several"),
            seat=seat,
            referee=referee,
            player=report.first_names.get(seat, seat),
            joins=", ".join(f"{join.digits} of {join.name}" for join in rejected_joins),
        )
        sentences.append(sentence)
    for seat, name, digits, _counts, owner in report.left_out:
        template = _JOIN_OF_SHARED_KEY if owner else _LATE_JOIN
        sentences.append(
            template.format(name=name, seat=seat, digits=digits, owner=owner, referee=referee)
        )
    return sentences


_ONE_DEALER: Final = "{referee} alone determined the deck's order: no other person plays."
_DECK_SHARED: Final = (
    "The secret shares of {people} together determined the deck's order. Nobody could choose the "
    "order, unless {referee} and the player who joined last worked together."
)


def _deck_sentence(report: Report) -> str:
    names = report.first_names or report.names
    held_seats = {*report.plays, *report.by_mail}
    shares = [name for seat, name in names.items() if seat not in held_seats]
    template = _DECK_SHARED if shares else _ONE_DEALER
    people = join_words([report.referee, *shares])
    return template.format(referee=report.referee, people=people)


def _dealers_sentence(report: Report) -> str:
    names, held_seats = report.first_names or report.names, {*report.plays, *report.by_mail}
    dealers = Dealers(report.referee, report.dealers, names, held_seats)
    return hand_sentences(dealers)


class CardWords(NamedTuple):
    """The certificate's words about the cards of one mode (see `CardMode`)."""

    proof: str
    """A clause after the number of cards that turns commit to."""
    deck_sentence: Callable[[Report], str]
    """Says who determined the order of the deck, once all is proven."""


_NOBODY_SWAPS: Final = " that nobody could swap unnoticed"
CARD_WORDS: Final = {
    "referee": CardWords(_NOBODY_SWAPS, _deck_sentence),
    "dealers": CardWords(_NOBODY_SWAPS, _dealers_sentence),
}
"""The words for each mode, by its name."""


_COUNTS: Final = "{turns}, {orders}, {dice}, {cards}."
_CARDS_PROVEN: Final = "{cards}{proof}"
_ALL_PROVEN: Final = "Proven: every signature, card, die, move and standing order is right. {deck}"
_SECRETS_CLOSED: Final = (
    " This folder does not have the {secrets} of {people} yet, so the cards that nobody showed "
    "stay hidden. Whatever was shown is proven."
)
_NO_GAME_YET: Final = "The game has not begun: there is no turn yet that could be right or wrong."
_RIGHT_WITHOUT_FINAL: Final = (
    "Up to turn {turn}, everything that pbem can check is right. The game is not proven, because "
    "final.toml is missing: that file opens everything hidden."
)
_RIGHT_SO_FAR: Final = (
    "Up to turn {turn}, everything that pbem can check is right. The game is not proven yet, "
    "because pbem can check the hidden parts only when the game is over."
)


def _counts_sentence(report: Report) -> str:
    """Return the sentence with the numbers of turns, orders, dice and cards."""
    cards = counted(report.cards, "card")
    if report.cards and not report.broken:
        cards = _CARDS_PROVEN.format(cards=cards, proof=CARD_WORDS[report.mode].proof)
    return _COUNTS.format(
        turns=counted(report.turns, "turn"),
        orders=counted(report.orders, "set of orders", "sets of orders"),
        dice=counted(report.dice, "die", "dice"),
        cards=cards,
    )


def _reach_sentence(report: Report) -> str:
    """Say how far the audit goes: the game is proven, right so far, or right before a broken
    turn."""
    if report.broken:
        return _reach_of_damaged(report)
    if report.proven:
        sentence = _ALL_PROVEN.format(deck=CARD_WORDS[report.mode].deck_sentence(report))
        if report.closed_dealers:
            secrets = "secret" if len(report.closed_dealers) == 1 else "secrets"
            people = join_words(report.closed_dealers)
            sentence += _SECRETS_CLOSED.format(people=people, secrets=secrets)
        return sentence
    if not report.turns:
        return _NO_GAME_YET
    return (_RIGHT_WITHOUT_FINAL if report.over else _RIGHT_SO_FAR).format(turn=report.turns)


_NO_TURN_CERTAIN: Final = "No turn is certain to be right: {faults}."
_PUBLIC_PART_RIGHT: Final = "{turns}: the public part is right, but not proven"
_PUBLIC_PART_RIGHT_ONLY: Final = (
    "{turns}: the public part is right, but not proven, because final.toml does not open the "
    "hidden part"
)
_PUBLIC_AND_HIDDEN_RIGHT: Final = "{turns}: everything is right, also the hidden part"
_THEN_FAULTS: Final = "{reach}. {faults}."
_THEN_UNCERTAIN_TURN: Final = "{reach}. {turns} is not certain to be right: {faults}."
_THEN_UNCERTAIN_TURNS: Final = "{reach}. {turns} are not certain to be right: {faults}."


def _reach_of_damaged(report: Report) -> str:
    """Say how far the game is right although something is broken, and how many things are wrong."""
    certain_turn, faults = report.certain, _faults_clause(len(report.broken))
    if not certain_turn:
        return _NO_TURN_CERTAIN.format(faults=faults)
    template = _PUBLIC_PART_RIGHT
    if report.final:
        template = _PUBLIC_AND_HIDDEN_RIGHT
    elif any(finding.path == "final.toml" for finding in report.broken):
        template = _PUBLIC_PART_RIGHT_ONLY
    reach = template.format(turns=_turn_range(1, certain_turn))
    if report.last_turn <= certain_turn:
        return _THEN_FAULTS.format(reach=reach, faults=f"{faults[0].upper()}{faults[1:]}")
    is_single = report.last_turn == certain_turn + 1
    template = _THEN_UNCERTAIN_TURN if is_single else _THEN_UNCERTAIN_TURNS
    turns = _turn_range(certain_turn + 1, report.last_turn)
    return template.format(reach=reach, turns=turns, faults=faults)


def _turn_range(first_turn: int, last_turn: int) -> str:
    if first_turn == last_turn:
        return f"Turn {first_turn}"
    return f"Turns {first_turn} to {last_turn}"


def _faults_clause(number: int) -> str:
    return "one thing is wrong" if number == 1 else f"{number} things are wrong"
