"""A second implementation of silence, deadlines and notices, written from the pages of `docs/`.

It shares nothing with `pbem/judge`, so a mistake there is not repeated here. It knows no rules of
games: what a turn asks, and whom, it reads from the turn. From that, and from the files that lie in
the folder, it says what the referee's program must do next, and what the turn must contain.

* `spans`: a deadline's rule and the moment that follows from it (docs/referees.md);
* `people`: who is there, away, idle, open, out; who must agree (docs/seats.md, protocol.md);
* `notices`: which notices count, and what each of them does;
* `referee`: what `advance` may do at a moment, and what the turn then says.
"""
