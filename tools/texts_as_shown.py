"""Show the template of a text as people meet it: as it was printed somewhere, or with examples.

`Screens` finds where a script, a page of the documentation or a test has the text as pbem printed
it. A template that is found nowhere gets the values of `EXAMPLES`; a name that the table does not
have stays in braces.
"""

from __future__ import annotations

import ast
import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

PRINTED_TEXTS = "tools/printed_texts.list"
"""Lines that tests print: `tools/note_printed_texts.py` writes them."""
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
EXAMPLES = {
    # people and seats
    "name": ("Ann", "Bo", "Cy"),
    "person": ("Ann", "Bo", "Cy"),
    "names": ("Ann and Bo", "Cy and Dora"),
    "people": ("Ann and Bo", "Cy and Dora"),
    "referee": ("Rhea",),
    "deputy": ("Dan",),
    "seat": ("b", "a", "c"),
    "seats": ("a and b", "c and d"),
    "role": ("player",),
    "pronoun": ("them",),
    "maker": ("Rhea",),
    "repairs": ("ask anybody whose files are complete to send you the game again",),
    "player": ("Bo", "Cy"),
    "recipient": ("Bo",),
    "rivals": ("Cy and Dora",),
    "dealer": ("Dan",),
    "other": ("Bo",),
    "user": ("ann@example.org",),
    "owner": ("Bo",),
    "sender": ("Bo",),
    "writer": ("Bo",),
    "address": ("ann@example.org", "bo@example.org"),
    "addresses": ("ann@example.org and bo@example.org",),
    "account": ("ann@example.org",),
    "profile": ("work",),
    "dealers": ("Dan and Eve",),
    "signer": ("Bo", "Eve"),
    "bot": ("greedy",),
    "bots": ("greedy and random",),
    "bots_by_name": ("greedy, random",),
    "part": ("'horse'",),
    "heading": ("savannah, turn 7",),
    "name_and_seat": ("Bo (seat b)",),
    "places": ("a, b",),
    # games, files, places
    "ruleset_name": ("evolution", "climate"),
    "starting_points": ("evolution, digital",),
    "title": ("savannah",),
    "game": ("savannah", "river"),
    "ruleset": ("evolution", "climate"),
    "folder": ("~/games/savannah", "~/games/river"),
    "parent": ("~/games",),
    "path": ("~/games/savannah/turns/0007.toml", "~/games/savannah/orders/0007-b.toml"),
    "file": ("turns/0007.toml", "orders/0007-b-3f9a1c-1.toml"),
    "files": ("turns/0007.toml and turns/0008.toml",),
    "draft": ("~/games/savannah/draft-b.txt",),
    "url": ("https://games.example.org/savannah",),
    "server": ("imap.example.org", "smtp.example.org"),
    "host": ("games.example.org", "pond.example.org"),
    "network": ("0.0.0.0/0",),
    "port": ("8000",),
    "scheme": ("gs",),
    "package": ("evolution-dunes",),
    "program": ("age",),
    "version": ("1.4",),
    "command": ("pbem advance", "pbem status"),
    "new_key_command": ("pbem notice key",),
    "pbem": ("pbem",),
    "__version__": ("1.4",),
    "error": ("the disk is full",),
    "cause": ("the disk is full",),
    "clause": ("the disk is full",),
    "deadline_clause": ("the deadline of each turn: 48h",),
    "players_example": ("--players 'Ann,Bo <bo@example.org>'",),
    "settings": ("your network",),
    "service": ("store",),
    "doubt": ("this computer's clock may be wrong",),
    "fault": ("the file is damaged",),
    "faults": ("one thing is wrong",),
    "problem": ("the file is damaged",),
    "problems": ("the file is damaged",),
    "reason": ("the file is damaged",),
    "reasons": ("attacked",),
    "overrun": ("sends too many bytes",),
    "output": ("../x.txt",),
    "place": ("~/games/savannah",),
    "state": ("sealed",),
    "status": ("late",),
    "verdict": ("DAMAGED",),
    "page": ("https://games.example.org/savannah",),
    "strerror": ("Permission denied",),
    "id": ("3f9a1c", "77b0e2"),
    "digits": ("3f9a1c", "77b0e2"),
    "digest": ("3f9a1c…", "77b0e2…"),
    "handle": ("3f9a1c…",),
    "head": ("3f9a1c", "77b0e2"),
    "heads": ("3f9a1c and 77b0e2",),
    "key": ("ed25519:4H7Q…", "ed25519:K7Q2…"),
    "invite": ("savannah:b:4H7Q…:3f9a1c…:K7Q2…",),
    "code": ("horse-lamp-river",),
    "seed": ("42",),
    "revision": ("2", "3"),
    "protocol": ("pbem/1",),
    # time
    "turn": ("7", "8", "9"),
    "turns": ("7 and 8",),
    "rule": ("48h",),
    "settled_in": ("8",),
    "settling": ("8",),
    "early": ("2 hours",),
    "epoch": ("7",),
    "deputy_since": ("5",),
    "deputy_from": ("Fri 7 Mar, 20:00",),
    "earliest_time": ("Fri 7 Mar, 20:00",),
    "sealed_at": ("Fri 7 Mar, 18:00",),
    "begin": ("Fri 7 Mar",),
    "end": ("Mon 10 Mar",),
    "ends": ("pass",),
    "round": ("3", "4"),
    "date": ("Fri 7 Mar, 20:00", "Sat 8 Mar, 20:00"),
    "deadline": ("Fri 7 Mar, 20:00",),
    "local_deadline": ("Fri 7 Mar, 21:00",),
    "moment": ("Fri 7 Mar, 20:00",),
    "zone": ("Europe/Berlin",),
    "span": ("2 days",),
    "difference": ("2 days",),
    "weekday": ("Friday",),
    "day": ("Friday",),
    "hour": ("20",),
    "minute": ("00",),
    "hours": ("24",),
    "days": ("3",),
    "seconds": ("30",),
    "time": ("20:00", "22:00"),
    # the table
    "card": ("horns 4", "fertile 2"),
    "card2": ("fertile 2",),
    "cards": ("horns 4 and fertile 2",),
    "deck": ("the deck",),
    "species_name": ("b2", "a1"),
    "first_animal_name": ("a1",),
    "second_animal_name": ("a2",),
    "animal_name": ("b2", "a1"),
    "attacker_name": ("b2",),
    "hunter_name": ("b2",),
    "target_name": ("a1",),
    "decoy_name": ("a2",),
    "pirate_name": ("b2",),
    "victim_name": ("a1",),
    "trait_of": ("horns",),
    "sp": ("b2",),
    "who": ("a1",),
    "species": ("b2", "a1"),
    "animal": ("b2", "a1"),
    "creature": ("b2", "a1"),
    "target": ("a1",),
    "attacker": ("b2",),
    "piece": ("b2",),
    "t": ("fat tissue",),
    "trait": ("horns", "fertile"),
    "traits": ("horns and fertile",),
    "phase": ("feeding",),
    "phases": ("feeding and play",),
    "kind": ("food", "play"),
    "kinds": ("food and play",),
    "question": ("food", "play"),
    "questions": ("food and play",),
    "step": ("b2 eats",),
    "line": ("b2 attacks a1", "b2 eats"),
    "lines": ("b2 attacks a1; b2 eats",),
    "sentence": ("the file is damaged",),
    "option": ("b2 eats",),
    "options": ("b2 eats, b2 attacks a1",),
    "entry": ("b2 eats",),
    "orders": ("b2 eats; b2 attacks a1",),
    "phrase": ("b2 eats",),
    "new": ("",),
    "choice": ("b2 eats",),
    "answer": ("b2 eats",),
    "slot": ("12",),
    "source": ("a standing order",),
    "by": ("a bot",),
    "locked": ("with",),
    "outcome": ("are first",),
    "warning": ("you cannot take this back",),
    "wait": ("the game is waiting for Ann",),
    "prompt": ("the card for the Watering Hole",),
    "confirmation": ("you vote to end the game",),
    "notices": ("a vote",),
    "obstacle": ("no other player has joined",),
    "loss": ("you lose your seat to Cy",),
    "events": ("Bo votes to end the game",),
    "removal": ("Bo was silent for too long and is removed from the game",),
    "joins": ("3f9a1c and 77b0e2",),
    "keys": ("colour",),
    "recovery": ("work",),
    "remarks": ("",),
    "stops": ("attacked: another player attacks a species of yours",),
    "facts": ("b2: body 2, population 3, food 1.",),
    "about": ("A card game about species that must eat.",),
    "stage": ("play",),
    "subject": ("Your move",),
    "event": ("Bo votes to end the game",),
    "announcement": ("Bo gets a new key",),
    "failure": ("no such address",),
    "hint": ("pbem status",),
    "quote": ("~/games/savannah",),
    "bank": ("watering hole",),
    "location": ("card 12 (horns)",),
    # numbers
    "n": ("2", "3"),
    "i": ("1", "2"),
    "k": ("2",),
    "number": ("4", "5"),
    "count": ("2", "5"),
    "total": ("5",),
    "limit": ("3",),
    "size": ("120",),
    "min_length": ("1",),
    "max_length": ("40",),
    "card_numbers": ("1 number of a card",),
    "joined": ("Flo",),
    "complete_form": ("c1 thinks for …",),
    "bytes": ("4096",),
    "minimum": ("2",),
    "maximum": ("6",),
    "players": ("2", "6"),
    "rounds": ("3",),
    "games": ("100",),
    "logged": ("orders/0007-b.toml",),
    "points": ("31", "27"),
    "percent": ("40",),
    "body": ("4", "3"),
    "population": ("3",),
    "food": ("2",),
    "amount": ("2",),
    "most": ("6",),
    "fewest": ("2",),
    "done": ("3",),
    "more": ("2",),
    "missed": ("2",),
    "depth": ("3",),
    "kilobytes": ("120",),
    "megabytes": ("3",),
    "data": ("5000",),
    "slots": ("3",),
    "shares": ("2",),
    "bundles": ("2",),
    "times": ("3 times",),
    "rows": ("2",),
    "matches": ("2",),
    "published": ("7",),
    "now": ("12",),
    "mean": ("14.2",),
    "margin": ("1.6",),
    "chance": ("3 of 10",),
    "hunger": ("2",),
    "max_tokens": ("2",),
    "tables": ("64",),
    "plaintext": ("5000",),
    "max_post": ("30",),
    "absent_at": ("Fri 7 Mar, 22:00",),
    "seen_at": ("Fri 7 Mar, 20:00",),
    "ends_at": ("Sun 9 Mar, 20:00",),
    "replaceable_from": ("Fri 7 Mar, 20:00",),
    "hours_left": ("18 hours",),
    # what people type
    "text": ("b2 eats", "b2 attacks a1"),
    "value": ("maybe",),
    "word": ("dodo",),
    "words": ("horse lamp river",),
    "other_version_in_words": ("a version of turn 7 that differs from the one in this folder",),
    "label": ("b2",),
    "box": ("512",),
    "contact": ("512",),
    "e": ("b2 eats",),
    "player_list": ("9",),
    "numbers_text": ("games 4 to 9",),
    "noun": ("card key",),
    "shorten_json": ('"big"',),
    "name_of": ("Bo",),
    "hint_for": ("",),
    "example": ("Bo <bo@example.org>",),
    "base": ("climate",),
    "order": ("3f9a1c",),
    "examples": ("b2 eats, b2 attacks a1",),
    "texts": ("b3 eats",),
    "allowed_shapes": ("path, circle and rect",),
    "": ("server",),
    "0": ("server",),
    "have": ("have",),
    "quantity": ("2 games are",),
    "absence_forms": ("write 'until friday' or 'for a week'",),
    "install": ("pipx inject pbem gcsfs",),
    "start": ("Annabella-Carolina-Dorothea-Emilia-Franz",),
    "bind": ("0.0.0.0",),
    "spoiled": ("b",),
    "order_id_hex": ("3f9a1c",),
    "next": ("8",),
    "pieces": ("a species",),
    "verify_message": ("it has expired",),
    "ca": ("ca.pem",),
    "refuses": ("refuses",),
    "demand": ("be empty",),
    "verb": ("was",),
    "card_quantity": ("2 cards",),
    "below": ("3",),
    "page_hash": ("3f9a1c…",),
    "result": ("Ann wins",),
    "locate": ("pbem join --invite …",),
    "counted": ("3 hours",),
    "name__": ("TimeoutError",),
    "parts": ("the event cards",),
    "scope": ("websocket",),
    "self": ("1",),
    "str": ("Every species of body 1 to 4 loses 2 to cold",),
    "creature_counts": ("2",),
    "pair": ("Bo and B0",),
    "typed_name": ("Boo",),
    "prefix": ("3f9a",),
    "mode": ("tarot",),
    "meaning": ("the referee",),
    "setting": ("vim 'x",),
    "time_text": ("noon",),
    "letter": ("b",),
    "tag": ("80",),
    "face": ("4",),
    "bracket": ("[?9]",),
    "reach": ("turns 1 to 6 are right",),
    "rules": ("Evolution",),
    "where": ("its second line is not empty",),
    "field": ("turn",),
    "fields": ("turn and seat",),
}  # fmt: skip
"""Typical values by the last word of a placeholder's name: `orders_seat` is a seat. A text with
several such placeholders gets them one after the other."""
RECORD_KINDS = {"kind": ("join", "turn"), "kinds": ("join and turn",)}
IN_ORDERS = {"sentence": ("b2 attacks a1",), "reason": ("b2 is not hungry",)}
EXAMPLES_IN_ROOMS = {
    "games/*/sentences.py": {"name": ("Ann",)},
    "games/climate/classes_of_printed_zones_and_events.py": {
        "…": (" of body 1 to 4",),
        "clause": (" to cold",),
    },
    "games/*/rule_case_table*": {"text": ("b2 fat 9",)},
    "games/*/phases/": {"name": ("Ann",), "field": ("2",)},
    "games/origin/phases/": {
        "name": ("Ann",),
        "field": ("a1",),
        "kind": ("one animal",),
        "population": ("two animals",),
        "pair": ("swimming as cooperation on a1 and a2",),
        "trait": ("swimming on a1",),
    },
    "games/digital/": {"name": ("Ann",)},
    "games/climate/presentation.py": {
        "names": ("ice age, freezing, cold",),
        "name": ("Ann",),
        "cards": ("This card",),
        "event": ("the marker moves 1 colder",),
        "words": ("Loses 4 less population to cold, but 1 more to heat",),
    },
    "games/hook_argument_and_value_checks.py": {
        "sentence": ("42",),
        "arguments": ("Species, int",),
        "parameters": ("attacker",),
        "value": ("'many'",),
    },
    "games/classroom/course_test_json.py": {"seats": ("8",)},
    "games/origin/rule_case_table.py": {"text": ("'climbing b1'",), "food": ("5",)},
    "engine/blind_referee.py": {"text": ("'done'",)},
    "engine/own_cards_as_slots.py": {"text": ("'horns * on a1'",), "e": ("horns on b2",)},
    "pbem/rulecases/play_all_viewpoints_in_step.py": {"state": ("128",), "cards": ("129",)},
    "pbem/rulecases/case_dealer.py": {"options": ("1, 2, 3, 4, 5, 6",), "face": ("7",)},
    "pbem/simulation/": {"pbem": ("1.5",)},
    "pbem/web/history_pages.py": {"step": ("300", "250")},
    "games/registry.py": {
        "value": ("myhouse.rules",),
        "kind": ("module",),
        "name": ("dunes", "hills"),
    },
    "games/food_number_cards.py": {"hint": ("did you mean horns?",)},
    "games/rule_case_position_parts": {"hint": ("did you mean horns?",)},
    "pbem/rulecases/read_cases.py": {"hint": ("did you mean ask?",)},
    "games/evolution/presentation.py": {"reason": ("b1 climbs and a1 does not",)},
    "games/origin/": {"t": ("cooperation",), "trait": ("cooperation",), "card": ("swimming",)},
    "pbem/drawing/": {
        "kind": ("text",),
        "error": ("no element found",),
        "name": ("horns",),
        "key": ("fill",),
        "value": ("url(x)",),
    },
    "pbem/wording/votes_and_vouching.py": {
        "command": ("pbem notice end --draw",),
        "words": ("as a draw",),
        "people": ("Bo",),
        "names": ("Bo",),
    },
    "games/climate/": {
        "name": ("cold snap",),
        "names": ("ice age and freezing",),
        "zone": ("freezing",),
        "data": ("Ice-Age",),
        "deck": ("cold", "hot"),
        "loss": ("2 population",),
        "value": ("12",),
    },
    "games/": {
        "name": ("b2", "a1"),
        "names": ("horns and fertile",),
        "value": ("12",),
        "label": ("trait cards",),
        "title": ("cooperation",),
        "fields": ("2",),
        "piece": ("species",),
        "ask": ("b feed",),
        "after": ("10",),
        "before": ("12",),
        "result": ("a number",),
        "clause": ("",),
        "rolls": ("two dice",),
        "uses": ("as carnivorous or fat tissue",),
        "docstring_line": ("Needs 1 more food.",),
        "track": ("population",),
        "trait_index": ("1",),
        "need": ("3",),
        "slept_in": ("5",),
        "heat": ("1",),
        "suffix": ("",),
    },
    "games/climate/card_file.py": {
        "deck": ("cold",),
        "names": ("ice age, freezing",),
        "zones": ("2",),
    },
    "engine/ruleset.py": {"phases": ("dawn",), "name": ("dunes",)},
    "engine/make_and_ask_bots.py": {"name": ("grumpy",)},
    "engine/": {
        "keys": ("12.feed.feed.a.0",),
        "settling": ("guess",),
        "key": ("12.feed.feed.b.0", "12.feed.feed.a.0"),
        "name": ("dunes",),
        "names": ("dunes and hills",),
    },
    "pbem/drafts/": {
        **IN_ORDERS,
        "text": ("b2 eets",),
        "end": ("done",),
        "ends": ("done",),
        "name": ("play",),
        "piece": ("species",),
    },
    "pbem/acts/check_game_made_by_host.py": {
        "difference": ("its deadline is 24h",),
        "bots": ("2 bots",),
    },
    "pbem/acts/new_game.py": {
        "players": ("Ann, Bo",),
        "example": ('--players "Ann,Bo <bo@example.org>" --mail-seats Bo',),
        "seats": ("b",),
        "sentence": ("a character of the co-dealer's line is wrong",),
    },
    "pbem/acts/deadline_and_silence_options.py": {"seats": ("defaults, bot, remove",)},
    "pbem/acts/begin_lesson.py": {"name": ("evolution",)},
    "pbem/acts/join.py": {
        "hint": ("once turn 1 is here, the referee can send an invite for the seat",),
        "person": ("seat a",),
    },
    "pbem/acts/new_keys_of_seat.py": {
        "path": ("/home/bo/profiles/work/key",),
        "whose": ("seat b",),
    },
    "pbem/acts/players_email_replies.py": {
        "program": ("automatic reply",),
        "count": ("12",),
    },
    "pbem/acts/write_ruleset_package.py": {
        "name": ("myhouse",),
        "game": ("evolution",),
        "path": ("cards.toml",),
        "line": ("3",),
    },
    "pbem/acts/read_card_file.py": {
        "game": ("evolution",),
        "path": ("cards.toml",),
        "line": ("12",),
    },
    "pbem/acts/seal_orders.py": {"get": ("let the folder sync",)},
    "pbem/acts/rematch_plan.py": {"problem": ("no game is called",), "names": ("Bo",)},
    "pbem/acts/read_order_file_or_write_draft.py": {
        "name": ("orders.toml",),
        "path": ("~/orders.toml",),
    },
    "pbem/acts/plan_orders_step_by_step.py": {"path": ("~/drafts/0007-b.toml",)},
    "pbem/acts/read_typed_deadlines.py": {"text": ("friday",), "days": ("friday",)},
    "pbem/cli/demo.py": {"bot": ("clever",), "bots": ("greedy and random",)},
    "pbem/cli/host.py": {
        "name": ("savannah",),
        "file": ("tokens.txt",),
        "address": ("https://push.example.org",),
    },
    "pbem/cli/games.py": {"name": ("evolution",)},
    "pbem/cli/replay.py": {"turn": ("5", "3"), "count": ("9",)},
    "pbem/cli/sim.py": {"file": ("one.json",), "game": ("evolution",), "words": ("climate",)},
    "pbem/cli/submit.py": {"end": ("done",), "command": ("[Y/n]",)},
    "pbem/cli/play.py": {
        "answer": ("s",),
        "counted": ("3 lines",),
        "time": ("later; ",),
        "state": ("2 lines",),
    },
    "pbem/cli/post.py": {"who": ("Bo",)},
    "pbem/cli/receive.py": {"name": ("letter.eml",)},
    "pbem/drafts/checked_rows.py": {"sentence": ("b2 is not hungry",)},
    "pbem/drafts/playability_of_card_in_hand.py": {"text": ("b2 is not hungry",)},
    "pbem/files/co_dealer_answered_heads.py": {
        "digits": ("3f9a1c", "77b0e2"),
        "id": ("3f9a1c", "77b0e2"),
    },
    "pbem/files/game_folder_on_host.py": {
        "reason": ("the host has no room for this file",),
        "path": ("orders/0007-b-3f9a1c-1.toml", "~/.pbem/outbox/0007-b-3f9a1c-1.toml"),
    },
    "pbem/files/game_folder_places.py": {"…": ("games.example.org",), "path": ("club",)},
    "pbem/files/host_store.py": {
        "": ("its disk is full",),
        "words": ("a game has at most 16 seats",),
        "status": ("500",),
        "…": ("503",),
    },
    "pbem/files/store_errors.py": {"name": ("ClientError",), "label": ("ClientError",)},
    "pbem/host/dealing_host.py": {"players": ("3",)},
    "pbem/host/kept_games.py": {"clause": ("its disk has 12 MiB left",)},
    "pbem/host/new_game_pages.py": {
        "title": ("Evolution",),
        "count": ("1",),
    },
    "pbem/host/web_server.py": {"…": ("ca.pem: no such file",)},
    "pbem/judge/co_dealer.py": {"name": ("shares",), "dealer": ("1",), "time": ("90",)},
    "pbem/judge/seat_turn_reader.py": {
        "choice": ("b2 eats",),
        "text": ("b2 attacks a1", "b2 eats"),
        "…": ("accepted",),
        "source": ("standing order",),
        "key": ("12.feed.feed.b.0",),
    },
    "pbem/judge/chain_audit.py": {"plural": ("notices",), "shown": ("3f9a1c (turn 2)",)},
    "pbem/judge/chance_entry_checks.py": {"text": ("3",)},
    "pbem/judge/sealed_dealing_mode.py": {"cards": ("3",), "first": ("1",), "indexes": ("2",)},
    "pbem/judge/read_and_make_messages.py": {
        "size": ("1200",),
        "counted": ("45 lines",),
        "files": ("3 more files",),
    },
    "pbem/judge/notice_kinds.py": {"players": ("players",), "time": ("Fri 7 Mar, 20:00",)},
    "pbem/judge/orders_in_force.py": {
        "subject": ("orders 3f9a1c of seat b",),
        "status": ("late", "valid"),
    },
    "pbem/judge/public_turn_reader.py": {
        "seats": ("b",),
        "key": ("12.feed.feed.b.0", "12.feed.feed.a.0"),
    },
    "pbem/judge/sealed_openings.py": {"counted": ("3 commitments",)},
    "pbem/judge/unlisted_deal_records_audit.py": {
        "path": ("deals/0007-1-3f9a1c.toml",),
        "dealer": ("1",),
        "signer": ("co-dealer 2",),
        "other": ("the co-dealer",),
    },
    "pbem/judge/unused_files_audit.py": {"head": ("3f9a1c",), "heads": ("77b0e2",)},
    "pbem/judge/turn_differences.py": {
        "key": ("12.feed.feed.b.0",),
        "subject": ("entry 4 of the log, question 12.feed.feed.b.0",),
        "words": ("a standing order", "a bot"),
        "right": ("a standing order",),
        "wrong": ("a bot",),
        "name": ("deadline",),
    },
    "pbem/judge/turn_end_checks.py": {"seats": ("b",)},
    "pbem/records/charter.py": {**RECORD_KINDS, "letters": ("a, c",), "seats": ("e",)},
    "pbem/records/seeded_decks_and_dice.py": {"counted": ("2 cards",), "count": ("5",)},
    "pbem/host/answer_requests.py": {"size": ("12000",)},
    "pbem/records/press_message.py": {"size": ("1200",), "text": ("1200",)},
    "pbem/records/record_header.py": {**RECORD_KINDS, "seat": ("empty",), "turn": ("10000",)},
    "pbem/records/deal_record.py": {"…": ("none",)},
    "pbem/records/turn.py": {
        "deputy": ("144",),
        "handles": ("1 handle of a hidden card",),
        "name": ("shares",),
    },
    "pbem/judge/which_notices_count.py": {
        "label": ("notice 3f9a1c (vote)",),
        "kind": ("vote",),
        "field": ("seat",),
        "listed": ("b",),
        "expected": ("c",),
    },
    "pbem/person/checks_before_co_dealing.py": {"path": ("orders/0007-b-1-3f9a1c.toml",)},
    "pbem/person/missing_seats_and_keys.py": {
        "hint": ("pbem keys import FILE (FILE is your copy of the key file)",),
        "names": ("a (Ann) and b (Bo)",),
        "command": ("pbem keys import FILE",),
    },
    "pbem/person/referees_next_turn_and_options.py": {"matches": ("3f9a1c, 3f9a77",)},
    "pbem/person/session.py": {"join": ("--as a, --as b",)},
    "pbem/plain_email/turn_letters.py": {"clause": (", with Cy and Dora",)},
    "pbem/post/mail_account.py": {"name": ("per_hour",)},
    "pbem/post/mail_password.py": {"command": ("pass show mail",), "error": ("it is locked",)},
    "pbem/post/mail_server_connection.py": {
        "error": ("connection reset by peer",),
        "where": ("pass show mail-token",),
    },
    "pbem/post/imap_mailbox.py": {"answer": ("no such folder",), "error": ("no such folder",)},
    "pbem/post/set_up_mailbox.py": {"text": ("imap:x",)},
    "pbem/web/open_games.py": {"…": ("~/games/savannah",)},
    "pbem/wording/advance_report.py": {"path": ("final.toml",), "reason": ("the disk is full",)},
    "pbem/wording/audit_findings_to_show.py": {"command": ("pbem audit --json",)},
    "pbem/wording/audit_certificate.py": {
        "orders": ("2 sets of orders",),
        "deck": ("Nobody could know the cards in advance.",),
        "owner": ("the referee",),
        "counts": ("twice for seat a",),
        "secrets": ("secrets",),
        "turns": ("Turns 1 to 3", "Turns 4 to 7"),
    },
    "pbem/wording/deadlines_and_absences.py": {"rounds": ("3 more rounds",)},
    "pbem/wording/deputy.py": {"path": ("notices/0007-c-1-3f9a1c.toml",)},
    "pbem/wording/draft_notes_and_next_commands.py": {
        "path": ("/home/bo/games/3f9a1c/drafts/0007-b-old1.toml",),
        "draft": ("/home/bo/games/3f9a1c/drafts/0007-b.toml",),
    },
    "pbem/wording/find_explanation.py": {
        "points": ("31 points",),
        "name": ("play",),
        "question": ("cards to play",),
        "options": ("Option autofeed (no, yes): feeding is automatic. ",),
    },
    "pbem/wording/game_list.py": {"folder": ("/home/rhea/games/c68e36",)},
    "pbem/wording/game_letters.py": {
        "end": ("Ann wins",),
        "file": ("savannah-bo.pbem",),
        "stage": ("less than half of the time is left",),
    },
    "pbem/wording/who_sees_hands.py": {"clause": ("Dan and Eve together could see every hand",)},
    "pbem/wording/host_reports.py": {
        "logged": ("savannah", "~/games", "https://games.example.org"),
        "path": ("~/games/host/key",),
        "address": ("https://games.example.org",),
        "file": ("~/games/host/owner-password",),
        "url": ("http://127.0.0.1:8080",),
    },
    "pbem/wording/new_game.py": {"address": ("https://games.example.org/savannah",)},
    "pbem/wording/sealed_orders.py": {
        "kind": ("play",),
        "end": ("done",),
        "path": ("/home/bo/games/3f9a1c/drafts/0007-b.toml",),
        "sentence": ("the disk is full",),
        "reasons": ("food at or below 40",),
    },
    "pbem/wording/received_mail.py": {"path": ("savannah-0007-b.eml",), "files": ("2 files",)},
    "pbem/wording/run_log.py": {"path": ("~/.pbem/post/outbox/0007.eml",)},
    "pbem/wording/results.py": {"words": ("with the scores as they are",)},
    "pbem/wording/due_and_written_mail.py": {"path": ("savannah-0007-b.eml",)},
    "pbem/wording/game_folder_repairs.py": {
        "games": ("2 games",),
        "location": ("savannah",),
        "path": ("seats/a-3f9a1c.toml", "seats/a-3f9a1c.toml.bad"),
    },
    "pbem/wording/view_headings.py": {"turns": ("turns 7 and 8",)},
    "pbem/text/": {"text": ("1 Mar 0001",)},
    "pbem/text/typed_absences.py": {"month": ("2",), "day": ("30",)},
    "pbem/workers/": {"address": ("tcp://192.0.2.7:8786",)},
    "pbem/cards/": {
        "owner": ("dealer 2",),
        "dealer": ("2",),
        "dealers": ("3",),
        "text": ("b draws [?]",),
        "sentence": ("a share in this file is damaged or forged",),
    },
    "pbem/files/": {"name": ("turns/0007.toml",), "limit": ("65536",)},
    "pbem/acts/emails_to_seat_by_mail.py": IN_ORDERS,
    "pbem/acts/write_bundles_and_emails.py": {
        "seats": ("a (Ann), b (Bo)",),
        "options": ("--to a or --to b",),
    },
    "pbem/acts/send_message.py": {"seats": ("a (Ann), b (Bo)",)},
    "pbem/plain_email/": {
        **IN_ORDERS,
        "text": ("b2 eets",),
        "deadline_clause": ("until Fri 7 Mar, 20:00, or ",),
    },
    "pbem/wording/status_warnings.py": {
        **IN_ORDERS,
        "cause": ("answer an earlier turn",),
        "hint": ("set the clock if it is wrong",),
        "date": ("Thu 6 Mar, 20:00", "Sat 8 Mar, 20:00"),
    },
    "pbem/wording/how_to_play.py": IN_ORDERS,
    "pbem/wording/key_backup_loss_and_theft.py": {
        "reason": ("you have no key for a seat in this game, so you can only watch",),
        "command": ("pbem notice key --lost --as b",),
        "import_hint": ("pbem keys import FILE (FILE is your copy of the key file)",),
        "hint": ("if you are Hal: pbem keys import FILE --profile co-dealer",),
    },
    "pbem/format/": {**RECORD_KINDS, "error": ("line 3 has no =",)},
    "pbem/format/canonical_toml.py": {
        "error": ("line 3 has no =",),
        "key": ("Own seat",),
        "line": ("seat = b",),
        "name": ("float",),
        "path": ("orders",),
    },
    "pbem/format/encrypted_box.py": {
        "clause": (" of seat b",),
        "field": ("packet",),
        "text": ("120",),
        "length": ("5000",),
    },
    "pbem/format/mail_block.py": {"clause": ("its checksum does not match",)},
    "pbem/host/": {
        **RECORD_KINDS,
        "account": ("seat b",),
        "label": ("seat b",),
        "name": ("turns/0007.toml",),
    },
    "pbem/judge/game_ruleset.py": {
        "error": ("evolution has no option 'colour'",),
        "names": ("evolution and climate",),
        "bot": ("clever",),
    },
    "pbem/judge/which_joins_count.py": {"sentence": ("it was made for seat c",)},
    "pbem/judge/sealed_cards_seat_check.py": {
        "sentence": ("entry 12.feed.feed.b.0: b2 is not hungry",)
    },
    "pbem/person/turn_readers.py": {"sentence": ("b2 cannot attack itself",)},
    "pbem/drafts/read_order_file.py": {
        "clause": ("the draft was written for a different version of turn 7",),
        "key": ("answers",),
    },
    "pbem/wording/mailbox_setup_test_and_addresses.py": {
        "sentence": ("imap.example.org is the server for reading mail",)
    },
    "pbem/judge/": {"subject": ("the dealer's file",)},
    "pbem/mail/record_filing.py": {"subject": ("a message from seat b ",)},
    "pbem/mail/": {
        **RECORD_KINDS,
        "subject": ("orders 3f9a1c of seat b",),
        "name": ("final.toml",),
    },
    "pbem/post/": {
        "error": ("Connection unexpectedly closed",),
        "answer": ("535 authentication failed",),
        "folder": ("Archive",),
        "names": ("INBOX, Archive",),
        "code": ("550",),
        "option": ("--imap",),
        "options": ("--imap",),
        "subject": ("the server for reading mail",),
        "security": ("ssl",),
        "securities": ("tls, starttls, clear",),
        "protocol": ("IMAP",),
        "secret": ("password",),
        "name": ("password",),
        "text": ("connection reset",),
    },
    "pbem/post/smtp_sender.py": {"answer": ("no such user here",)},
    "pbem/records/record_field_codecs.py": {
        "values": ("default, bot, chance",),
        "hint": ("an integer from 0 to 9",),
        "noun": ("a possible name of a field",),
        "description": ("a seat's letter",),
        "value": ("50",),
    },
    "pbem/records/": {**RECORD_KINDS, "dealer": ("512",), "key": ("12.feed.feed.b.0",)},
    "pbem/judge/*_check*": {"key": ("12.feed.feed.b.0",), "subject": ("12.feed.feed.b.0",)},
    "pbem/judge/absent_seats.py": {"key": ("12.feed.feed.b.0",)},
    "pbem/judge/*reader*": {"key": ("12.feed.feed.b.0", "12.feed.feed.a.0")},
    "pbem/simulation/study.py": {"times": ("4",)},
    "pbem/rulecases/": {
        "hint": ("did you mean feed?",),
        "subject": ("case 1.09-horns",),
        "name": ("then",),
        "ask": ("b feed",),
        "text": ("a1 attacks b1",),
    },
    "pbem/terminal/": {"piece": ("species",)},
    "pbem/wording/notifications.py": {"sentence": ("It is your move.",), "end": ("Ann wins",)},
    "pbem/wording/studies.py": {
        "game": ("dunes",),
        "other": ("evolution",),
        "more": ("points more",),
        "done": ("30",),
        "total": ("100",),
        "path": ("study.json",),
        "parts": ("population (3), traits (1)",),
        "most": ("20",),
    },
    "pbem/wording/status_sections.py": {"sentence": ("all orders are here",)},
}
"""Other values of the same names in some rooms or modules; the longest path that fits counts."""
MIN_FOUND_LETTERS = 14
"""A template with fewer letters of its own is not searched: it would match anything."""
CONTEXT_LINES = 2
"""The number of printed lines above and below a text that are shown with it."""
MAX_LINE_CHARACTERS = 160
MIN_WRAPPED_WIDTH = 72
"""A shorter line was not wrapped."""
NO_REST_OF_A_LINE = re.compile(r" +(?:try:|hint:|\d* \||\^)")
"""Matches an indented line that begins something new: a hint, or a line of an order file."""
PATTERN_SIGNS = re.compile(r"[{}]|\.[*+]|\\|\[\^|\(\?|\[2J")
"""Matches a line of a test that is a pattern, a template or hostile, so no text as it was
printed."""
TOML_STRING = re.compile(r"""(["'])([^\n]+?)\1(?=[\s,\]}])""")


FORM_KINDS = {
    "name": "name", "names": "names", "local": "date", "utc": "date", "end": "choice",
}  # fmt: skip
"""The keys of `EXAMPLES` for fields that name a form, as in `{by:names}`; any other form is a noun,
as in `{hours:hour}`, which stands for a number with that noun."""


def kind_of(name: str) -> str:
    """Return the key of `EXAMPLES` for a placeholder."""
    field, _, form = name.lower().removesuffix("!r").strip("_").partition(":")
    if form in FORM_KINDS:
        return FORM_KINDS[form]
    return field if field in EXAMPLES or "_" not in field else field.rpartition("_")[2]


def in_room(path: str, room: str) -> bool:
    """Whether a module is in a room of `EXAMPLES_IN_ROOMS`, which may have stars."""
    return fnmatch(path, f"{room}*")


def example_of(name: str, number: int, path: str = "") -> str:
    """Return the example for a placeholder; `number` counts the earlier ones of the same kind in
    the text. A name that the table does not have stays in braces."""
    form = name.partition(":")[2]
    if form.isalpha() and form not in FORM_KINDS:
        return f"3 {form}s"
    kind = kind_of(name)
    rooms = [x for x in EXAMPLES_IN_ROOMS if kind in EXAMPLES_IN_ROOMS[x] and in_room(path, x)]
    values = EXAMPLES_IN_ROOMS[max(rooms, key=len)][kind] if rooms else EXAMPLES.get(kind, ())
    return values[min(number, len(values) - 1)] if values else f"{{{name}}}"


def with_examples(template: str, path: str = "") -> str:
    """Return the template with an example in place of each placeholder, and the first of the words
    that may stand at a place, such as `{a/the}`. `path` is that of the module."""
    examples = dict[str, str]()

    def example(match: re.Match[str]) -> str:
        name = match[1]
        if "/" in name:
            return name.partition("/")[0]
        if name not in examples:
            number = sum(kind_of(earlier_name) == kind_of(name) for earlier_name in examples)
            value = example_of(name, number, path)
            examples[name] = repr(value) if name.endswith("!r") and value[:1].isalpha() else value
        return examples[name]

    return PLACEHOLDER.sub(example, template)


def as_in_a_terminal(text: str) -> str:
    """Return a text with what only a terminal shows, without its marks (`TerminalText`)."""
    return re.sub(r"\[\[(.*?)(\|\|.*?)?\]\]", r"\1", text, flags=re.DOTALL)


def text_id(template: str) -> str:
    """Return the short hash by which `PRINTED_TEXTS` knows a template."""
    return hashlib.sha256(template.encode()).hexdigest()[:8]


class Printed(NamedTuple):
    """One printed or quoted line, with its surroundings: what was typed, and the lines around."""

    line: str
    lines_above: tuple[str, ...] = ()
    lines_below: tuple[str, ...] = ()


class Screens:
    """Printed lines of the scripts, then what pages of the documentation and tests quote; for texts
    in none of them, lines that tests printed."""

    def __init__(self, root: Path, *, has_printed_texts: bool = True) -> None:
        file = root / PRINTED_TEXTS
        rows = file.read_text("utf-8").splitlines() if has_printed_texts and file.exists() else []
        self._line_by_id = {row[:8]: row[9:] for row in rows}
        self._printed = [
            *_script_lines(root / "tests/scripts"),
            *_script_lines(root / "tests/next_steps"),
            *map(Printed, _document_lines(root)),
            *map(Printed, _quoted_lines(root / "tests")),
        ]
        self._text = "\n".join(p.line for p in self._printed)
        starts, position = list[int](), 0
        for printed in self._printed:
            starts.append(position)
            position += len(printed.line) + 1
        self._starts = starts

    def find(self, template: str) -> tuple[str, str] | None:
        """Return the text of a template as pbem printed it, and its surroundings, which may be
        empty; None if the text is nowhere."""
        if line := self._line_by_id.get(text_id(template)):
            shown = line[line.index("«") + 1 : line.index("»")]
            return shown, line if line != f"«{shown}»" else ""
        parts = PLACEHOLDER.split(template)[::2]
        if sum(map(str.isalpha, "".join(parts))) < MIN_FOUND_LETTERS:
            return None
        pattern, longest = _pattern_of(template), max(parts, key=len)
        position = self._text.find(longest)
        while position >= 0:
            printed = self._printed[self._number_at(position)]
            match = pattern.search(printed.line)
            if match and not (
                UNKNOWN_CARD.search(match[0]) or any(match[0].count(sign) % 2 for sign in QUOTES)
            ):
                return match[0].strip(), _surroundings(match[0].strip(), printed)
            line_end = self._text.find("\n", position)
            position = -1 if line_end < 0 else self._text.find(longest, line_end)
        return None

    def _number_at(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1


UNKNOWN_CARD = re.compile(r"(?:^|[ \[])\?[ :\]]")
"""Matches `?` or `[?]` for a card that its reader does not know."""
QUOTES = '"`“'
"""Signs that stand twice in a text, or the text that was found is cut in the wrong place."""
BEFORE_A_VALUE = r"(?:^|(?<=: )|(?<=; )|(?<=\. )|(?<=, ))"
AFTER_A_VALUE = r"(?=$|[;:.)](?: |$))"
"""The edges of a value that stands at the beginning or the end of a text, in a printed line."""


def _pattern_of(template: str) -> re.Pattern[str]:
    """Return a pattern that matches the template with any values in a line."""
    parts = PLACEHOLDER.split(template)
    pattern = ""
    for number, part in enumerate(parts):
        if number % 2 == 0:
            pattern += re.escape(part)
        elif "/" in part:
            pattern += f"(?:{'|'.join(map(re.escape, part.split('/')))})"
        elif number == 1 and not parts[0]:
            pattern += BEFORE_A_VALUE + r"[^\s:;]+(?: [^\s:;]+){0,3}?"
        elif number == len(parts) - 2 and not parts[-1]:
            pattern += r"\S.{0,50}?" + AFTER_A_VALUE
        else:
            pattern += ".{1,80}?"
    return re.compile(pattern)


def _joined(lines: list[str]) -> list[str]:
    """Return printed lines; a long line that was wrapped is one again."""
    joined, last_width = list[str](), 0
    for raw_line in lines:
        line = raw_line.removeprefix("2> ")
        is_continued = line.startswith("  ") and not NO_REST_OF_A_LINE.match(line)
        if joined and is_continued and last_width > MIN_WRAPPED_WIDTH:
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.strip())
        last_width = len(line)
    return joined


def _script_lines(folder: Path) -> Iterator[Printed]:
    """Yield the printed lines of scripts: each block of lines has its command above it."""
    for file in sorted(folder.glob("*.txt")):
        is_script = folder.name == "scripts"
        for block in file.read_text("utf-8").split("\n\n" if is_script else "\n"):
            lines = [line for line in block.split("\n") if not line.startswith("##")] or [""]
            command = re.sub(r"^[$!] \[(\w+)\]", r"\1 types:", lines[0])
            if command == lines[0] and is_script:
                command = ""
            printed_lines = list(filter(None, _joined(lines[bool(command) and is_script :])))
            for i, printed_line in enumerate(printed_lines):
                lines_above = printed_lines[max(0, i - CONTEXT_LINES) : i]
                lines_below = printed_lines[i + 1 : i + 1 + CONTEXT_LINES]
                yield Printed(
                    printed_line,
                    tuple([command, *lines_above] if command and is_script else lines_above),
                    tuple(line for line in lines_below if "[exit" not in line),
                )


def _document_lines(root: Path) -> Iterator[str]:
    """Yield the lines of the documentation; the protocol has templates, not what is printed."""
    for file in (root / "README.md", *sorted((root / "docs").glob("*.md"))):
        if file.exists() and file.name != "protocol.md":
            yield from map(str.strip, file.read_text("utf-8").split("\n"))


def _quoted_lines(folder: Path) -> Iterator[str]:
    """Yield the lines of whole strings in tests: they may quote what pbem prints. The tests of the
    house quote no real text."""
    for file in sorted(set(folder.rglob("*.py")) - set(folder.glob("house/*"))):
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        joined = (node for node in nodes if isinstance(node, ast.JoinedStr))
        parts = {part for node in joined for part in node.values}
        for node in nodes:
            match node:
                case ast.Constant(value=str(text)) if node not in parts:
                    for line in text.split("\n"):
                        if " " in line and not PATTERN_SIGNS.search(line):
                            yield line.strip()
    for file in sorted(folder.rglob("*.toml")):
        for quoted in TOML_STRING.finditer(file.read_text("utf-8")):
            yield from quoted[2].split("\\n")


def _surroundings(text: str, printed: Printed) -> str:
    """Return what stands around a text where it was printed, on one line; empty if nothing does."""
    line = printed.line.replace(text, f"«{text}»", 1)
    lines = [*printed.lines_above, line, *printed.lines_below]
    return " ⏎ ".join(map(_short, lines)) if lines != [f"«{text}»"] else ""


def _short(line: str) -> str:
    """Return a line, cut if it is long and has no text in `«»`."""
    if len(line) <= MAX_LINE_CHARACTERS or "«" in line:
        return line
    return f"{line[:MAX_LINE_CHARACTERS]}…"
