"""A referee who signs what the game does not allow, and people who sign what is not theirs."""

from collections.abc import Callable
from dataclasses import replace

from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import NewKey
from pbem.judge.read_and_make_messages import make_message
from pbem.judge.which_notices_count import SignedNotice, row_of
from pbem.records.game_id_and_chain_heads import first_head, next_head
from pbem.records.notice import Saying
from pbem.records.read_and_sign_record import Record, make
from pbem.records.turn import Turn, sort_sets
from tests.kit.named_games import session_of
from tests.kit.people import NOW, Round, Said, key_of
from tests.kit.record_files import put_record, record_at

Change = Callable[[Turn], Turn]


def turn_records(table: Round) -> list[Record[Turn]]:
    """The turns in the folder."""
    folder = table.shared / "savannah" / "turns"
    return [record_at(path) for path in sorted(folder.glob("*.toml"))]


def chain_heads(table: Round) -> list[bytes]:
    """The heads of the chain in the folder."""
    found = [first_head(session_of(table.person("rhea")).game_folder.game)]
    for turn in turn_records(table):
        found.append(next_head(found[-1], turn.id))
    return found


def forge(table: Round, change: Change, signer: str = "rhea") -> Said:
    """The last turn again as somebody with a key signs it; returns what Ann's audit says."""
    turn = turn_records(table)[-1]
    changed = make(sort_sets(change(turn.content)), key_of(signer))
    path = table.shared / "savannah" / "turns" / f"{turn.content.turn:04}.toml"
    path.write_bytes(changed.file)
    return table.person("ann").pbem("audit savannah")


def put_notice(
    table: Round, writer: str, saying: Saying, key: SigningKey, after: int = -1, number: int = 1
) -> SignedNotice:
    """Put a notice into the folder, whoever signs it."""
    chain = chain_heads(table)
    turn = after if after >= 0 else len(chain) - 1
    session = session_of(table.person("rhea"))
    place = session.game_folder.game, turn, chain[turn]
    record = make_notice(place, writer, number, saying, key)
    put_record(session.folder, record)
    return record


def new_key_of(table: Round, name: str, seat: str = "b") -> NewKey:
    """What a seat says when it changes to the key of the person of this name."""
    game, key = session_of(table.person("rhea")).game_folder.game, key_of(name)
    return NewKey.make(key, public_of(Secrets(key.seed).box(game, seat)), game, seat)


def with_listed_notices(*records: SignedNotice) -> Change:
    """The turn lists these notices as well."""
    rows = tuple(row_of(record) for record in records)
    return lambda turn: replace(turn, notices=(*turn.notices, *rows))


PRESS = "savannah/press"


def put_forged_message(table: Round, turn: int, key, said: str) -> None:
    """Somebody with this key writes in Bo's name after a turn."""
    from pbem.judge.read_and_make_messages import Reader

    rhea = session_of(table.person("rhea"))
    heads = rhea.readers.table().chain.heads
    place = (rhea.game_folder.game, turn, heads[turn])
    record = make_message(place, 9, NOW, (said,), Reader("b", bytes(32)), key, "", {})
    folder = table.shared / PRESS
    folder.mkdir(exist_ok=True)
    (folder / f"{turn:04}-b-9-{record.id.hex()[:6]}.toml").write_bytes(record.file)
