"""What must be understood of a reply of each shape in `reply_shapes.py`. Written by hand."""

from typing import Final, NamedTuple


class Meant(NamedTuple):
    """What one reply means."""

    orders: tuple[str, ...] = ()
    """The lines that must be sealed, without the standing orders that the rules suggest."""
    answers: tuple[str, ...] = ()
    """What the answer must say; empty if there must be no answer."""
    exit: int = 0


MOVE: Final = Meant(
    ("play: cooperation 3: b1 body", "play: long neck 3 on b1", "play: done"), ("UNDERSTOOD",)
)
"""`3, 10`: what most of the replies say."""
NO_ANSWER: Final = Meant()
"""A program wrote it."""
WRONG: Final = ("PLEASE WRITE AGAIN", "IT IS YOUR MOVE", "3: cooperation 3 for the body of b1")
ASKED_BACK: Final = ("NOT COUNTED YET", "You have no orders for this turn yet")
"""Something in the reply has a number or a card that was not used: nothing of it is sealed."""

TABLE: Final[dict[str, Meant]] = {
    "alpine": MOVE,
    "answer-of-an-answer": MOVE,
    "apple-mail": MOVE,
    "apple-mail-inline": MOVE,
    "bounce": NO_ANSWER,
    "bullets": MOVE,
    "crlf": MOVE,
    "disclaimer": MOVE,
    "emacs-supercite": MOVE,
    "empty": Meant(answers=(*WRONG, "your reply contains neither an order nor a question")),
    "file-attached": MOVE,
    "full-width-digits": MOVE,
    "gmail-app": MOVE,
    "gmail-changed-subject": MOVE,
    "gmail-html-only": MOVE,
    "gmail-web": MOVE,
    "gmail-web-inline": MOVE,
    "gmx": MOVE,
    "greeting-and-signature": MOVE,
    "ios": MOVE,
    "ios-autocorrected": MOVE,
    "ios-html-only": MOVE,
    "k-9": MOVE,
    "k-9-html": MOVE,
    "mailing-list": MOVE,
    "mutt": MOVE,
    "mutt-attribution": MOVE,
    "no-break-spaces": MOVE,
    "no-quote": MOVE,
    "numbered-words": MOVE,
    "only-chat": Meant(answers=(*WRONG[1:], "SENT TO RHEA", "Nice game so far!")),
    "order-and-question": Meant(MOVE.orders, ("UNDERSTOOD", "THE TABLE", "b1: body 1")),
    "order-lines": Meant(
        (*MOVE.orders, "feed: plants first, then prey",
         "always feed: scarce plants first, then prey, then plants"),
        ("UNDERSTOOD",),
    ),
    "outlook-desktop": MOVE,
    "outlook-desktop-html-only": MOVE,
    "outlook-desktop-inline": MOVE,
    "outlook-german": MOVE,
    "outlook-ios": MOVE,
    "outlook-legacy": MOVE,
    "outlook-web": MOVE,
    "outlook-web-html-only": MOVE,
    "picture-attached": MOVE,
    "polite": MOVE,
    "proton": MOVE,
    "proton-mobile": MOVE,
    "questions": Meant(answers=("HELP", "EXPLAIN LONG NECK", "STATUS", "You are asked")),
    "roundcube": MOVE,
    "smart-quotes": MOVE,
    "soft-breaks": MOVE,
    "start-over": Meant((), ("UNDERSTOOD", "You still have to answer: cards to play")),
    "thunderbird": MOVE,
    "thunderbird-bottom": MOVE,
    "thunderbird-flowed": MOVE,
    "typing-error": Meant(answers=(*ASKED_BACK, "“long nek 3 on b1”", "10: long neck 3 on b1")),
    "utf-16": MOVE,
    "vacation": NO_ANSWER,
    "vacation-exchange": NO_ANSWER,
    "windows-1252": MOVE,
    "wrong-card": Meant(answers=(*ASKED_BACK, "“horns 4 on b1”", "not used: horns")),
    "wrong-number": Meant(
        answers=(*ASKED_BACK, "not used: 77", "3: cooperation 3 for the body of b1")
    ),
    "wrote-chinese": MOVE,
    "wrote-dutch": MOVE,
    "wrote-french": MOVE,
    "wrote-french-unmarked": MOVE,
    "wrote-german": MOVE,
    "wrote-italian": MOVE,
    "wrote-japanese": MOVE,
    "wrote-polish": MOVE,
    "wrote-portuguese": MOVE,
    "wrote-russian": MOVE,
    "wrote-spanish": MOVE,
    "wrote-swedish": MOVE,
    "wrote-turkish": MOVE,
    "yahoo": MOVE,
    "yahoo-html-only": MOVE,
    "zero-width": MOVE,
}  # fmt: skip
