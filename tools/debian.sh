#!/bin/sh
# Installs Debian packages for tests: debian.sh 'why they are needed' PACKAGE ...
set -eu
why=$1
shift
as_root=""
if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "pbem: $why: install $*, with your system's tools." >&2
  exit 1
fi
echo "pbem: installing $*" >&2
$as_root apt-get update -q >/dev/null
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >/dev/null
