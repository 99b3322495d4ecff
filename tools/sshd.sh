#!/bin/sh
# Debian's SSH server, for tests/store: installs it if it is missing and apt-get may. The tests start
# one of their own on a free port; the system's service is not needed.
set -eu
[ -x /usr/sbin/sshd ] && exit 0
as_root=""
if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "pbem: the tests of sftp:// need /usr/sbin/sshd: install the package openssh-server." >&2
  exit 1
fi
echo "pbem: installing openssh-server" >&2
$as_root apt-get update -q >/dev/null
$as_root apt-get install -y -q --no-install-recommends openssh-server >/dev/null
