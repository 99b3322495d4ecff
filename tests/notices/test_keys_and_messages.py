"""Messages and the keys that change: each is signed with the key that counted after its turn."""

from tests.kit.named_games import session_of
from tests.kit.people import Round
from tests.kit.timed_games import begin_three, play_on
from tests.notices.forging import put_forged_message


def test_an_old_key_speaks_for_nobody_after_the_turn_that_ends_it(table: Round) -> None:
    rhea, bo = begin_three(table), table.person("bo")
    play_on(table, "abc", turns=2)
    assert bo.pbem(["tell", "-C", "savannah", "before the change"]).exit == 0
    old = session_of(bo).seat_key("b")
    last = len(session_of(rhea).readers.table().chain.heads) - 1
    assert "before the change" in rhea.pbem("log -C savannah").out
    assert bo.pbem("notice key -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    assert bo.pbem(["tell", "-C", "savannah", "after the change"]).exit == 0
    put_forged_message(table, last + 1, old, "said by a thief")
    put_forged_message(table, last, old, "in time")  # nothing proves when a message was written
    told = rhea.pbem("log -C savannah").out
    assert "Bo (b) says: before the change" in told
    assert "Bo (b) says: after the change" in told
    lead = "Bo (b) (or somebody with an old key of this seat) says: in time"
    assert lead in " ".join(told.split())
    assert "said by a thief" not in told
    assert (
        "was not valid after turn"
        in rhea.pbem("doctor -C savannah").text + rhea.pbem("audit savannah").text
    )
