"""Turns that only list notices: they cost nobody an answer, a deadline or a mail."""

from tests.kit.people import NOW, output_of
from tests.kit.timed_games import answer_with_card, begin_three, status_data
from tests.notices.forging import turn_records


def test_an_answer_that_is_on_its_way_still_counts_after_a_turn_that_only_lists_notices(table):
    rhea, bo, cy = begin_three(table), table.person("bo"), table.person("cy")
    answer_with_card(table, "a")
    answer_with_card(table, "c")
    (orders,) = (table.shared / "savannah" / "orders").glob("0001-c-*")
    kept = orders.read_bytes()
    orders.unlink()
    assert bo.pbem("notice key -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    quiet = turn_records(table)[-1].content
    assert (quiet.log, quiet.deadline) == ((), turn_records(table)[0].content.deadline)
    seats = status_data(rhea)["seats"]
    assert (seats["a"]["ready"], seats["c"]["ready"]) == ("SEALED", "MISSING")
    assert "wait for" in status_data(table.person("ann"))["next"]
    orders.write_bytes(kept)
    assert status_data(rhea)["seats"]["c"]["ready"] == "SEALED"
    assert cy.pbem("send -C savannah --paste").exit == 0  # they are still worth a mail
    output_of(rhea, f"advance -C savannah --now {NOW + 86400}")
    listed = {one.seat: one.status for one in turn_records(table)[-1].content.orders}
    assert listed == {"c": "accepted"}
    assert turn_records(table)[-1].content.silent == ("b",)
    assert rhea.pbem("audit savannah").exit == 0
    assert cy.pbem("audit savannah --as c").exit == 0
