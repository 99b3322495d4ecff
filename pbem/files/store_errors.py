"""The errors of stores and their libraries, in plain words."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from typing import Final

from pbem.errors import PbemError
from pbem.files.file_errors import AwayError, StorageError, storage_error
from pbem.files.store_answer_limits import (
    ANSWER_SECONDS,
    MAX_FILES,
)

_NO_KEYS: Final = (
    "pbem found no credentials for this store; put them where the store's own tools look (for s3: "
    "the environment or ~/.aws), and try again"
)
_REFUSED: Final = (
    "the store does not accept your credentials; check that they are right, have not expired, "
    "and are for this store"
)
_FORBIDDEN: Final = "the store does not allow you to do this; ask the owner of the store"
_OTHER_REGION: Final = "the bucket is in a different region; set AWS_DEFAULT_REGION to that region"
_CLOCK: Final = "the store says that this computer's clock is wrong; set the clock, and try again"
_UNKNOWN_HOST: Final = (
    "this computer does not know the server yet; connect once with the command ssh, check the "
    "server's fingerprint, and try again"
)
_CHANGED_HOST: Final = (
    "the server's host key has changed, so this may be a different server; ask the server's owner, "
    "and do not enter a password"
)
_AWAY_SENTENCE: Final = "the {service} cannot be reached now; check {settings}, and try again"
_BUSY_SENTENCE: Final = "the store is busy or is not working now; try again in a moment"
_SLOW_SENTENCE: Final = (
    f"the {{}} takes longer than {ANSWER_SECONDS:.0f} seconds to answer; try again later"
)

# errors are recognised by the names of their classes, so that no library must be imported for it
_BY_CLASS: Final = {
    "NoCredentialsError": _NO_KEYS,
    "PartialCredentialsError": _NO_KEYS,
    "CredentialRetrievalError": _NO_KEYS,
    "ProfileNotFound": _NO_KEYS,
    "TokenRetrievalError": _REFUSED,
    "SSOTokenLoadError": _REFUSED,
    "UnauthorizedSSOTokenError": _REFUSED,
    "TooMuchError": "the {0} sends more data than pbem asked for; ask the owner of the {0}",
    "TooManyFilesError": f"the {{}} lists more than {MAX_FILES:,} files here, and no game has so "
    "many; ask the owner to remove the files that are not part of the game",
    "UnwrittenError": "the server could not write this file, perhaps because its disk or your part "
    "of the disk is full; ask the person who runs the server",
    "SSLCertVerificationError": "the host's certificate is not valid for its name; send nothing to "
    "this host, and ask its owner",
    "BadHostKeyException": _CHANGED_HOST,
    "UnknownHostError": _UNKNOWN_HOST,
    "AuthenticationException": "the server accepts none of your SSH keys; check that `ssh` can "
    "connect to it without a password",
}
_BY_CODE: Final = {
    "InvalidAccessKeyId": _REFUSED,
    "SignatureDoesNotMatch": _REFUSED,
    "InvalidToken": _REFUSED,
    "ExpiredToken": _REFUSED,
    "403": _FORBIDDEN,
    "AccessDenied": _FORBIDDEN,
    "AllAccessDisabled": _FORBIDDEN,
    "RequestTimeTooSkewed": _CLOCK,
    "NoSuchBucket": "there is no such bucket; check its name, or make it with the store's tools",
    "InvalidBucketName": "no bucket can have this name; check the address",
    "PermanentRedirect": _OTHER_REGION,
    "AuthorizationHeaderMalformed": _OTHER_REGION,
}
_PASSING_CODES: Final = frozenset((
    "500", "502", "503", "409", "InternalError", "ServiceUnavailable", "SlowDown",
    "OperationAborted", "RequestTimeout", "ConditionalRequestConflict", "RequestLimitExceeded",
))  # fmt: skip
_SLOW_CLASSES: Final = frozenset(["SlowError", "FSTimeoutError"])
_PASSING_CLASSES: Final = frozenset((
    "EndpointConnectionError", "ConnectTimeoutError", "ReadTimeoutError", "HTTPClientError",
    "SSLError", "ConnectionClosedError", "ResponseStreamingError", "TimeoutError",
    "ConnectionError", "ClientConnectionError", "ClientPayloadError", "IncompleteRead",
    "IncompleteReadError", "SSHException", "gaierror", "EOFError", "NoValidConnectionsError",
    "ProxyConnectionError", "ResponseParserError", "CutOffError", "MaxRetryError", "ProtocolError",
))  # fmt: skip
_NETWORK: Final = frozenset(getattr(errno, name, 0) for name in (
    "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EPIPE", "ECONNREFUSED", "ECONNRESET",
    "ETIMEDOUT", "ECONNABORTED",
)) - {0}  # fmt: skip


@contextlib.contextmanager
def translate_store_errors(address: str) -> Iterator[None]:
    """Turn every error of a store or its library in this block into a StorageError about this
    address.

    Only the class of an error and the store's code are shown: its text can contain signatures and
    keys.
    """
    try:
        yield
    except (PbemError, FileExistsError):
        raise
    except Exception as error:  # noqa: BLE001 - libraries of stores raise anything
        raise store_error(error, address) from None


def store_error(error: BaseException, address: str) -> StorageError:
    """Return the error to raise for an error of a store; AwayError if the problem may pass."""
    code = code_of(error)
    classes = {kind.__name__ for cause in _chain(error) for kind in type(cause).__mro__}
    classes -= {"OSError", "Exception", "BaseException", "object"}
    sentence = _BY_CODE.get(code) or next((_BY_CLASS[c] for c in classes if c in _BY_CLASS), "")
    service = "host" if address.startswith("http") else "store"
    if sentence:
        return StorageError(address, sentence.format(service))
    if classes & _SLOW_CLASSES:
        return AwayError(address, _SLOW_SENTENCE.format(service))
    if code in _PASSING_CODES:
        return AwayError(address, _BUSY_SENTENCE)
    if isinstance(error, FileNotFoundError):
        return StorageError(address, "is not there", is_missing=True)
    if isinstance(error, PermissionError):
        return StorageError(address, _FORBIDDEN)
    number = error.errno if isinstance(error, OSError) else None
    if number in _NETWORK or (not code and classes & _PASSING_CLASSES):
        # the usual reason why a store other than Amazon's is out of reach
        is_elsewhere = address.startswith("s3") and os.environ.get("AWS_ENDPOINT_URL")
        settings = "your network and AWS_ENDPOINT_URL" if is_elsewhere else "your network"
        return AwayError(address, _AWAY_SENTENCE.format(service=service, settings=settings))
    if isinstance(error, OSError) and not code and number not in (None, errno.EIO):
        return storage_error(OSError(number, errno.errorcode.get(number or 0, "")), address)
    label = code or type(error).__name__
    return StorageError(address, f"the {service} reports the error {label}; try again later")


def code_of(error: BaseException) -> str:
    """Return the error code that an S3 store sent, if it is a word; else an empty text."""
    for cause in _chain(error):
        response = getattr(cause, "response", None)
        if isinstance(response, dict):
            code = str(response.get("Error", {}).get("Code", ""))
            return code if re.fullmatch(r"[A-Za-z0-9]{1,60}", code, re.ASCII) else ""
    return ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    for _ in range(8):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__
