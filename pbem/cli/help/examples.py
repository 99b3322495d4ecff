"""Two examples for every command; the help and the man page show them, and tests run them."""

from __future__ import annotations

from typing import Final

EXAMPLES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "new": (
        ("pbem new savannah --players Ann,Bo,Cy", "a game for three; you deal but do not play"),
        ("pbem new savannah --players Ann,Bo --referee-plays --bots greedy:1", "you are Ann"),
    ),
    "join": (
        (
            "pbem join --invite - < invite.txt",
            "take a seat with the invite that you saved in a file",
        ),
        (
            "pbem join -C savannah --name Bob --invite - < invite.txt",
            "take a seat under a different name",
        ),
    ),
    "advance": (
        ("pbem advance", "make the next turn, or say who it waits for"),
        ("pbem advance --start", "begin without the seats that are still empty"),
    ),
    "status": (
        ("pbem status", "the state of the game, and what to do next"),
        ("pbem status --as b --json", "the state as seat b sees it, as JSON"),
    ),
    "play": (
        ("pbem play", "enter your orders step by step, by typing numbers"),
        ("pbem play --next", "go through all games that wait for you, one after the other"),
    ),
    "orders": (
        ("pbem orders --edit", "write a draft and open it in $EDITOR"),
        ("pbem orders --new", "write a new draft; the old one is kept beside it"),
    ),
    "check": (
        ("pbem check", "check the draft as the referee will"),
        (
            "pbem check my-orders.toml --forecast",
            "check a file, and say what it does if nobody else acts",
        ),
    ),
    "submit": (
        ("pbem submit", "check, seal and hand in the draft"),
        (
            "pbem submit my-orders.toml --strict",
            "submit a different file, but only if it has no warnings",
        ),
    ),
    "tell": (
        ('pbem tell "I will not attack you, Bo"', "a message to everyone, separate from the game"),
        ('pbem tell --to a "shall we?"', "only the player in seat a can read it"),
    ),
    "notice concede": (
        ("pbem notice concede --yes", "give up; the others play on"),
        ("pbem notice concede --as b --yes", "give up as seat b, if you have several seats"),
    ),
    "notice away": (
        (
            "pbem notice away 2026-12-24..2027-01-02",
            "say that nobody needs to wait for you on these days",
        ),
        ("pbem notice away --back", "say that you are not away after all"),
    ),
    "notice delay": (
        ("pbem notice delay 24h", "put this deadline off by a day"),
        ("pbem notice delay '2 days' --as b", "put it off as seat b, if you have several seats"),
    ),
    "notice deadline": (
        ("pbem notice deadline 72h", "propose a deadline of 72 hours for the rest of the game"),
        ("pbem notice deadline 96h --phase feed", "propose a deadline for the feeding phase only"),
    ),
    "notice leave": (
        ("pbem notice leave --yes", "give up your seat, so that somebody else can take it"),
        ("pbem notice leave --as b --yes", "give up seat b, if you have several seats"),
    ),
    "notice end": (
        ("pbem notice end --draw", "vote to end the game as a draw"),
        (
            "pbem notice end",
            "vote to end the game with the scores as they are; --no takes your vote back",
        ),
    ),
    "notice key": (
        ("pbem notice key", "make a new key for your seat, signed with the old one"),
        (
            "pbem notice key --lost --as b",
            "if you have lost your key: make a line to send to the other players",
        ),
    ),
    "notice vouch": (
        (
            "pbem notice vouch - < line.txt",
            "confirm a player's new key, with the line that they sent you",
        ),
        (
            "pbem notice vouch --as b - < line.txt",
            "confirm the key as seat b, if you have several seats",
        ),
    ),
    "notice hand-over": (
        ("pbem notice hand-over -C savannah --yes", "let the deputy make the turns from now on"),
        (
            "pbem notice hand-over -C savannah --yes --json",
            "hand the game over, and print the result as JSON",
        ),
    ),
    "notice invite": (
        ("pbem notice invite b", "print the invite for a new player in the open seat b"),
        ("pbem notice invite b --json", "print the invite as JSON"),
    ),
    "show": (
        ("pbem show", "the table as you may see it"),
        ("pbem show --turn 9 --svg ../turn9.svg", "a picture of the table after turn 9"),
    ),
    "replay": (
        ("pbem replay -o ../game.html", "the whole game as one web page, to step through"),
        ("pbem replay --as b --from 3 --to 5", "turns 3 to 5 as seat b sees them"),
    ),
    "log": (
        ("pbem log", "everything that happened, in sentences"),
        ("pbem log --turn 3", "only turn 3"),
    ),
    "since": (
        ("pbem since", "what happened since your last orders"),
        ("pbem since --json", "print it as JSON"),
    ),
    "audit": (
        ("pbem audit", "check the whole game; you need no key"),
        (
            "pbem audit savannah --json",
            "check the game in the folder savannah; print the result as JSON",
        ),
    ),
    "send": (
        ("pbem send", "write a bundle for the referee, to attach to an email"),
        (
            "pbem send --to b --all -o for-bo.pbem",
            "write everything from the start for seat b to the file for-bo.pbem",
        ),
    ),
    "receive": (
        ("pbem receive mail.eml", "read what came in a saved email, an attachment or a mailbox"),
        ("pbem receive - < pasted.txt", "read what came in text that you copied from an email"),
    ),
    "post setup": (
        (
            "pbem post setup --address rhea@posteo.de --password-file mail-password",
            "for well-known providers, an address and a password are enough",
        ),
        (
            "pbem post setup --address me@gmail.com --password-command 'pass show mail'",
            "a command prints the password",
        ),
    ),
    "post test": (
        ("pbem post test", "send yourself a message and find it again"),
        ("pbem post test --profile work", "test the mailbox of the profile work"),
    ),
    "post show": (
        ("pbem post show", "the mailbox, and messages that wait or were refused"),
        ("pbem post show --json", "the same output, as JSON data"),
    ),
    "post address": (
        ("pbem post address b bo@example.org", "from now on, send Bo's mail to this address"),
        ("pbem post address", "list who has which address in this game"),
    ),
    "notify add": (
        ("pbem notify add ntfy://my-games-4711", "tell the app ntfy on your phone"),
        ("pbem notify add json://localhost:8080/pbem", "tell a program of your own"),
    ),
    "notify list": (
        ("pbem notify list", "list where notifications go, with secrets left out"),
        ("pbem notify list --json", "the same output, as JSON data"),
    ),
    "notify test": (
        ("pbem notify test", "send a test to all addresses"),
        ("pbem notify test > /dev/null", "print only what went wrong"),
    ),
    "notify remove": (
        ("pbem notify remove 1", "stop notifications to address 1"),
        ("pbem notify remove 2", "stop notifications to address 2"),
    ),
    "run": (
        ("pbem run --once", "one pass over your mail and all your games, for cron"),
        ("pbem run --print-unit", "a systemd unit that starts pbem run with your computer"),
    ),
    "table": (
        ("pbem table", "show all your games in your browser; press Ctrl-C to stop"),
        (
            "pbem table -C savannah --no-browser",
            "only print the address; the game savannah is in the list",
        ),
    ),
    "explain": (
        ("pbem explain long neck", "what a card does; brackets and hyphens do not matter"),
        ("pbem explain PBEM-ORD-021", "what an error means"),
    ),
    "games": (
        ("pbem games", "the rulesets, and their options"),
        ("pbem games --json", "print the list as JSON"),
    ),
    "demo": (
        ("pbem demo", "four bots play a sealed game; then it is audited"),
        ("pbem demo --players 3 --seed 7", "play the same game every time"),
    ),
    "sim": (
        ("pbem sim {game} --games 2", "two games of random bots, and the results"),
        (
            "pbem sim {game} --games 2 --players 3 --bots greedy --json",
            "three greedy bots; print the results as JSON",
        ),
    ),
    "list": (
        ("pbem list", "all your games; those that wait for you come first"),
        ("pbem list --json", "print the list as JSON"),
    ),
    "calendar": (
        ("pbem calendar -o games.ics", "a calendar file of the deadlines in all your games"),
        ("pbem calendar -C .", "print only the deadlines of the game in this folder"),
    ),
    "doctor": (
        ("pbem doctor", "what is wrong with keys, clock or folder, and how to fix it"),
        ("pbem doctor --drop-caches", "delete the caches; pbem makes them again"),
    ),
    "keys new": (
        ("pbem keys new", "make a key before you need one"),
        ("pbem keys new --profile work", "make a second key, for other games"),
    ),
    "keys show": (
        ("pbem keys show", "your keys, and where they are"),
        ("pbem keys show --json", "print the list as JSON"),
    ),
    "keys deputy": (
        ("pbem keys deputy", "the line that a referee needs to name you as the deputy"),
        ("pbem keys deputy --json", "print the line as JSON"),
    ),
    "keys import": (
        ("pbem keys import id_ed25519", "use an OpenSSH key that you have"),
        ("pbem keys import id_ed25519 --profile work", "store it under the profile name work"),
    ),
    "rules test": (
        ("pbem rules test cases.toml", "check that the program plays as the cases say"),
        ("pbem rules test cases.toml --json", "print the results as JSON"),
    ),
}


def examples(command: str) -> list[tuple[str, str]]:
    """Return pairs of a command line and what it does; `{game}` stands for the name of the first
    ruleset."""
    from games.registry import first

    return [(typed.format(game=first()), told) for typed, told in EXAMPLES.get(command, ())]


def epilog(command: str) -> str:
    """Return the examples of a command as the end of its help; empty if there are no examples."""
    lines = [line for typed, told in examples(command) for line in (f"  {typed}", f"      {told}")]
    return "\n".join(["\b", "Examples:", *lines]) if lines else ""
