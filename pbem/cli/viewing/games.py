"""The command `games`: list the rulesets that are installed."""

from __future__ import annotations

from pbem.cli.options import JsonOption


def games(json: JsonOption = False) -> None:
    """List the rulesets that are installed."""
    from games.registry import names, ruleset

    found = [ruleset(name) for name in names()]
    if json:
        from pbem.cli.json_output import print_data

        print_data(
            "games",
            [
                {"name": r.name, "title": r.title, "players": [r.players[0], r.players[-1]]}
                for r in found
            ],
        )
        return
    from pbem.screen.terminal import print_folded

    for one in found:
        print_folded(f"{one.name:12} {one.players[0]}-{one.players[-1]} players  {one.about}", 13)
        for option in one.options:
            said = f"--option {option.name}={'|'.join(option.values)}: {option.doc}"
            print_folded(f"{'':12} {said}", 15)
