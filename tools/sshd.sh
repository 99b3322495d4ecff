#!/bin/sh
# Debian's SSH server, for tests/store: installs it if it is missing and apt-get may. The tests start
# one of their own on a free port; the system's service is not needed.
set -eu
[ -x /usr/sbin/sshd ] && exit 0
sh "$(dirname "$0")/debian.sh" "the tests of sftp:// need /usr/sbin/sshd" openssh-server
