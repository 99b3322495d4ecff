"""An account and a letter that it is to send."""

from pbem.mail.letter import Letter
from pbem.post.mail_account import Account, Server

SERVER = Server("localhost", 1, "clear")
ACCOUNT = Account("rhea@example.org", "rhea", SERVER, SERVER, "command", "true")
LETTER = Letter(
    "bo@example.org", "savannah: turn 1", "Hello.\n", identity=("bundle", "x"), game="g"
)
