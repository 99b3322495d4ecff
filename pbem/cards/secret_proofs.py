"""Proofs that somebody knows the secret scalar of a point: C.-P. Schnorr, *Efficient Signature
Generation by Smart Cards*, J. Cryptology 4 (1991).

They are made non-interactive by a hash of everything that they are about (protocol §12). The nonce
derives from the secret and from the whole statement, so a machine that lost its files writes the
same bytes again, and two statements never share a nonce.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.cards.card_points_and_pairs import split_points
from pbem.format import curve_group
from pbem.format.curve_group import SCALAR_BYTES, ScalarStream, scalar_bytes, scalar_of
from pbem.format.hashes_and_streams import kdf
from pbem.format.protocol_labels import Label
from pbem.format.record_error import RecordError

SECRET_PROOF_BYTES: Final = 2 * SCALAR_BYTES


class ProofKind(NamedTuple):
    """A kind of point whose secret is proven."""

    noun: str
    """The name of the point, for messages: `card key`."""
    nonce_label: Label
    proof_label: Label


def make_nonce(secret: int, label: Label, *statement: bytes) -> int:
    """Return the nonce of a proof with this secret."""
    (nonce,) = ScalarStream(kdf(scalar_bytes(secret), label, *statement)).next_scalars(1)
    return nonce


def make_secret_proof(kind: ProofKind, secret: int, *place: bytes) -> bytes:
    """Return the 64-byte proof that somebody knows the secret of a point, bound to this place."""
    statement = (*place, curve_group.multiply_base(secret))
    nonce = make_nonce(secret, kind.nonce_label, *statement)
    challenge = scalar_of(kind.proof_label, *statement, curve_group.multiply_base(nonce))
    return scalar_bytes(challenge) + scalar_bytes(nonce + challenge * secret)


def check_secret_proof(
    kind: ProofKind, owner: str, point: bytes, proof: bytes, *place: bytes
) -> None:
    """Check that the owner of a point knows its secret; `owner` names them in messages: `dealer 0`.

    Raises RecordError: `field` for a wrong length, a scalar that is too large, or bytes that are no
    point of prime order; `commitment` if the proof does not hold.
    """
    if len(proof) != SECRET_PROOF_BYTES:
        sentence = f"the proof of the {kind.noun} of {owner} must have {SECRET_PROOF_BYTES} bytes"
        raise RecordError("field", sentence)
    try:
        challenge, answer = map(curve_group.read_scalar, split_points(proof))
        curve_group.read_point(point)
    except RecordError as error:
        sentence = f"the {kind.noun} of {owner}: {error.sentence}"
        raise RecordError(error.reason, sentence) from None
    nonce_point = curve_group.subtract(
        curve_group.multiply_base(answer), curve_group.multiply(challenge, point)
    )
    if challenge != scalar_of(kind.proof_label, *place, point, nonce_point):
        raise RecordError(
            "commitment",
            f"{owner} must prove that it knows the secret of its {kind.noun}, but the proof is "
            "wrong",
        )
