"""A person and a game: keys and roles, what this machine saw, what the person may see or make.

Each module is one subject, and uses only modules of the rows above its own:

* `keyring`, `mail_notebooks`, `cache_freshness`: the keys of a home; what the home notes about
  mail: addresses, who was sent what; whether a cached line of a list or a page is still right
* `user_game`: a person and the game in a folder: roles, seats, keys in this game
* `checks_before_co_dealing`: the turns for which a co-dealer has dealt, what it saw and when
* `restore_last_sealed_orders`, `last_signed_record`, `check_seen_and_made_turns`: the last orders
  that this machine sealed; what it signed last on a subject; turns that it saw and that are gone or
  damaged
* `own_and_pending_joins`, `new_turn_date_doubt`, `cached_views_and_readers`: the user's joins, and
  others for their seat; whether a new turn has a wrong date; saved views and checkpoints
* `missing_seats_and_keys`: keys that are lost; errors, hints and sentences for somebody without a
  seat or key here
* `referees_next_turn_and_options`: the referee's key, what `advance` would do, and how the referee
  wants to begin
* `turn_readers`: readers that have read all turns, for everybody and for the user's seats
* `session`: one run of a command: the seat that the user means, and the view of the game
* `standing_with_unlisted_notices`: the standing of the game, with the notices in the folder that no
  turn lists yet
* `due_mail`, `announced_acts_against_user`, `questions_left_open_by_orders`,
  `own_uncounted_orders`, `readable_messages`: what the user must still mail; what others announced
  that the user can cancel; what the user's newest orders leave open; the fate of own orders that no
  turn counts; the messages that the user may read
* `delivery_wait_of_sealed_orders`: the user's orders that wait to be delivered, or were taken back
* `situation`: whose move it is, who is missing, what is ready: facts, without commands and
  sentences
* `next_step`: what to do next: the only place that chooses it, and `pbem/wording/next_step.py` has
  its words
"""
