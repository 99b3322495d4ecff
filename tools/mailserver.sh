#!/bin/sh
# Debian's Dovecot, Postfix and mutt, for tests/post: installs them if they are missing and apt-get
# may. The tests start their own servers on free ports of this computer, and change no system service.
set -eu
if [ -x /usr/sbin/dovecot ] && [ -x /usr/sbin/postfix ] && [ -x /usr/bin/mutt ] &&
  [ -d /usr/share/doc/dovecot-lmtpd ]; then exit 0; fi
as_root=""
if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "pbem: the mail tests need Dovecot, Postfix and mutt: install them with your system's tools." >&2
  exit 1
fi
echo "pbem: installing dovecot, postfix and mutt" >&2
$as_root apt-get update -q >/dev/null
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
  dovecot-imapd dovecot-lmtpd postfix mutt openssl >/dev/null
