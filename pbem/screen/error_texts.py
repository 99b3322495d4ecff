"""What errors, words and exit codes mean: for `explain`, and for docs/errors.md."""

from __future__ import annotations

from typing import Final

PROBLEMS: Final = {
    "PBEM-ORD-001": "the file cannot be read: it is no TOML where the place says. Cure: put each "
    "line in straight quotes, a comma after each, [ ] around all lines of a kind.",
    "PBEM-ORD-002": "a name that is no kind of order in this game. Cure: take one of the draft.",
    "PBEM-ORD-003": "a value of another sort than a line in quotes, or a list of such lines.",
    "PBEM-ORD-010": "the orders are for another game. Cure: go to that game's folder.",
    "PBEM-ORD-011": "the orders answer another turn than the one that is here. Cure: if yours is "
    "newer, get the missing turn; if it is older, `pbem orders` writes a draft for this one.",
    "PBEM-ORD-012": "the orders are of another seat than the one you act for. Cure: --as SEAT.",
    "PBEM-ORD-020": "a sentence that this game does not have, or that can mean several things.",
    "PBEM-ORD-021": "a step that is illegal at its point, after your own lines before it; the "
    "reason is the ruleset's own. Cure: one of those that are legal there.",
    "PBEM-ORD-022": "something is named that is not on the table and that nothing can make.",
    "PBEM-ORD-023": "something that is not yours is told what to do.",
    "PBEM-ORD-024": "a line longer than 200 bytes.",
    "PBEM-ORD-025": "more than 256 lines.",
    "PBEM-ORD-026": "a kind of order that this game never asks for.",
    "PBEM-ORD-030": "warning: the line fits nothing now; it may fit later in the round.",
    "PBEM-ORD-031": "warning: the line can never be reached: it comes after `done`, or after a "
    "line that fits whenever it does. Cure: put it before that line, or leave it out.",
    "PBEM-ORD-032": "warning: you are asked for something, and no line answers it. Sealed all the "
    "same: you will be asked again, or the deadline decides.",
    "PBEM-ORD-033": "warning: the steps do not end with `done` (in some games `pass`), so you will "
    "be asked to go on.",
    "PBEM-ORD-034": "warning: * stands for your own names too, and the line does harm. Cure: one "
    "line for each other player, as in `* attacks b*`, which fits whatever is of seat b.",
}
"""Order files. 00x and 01x: the file; 02x: errors; 03x: warnings, which are sealed all the same."""

REASONS: Final = {
    "size": "the file is longer than any record. It is none of this game's.",
    "file": "a link or something else stands where a file should. Cure: copy the file itself.",
    "name": "the file's name is not that of what is in it. Cure: get it again, do not rename it.",
    "mail": "the mail was damaged on its way. Cure: ask for the bundle as an attachment.",
    "trailer": "the end of the file is not as signed. Cure: get the file again.",
    "key": "the key is unusable here, or not one of this game's.",
    "signature": "the text was changed after it was signed. Cure: get the file again from whoever "
    "wrote it; if it stays so, somebody changed it.",
    "grammar": "a line that no record has. Cure: get the file again.",
    "canonical": "the file was written anew by another program. Cure: get the original again.",
    "version": "made by another version of pbem, or of the rules. Cure: install that version.",
    "field": "something in the file is missing, unknown or of the wrong kind.",
    "place": "the file belongs to another game, turn or seat.",
    "parent": "a file that this one builds on is not here yet. Cure: let the folder sync, or "
    "`pbem receive` the bundle that holds it.",
    "state": "it came too late, or too early: the game is elsewhere.",
    "seen": "it is here already. Nothing needs to be done.",
    "fork": "two signed files for one place, or a turn that was here has changed. Nobody does that "
    "by accident: keep both files, and ask the one who signed them.",
    "box": "it cannot be opened with your key: it was sealed for somebody else, or damaged.",
    "padding": "it opens, but is not filled up as it must be.",
    "commitment": "what was opened is not what was promised before: somebody cheats, or a bug.",
    "opening": "a card is opened that nobody asked for, or one is not that must be.",
    "chain": "a card or die is not the one that the deck's seed gives.",
    "rule": "the rules do not allow it.",
}
"""Files: why one cannot be used (the closed set of pbem.format.errors)."""

WORDS: Final = {
    "missing": "the seat is asked, and nothing of it is here.",
    "draft": "you have written orders and not sealed them; nobody else sees a draft.",
    "sealed": "orders lie here, signed; the referee has not made a turn of them yet.",
    "accepted": "a turn names these orders: they count.",
    "-": "in `status`: the seat is not asked now, and nothing of it is waited for.",
    "defaulted": "the deadline passed; the choice of least harm was made for the seat.",
    "script": "lines that are carried out one after the other, then `done`.",
    "policy": "lines of which, each time you are asked, the first that fits counts.",
    "always": "standing lines: they count in every round until you replace them.",
    "head": "the fingerprint of all turns so far, as 12 words: who has the same words has the "
    "same game.",
    "invite": "a line that lets one person take one seat, once. Send it privately.",
    "charter": "game.toml: who plays, which rules; every later file builds on it.",
    "turn": "one file of the referee's: all that could be settled before somebody had to be asked. "
    "A round of the game takes several.",
    "round": "the game's own, as its rules have it; it takes several turns, and orders may be sent "
    "for all of it at once.",
    "referee": "who deals and makes the turns; he sees every hand and decides nothing.",
    "audit": "`pbem audit` checks every file of a game; it needs no key. See docs/auditors.md.",
    "proven": "the game is over and all is open: each card, die and move was made again from the "
    "secrets, and is the same.",
    "unproven": "right as far as it can be seen; what is still hidden is checked when final.toml "
    "is there.",
    "broken": "a file that the game is built on is wrong or missing: nothing after it is vouched "
    "for. Cure: get that file from another player; if his is the same, ask who signed it.",
    "stray": "signed by somebody of the game, and used by nobody: late orders, a second join. No "
    "harm.",
    "foreign": "not signed by anybody of the game: a note, a photo, a second copy. No harm.",
    "whisper": "to tell somebody what he should not know, outside the game. No program can see it.",
}

EXITS: Final = {
    "exit 0": "done.",
    "exit 1": "something was found: an error in orders, a finding of an audit, a failed case.",
    "exit 2": "the command was not understood, or asks for something that is not there.",
    "exit 3": "stale: for another turn or game, too late, or forked.",
    "exit 4": "a key, signature or sealed box is wrong or not yours.",
    "exit 5": "not yet: seats are missing, or a file that comes before.",
    "exit 6": "other rules or another version than the game's.",
    "exit 7": "the file system would not: full, read-only, not downloaded.",
    "exit 70": "a bug in pbem; the message says where its details were written.",
    "exit 130": "interrupted.",
}
