"""Another way to deal needs its own parts and nothing else: a whole game with open cards."""

from dataclasses import replace

import pytest

from engine import mask
from pbem.files.game_folder import Folder
from pbem.format.encrypted_box import public_of
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.audit import audit
from pbem.judge.dealing_modes import MODES
from pbem.judge.game_view import view_of
from pbem.judge.hidden_dealing_mode import HIDDEN
from pbem.judge.next_turn import Advance
from pbem.judge.notice_kinds import NewKey
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.reader_and_maker_checkpoints import checkpoint_of, resume_progress, resume_reader
from pbem.judge.reader_and_maker_checkpoints import checkpoint_of_maker as maker_checkpoint
from pbem.judge.records_of_game_folder import open_folder
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.turn_maker import TurnMaker
from pbem.records.read_and_sign_record import make
from pbem.wording import audit_certificate
from pbem.wording.audit_certificate import CARD_WORDS, CardWords, statement
from tests.kit.named_games import begun, joined
from tests.kit.people import Round, output_of
from tests.kit.played_games import Played, played_key
from tests.kit.record_files import refusal_by
from tests.play.known_state import read_back
from tests.play.open_cards import CUT, OPEN, OpenMaker

DECK_SENTENCE = "Everybody saw all cards."


@pytest.fixture
def open_mode(monkeypatch):
    """All games here are dealt openly."""
    monkeypatch.setitem(MODES, "referee", OPEN)
    words = CardWords("", lambda report: DECK_SENTENCE)
    monkeypatch.setattr(audit_certificate, "CARD_WORDS", CARD_WORDS | {"open": words})


@pytest.fixture
def open_game(open_mode, tmp_path):
    return Played(tmp_path / "game").play()


def test_the_certificate_has_words_for_each_mode():
    assert MODES.keys() == {mode.name for mode in MODES.values()}
    assert CARD_WORDS.keys() == {*MODES, HIDDEN.name}


@pytest.mark.sample(0)
def test_a_game_dealt_with_open_cards_ends_and_its_audit_proves_it(open_game):
    assert len(open_game.turns) > 10
    last = open_game.turns[-1].content
    assert (last.over, last.lines, last.decks, last.shown, last.links) == (True, (), (), (), ())
    report = audit(open_game.folder)
    assert (report.proven, report.mode, report.cards) == (True, "open", 0)
    assert any(DECK_SENTENCE in sentence for sentence in statement(report))
    assert "could swap" not in " ".join(statement(report))


@pytest.mark.sample(0)
def test_with_open_cards_each_seat_reads_its_own_cards_by_name(open_game):
    public = open_game.read(PublicReader(open_game.charter))
    cards = [name for names in public.cards.names.values() for name in names]
    assert len(cards) > 50
    assert "?" not in "".join(cards)
    for seat in "ab":
        reader = open_game.reader_at(seat, 9999)
        own = [entry for entry in reader.own_log if seat in (entry.seat, entry.to)]
        assert any("[" in entry.text for entry in own)
        assert all("[?]" not in entry.text for entry in own)
        assert [mask(entry.text) for entry in reader.own_log] == [e.text for e in public.log]
        assert view_of(reader).table.state.hands[seat] == reader.own_table.state.hands[seat]


@pytest.mark.sample(0)
def test_a_way_to_deal_may_ask_a_seat_to_cut_before_cards_are_dealt(open_game):
    """The first turn asks seat a to cut; only then cards are dealt."""
    first, second = (record.content for record in open_game.turns[:2])
    assert (first.log, first.dealt) == ((), ())
    assert [(one.seat, one.kinds) for one in first.awaited] == [("a", (CUT,))]
    assert CUT not in open_game.made.table.game.ruleset.kinds
    assert second.dealt
    reader = open_game.reader_at("a", 1)
    assert view_of(reader).awaited == {"a": [CUT]}
    assert open_game.reader_at("a", 2).cards.awaited_kinds() == {}
    early = make(replace(second, orders=()), open_game.referee)
    with pytest.raises(RecordError, match="nobody has cut the deck"):
        open_game.read(PublicReader(open_game.charter), 1).absorb(early, open_game.finder)
    nobody = make(replace(first, awaited=()), open_game.referee)
    with pytest.raises(RecordError, match="the turn must list the questions"):
        PublicReader(open_game.charter).absorb(nobody, open_game.finder)


@pytest.mark.sample(0)
@pytest.mark.parametrize("turns", [1, 2, 7])
def test_readers_go_on_from_checkpoints(open_game, turns):
    last = open_game.turns[turns - 1].content
    for seat in "ab":
        seed = open_game.seats[seat].key.seed
        state = read_back(checkpoint_of(open_game.reader_at(seat, turns)))
        reader = resume_reader(
            SeatReader(open_game.charter, seat, seed), state, last, open_game.finder
        )
        for record in open_game.turns[turns:]:
            reader.absorb(record, open_game.finder)
        assert reader.own_log == open_game.reader_at(seat, 9999).own_log


def test_the_maker_goes_on_from_a_checkpoint(open_mode, tmp_path):
    game = Played(tmp_path / "game").play(5)
    folder = open_folder(Folder(game.root))
    state = read_back(maker_checkpoint(game.made))
    progress = resume_progress(folder, secrets_of(folder, game.referee), state)
    outcomes = [
        Advance(folder, game.referee, game.now + 60, previous_progress=before).run()
        for before in (progress, None)
    ]
    assert outcomes[0].new_records
    assert outcomes[0].new_records == outcomes[1].new_records


def test_with_open_cards_new_keys_read_all_cards_of_their_seat(open_mode, tmp_path):
    game = Played(tmp_path / "game").play(4)
    new = played_key("Bo's new key")
    ident = game.game_folder.game
    game.say("b", NewKey.make(new, public_of(Secrets(new.seed).box(ident, "b")), ident, "b"))
    game.sits("b", new)
    game.play(2)
    reader = game.seats["b"].reader
    assert (reader.valid_from, reader.chain.turn) == (5, 6)
    assert "[?]" not in "".join(e.text for e in reader.own_log if "b" in (e.seat, e.to))


def test_commands_say_what_the_cards_wait_for(open_mode, tmp_path):
    table = Round(tmp_path)
    joined(table)
    begun(table)
    ann, bo, rhea = map(table.person, ("ann", "bo", "rhea"))
    assert "you are asked for: cut (cut)" in output_of(ann, "status -C savannah")
    assert "a Ann: MISSING, asked for cut" in output_of(bo, "status -C savannah")
    assert "next: a Ann (you): cut" in output_of(ann, "show -C savannah")
    output_of(ann, "play -C savannah", "s\n")
    output_of(rhea, "advance -C savannah")
    assert "you are asked for: food (" in output_of(bo, "status -C savannah")
    assert " · hand 4" in output_of(bo, "show -C savannah")
    assert output_of(bo, "audit -C savannah").startswith("RIGHT SO FAR")


# ------------------------------------------------------------------ cheats
class Stacking(OpenMaker):
    """Two cards are exchanged before they are dealt."""

    def learn(self, decision, text):
        super().learn(decision, text)
        if decision.kind == "shuffle":
            deck = self.decks[decision.deck]
            deck[0], deck[9] = deck[9], deck[0]


class StackingReferee(TurnMaker):
    def _new_cards(self):
        return Stacking(self.secrets.r_ref)


@pytest.mark.sample(0)
def test_the_audit_tells_what_the_mode_says_of_another_deck(open_mode, tmp_path):
    game = Played(tmp_path / "game", maker=StackingReferee).play()
    report = audit(game.folder)
    assert not report.proven
    assert [(one.path, one.reason) for one in report.broken] == [("turns/0002.toml", "chain")]
    assert report.broken[0].sentence == "dealt: these cards do not come from the seed"


@pytest.mark.sample(0)
def test_a_card_that_is_not_in_the_deck_is_refused_at_once(open_game):
    turn = open_game.turns[1].content
    for wrong in (
        (replace(turn.dealt[0], card="horns 9"), *turn.dealt[1:]),
        turn.dealt[1:],
        (*turn.dealt, replace(turn.dealt[-1], k=turn.dealt[-1].k + 1)),
    ):
        reader = open_game.read(PublicReader(open_game.charter), 1)
        lie = make(replace(turn, dealt=wrong), open_game.referee)
        assert refusal_by(reader.absorb, lie, open_game.finder)[0] == "opening"
