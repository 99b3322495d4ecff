"""A page of another port of the host's name: to browsers, it is of the same site."""

from tests.browser.other_server import other_port
from tests.site.evening import Evening, ann_at_phone, game_path

PAGE = """<!doctype html><title>other</title><p id="told">waiting</p><script>
const table = "%s";
const acts = { notices: { about: "concede", sure: true }, messages: { text: "I am Ann", to: "" } };
const add = (kind, values) => {
  const one = Object.assign(document.createElement(kind), values);
  document.body.append(one);
  return one;
};
async function ask(path, data) {
  const action = `${table}/${path}`;
  const [name, value] = JSON.stringify({ ...data, x: "=" }).split(/(?<=x":")=/);
  add("iframe", { name: `sent-${path}` });
  for (const target of [`sent-${path}`, "_blank"]) {
    const form = add("form", { method: "POST", action, enctype: "text/plain", target });
    form.append(add("input", { name, value }));
    form.submit();
  }
  for (const headers of [{}, { "x-pbem-part": "1" }]) {
    for (const mode of ["cors", "no-cors"]) {
      const body = JSON.stringify(data);
      const how = { method: "POST", body, mode, headers, credentials: "include" };
      await fetch(action, how).catch(() => {});
    }
  }
  add("iframe", { src: action });
}
(async () => {
  for (const [path, data] of Object.entries(acts)) await ask(path, data);
  const opened = window.open(table);
  setTimeout(() => {
    document.getElementById("told").textContent = `asked; lost its window: ${opened.closed}`;
  }, 5000);
})();
</script>"""


def test_a_page_of_another_port_can_neither_act_for_a_player_nor_frame_the_game(evening: Evening):
    """Ann plays in a tab, and another tab has the page: it sends forms and requests to the pages of
    her game, and shows them in frames, to have her concede."""
    phone = ann_at_phone(evening)
    game = f"{evening.host.url}{game_path(phone)}"
    with other_port(PAGE % game) as (address, _):
        page = phone.context.new_page()
        page.goto(address)
        page.wait_for_selector("#told:has-text('asked')")
        assert "lost its window: true" in page.inner_text("#told"), "it cannot lead it elsewhere"
        frames = [one for one in page.frames if one != page.main_frame]
        assert len(frames) == 4
        for frame in frames:
            text = frame.evaluate("document.body.innerText")
            assert "Ann" not in text, text
            assert "Concede" not in text, text
    phone.sent()
    phone.press("nav a >> text=Notices")
    phone.frame.wait_for_selector("h1:has-text('Notices')")
    assert "has conceded" not in phone.text()
    assert phone.frame.locator("form[aria-label='Concede']").count() == 1, "Ann still plays"
    data = evening.table.root / "data"
    assert not [*data.rglob("notices/*"), *data.rglob("press/*")]
    phone.said.clear()


def test_a_plain_form_without_the_pages_header_does_not_act(evening: Evening):
    """Also one that stands in a page of the program: what acts is a script with a header."""
    phone = ann_at_phone(evening)
    path = f"{game_path(phone)}/notices"
    answer = phone.frame.evaluate(
        """async (path) => {
          const body = JSON.stringify({ about: "concede", sure: true });
          const answer = await fetch(path, { method: "POST", body });
          return [answer.status, await answer.text()];
        }""",
        path,
    )
    assert answer == [403, "refused: this request does not come from a page of pbem\n"]
    phone.frame.evaluate(
        """(action) => {
          const form = Object.assign(document.createElement("form"), { method: "POST", action });
          document.body.append(form);
          form.submit();
        }""",
        path,
    )
    phone.frame.wait_for_selector("body:has-text('Only the pages of pbem may do this')")
    assert not [*(evening.table.root / "data").rglob("notices/*")]
    phone.said.clear()
