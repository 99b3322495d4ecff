"""A game as its records tell it: who may do what, readers, the referee, views, the audit.

Everybody runs the same code, so that what the referee decides can be checked. What each module
answers:

* `read_and_check_record_file`, `records_of_game_folder`, `damaged_and_stray_turn_files`: what one
  file says; which records are in the folder, and which files are not records
* `record_chain`: what the published records say, without tables and secrets: heads, standing,
  absence, who is asked since when
* `which_joins_count`, `seat_curve_points`, `consent`, `seat_holders_keys_and_agreements`: who has
  which seat and keys, who left, who must agree
* `referee_or_deputy`, `which_deputy_turns_count`, `deputy_and_co_dealer_keys_in_charter`,
  `referee_secrets`: who makes a turn, and whose turn counts; the keys of a deputy or co-dealer in
  one line; the secrets that make turns
* `notice_kinds`, `which_notices_count`, `unlisted_notices`, `notices_for_next_turn`: what each kind
  of notice says and does; which notices count, are new in the folder, come next
* `record_fit_and_signer`: where does a record fit, and whose key signed it? Mail, hosts and the
  audit ask, each with rules of its own; `tests/admission/scenes.toml` has their answers
* `absent_seats`, `announced_absences_and_delays`, `deadline_status`: for whom nobody waits; what
  players declared about time; the deadline of a turn and the time left
* `game_ruleset`, `make_signed_records`: the ruleset of a charter, with its bot for open seats; the
  signing of records
* `order_line_checks`, `opened_lines_for_decision`, `order_settler`, `orders_in_force`: what is
  wrong with a line; which opened line settles a question; which orders answer it; which orders
  count
* `bot_order_lines`: what a bot would order
* `public_turn_reader`, `seat_turn_reader`, `turn_end_checks`: is a turn right? A `PublicReader`
  adds the public table to a chain, a `SeatReader` a seat's; the table in words, as a turn has it
* `dealing_mode_interfaces`, `dealing_modes`: what must a way to deal do, and which way does a
  charter name? How cards are dealt, hidden, shown and proven is behind three protocols: for every
  reader, for a seat, for the turn maker
* `sealed_dealing_mode`, `sealed_cards_public_check`, `sealed_openings`, `sealed_cards_seat_check`,
  `sealed_dealer`, `base_classes_of_one_dealer_modes`, `chance_entry_checks`: the way of mode
  `referee`: commitments, openings, handles and packets, for every reader, for a seat and for the
  turn maker; both modes check entries of chance alike
* `hidden_dealing_mode`, `hidden_cards_public_check`, `hidden_cards_seat_check`, `hidden_dealer`,
  `hidden_dealing_state`, `co_dealer`, `why_co_dealer_waits_or_refuses`: the way of mode `dealers`,
  in which several dealers hide the cards: the same three; what dealers owe after a turn, and their
  parts; what a co-dealer writes, how long it waits, and which turns it refuses
* `next_turn`, `orders_for_next_turn`, `awaited_and_silent_seats`, `turn_maker`,
  `turn_inputs_and_outcome`: what comes next? `Advance` makes the step, `OrderSorter` sorts orders,
  `TurnMaker` adds all tables to a chain; what it is made from
* `game_view`, `ranks_after_departures`, `standing_order_reports`, `read_and_make_messages`: what
  one seat knows; who won; what its standing orders did; the messages that it may read
* `audit`, `chain_audit`, `unused_files_audit`, `unlisted_deal_records_audit`, `audit_report`,
  `remake_turn`, `turn_differences`: what the whole folder proves: about the turns, about files that
  no turn uses; the findings and facts; a turn made again, and how the published turn differs from
  it
* `reader_and_maker_checkpoints`, `chain_checkpoint`, `tagged_json_data`: what a reader or a
  chain knows, as JSON
* `security_threats`: the threats of `threats.toml`, each with its answer
* `evidence_from_own_machine`: what one machine saw and sealed, and no record proves
* `order_fates`: what became of a set of orders: waiting, accepted, replaced, late, forked …
"""
