"use strict";
// Shows the steps of one game. It knows no rule: it places pictures that pbem has drawn.
(async () => {
  const $ = (id) => document.getElementById(id);
  const coded = atob($("game").textContent.trim());
  const bytes = Uint8Array.from(coded, (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const game = JSON.parse(await new Response(plain).text());
  const { steps, seats } = game;

  // ---- pictures, each parsed once
  const parsed = [];
  const picture = (number) => {
    if (!parsed[number]) {
      const holder = document.createElement("template");
      holder.innerHTML = game.pictures[number];
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
  const fill = (list, numbers, key) => {
    const same = JSON.stringify(numbers);
    if (list.dataset.shown === same) return;
    list.dataset.shown = same;
    list.replaceChildren(...numbers.map((number, n) => {
      const item = make("li");
      if (key) item.dataset.key = `${key}:${n}`;
      item.append(picture(number));
      return item;
    }));
    list.hidden = !numbers.length;
  };

  // ---- the table
  const table = $("table");
  const facts = make("ul", "facts");
  facts.setAttribute("aria-label", "In the middle");
  const others = make("div", "places");
  const mine = make("div", "places");
  const drawn = seats.map((seat, at) => {
    const place = make("section", `place pb-seat-${at % 8}${seat.you ? " you" : ""}`);
    place.dataset.key = `seat:${seat.seat}`;
    const head = make("h2");
    const flag = make("span", "flag");
    head.append(make("span", "letter", seat.seat), make("span", "", seat.name), flag);
    const parts = { chips: make("ul", "chips"), pieces: make("ul", "pieces"), hand: make("ul", "hand") };
    parts.chips.setAttribute("aria-label", `${seat.name}: facts`);
    parts.pieces.setAttribute("aria-label", `${seat.name}: pieces`);
    parts.hand.setAttribute("aria-label", `${seat.name}: hand`);
    parts.hand.dataset.key = `seat:${seat.seat}:hand`;
    place.append(head, parts.chips, parts.pieces, parts.hand);
    return { place, flag, seat, ...parts };
  });
  const first = seats.findIndex((seat) => seat.you) + 1;
  const turned = [...drawn.slice(first), ...drawn.slice(0, first)];
  others.append(...turned.filter((one) => !one.seat.you).map((one) => one.place));
  mine.append(...turned.filter((one) => one.seat.you).map((one) => one.place));
  table.append(facts, others, mine);

  const drawTable = (step) => {
    fill(facts, step.facts);
    step.places.forEach((place, at) => {
      const to = drawn[at];
      const you = to.seat.you ? ["you"] : [];
      to.flag.textContent = [...you, ...(place.flag ? [place.flag] : [])].join(" · ");
      fill(to.chips, place.facts);
      fill(to.pieces, place.pieces);
      fill(to.hand, place.hand, `seat:${to.seat.seat}:hand`);
    });
    for (const marked of table.querySelectorAll("[data-changed]")) marked.removeAttribute("data-changed");
    const changed = new Set(step.changed);
    for (const part of table.querySelectorAll("[data-key]")) {
      if (changed.has(part.dataset.key)) part.setAttribute("data-changed", "");
    }
  };

  // A message between players, which is not part of the game.
  const message = (kind, said) => {
    const element = make(kind, "message");
    const to = said.to ? ` to ${said.to} only` : "";
    element.append(make("strong", "", `${said.from}${to}: `), make("span", "", said.text));
    return element;
  };

  // ---- the log
  const log = $("log");
  const rows = [];
  const firstOf = new Map();
  steps.forEach((step, number) => {
    if (number && !firstOf.has(step.turn)) {
      log.append(make("li", "turn-head", `Turn ${step.turn}`));
      firstOf.set(step.turn, number);
    }
    for (const line of step.notices) log.append(make("li", "notice", line));
    const row = make("button", "", step.said[0] || "The table before these turns");
    row.type = "button";
    row.addEventListener("click", () => show(number));
    const item = make("li");
    item.append(row);
    log.append(item);
    for (const said of step.messages) log.append(message("li", said));
    rows.push(row);
  });
  const turn = $("turn");
  for (const [name, number] of firstOf) {
    const choice = make("option", "", String(name));
    choice.value = String(number);
    turn.append(choice);
  }
  const starts = [0, ...firstOf.values()];

  // ---- showing one step
  const slider = $("slider");
  slider.max = String(steps.length - 1);
  let at = -1;
  const show = (number) => {
    const to = Math.max(0, Math.min(steps.length - 1, number));
    if (to === at) return;
    if (at >= 0) rows[at].removeAttribute("aria-current");
    at = to;
    const step = steps[at];
    drawTable(step);
    const said = step.said.length ? step.said : ["The table before these turns"];
    const where = step.where ? `Turn ${step.turn} · ${step.where}` : `Turn ${step.turn}`;
    const last = at === steps.length - 1;
    $("said").classList.toggle("end", last && game.end.length > 0);
    $("said").replaceChildren(
      make("p", "where", at ? `${where} · step ${at} of ${steps.length - 1}` : "Before the first step"),
      ...said.map((line, n) => make("p", n ? "" : "first", line)),
      ...step.dice.map(picture),
      ...step.notices.map((line) => make("p", "notice", line)),
      ...step.messages.map((said) => message("p", said)),
      ...(last ? game.end.map((line) => make("p", "first", line)) : []),
    );
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", `step ${at}, turn ${step.turn}: ${said[0]}`);
    turn.value = String(firstOf.get(step.turn) ?? "");
    rows[at].setAttribute("aria-current", "step");
    const row = rows[at].offsetTop - log.offsetTop;
    if (row < log.scrollTop || row > log.scrollTop + log.clientHeight - 48) {
      log.scrollTop = row - log.clientHeight / 3;
    }
    $("words-turn").textContent = String(step.turn);
    $("words").textContent = game.words[step.turn] || "(none before turn 1)";
    for (const id of ["first", "back", "turn-back"]) $(id).disabled = at === 0;
    for (const id of ["last", "next", "turn-next"]) $(id).disabled = at === steps.length - 1;
    if (location.hash !== `#${at}`) location.replace(`#${at}`);
  };
  const turnBack = () => show([...starts].reverse().find((number) => number < at) ?? 0);
  const turnNext = () => show(starts.find((number) => number > at) ?? steps.length - 1);
  let clock = 0;
  const halt = () => {
    clearInterval(clock);
    clock = 0;
    $("play").setAttribute("aria-pressed", "false");
  };
  const play = () => {
    if (clock) return halt();
    if (at === steps.length - 1) show(0);
    $("play").setAttribute("aria-pressed", "true");
    clock = setInterval(() => (at < steps.length - 1 ? show(at + 1) : halt()), 1200);
  };
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
  addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.altKey || event.ctrlKey || event.metaKey) return;
    const on = event.target;
    if (on === turn || (event.key === " " && on instanceof HTMLButtonElement)) return;
    event.preventDefault();
    if (event.key !== " ") halt();
    action();
  });
  const fromAddress = () => {
    const wanted = Number(location.hash.slice(1));
    return location.hash && Number.isInteger(wanted) ? wanted : 0;
  };
  addEventListener("hashchange", () => show(fromAddress()));
  show(fromAddress());
})();
