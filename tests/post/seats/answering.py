"""What a player by email is told when he writes something."""

from email.message import EmailMessage

from tests.kit.mail_seats import answer_mail, receive, reply, successful, text_of, turn_mail
from tests.kit.people import Person


def answer_line(rhea: Person) -> str:
    """The last answer to Bo, in one line."""
    return " ".join(text_of(answer_mail(rhea)).split())


def said_to(rhea: Person, words: str, mail: EmailMessage | None = None, to: str = "Bo") -> str:
    """The answer, in one line, after the player replies with these words: to this email, or to
    that of the turn."""
    successful(receive(rhea, reply(mail or turn_mail(rhea, to), words)))
    return answer_line(rhea)
