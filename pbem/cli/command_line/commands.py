"""All commands, in the order in which a game needs them, and where each one is.

A command's module is imported only when somebody calls the command: importing all the modules would
take as long as starting Python several times.
"""

from __future__ import annotations

from importlib import import_module

from pbem.cli.command_line.declarations import Command, Group

PLACES = {
    "new": "pbem.cli.starting.new:new",
    "join": "pbem.cli.starting.join:join",
    "advance": "pbem.cli.turns.advance:advance",
    "status": "pbem.cli.status.status:status",
    "play": "pbem.cli.planning.play:play",
    "orders": "pbem.cli.orders.orders:orders",
    "check": "pbem.cli.orders.check:check",
    "submit": "pbem.cli.turns.submit:submit",
    "tell": "pbem.cli.press.tell:tell",
    "notice": "pbem.cli.notices.notice:notice",
    "show": "pbem.cli.pictures.show:show",
    "replay": "pbem.cli.pictures.replay:replay",
    "log": "pbem.cli.viewing.log:log",
    "since": "pbem.cli.viewing.since:since",
    "audit": "pbem.cli.viewing.audit:audit",
    "send": "pbem.cli.mail.send:send",
    "receive": "pbem.cli.mail.receive:receive",
    "post": "pbem.post.command:post",
    "run": "pbem.post.run_command:run",
    "notify": "pbem.post.notify.command:notify",
    "explain": "pbem.cli.viewing.explain:explain",
    "table": "pbem.table.command:table",
    "games": "pbem.cli.viewing.games:games",
    "demo": "pbem.cli.tools.demo:demo",
    "sim": "pbem.cli.tools.sim:sim",
    "list": "pbem.cli.status.list:list_games",
    "results": "pbem.cli.status.results:results",
    "calendar": "pbem.cli.calendar.calendar:calendar",
    "doctor": "pbem.cli.tools.doctor:doctor",
    "keys": "pbem.cli.tools.keys:keys",
    "rules": "pbem.cli.tools.rules:rules",
}
"""For each command, the ``module:name`` that `load` imports."""

SECTIONS = {
    "Commands": ("new", "join", "table", "play", "status", "run", "audit", "explain"),
    "More: make the next turn yourself": ("advance",),
    "More: write orders in a file": ("orders", "check", "submit"),
    "More: see what happened": ("since", "show", "log", "replay"),
    "More: talk, agree, or leave": ("tell", "notice"),
    "More: play by email": ("send", "receive", "post"),
    "More: all your games": ("list", "results", "calendar", "notify"),
    "More: if something is wrong": ("doctor", "keys"),
    "More: try out and study": ("games", "demo", "sim", "rules"),
}
"""The commands in the order of `pbem --help`: first those that everybody needs, then the others by
what you want to do."""


def load(place: str) -> Command | Group:
    """Import the object at ``module:name``: a command's function, or a group of commands."""
    module, _, name = place.partition(":")
    found: Command | Group = getattr(import_module(module), name)
    return found
