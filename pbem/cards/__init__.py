"""Cards that several dealers hide together: the mathematics of mode `dealers` (protocol §12).

Each module uses only modules of the rows above its own:

* `card_protocol_labels`: the labels of these hashes and keys
* `card_points_and_pairs`: cards as points, and hidden as pairs
* `secret_proofs`: a proof that somebody knows the secret of a point
* `card_keys_and_shares`: a dealer's key, its share of a card, and the proofs of both
* `sealed_shares`: a share for one seat, which everybody can check; the point under which shares
  are sealed for the seat, and its proof
* `mixing`: a dealer's mix of a deck, and its proof
* `hidden_deck`: the deck of a game as everybody knows it, and one dealer with its secret

Only games in mode `dealers` import this package, so no ordinary command loads a library for it.
"""
