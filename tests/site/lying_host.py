"""Answers that come from no host: the browser gets them in its place."""

from tests.kit.phone import Phone


def response(
    body: str | bytes, status: int = 200, kind: str = "text/plain", **headers: str
) -> dict:
    return {"body": body, "status": status, "headers": {"content-type": kind, **headers}}


def lying(phone: Phone, where, answer: dict) -> None:
    phone.context.route(where, lambda route: route.fulfill(**answer))
