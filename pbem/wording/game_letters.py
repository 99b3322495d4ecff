"""The letters of `pbem run` in words: invitations, turns, reminders, answers to unreadable mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.judge.deadline_status import DeadlineStatus
from pbem.text.least_harmful_choice import CHOICE_AFTER_DEADLINE
from pbem.wording.deadlines_and_absences import describe_deadline_in_utc

_GAME_AND_SUBJECT: Final = "{title}: {subject}"
_INDENTED: Final = "    {line}"
_HAS_READ_IT: Final = (
    "If `pbem run` reads your mailbox, it has already read this message: pbem status says what "
    "to do. If `pbem run` does not read your mailbox, save the attached file, and type: pbem "
    "receive {file}"
)


def letter_subject(title: str, subject: str) -> str:
    """Return the subject of a letter about a game."""
    return _GAME_AND_SUBJECT.format(title=title, subject=subject)


def read_it_paragraph(file_name: str) -> str:
    """Say what to do with the file of a letter."""
    return _HAS_READ_IT.format(file=file_name)


# ---- Links that open the game in a browser

SEE_GAME: Final = "See the game"
SEE_JOINS: Final = "See who has joined"
SEE_END: Final = "See how it ended"
SEE_TABLE: Final = "See the table"
PLAY_TURN: Final = "Play your turn"
_LINK_HEADING: Final = "{purpose}:"


def link_paragraphs(purpose: str, link: str) -> list[str]:
    """Return the paragraphs with a link; none if there is no link."""
    return [_LINK_HEADING.format(purpose=purpose), _INDENTED.format(line=link)] if link else []


# ---- To the referee, and to a player who has a seat

_ATTACHED: Final = "Attached: {contents}."
_NOTE: Final = "Note: your {sentence}."
_NO_FILE_NEEDED: Final = (
    "You need the attached file only if you play by mail alone. To read the file, save it, and "
    "type: pbem receive {file}"
)
GAME_OVER_SUBJECT: Final = "the game is over"
_GAME_OVER: Final = "The game is over: {end}. Anybody can check it: pbem audit"
_PLAY_AGAIN: Final = "To play again with the same people:"
_PLAY_AGAIN_COMMAND: Final = "pbem new NAME --like {quoted_title}"
_PLAY_AGAIN_PAGE: Final = "{page}new?again={digits}"
_TURN_SUBJECT: Final = "turn {turn}"
_TURN_WITHOUT_QUESTION: Final = "Here is turn {turn}. You do not need to answer."
_QUESTION_SUBJECT: Final = "turn {turn} asks you for {kinds}"
_QUESTION: Final = "Turn {turn} asks you for {kinds}."


def attached_paragraph(contents: str) -> str:
    """Say what is attached to a letter to the referee."""
    return _ATTACHED.format(contents=contents)


def note_paragraph(sentence: str) -> str:
    """Tell a player about their own late orders."""
    return _NOTE.format(sentence=sentence)


def no_file_needed_paragraph(file_name: str) -> str:
    """Say that somebody who can open the link needs no file."""
    return _NO_FILE_NEEDED.format(file=file_name)


def game_over_paragraph(end: str) -> str:
    """Say that the game is over, and who won."""
    return _GAME_OVER.format(end=end)


def play_again_paragraphs(page: str, digits: str, quoted_title: str) -> list[str]:
    """Say how to play again with the same people: on the page of a host, or with a command if
    `page` is empty."""
    template = _PLAY_AGAIN_PAGE if page else _PLAY_AGAIN_COMMAND
    line = template.format(page=page, digits=digits, quoted_title=quoted_title)
    return [_PLAY_AGAIN, _INDENTED.format(line=line)]


def turn_subject(turn: int, kinds: Sequence[str]) -> str:
    """Return the subject of a letter about a turn, with what it asks the player for."""
    template = _QUESTION_SUBJECT if kinds else _TURN_SUBJECT
    return template.format(turn=turn, kinds=", ".join(kinds))


def turn_paragraph(turn: int, kinds: Sequence[str]) -> str:
    """Say what a turn asks the player for, or that it asks for nothing."""
    template = _QUESTION if kinds else _TURN_WITHOUT_QUESTION
    return template.format(turn=turn, kinds=", ".join(kinds))


# ---- To a co-dealer

DEAL_SUBJECT: Final = "you deal together with the referee"
_DEAL_SUBJECT: Final = "your part of the deal after turn {turn}"
_DEAL: Final = (
    "The game waits for your part of the deal after turn {turn}. If `pbem run` reads your mailbox, "
    "it deals and answers. If not, type pbem advance, then pbem send, in the folder of the game."
)
_FIRST_DEAL: Final = (
    "{referee} has named you as a co-dealer of a card game: you deal together, so that nobody "
    "alone can see a hand. The game waits for your key for the cards. Use a computer that is "
    "always on, and install there what dealing needs: pipx inject pbem pynacl. Type pbem receive "
    "with the attached file. Then type pbem advance in the folder that pbem receive makes. From "
    "then on, `pbem run` deals for you."
)


def deal_subject(turn: int) -> str:
    """Return the subject of a letter that asks a co-dealer to deal after this turn."""
    return _DEAL_SUBJECT.format(turn=turn)


def deal_paragraph(turn: int) -> str:
    """Say that the game waits for a co-dealer's part after this turn."""
    return _DEAL.format(turn=turn)


def first_deal_paragraph(referee: str) -> str:
    """Tell a co-dealer who has not dealt yet what the letter is about."""
    return _FIRST_DEAL.format(referee=referee)


# ---- To an invited player

INVITATION_SUBJECT: Final = "your invitation"
WAIT_FOR_ALL_SENTENCE: Final = "The game begins when all have joined."
_KEEP_LINE_SECRET: Final = (
    "To take your seat, type the line below. Whoever has the line can take the seat, so show the "
    "line to nobody:"
)
_USE_MOUSE: Final = (
    "Or type only: pbem table. Then drop this email onto the page that opens, and paste the line "
    "where the page says “Join a game”."
)
_OPEN_LINK: Final = (
    "{about} To get in, open this link in your browser, and press the button there; you install "
    "nothing:"
)
_KEEP_LINK_SECRET: Final = "Whoever has the link can take your seat, so show the link to nobody."
_OR_COMMANDS: Final = "You can also play with commands, in a terminal."
_TYPE_LINES: Final = "{about} To get in, install pbem, and type the lines below."
_NO_NETWORK: Final = (
    "If you play by mail alone, first type: pbem receive {file}. Then type the line above, but "
    "leave out -C and the address"
)
_JOIN: Final = "pbem join --invite {invite}"
_JOIN_ON_HOST: Final = "pbem join -C {address} --invite {invite}"


def invitation_paragraphs(
    about: str, install_paragraphs: Sequence[str], invite: str, file_name: str
) -> list[str]:
    """Invite a player to a game in a shared folder or by mail.

    `about` describes the game, `install_paragraphs` how to get `pbem`.
    """
    return [
        _TYPE_LINES.format(about=about),
        *install_paragraphs,
        read_it_paragraph(file_name),
        _KEEP_LINE_SECRET,
        _INDENTED.format(line=_JOIN.format(invite=invite)),
        _USE_MOUSE,
    ]


def invitation_to_host_paragraphs(
    about: str,
    install_paragraphs: Sequence[str],
    invite: str,
    file_name: str,
    *,
    address: object,
    link: str,
) -> list[str]:
    """Invite a player to a game on a host, with the link of the invite if the host has a page."""
    first_paragraphs = [_TYPE_LINES.format(about=about)]
    if link:
        link_line = _INDENTED.format(line=link)
        first_paragraphs = [
            _OPEN_LINK.format(about=about), link_line, _KEEP_LINK_SECRET, _OR_COMMANDS
        ]  # fmt: skip
    return [
        *first_paragraphs,
        *install_paragraphs,
        _KEEP_LINE_SECRET,
        _INDENTED.format(line=_JOIN_ON_HOST.format(address=address, invite=invite)),
        _NO_NETWORK.format(file=file_name),
    ]


# ---- Reminders

_REMINDER_SUBJECT: Final = "turn {turn} is waiting for you"
_REMINDER: Final = (
    f"Turn {{turn}} is waiting for you ({{kinds}}), and {{stage}}. Deadline: {{deadline}}; "
    f"{CHOICE_AFTER_DEADLINE}."
)


def reminder_subject(turn: int) -> str:
    """Return the subject of a reminder."""
    return _REMINDER_SUBJECT.format(turn=turn)


def reminder_paragraph(turn: int, kinds: Sequence[str], stage: str, status: DeadlineStatus) -> str:
    """Remind a player of a turn; `stage` says how much time is left."""
    deadline = describe_deadline_in_utc(status)
    return _REMINDER.format(turn=turn, kinds=", ".join(kinds), stage=stage, deadline=deadline)


# ---- An answer to a message that could not be used

_ANSWER_SUBJECT: Final = "Re: {subject}"
_YOUR_MESSAGE: Final = "your message"
_NOT_USED: Final = "pbem could not use your message: {problems}."
_WHAT_TO_SEND: Final = (
    "Attach the .pbem file that `pbem send` wrote, unchanged, to a new email. Or let `pbem run` "
    "send such emails. Nothing is lost: what you sent earlier still counts."
)


def answer_subject(subject: str) -> str:
    """Return the subject of an answer; the `subject` of the message may be empty."""
    return _ANSWER_SUBJECT.format(subject=subject or _YOUR_MESSAGE)


def not_used_paragraphs(problems: str) -> list[str]:
    """Say why a message could not be used, and what to send."""
    return [_NOT_USED.format(problems=problems), _WHAT_TO_SEND]
