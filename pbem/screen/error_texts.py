"""What errors, words and exit codes mean, for `explain` and docs/errors.md."""

from __future__ import annotations

from typing import Final

PROBLEMS: Final = {
    "PBEM-ORD-001": "the file cannot be read: it is no TOML at this place. Fix: put each "
    "line in straight quotes, with a comma after it, and [ ] around all lines of a kind.",
    "PBEM-ORD-002": "a name that is no kind of order in this game. Fix: use one from the draft.",
    "PBEM-ORD-003": "a value that is neither a line in quotes nor a list of such lines.",
    "PBEM-ORD-010": "the orders are for another game. Fix: go to that game's folder.",
    "PBEM-ORD-011": "the orders answer another turn than the last one here. Fix: if theirs is "
    "newer, get the missing turn; if it is older, `pbem orders` writes a draft for this one.",
    "PBEM-ORD-012": "the orders are for another seat than the one you act for. Fix: --as SEAT.",
    "PBEM-ORD-020": "a sentence that this game does not know, or that can mean several things.",
    "PBEM-ORD-021": "a step that is illegal after your own lines before it; the reason comes from "
    "the rules. Fix: use one of the steps that are legal there.",
    "PBEM-ORD-022": "the line names something that is not on the table and that nothing can make.",
    "PBEM-ORD-023": "the line tells something that is not yours what to do.",
    "PBEM-ORD-024": "a line longer than 200 bytes.",
    "PBEM-ORD-025": "more than 512 lines, or more than 16344 bytes in all lines together. Fix: "
    "leave some out: one line with `*` can stand for many.",
    "PBEM-ORD-026": "a kind of order that this game never asks for.",
    "PBEM-ORD-030": "warning: the line fits nothing now; it may fit later in the round.",
    "PBEM-ORD-031": "warning: the line can never be reached: it comes after `done`, or after a "
    "line that fits whenever it does. Fix: put it before that line, or leave it out.",
    "PBEM-ORD-032": "warning: you are asked for something, and no line answers it. You can seal "
    "the orders all the same: you will be asked again, or the deadline decides.",
    "PBEM-ORD-033": "warning: the steps do not end with `done` (in some games `pass`), so you will "
    "be asked to go on.",
    "PBEM-ORD-034": "warning: * also stands for your own names, and the line does harm. Fix: write "
    "one line for each other player, as in `* attacks b*`, which fits all that seat b has.",
}
"""Order files. 00x, 01x: the file; 02x: errors; 03x: warnings, which do not stop sealing."""

REASONS: Final = {
    "size": "the file is longer than any record, so it is not of this game.",
    "file": "a link or something else is in the place of a file. Fix: copy the file itself there.",
    "name": "the file's name does not fit its contents. Fix: get it again, and do not rename it.",
    "mail": "the mail was damaged on its way. Fix: ask for the bundle as an attachment.",
    "trailer": "the signature at the end of the file is damaged. Fix: get the file again.",
    "key": "the key cannot be used here, or is not one of this game's.",
    "signature": "the text was changed after it was signed. Fix: get the file again from the "
    "person who signed it; if it is still wrong, somebody changed it.",
    "grammar": "the file has a line that no record has. Fix: get the file again.",
    "canonical": "another program rewrote the file. Fix: get the original again.",
    "version": "made by another version of pbem or of the rules. Fix: install that version.",
    "field": "something in the file is missing, unknown or of the wrong kind.",
    "place": "the file belongs to another game, turn or seat.",
    "parent": "a file that this one builds on is not here yet. Fix: let the folder sync, or "
    "`pbem receive` the bundle that holds it.",
    "state": "it came too late or too early: the game is at another point.",
    "seen": "it is here already. You need not do anything.",
    "fork": "two signed files for one place, or a turn that was here has changed. Nobody does that "
    "by accident: keep both files, and ask the person who signed them.",
    "box": "your key cannot open it: it was sealed for somebody else, or damaged.",
    "padding": "it opens, but it is not filled up as it must be; or a turn's packets have another "
    "size than the turn allows, and could tell somebody something.",
    "commitment": "what was opened is not what was promised before: somebody cheats, or pbem has "
    "a bug.",
    "opening": "a card or line is opened that need not be, or one is not opened that must be.",
    "chain": "a card or die is not the one that the deck's seed gives.",
    "rule": "the rules do not allow it.",
}
"""Why a file cannot be used (the closed set of reasons in pbem.format.errors)."""

WORDS: Final = {
    "missing": "the seat is asked, and no orders of it are here.",
    "draft": "you have written orders but not sealed them; nobody else sees a draft.",
    "sealed": "signed orders are here; the referee has not made a turn with them yet.",
    "accepted": "a turn names these orders: they count.",
    "-": "in `status`: the seat is not asked now, and nobody waits for it.",
    "defaulted": "the deadline passed; the choice of least harm was made for the seat.",
    "script": "lines that are carried out one after the other, up to `done`.",
    "policy": "lines that answer a question: each time you are asked, the first that fits counts.",
    "always": "standing orders: lines that count in every round until you replace them.",
    "head": "the fingerprint of all turns so far, as 12 words: the same words mean the same game.",
    "invite": "a line that lets one person take one seat, once. Send it privately.",
    "charter": "game.toml: who plays, which rules; every later file builds on it.",
    "turn": "one step of the game, in one file by the referee: all that could be settled before "
    "somebody had to be asked. A round of the game takes several.",
    "round": "the round of the rulebook; it takes several turns, and you may send orders for all "
    "of it at once.",
    "referee": "the person who deals and makes the turns; they see every hand and decide nothing.",
    "audit": "`pbem audit` checks every file of a game; it needs no key. See docs/auditors.md.",
    "proven": "the game is over and all is open: the audit made each card, die and move again from "
    "the secrets, and all are the same.",
    "unproven": "right as far as anybody can see; what is still hidden can be checked when "
    "final.toml is there.",
    "broken": "a file that the game is built on is wrong or missing: nothing after it is certain. "
    "Fix: get that file from another player; if theirs is the same, ask who signed it.",
    "stray": "signed by somebody in the game, but used by no turn: late orders, a second join. No "
    "harm.",
    "foreign": "not signed by anybody in the game: a note, a photo, a conflict copy. No harm.",
    "whisper": "to tell somebody something that they should not know, outside the game. No program "
    "can see it.",
}

EXITS: Final = {
    "exit 0": "done.",
    "exit 1": "something was found: an error in orders, a finding of an audit, a failed case.",
    "exit 2": "the command was not understood, or asks for something that does not exist.",
    "exit 3": "stale: for another turn or game, too late, or forked.",
    "exit 4": "a key, signature or sealed box is wrong or not yours.",
    "exit 5": "not yet: seats are missing, or an earlier file.",
    "exit 6": "the game needs other rules or another version.",
    "exit 7": "the file system refused: full, read-only, not downloaded.",
    "exit 70": "a bug in pbem; the message says where its details were written.",
    "exit 130": "interrupted.",
}
