"""Real mail servers on the loopback: Dovecot (IMAP) and Postfix (SMTP), from Debian's packages.

    with running() as server:
        give_mailbox(table.person("rhea"), server)
        table.person("rhea").pbem("run --once")
        assert server.letters("bo", "rhea")

Their files, sockets and logs are in one temporary folder, and they listen on free ports. They need
root (or sudo) to start, because both give up their rights afterwards.
"""

import base64
import hmac
import json
import os
import re
import shutil
import smtplib
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.kit.people import Person
from tests.kit.processes import free_port, until

DOMAIN = "pbem.example"
PASSWORD = "correct horse"
PEOPLE = ("rhea", "ann", "bo", "cy", "di", "ed", "flo", "gus", "hal", "ida", "jo")
TOKEN_KEY = b"a key that only the provider knows"
AS_ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]
FULL = "full"
"""The person whose mailbox has room for 5 kB only."""

DOVECOT = """
protocols = imap lmtp
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/dovecot.log
mail_location = maildir:~/Maildir
first_valid_uid = 1
ssl = yes
ssl_cert = <{root}/cert.pem
ssl_key = <{root}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
mail_max_userip_connections = 100
mail_plugins = quota
protocol imap {{
  mail_plugins = quota imap_quota
}}
plugin {{
  quota = maildir:User quota
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {root}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  mechanisms = plain login
  args = scheme=plain {root}/users
}}
userdb {{
  driver = passwd-file
  args = {root}/users
  default_fields = uid=nobody gid=nogroup home={root}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service auth {{
  inet_listener {{
    address = 127.0.0.1
    port = {auth}
  }}
}}
"""

TOKENS = """
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={root}/keys/
username_attribute = sub
"""

POSTFIX = """
compatibility_level = 3.6
queue_directory = {root}/spool
data_directory = {root}/postfix-data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file_prefixes = {root}
maillog_file = {root}/postfix.log
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.{domain}
mydestination =
alias_maps =
virtual_mailbox_domains = {domain}
virtual_mailbox_maps = texthash:{root}/mailboxes
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth}
smtpd_tls_cert_file = {root}/cert.pem
smtpd_tls_key_file = {root}/key.pem
smtpd_tls_security_level = may
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_client_connection_rate_limit = 0
smtputf8_enable = no
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
"""

SMTPD = "{host}:{port} inet n - n - - smtpd{options}\n"
SERVICES = """
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


@dataclass
class MailServer:
    """The two servers while they run."""

    root: Path
    ports: dict[str, int] = field(default_factory=dict)

    @property
    def certificate(self) -> Path:
        return self.root / "cert.pem"

    def address(self, name: str) -> str:
        return f"{name}@{DOMAIN}"

    def token(self, name: str, seconds: int = 3600) -> str:
        """An access token of a person, valid for so long, as a provider's sign-in page gives it."""
        now = int(time.time())
        claims = {"sub": self.address(name), "iat": now - 7200, "exp": now + seconds}
        told = ".".join(_words(part) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
        return f"{told}.{_base64(hmac.digest(TOKEN_KEY, told.encode(), 'sha256'))}"

    def mails(self, name: str, folder: str = "") -> list[bytes]:
        """Every mail message in a person's mailbox, oldest first, as the disk has them."""
        place = self.root / "mail" / self.address(name) / "Maildir" / folder
        files = [f for sub in ("new", "cur") for f in _files(place / sub)]
        return [f.read_bytes() for f in sorted(files, key=_delivered_at)]

    def empty(self, name: str) -> None:
        """Remove every message and folder of a person, as a new mailbox is.

        A message that is just being delivered there comes a second later instead.
        """
        self.settle()
        place = self.root / "mail" / self.address(name)
        remove = [*AS_ROOT, "rm", "-rf", str(place)]
        # in vain while the server is just writing there
        until(lambda: not subprocess.run(remove, check=False).returncode, why=self.log)

    def letters(self, name: str, sender: str) -> list[bytes]:
        """The messages in a person's mailbox that somebody sent, without copies of their own."""
        mark = f"\nFrom: {self.address(sender)}".encode()
        return [mail for mail in self.mails(name) if mark in mail]

    def log(self) -> str:
        return "".join(
            (self.root / name).read_text("utf-8", "replace")
            for name in ("starting.log", "dovecot.log", "postfix.log")
            if (self.root / name).exists()
        )

    def queue(self) -> list[Path]:
        """Mail messages that Postfix has accepted and not delivered yet.

        Messages move while this looks, so it looks in the order in which they move, and again
        where they come back to: none is overlooked.
        """
        places = ("maildrop", "deferred", "incoming", "active", "deferred")
        return [f for p in places for f in (self.root / "spool" / p).rglob("*") if f.is_file()]

    def settle(self) -> None:
        """Wait until Postfix has delivered everything."""
        until(lambda: not self.queue(), why=self.log)


def send_bytes(server: MailServer, sender: str, to: str, data: bytes) -> None:
    """Send a message as any mail program would."""
    context = ssl.create_default_context(cafile=str(server.certificate))
    with smtplib.SMTP("localhost", server.ports["smtp"]) as client:
        client.starttls(context=context)
        client.login(server.address(sender), PASSWORD)
        client.sendmail(server.address(sender), server.address(to), data)
    server.settle()


def _words(part: dict[str, object]) -> str:
    return _base64(json.dumps(part).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _delivered_at(path: Path) -> tuple[int, int, str]:
    """When a message came: names begin with seconds and microseconds, `1801.M99P5…`."""
    seconds, _, rest = path.name.partition(".")
    microseconds = re.match(r"M(\d+)", rest)
    return int(seconds), int(microseconds[1]) if microseconds else 0, path.name


def _files(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def installed() -> bool:
    return all(shutil.which(name, path="/usr/sbin:/usr/bin") for name in ("dovecot", "postfix"))


@contextmanager
def running() -> Iterator[MailServer]:
    """Start both servers; stop them, and remove their files, afterwards."""
    root = Path(tempfile.mkdtemp(prefix="pbem-mail-"))
    root.chmod(0o755)
    names = ("imap", "imaps", "lmtp", "auth", "smtp", "smtps")
    server = MailServer(root, {name: free_port() for name in names})
    _write(server)
    started: list[list[str]] = []
    try:
        for command in (
            ["/usr/sbin/dovecot", "-c", f"{root}/dovecot.conf"],
            ["/usr/sbin/postfix", "-c", f"{root}/postfix", "start"],
        ):
            with (root / "starting.log").open("a") as said:  # the servers keep it open: not a pipe
                subprocess.run([*AS_ROOT, *command], check=True, stdout=said, stderr=said)
            started.append(command)
        _wait(server)
        yield server
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"{error.cmd}: {server.log()}") from error
    finally:
        for command in started:
            stop = [word for word in command if word != "start"] + ["stop"]
            quiet = subprocess.DEVNULL
            subprocess.run([*AS_ROOT, *stop], check=False, stdout=quiet, stderr=quiet)
        subprocess.run([*AS_ROOT, "rm", "-rf", str(root)], check=False)


def _write(server: MailServer) -> None:
    root, ports = server.root, server.ports
    for name in ("mail", "spool", "postfix-data", "postfix", "run", "state"):
        (root / name).mkdir()
    subprocess.run([*AS_ROOT, "chown", "nobody:nogroup", f"{root}/mail"], check=True)
    subprocess.run([*AS_ROOT, "chown", "postfix:postfix", f"{root}/postfix-data"], check=True)
    names = [server.address(name) for name in (*PEOPLE, FULL)]
    rows = [f"{name}:{{plain}}{PASSWORD}::::::" for name in names[:-1]]
    rows.append(f"{names[-1]}:{{plain}}{PASSWORD}::::::userdb_quota_rule=*:bytes=5000")
    (root / "users").write_text("\n".join(rows) + "\n")
    (root / "mailboxes").write_text("".join(f"{name} ok\n" for name in names))
    words = {"root": root, "domain": DOMAIN, **ports}
    (root / "dovecot.conf").write_text(DOVECOT.format(**words))
    (root / "oauth2.conf").write_text(TOKENS.format(**words))
    key = root / "keys/default/HS256/default"
    key.parent.mkdir(parents=True)
    key.write_bytes(base64.b64encode(TOKEN_KEY))
    (root / "postfix/main.cf").write_text(POSTFIX.format(**words))
    smtpd = SMTPD.format(host="127.0.0.1", port=ports["smtp"], options="")
    wrapped = " -o smtpd_tls_wrappermode=yes"
    smtpd += SMTPD.format(host="127.0.0.1", port=ports["smtps"], options=wrapped)
    (root / "postfix/master.cf").write_text(smtpd + SERVICES.lstrip())
    _certificate(root)


def _certificate(root: Path) -> None:
    """A certificate for `localhost` that no authority knows: tests name it with --ca."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", f"{root}/key.pem", "-out", f"{root}/cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip


def _wait(server: MailServer) -> None:
    """Wait until both servers answer."""
    for name in ("imap", "imaps", "smtp", "smtps", "lmtp"):

        def answers(port: int = server.ports[name]) -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        until(answers, every=0.1, why=server.log)


@pytest.fixture(scope="session")
def server() -> Iterator[MailServer]:
    if not installed():
        pytest.fail("Dovecot and Postfix are not installed: sh tools/mailserver.sh installs them")
    with running() as found:
        yield found


def give_mailbox(
    person: Person, server: MailServer, name: str = "", options: str = "", ca: str = "ours"
) -> None:
    """Give a person a mailbox on the test server; nothing is in it."""
    name = name or person.name
    server.empty(name)
    password = person.home.parent / f"{person.name}.password"
    password.write_text(PASSWORD + "\n")
    password.chmod(0o600)
    said = person.pbem(
        f"post setup --address {server.address(name)} --imap localhost:{server.ports['imaps']} "
        f"--smtp localhost:{server.ports['smtp']} --smtp-security starttls "
        f"--password-file {password} "
        f"--games {person.place} --wait-for-copy 3 --per-hour 10000 {options}"
        + (f" --ca {server.certificate if ca == 'ours' else ca}" if ca else "")
    )
    assert said.exit == 0, said.text
