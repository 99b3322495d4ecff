"""Two examples for every command; the help and the man page show them, and tests run them."""

from __future__ import annotations

from typing import Final

EXAMPLES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "new": (
        (
            "pbem new savannah --players Ann,Bo,Cy",
            "make a game for three players; you deal but do not play",
        ),
        (
            "pbem new savannah --players Ann,Bo --referee-plays --bots greedy:1",
            "make a game in which you deal and also play, as Ann",
        ),
    ),
    "join": (
        (
            "pbem join - < invite.txt",
            "take a seat with the invite that you saved in a file",
        ),
        (
            "pbem join -C savannah --name Bob --invite - < invite.txt",
            "take a seat under a different name",
        ),
    ),
    "advance": (
        ("pbem advance", "make the next turn, or say who the game is waiting for"),
        ("pbem advance --start", "begin without the seats that are still empty"),
    ),
    "status": (
        ("pbem status", "see the state of the game, and what to do next"),
        ("pbem status --as b --json", "print the state as seat b sees it, as JSON"),
    ),
    "play": (
        ("pbem play", "enter your orders step by step, by typing numbers"),
        ("pbem play --next", "go through all games that are waiting for you, one after the other"),
    ),
    "orders": (
        ("pbem orders --edit", "write a draft and open it in $EDITOR"),
        ("pbem orders --new", "write a new draft; the old one is kept beside it"),
    ),
    "check": (
        ("pbem check", "check the draft in the same way as the referee will"),
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
        (
            'pbem tell "I will not attack you, Bo"',
            "send a message to everyone, separately from the game",
        ),
        ('pbem tell --to a "shall we?"', "send a message that only the player in seat a can read"),
    ),
    "notice concede": (
        ("pbem notice concede --yes", "give up; the others play on"),
        ("pbem notice concede --as b --yes", "give up as seat b, if you have several seats"),
    ),
    "notice away": (
        (
            "pbem notice away 24 dec to 2 jan",
            "say that nobody needs to wait for you on these days",
        ),
        ("pbem notice away --back", "say that you are not away after all"),
    ),
    "notice delay": (
        ("pbem notice delay 24h", "put this deadline off by a day"),
        (
            "pbem notice delay 2 days --as b",
            "put the deadline off as seat b, if you have several seats",
        ),
    ),
    "notice clock": (
        ("pbem notice clock", "say that the last turn is dated in the future by mistake"),
        ("pbem notice clock --as b", "the same for seat b, if you play several seats"),
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
            "after you lose your key: make a line to send to the other players",
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
        ("pbem show", "see the table, with the cards that you may see"),
        ("pbem show --turn 9 --svg ../turn9.svg", "write a picture of the table after turn 9"),
    ),
    "replay": (
        (
            "pbem replay -o ../game.html",
            "write one web page in which you can step through the whole game",
        ),
        ("pbem replay --as b --from 3 --to 5", "write turns 3 to 5 as seat b sees them"),
    ),
    "log": (
        ("pbem log", "see everything that happened, in sentences"),
        ("pbem log --turn 3", "see only what happened in turn 3"),
    ),
    "since": (
        ("pbem since", "see what has happened since your last orders"),
        ("pbem since --json", "print it as JSON"),
    ),
    "audit": (
        ("pbem audit", "check the whole game; you do not need a key"),
        (
            "pbem audit savannah --json",
            "check the game in the folder savannah; print the result as JSON",
        ),
    ),
    "send": (
        ("pbem send", "write a bundle for the referee, to attach to an email"),
        (
            "pbem send --to b --all -o for-bo.pbem",
            "write everything from the start of the game to the file for-bo.pbem, for seat b",
        ),
    ),
    "receive": (
        (
            "pbem receive mail.eml",
            "read what came in an email, an attachment or a mailbox that you saved",
        ),
        ("pbem receive - < pasted.txt", "read a bundle from text that you copied from an email"),
    ),
    "post setup": (
        (
            "pbem post setup --address rhea@posteo.de --password-file mail-password",
            "set up a mailbox; for well-known providers, an address and a password are enough",
        ),
        (
            "pbem post setup --address me@gmail.com --password-command 'pass show mail'",
            "use a command that prints the password",
        ),
    ),
    "post test": (
        ("pbem post test", "send yourself a message and find it again"),
        ("pbem post test --profile work", "test the mailbox of the profile work"),
    ),
    "post show": (
        ("pbem post show", "see the mailbox, and messages that are waiting or were refused"),
        ("pbem post show --json", "print the same information as JSON"),
    ),
    "post address": (
        ("pbem post address b bo@example.org", "from now on, send Bo's mail to this address"),
        ("pbem post address", "list who has which address in this game"),
    ),
    "notify add": (
        (
            "pbem notify add ntfy://my-games-4711",
            "send notifications to the app ntfy on your phone",
        ),
        (
            "pbem notify add json://localhost:8080/pbem",
            "send notifications to a program of your own",
        ),
    ),
    "notify list": (
        ("pbem notify list", "list where notifications go, with secrets left out"),
        ("pbem notify list --json", "print the same information as JSON"),
    ),
    "notify test": (
        ("pbem notify test", "send a test notification to all addresses"),
        ("pbem notify test > /dev/null", "print only what went wrong"),
    ),
    "notify remove": (
        ("pbem notify remove 1", "stop notifications to address 1"),
        ("pbem notify remove 2", "stop notifications to address 2"),
    ),
    "run": (
        ("pbem run --once", "handle your mail and all your games once, for cron"),
        ("pbem run --print-unit", "print a systemd unit that starts pbem run with your computer"),
    ),
    "table": (
        ("pbem table", "show all your games in your browser; press Ctrl-C to stop"),
        (
            "pbem table -C savannah --no-browser",
            "only print the address of the table, which also lists the game savannah",
        ),
    ),
    "explain": (
        ("pbem explain long neck", "see what a card does; brackets and hyphens do not matter"),
        ("pbem explain PBEM-ORD-021", "see what an error means"),
    ),
    "results": (
        ("pbem results", "say who won what in all your games"),
        ("pbem results --csv", "print the same as a table for a spreadsheet"),
    ),
    "games": (
        ("pbem games", "list the rulesets and their options"),
        ("pbem games --json", "print the list as JSON"),
    ),
    "demo": (
        ("pbem demo", "let four bots play a sealed game, and audit it"),
        ("pbem demo --players 3 --seed 7", "play the same game every time"),
    ),
    "sim": (
        ("pbem sim {game} --games 2", "let random bots play two games, and print the results"),
        (
            "pbem sim {game} --games 2 --players 3 --bots greedy --json",
            "let three greedy bots play, and print the results as JSON",
        ),
    ),
    "list": (
        ("pbem list", "list all your games; those that are waiting for you come first"),
        ("pbem list --json", "print the list as JSON"),
    ),
    "calendar": (
        ("pbem calendar -o games.ics", "write a calendar file of the deadlines in all your games"),
        ("pbem calendar -C .", "print only the deadlines of the game in this folder"),
    ),
    "doctor": (
        ("pbem doctor", "see what is wrong with keys, clock or folder, and how to fix it"),
        (
            "pbem doctor --drop-caches",
            "delete the caches; pbem makes them again when it needs them",
        ),
    ),
    "keys new": (
        ("pbem keys new", "make a key before you need one"),
        ("pbem keys new --profile work", "make a second key to use in other games"),
    ),
    "keys show": (
        ("pbem keys show", "list your keys, and where they are"),
        ("pbem keys show --json", "print the list as JSON"),
    ),
    "keys deputy": (
        ("pbem keys deputy", "print the line that a referee needs to name you as the deputy"),
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
    found = EXAMPLES.get(command, ())
    if any("{game}" in typed for typed, _ in found):
        from games.registry import first

        return [(typed.format(game=first()), told) for typed, told in found]
    return list(found)


def epilog(command: str) -> str:
    """Return the examples of a command as the end of its help; empty if there are no examples."""
    lines = [line for typed, told in examples(command) for line in (f"  {typed}", f"      {told}")]
    return "\n".join(["\b", "Examples:", *lines]) if lines else ""
