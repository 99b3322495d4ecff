#!/bin/sh
# Debian's Dovecot, Postfix and mutt, for tests/post: installs them if they are missing and apt-get
# may. The tests start their own servers on free ports of this computer, and change no system service.
set -eu
if [ -x /usr/sbin/dovecot ] && [ -x /usr/sbin/postfix ] && [ -x /usr/bin/mutt ] &&
  [ -d /usr/share/doc/dovecot-lmtpd ]; then exit 0; fi
sh "$(dirname "$0")/debian.sh" "the mail tests need Dovecot, Postfix and mutt" \
  dovecot-imapd dovecot-lmtpd postfix mutt openssl
