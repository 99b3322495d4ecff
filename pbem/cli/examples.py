"""Two examples for every command: help and man page show them, the tests run them."""

from __future__ import annotations

from typing import Final

EXAMPLES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "new": (
        ("pbem new savannah --players Ann,Bo,Cy", "a game for three; you deal and do not play"),
        ("pbem new savannah --players Ann,Bo --referee-plays --bots greedy:1", "you are Ann"),
    ),
    "join": (
        ("pbem join --invite - < invite.txt", "the line that the referee sent you, from a file"),
        ("pbem join -C savannah --name Bob --invite - < invite.txt", "under another name"),
    ),
    "advance": (
        ("pbem advance", "make the next turn, or say who it waits for"),
        ("pbem advance --start", "begin without the seats that are still empty"),
    ),
    "status": (
        ("pbem status", "where the game stands, and what to type next"),
        ("pbem status --as b --json", "the same as data, as seat b"),
    ),
    "orders": (
        ("pbem orders --edit", "write a draft and open it in $EDITOR"),
        ("pbem orders --new", "write it anew; the old one is kept beside it"),
    ),
    "check": (
        ("pbem check", "check the draft as the referee will"),
        ("pbem check my-orders.toml --forecast", "and what it does if nobody else acts"),
    ),
    "submit": (
        ("pbem submit", "seal and hand in the draft"),
        ("pbem submit my-orders.toml --strict", "another file, and only without warnings"),
    ),
    "show": (
        ("pbem show", "the table as you may see it"),
        ("pbem show --turn 9", "as it was after turn 9"),
    ),
    "log": (
        ("pbem log", "all that happened, in sentences"),
        ("pbem log --turn 3", "in turn 3 alone"),
    ),
    "since": (
        ("pbem since", "what happened since your last orders"),
        ("pbem since --json", "the same as data"),
    ),
    "audit": (
        ("pbem audit", "is all of it right? needs no key"),
        ("pbem audit savannah --json", "the game in that folder; findings as data"),
    ),
    "send": (
        ("pbem send", "a file for the referee, to be attached to a mail"),
        ("pbem send --to b --all -o for-bo.pbem", "everything for b, to a file of that name"),
    ),
    "receive": (
        ("pbem receive mail.eml", "a saved mail, an attachment or a mailbox, as it is"),
        ("pbem receive - < pasted.txt", "text copied out of a mail"),
    ),
    "explain": (
        ("pbem explain long neck", "what a card does; brackets and hyphens do not matter"),
        ("pbem explain PBEM-ORD-021", "what an error means"),
    ),
    "games": (
        ("pbem games", "the rulesets, and their options"),
        ("pbem games --json", "the same as data"),
    ),
    "demo": (
        ("pbem demo", "four bots play a sealed game, and it is audited"),
        ("pbem demo --players 3 --seed 7", "the same game every time"),
    ),
    "sim": (
        ("pbem sim {game} --games 2", "two games of random bots; what came of them"),
        ("pbem sim {game} --games 2 --players 3 --bots greedy --json", "of other bots, as data"),
    ),
    "list": (
        ("pbem list", "all your games, and what waits for you"),
        ("pbem list --json", "the same as data"),
    ),
    "doctor": (
        ("pbem doctor", "keys, clock and folder: what is the matter, and the cure"),
        ("pbem doctor --drop-caches", "forget what was computed; it is computed again"),
    ),
    "keys new": (
        ("pbem keys new", "a key for you, before you need one"),
        ("pbem keys new --profile work", "a second one, for other games"),
    ),
    "keys show": (
        ("pbem keys show", "your keys, and where they lie"),
        ("pbem keys show --json", "the same as data"),
    ),
    "keys import": (
        ("pbem keys import id_ed25519", "a key of OpenSSH becomes yours here"),
        ("pbem keys import id_ed25519 --profile work", "under a name"),
    ),
    "rules test": (
        ("pbem rules test cases.toml", "does the program play as the cases say?"),
        ("pbem rules test cases.toml --json", "the answers as data"),
    ),
}


def examples(command: str) -> list[tuple[str, str]]:
    """What to type, and what it does; the first ruleset stands where one must be named."""
    from games.registry import first

    return [(typed.format(game=first()), told) for typed, told in EXAMPLES.get(command, ())]


def epilog(command: str) -> str:
    """The examples of a command as the end of its help; empty if it has none."""
    lines = [line for typed, told in examples(command) for line in (f"  {typed}", f"      {told}")]
    return "\n".join(["\b", "Examples:", *lines]) if lines else ""
