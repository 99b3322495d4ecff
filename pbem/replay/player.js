// The player: it shows the steps of a game on a board, one after the other. Replay pages have it, and
// `pbem table`. It knows no rule: it places what pbem has drawn.

// Show `game` (what `Steps.data` returns) on the element `board`; the buttons are on the page already.
// `shown` is told the number of each step; `close` ends the showing, if there is something behind it;
// `ended` is called when the last step has come by itself. `most` is how many milliseconds all steps
// may take together when they come by themselves.
export function player(board, game, { shown = () => {}, close = null, ended = () => {}, most = Infinity } = {}) {
  const $ = (id) => document.getElementById(id);
  const { steps, seats } = game;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // ---- pictures, each parsed once
  const parsed = [];
  const picture = (number) => {
    if (!parsed[number]) {
      const holder = document.createElement("template");
      holder.innerHTML = game.pictures[number]; // made by pbem, with every text escaped
      parsed[number] = holder.content.firstElementChild;
    }
    return parsed[number].cloneNode(true);
  };
  const make = (name, kind = "", text = "") => {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    if (text) element.textContent = text;
    return element;
  };
  const fill = (list, numbers, { key = "", gone = [], item = "li" } = {}) => {
    const same = JSON.stringify([numbers, gone]);
    if (list.dataset.shown === same) return;
    list.dataset.shown = same;
    list.replaceChildren(...numbers.map((number, n) => {
      const one = make(item, item === "span" ? "fact" : "");
      if (key) one.dataset.key = `${key}:${n}`;
      one.classList.toggle("gone", gone.includes(n));
      one.append(picture(number));
      return one;
    }));
    list.hidden = !numbers.length;
  };
  // ---- the board: the middle, your place, and then the others clockwise
  const tracks = make("ul", "middle tracks pb");
  const facts = make("ul", "middle pb");
  const tiles = make("ul", "middle tiles pb");
  tiles.setAttribute("aria-label", "More on the table");
  const words = make("div");
  const others = make("div", "places");
  const drawn = seats.map((seat, at) => {
    const place = make("section", `place pb pb-seat-${at % 8}${seat.you ? " mine" : ""}`);
    place.dataset.key = `seat:${seat.seat}`;
    place.setAttribute("aria-label", seat.name);
    const head = make("div", "place-head");
    const title = make("h3");
    title.append(make("span", "badge", seat.seat), " ", make("span", "who", seat.name));
    const flag = make("span", "flag");
    const parts = { chips: make("span", "facts"), pieces: make("ul", "pieces"), cards: make("ul", "hand") };
    const backs = make("span", "backs");
    backs.dataset.key = `seat:${seat.seat}:hand`;
    head.append(title, ...(seat.you ? [make("span", "flag you", "you")] : []), flag, parts.chips, backs);
    const { pieces, cards } = parts;
    pieces.setAttribute("aria-label", `${seat.name}: pieces`);
    cards.setAttribute("aria-label", `${seat.name}: hand`);
    place.append(head, ...(seat.you ? [cards, pieces] : [pieces, cards]));
    return { place, flag, backs, seat, ...parts };
  });
  const first = seats.findIndex((seat) => seat.you) + 1;
  const turned = [...drawn.slice(first), ...drawn.slice(0, first)];
  others.append(...turned.filter((one) => !one.seat.you).map((one) => one.place));
  const mine = turned.filter((one) => one.seat.you).map((one) => one.place);
  const tops = make("div", "tops");
  facts.setAttribute("aria-label", "On the table");
  tops.append(tracks, facts);
  board.replaceChildren(make("h2", "sr", "The table after this step"), tops, ...mine, tiles, words, others);

  const draw = (step) => {
    fill(tracks, step.tracks);
    fill(facts, step.facts);
    fill(tiles, step.tiles);
    words.replaceChildren(...step.words.map(([name, text]) => {
      const line = make("p", "middle-words");
      line.append(make("strong", "", `${name}:`), ` ${text}`);
      return line;
    }));
    step.places.forEach((place, at) => {
      const to = drawn[at];
      to.flag.textContent = place.flag.replaceAll("_", " ");
      to.flag.hidden = !place.flag;
      fill(to.chips, place.facts, { item: "span" });
      fill(to.pieces, place.pieces, { gone: place.gone });
      fill(to.cards, place.hand, { key: `seat:${to.seat.seat}:hand` });
      to.backs.textContent = place.backs ? `${place.backs} card${place.backs === 1 ? "" : "s"} in hand` : "";
      to.place.classList.toggle("does", to.seat.seat === step.by);
    });
    const changed = new Set(step.changed);
    const named = new Set(step.named);
    for (const part of board.querySelectorAll("[data-key]")) {
      part.toggleAttribute("data-changed", changed.has(part.dataset.key));
      part.toggleAttribute("data-named", named.has(part.dataset.key));
    }
    for (const die of board.querySelectorAll(".rolled")) die.remove();
    if (step.dice.length) {
      const on = keyed(step.named[0]);
      const die = make("span", "rolled pb");
      die.append(...step.dice.map(picture));
      (on?.closest(".pieces > li, .middle > li") || on?.closest(".place")?.querySelector(".place-head"))?.append(die);
    }
  };
  const keyed = (key) => key && board.querySelector(`[data-key="${CSS.escape(key)}"]`);
  // To whom it was done is brought into sight, or what a step changes.
  const reveal = (step) => {
    const found = keyed(step.named.at(-1)) || keyed(step.changed.find((key) => !key.startsWith("fact:")));
    const part = found?.closest("li, .place-head, .place");
    part?.scrollIntoView({ block: "nearest", behavior: still.matches ? "instant" : "smooth" });
  };

  // ---- what happened
  const said = $("said");
  // A message between players, which is not part of the game.
  const message = (one) => {
    const element = make("p", "message");
    const to = one.to ? ` to ${one.to} only` : "";
    element.append(make("strong", "", `${one.from}${to}: `), make("span", "", one.text));
    return element;
  };
  const who = (seat) => {
    const at = seats.findIndex((one) => one.seat === seat);
    const around = make("span", `pb pb-seat-${at % 8}`);
    around.append(make("span", "badge", seat), " ");
    return at < 0 ? [] : [around];
  };
  const tell = (step, lines, last) => {
    const where = step.where ? `Turn ${step.turn} · ${step.where}` : `Turn ${step.turn}`;
    const paragraphs = lines.map((line, n) => {
      const p = make("p", n ? "" : "first");
      p.append(...(n ? [] : who(step.by)), line);
      return p;
    });
    said.classList.toggle("end", last && Boolean(game.end?.length));
    said.replaceChildren(
      make("p", "where", at ? `${where} · step ${at} of ${steps.length - 1}` : "Before the first step"),
      ...paragraphs,
      ...(step.counts.length ? [make("p", "counts", step.counts.join(" · "))] : []),
      ...step.dice.map(picture),
      ...step.notices.map((line) => make("p", "notice", line)),
      ...step.messages.map(message),
      ...(last ? (game.end || []).map((line) => make("p", "first", line)) : []),
    );
    said.scrollTop = 0;
  };

  // ---- showing one step
  const slider = $("slider");
  const turn = $("turn");
  const firstOf = new Map();
  steps.forEach((step, number) => {
    if (number && !firstOf.has(step.turn)) firstOf.set(step.turn, number);
  });
  for (const [name, number] of firstOf) {
    const choice = make("option", "", String(name));
    choice.value = String(number);
    turn.append(choice);
  }
  for (const one of [$("turn-back"), $("turn-next"), turn.closest("label")]) one.hidden = firstOf.size < 2;
  const starts = [0, ...firstOf.values()];
  slider.max = String(steps.length - 1);
  let at = -1;
  const show = (number) => {
    const to = Math.max(0, Math.min(steps.length - 1, number));
    if (to === at) return;
    const near = Math.abs(to - at) === 1;
    at = to;
    const step = steps[at];
    const lines = step.said.length ? step.said : ["The table before these turns"];
    draw(step);
    tell(step, lines, at === steps.length - 1);
    if (near && !step.whole) reveal(step);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", `step ${at}, turn ${step.turn}: ${lines[0]}`);
    turn.value = String(firstOf.get(step.turn) ?? "");
    for (const id of ["first", "back", "turn-back"]) $(id).disabled = at === 0;
    for (const id of ["last", "next", "turn-next"]) $(id).disabled = at === steps.length - 1;
    shown(at);
  };
  const turnBack = () => show([...starts].reverse().find((number) => number < at) ?? 0);
  const turnNext = () => show(starts.find((number) => number > at) ?? steps.length - 1);

  // ---- playing by itself: each step stays as long as its words take to be read
  let clock = 0;
  const timeOf = ({ said }) => Math.min(6000, 900 + 25 * said.join(" ").length);
  const pace = Math.min(1, most / steps.reduce((sum, step) => sum + timeOf(step), 0));
  const halt = () => {
    clearTimeout(clock);
    clock = 0;
    $("play").setAttribute("aria-pressed", "false");
  };
  const wait = () => {
    clock = setTimeout(() => {
      show(at + 1);
      if (at < steps.length - 1) return wait();
      halt();
      return ended();
    }, pace * timeOf(steps[at]));
  };
  const play = () => {
    if (clock) return halt();
    if (at === steps.length - 1) show(0);
    $("play").setAttribute("aria-pressed", "true");
    wait();
  };

  // ---- buttons and keys
  const does = {
    first: () => show(0), last: () => show(steps.length - 1), back: () => show(at - 1),
    next: () => show(at + 1), "turn-back": turnBack, "turn-next": turnNext,
  };
  for (const [id, action] of Object.entries(does)) {
    $(id).addEventListener("click", () => { halt(); action(); });
  }
  $("play").addEventListener("click", play);
  slider.addEventListener("input", () => { halt(); show(Number(slider.value)); });
  turn.addEventListener("change", () => { halt(); show(Number(turn.value)); });
  const keys = {
    ArrowLeft: does.back, ArrowRight: does.next, PageUp: turnBack, PageDown: turnNext,
    Home: does.first, End: does.last, " ": play,
  };
  const pressed = (event) => {
    const on = event.target;
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && close) return end();
    const action = keys[event.key];
    if (!action || (on !== slider && on.matches("input, textarea, select"))) return;
    if (event.key === " " && on.matches("button, summary, a")) return;
    event.preventDefault();
    if (event.key !== " ") halt();
    action();
  };
  document.addEventListener("keydown", pressed);
  const end = () => {
    halt();
    document.removeEventListener("keydown", pressed);
    close();
  };
  $("close").hidden = !close;
  $("close").addEventListener("click", end);
  return { show, play, picture, still: still.matches };
}
