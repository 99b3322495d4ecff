"""Runs in the tab's own Python (`site/run-in-node.mjs`): visits each page and sends each form of
the program, with no game, then with one more each time, and of the games those of the last."""

import json
import os
import re
from datetime import date, timedelta

import js
from starlette.routing import Route

from pbem.web.program_in_tab import Program, note_start

SITE = "http://127.0.0.1:9/"
AWAY = [str(date.today() + timedelta(days=days)) for days in (3, 5)]
FORMS = {
    "/unlock": [{"profile": "default", "passphrase": "no"}],
    "/receive": ["Dear Ann, how are you?"],
    "/learn": [{"game": "evolution"}, {"game": "evolution"}, {"game": "evolution", "again": True}],
    "/join": [{"invite": "savannah:a:0000", "name": "Bo"}],
    "/open": [{"folder": "/home/web"}],
    "/new": [{"game": "evolution", "players": "Di,Ed", "name": "Fay", "title": "pond"}],
    "/game/{name}/join": [{"invite": "savannah:a:0000", "name": "Bo"}],
    "/game/{name}/plan": [{"mark": "no"}, {"mark": "{mark}", "do": "new"}],
    "/game/{name}/seal": [{"mark": "no"}, {"mark": "{mark}"}],
    "/game/{name}/missed": [{"turn": 1}],
    "/game/{name}/take-back": [{"turn": 1}],
    "/game/{name}/deliver": [{"turn": 1}],
    "/game/{name}/messages": [{"text": "hello", "to": ""}, {"text": "for you", "to": "a"}],
    "/game/{name}/notices": [
        {"about": "away", "from": AWAY[0], "to": AWAY[1]},
        {"about": "back"},
        {"about": "delay", "time": "12h"},
        {"about": "deadline", "rule": "72h", "phase": ""},
        {"about": "end", "result": "score"},
        {"about": "concede"},
    ],
    "/game/{name}/mail/sent": [{"stem": "none", "to": "", "all": True}],
    "/game/{name}/referee": [{}, {"start": True}],
    "/game/{name}/deal": [{}],
    "/game/{name}/back": [{"kept": True}],
    "/game/{name}/calls": [{"kept": True}],
    "/game/{name}/rematch": [{}],
    "/game/{name}/take": [{"mark": "no"}],
    "/game/{name}/move": [{"mark": "no"}],
}
QUERIES = {
    "/explain": ["word=horns", "word=nothing", "word=silence", "word=always"],
    "/rules/{name}": [""],
    "/game/{name}/history": ["", "turn=1", "since=1"],
    "/game/{name}/about": ["thing=b"],
    "/game/{name}/mail": ["", "to=a", "all=1"],
    "/new": ["", "like={name}"],
}


async def fetched(url: str) -> tuple[int, str, bytes]:
    """What a host answers."""
    answer = await js.fetch(url)
    data = (await answer.arrayBuffer()).to_bytes()
    return answer.status, answer.headers.get("content-type") or "", data


async def exchange(program: Program, address: str) -> None:
    """Fetch all files of a game, as the worker does."""
    news = program.exchange_with_host(address)
    status, kind, data = await fetched(f"{address}/")
    answers = [("GET", "/", status, kind, data)]
    for path, _ in news.missing_files(data):
        answers.append(("GET", f"/{path}", *await fetched(f"{address}/{path}")))
    news.take(answers)


class Visitor:
    """Somebody who looks at everything."""

    def __init__(self, program: Program) -> None:
        self.program, self.visits = program, list[dict[str, object]]()
        self.games, self.is_last = 0, False

    async def ask(self, method: str, route: str, path: str, query: str = "", body: bytes = b""):
        """One request; what came back is noted."""
        headers = [["x-pbem-part", "1"]] if method == "POST" else []
        status, _, data = await self.program.answer(method, path, query, headers, body)
        text = data.decode("utf-8", "replace")
        words = " ".join(
            re.sub(r"<(style|script|svg).*?</\1>|<[^>]*>", " ", text, flags=re.S).split()
        )
        self.visits.append({
            "games": self.games, "method": method, "route": route, "path": path, "query": query,
            "sent": body.decode(), "status": status, "words": words,
            "rows": text.count('class="game-row'),
        })  # fmt: skip
        return status, text

    async def look_everywhere(self, names: list[str]) -> None:
        """Each page, then each form; of the games, those of the last one."""
        self.games = len(names)
        routes = [one for one in self.program.app.routes if isinstance(one, Route)]
        for method in ("GET", "POST", "GET"):
            for route in routes:
                if method not in route.methods:
                    continue
                fills = names[-1:] if route.path.startswith("/game/") else ["evolution"]
                for name in fills if "{name}" in route.path else [""]:
                    path = route.path.replace("{name}", name)
                    if method == "GET":
                        for query in QUERIES.get(route.path, [""]):
                            if "{name}" in query and not names:
                                continue
                            found = query.replace("{name}", (names or [""])[-1])
                            await self.ask("GET", route.path, path, found)
                        continue
                    if route.path == "/new" and not self.is_last:
                        continue  # the list would have one more game from then on
                    for form in FORMS[route.path]:
                        await self.ask("POST", route.path, path, body=await self.filled(form, name))

    async def filled(self, form: object, name: str) -> bytes:
        """A form as it is sent, with the mark of the plan that the page shows."""
        if isinstance(form, str):
            return form.encode()
        text = json.dumps(form)
        if "{mark}" in text:
            _, _, page = await self.program.answer("GET", f"/game/{name}/plan", "", [], b"")
            found = re.search(r'data-mark="(\w+)"', page.decode())
            text = text.replace("{mark}", found[1] if found else "none")
        return text.encode()


async def main(links: list[str], report: str) -> None:
    """Take seats by these ways back, and write a list of all visits to a file."""
    os.makedirs("/home/web", exist_ok=True)
    note_start("Europe/Berlin")
    program = Program(SITE)
    visitor = Visitor(program)
    await visitor.look_everywhere([])
    names = list[str]()
    for link in links:
        address, secret = program.read_link("back", link)
        await exchange(program, address)
        path = program.open_link("back", address, secret)
        name = path.split("/")[2]
        if path.endswith("/take"):  # in all these games, the person has one key
            _, page = await visitor.ask("GET", "/game/{name}/take", path)
            mark = re.search(r'name="mark" value="(\w+)"', page)[1]
            body = json.dumps({"mark": mark}).encode()
            await visitor.ask("POST", "/game/{name}/take", path, body=body)
        names.append(name)
        visitor.is_last = len(names) == len(links)
        await visitor.look_everywhere(names)
        program.waiting_words()
        program.changes()
    with open(report, "w", encoding="utf-8") as file:
        json.dump(visitor.visits, file)
