
// ---- A replay page: the player above, with the log beside the board and the twelve words below it
const $ = (id) => document.getElementById(id);
const coded = atob($("game").textContent.trim());
const bytes = Uint8Array.from(coded, (c) => c.charCodeAt(0));
const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const game = JSON.parse(await new Response(plain).text());

const log = $("log");
const rows = [];
const add = (kind, text) => {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = text;
  log.append(item);
  return item;
};
let turn = 0;
game.steps.forEach((step, number) => {
  if (number && step.turn > turn) add("turn-head", `Turn ${step.turn}`);
  if (number) ({ turn } = step);
  for (const line of step.notices) add("notice", line);
  const row = document.createElement("button");
  row.textContent = step.said[0] || "The table before these turns";
  row.type = "button";
  row.addEventListener("click", () => show(number));
  add("").append(row);
  for (const one of step.messages) {
    const who = document.createElement("strong");
    who.textContent = `${one.from}${one.to ? ` to ${one.to} only` : ""}: `;
    add("message", one.text).prepend(who);
  }
  rows.push(row);
});

function shown(at) {
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  rows[at].setAttribute("aria-current", "step");
  const row = rows[at].offsetTop - log.offsetTop;
  if (row < log.scrollTop || row > log.scrollTop + log.clientHeight - 48) {
    log.scrollTop = row - log.clientHeight / 3;
  }
  const { turn } = game.steps[at];
  $("words-turn").textContent = String(turn);
  $("words").textContent = game.words[turn] || "(none before turn 1)";
  if (location.hash !== `#${at}`) location.replace(`#${at}`);
}

const { show, picture } = player($("table"), game, { shown });
game.steps.forEach((step, number) => rows[number].append(...step.dice.map(picture)));
const fromAddress = () => {
  const wanted = Number(location.hash.slice(1));
  return location.hash && Number.isInteger(wanted) ? wanted : 0;
};
addEventListener("hashchange", () => show(fromAddress()));
show(fromAddress());
