"""The texts that explain errors, words and exit codes, for `explain` and docs/errors.md."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

PROBLEMS: Final = {
    "PBEM-ORD-001": "the file cannot be read: it is not valid TOML at this place. Fix: put each "
    "line in straight quotes, with a comma after it, and [ ] around all lines of a kind.",
    "PBEM-ORD-002": "a name that is not a kind of order in this game. Fix: use a name from the "
    "draft.",
    "PBEM-ORD-003": "a value that is neither a line in quotes nor a list of such lines.",
    "PBEM-ORD-010": "the orders are for a different game. Fix: go to that game's folder.",
    "PBEM-ORD-011": "the orders do not answer the last turn that is here. Fix: if they answer a "
    "newer turn, get that turn; if they answer an older turn, run `pbem orders` to write a new "
    "draft.",
    "PBEM-ORD-012": "the orders are for a different seat from yours. Fix: add --as SEAT.",
    "PBEM-ORD-020": "a sentence that this game does not know, or that can mean several things.",
    "PBEM-ORD-021": "a step that is illegal after your earlier lines; the reason comes from "
    "the rules. Fix: use one of the steps that are legal there.",
    "PBEM-ORD-022": "the line names something that is not on the table and can never appear there.",
    "PBEM-ORD-023": "the line gives an order to something that is not yours.",
    "PBEM-ORD-024": "a line longer than 200 bytes.",
    "PBEM-ORD-025": "more than 512 lines, or more than 16344 bytes in all lines together. Fix: "
    "leave some out; one line with `*` can replace many.",
    "PBEM-ORD-026": "a kind of order that this game never asks for.",
    "PBEM-ORD-027": "a line outside [always] that depends on your hand or stops standing orders. "
    "Plain lines are revealed to everybody when they are used. Fix: write it under [always].",
    "PBEM-ORD-030": "warning: the line does not fit anything now; it may fit later in the round.",
    "PBEM-ORD-031": "warning: the line can never be reached: it comes after `done`, or after a "
    "line that fits whenever this one does. Fix: move it before that line, or remove it. "
    "Where all choose together, a line after `done` is an error, PBEM-ORD-021.",
    "PBEM-ORD-032": "warning: you are asked for something, and no line answers it. You can "
    "seal the orders anyway. You will then be asked again, or pbem chooses at "
    "the deadline.",
    "PBEM-ORD-033": "warning: the steps do not end with `done` (in some games `pass`), so you will "
    "be asked again. Where all choose together, the list does not count until it is complete.",
    "PBEM-ORD-034": "warning: * also stands for your own pieces, and this line would harm "
    "them. Fix: write one line for each other player; `* attacks b*` fits "
    "everything that seat b has.",
}
"""Problems in order files. 00x and 01x: of the whole file; 02x: errors; 03x: warnings, which do not
prevent sealing."""

REASONS: Final = {
    "size": "the file is longer than any record can be, so it is not part of this game.",
    "file": "something that is not a plain file, such as a link, has the name of a record. Fix: "
    "copy the file itself there.",
    "name": "the file's name does not match its contents. Fix: get the file again; do not rename "
    "it.",
    "mail": "the email was damaged on the way. Fix: ask for the bundle as an attachment.",
    "trailer": "the signature at the end of the file is damaged. Fix: get the file again.",
    "key": "the key cannot be used here, or does not belong to this game.",
    "signature": "the text was changed after it was signed. Fix: get the file again from the "
    "person who signed it; if it is still wrong, somebody changed it.",
    "grammar": "the file has a line that cannot occur in any record. Fix: get the file again.",
    "canonical": "another program rewrote the file. Fix: get the original again.",
    "version": "made by a different version of pbem or of the rules. Fix: install that version.",
    "field": "something in the file is missing, unknown or of the wrong kind.",
    "place": "the file belongs to a different game, turn or seat.",
    "parent": "a file that this one builds on is not here yet. Fix: let the folder sync, or "
    "`pbem receive` the bundle that contains it.",
    "state": "the file came too late or too early for the current turn.",
    "seen": "the file is here already. You do not need to do anything.",
    "fork": "two different signed files claim the same place, or a turn that was here has "
    "changed. That does not happen by accident: keep both files, and ask the person "
    "who signed them.",
    "box": "your key cannot open the sealed box, because the box is for somebody else or is "
    "damaged.",
    "padding": "the sealed box opens, but it is not padded to the right size; or a turn's "
    "packets do not have the size that the turn requires.",
    "commitment": "what was revealed does not match the commitment made before: somebody cheated, "
    "or pbem has a bug.",
    "opening": "a card or line is revealed without need, or a card or line that must be "
    "revealed is not.",
    "chain": "a card or die does not come from the deck's seed.",
    "rule": "the rules do not allow it.",
}
"""Reasons why a file cannot be used (the complete list is in pbem.format.canonical)."""

WORDS: Final = {
    "missing": "an answer is needed from this seat, and no orders have arrived.",
    "asked": "an answer is needed from this seat, and no new orders have arrived. Its "
    "earlier orders may already answer; only its player and the referee can know.",
    "draft": "you have written orders but not sealed them; nobody else sees a draft.",
    "sealed": "signed orders are here; the referee has not made a turn with them yet.",
    "accepted": "these orders are part of a turn: they count.",
    "-": "in `status`: nothing is needed from this seat now.",
    "defaulted": "the deadline passed; the least harmful choice was made for the seat.",
    "standing": "the orders that the seat gave earlier already answer what the seat is asked; the "
    "game is waiting for others.",
    "absent": "the seat was silent at a deadline: until the round ends, nobody waits for it.",
    "idle": "the seat missed several deadlines in a row: nobody waits for it until its "
    "player sends orders again.",
    "open": "somebody else may take the seat over: its player left, or was idle for a whole round.",
    "removed": "the seat was silent for too long and is out of the game, as the charter says.",
    "script": "lines that `pbem` carries out one after the other, up to `done`.",
    "policy": "lines that answer a question. Each time you are asked, the first line that fits "
    "counts.",
    "always": "standing orders: lines that count in every round until you replace them.",
    "deadline": "the time until which the game waits for answers, if it has one; `pbem status` "
    "says when it is. After it, the least harmful choice is made for each seat that is silent and "
    "has no standing orders that answer. See docs/deadlines.md.",
    "head": "the fingerprint of all turns so far, as 12 words: the same words mean the same game.",
    "invite": "a line that lets one person take one seat, once. Send it privately.",
    "charter": "game.toml: who plays, and by which rules; every later file builds on it.",
    "turn": "one step of the game, in one file made by the referee: everything that could be "
    "settled before somebody had to be asked. A round of the game takes several turns.",
    "round": "a round as the rulebook defines it; it takes several turns, and you may send orders "
    "for the whole round together.",
    "referee": "the person who deals and makes the turns; they see every hand and decide nothing.",
    "audit": "`pbem audit` checks every file of a game; it needs no key. See docs/auditors.md.",
    "proven": "the game is over and all secrets are public: the audit worked out each card, die "
    "and move again from the secrets, and got the same results.",
    "unproven": "nothing is wrong in the parts that can be checked now; the parts that are "
    "still hidden can be checked when final.toml is there.",
    "broken": "a file that the game is built on is wrong or missing: nothing after it is certain. "
    "Fix: get that file from another player; if theirs is the same, ask who signed it.",
    "stray": "signed by somebody in the game, but not used by any turn, such as late orders. "
    "They do no harm.",
    "foreign": "not signed by anybody in the game, such as a note, a photo or a conflict copy. "
    "They do no harm.",
    "whisper": "telling somebody, outside the game, something that they should not know. No "
    "program can notice that.",
}

EXITS: Final = {
    "exit 0": "done.",
    "exit 1": "something is wrong: an error in orders, a finding of an audit, a failed rule case.",
    "exit 2": "the command was not understood, or asks for something that does not exist.",
    "exit 3": "stale: for a different turn or game, too late, or forked.",
    "exit 4": "a key, signature or sealed box is wrong or not yours.",
    "exit 5": "not yet: the game is waiting for a seat or an earlier file, or a study still has "
    "games to play.",
    "exit 6": "the game needs different rules or a different version of pbem.",
    "exit 7": "files cannot be read or written: disk full, read-only, or not downloaded yet.",
    "exit 70": "a bug in pbem; the message names the file with the details.",
    "exit 130": "interrupted, or the program that reads the output ended first.",
}


MOST_ALIKE: Final = 3
"""How many files in one folder are named for which the same is said."""
MOST_NAMED: Final = 12
"""How many files in one folder are named for one reason."""


class FewOfMany:
    """Chooses which files to name: ask `shows` about one after the other, then `rest`.

    Somebody can fill a game's folder with junk; a line for each file would bury what matters.
    """

    def __init__(self) -> None:
        self._alike = Counter[tuple[str, str, str]]()
        self._named = Counter[tuple[str, str]]()
        self._hidden = Counter[str]()

    def shows(self, path: str, reason: str, sentence: str) -> bool:
        """Return whether to name this file, and count it otherwise."""
        folder = path.rpartition("/")[0]
        alike = (folder, reason, re.sub(r"[0-9a-f]*\d[0-9a-f]*", "0", sentence))
        if self._alike[alike] == MOST_ALIKE or self._named[alike[:2]] == MOST_NAMED:
            self._hidden[folder] += 1
            return False
        self._alike[alike] += 1
        self._named[alike[:2]] += 1
        return True

    def rest(self, command: str) -> list[str]:
        """Return a sentence for each folder with unnamed files; `command` lists them."""
        return [
            f"{count} more {'file' if count == 1 else 'files'} in {folder or 'the game folder'}"
            f"{folder and '/'} {'does' if count == 1 else 'do'} not count either; {command} lists "
            "them all"
            for folder, count in self._hidden.items()
        ]
