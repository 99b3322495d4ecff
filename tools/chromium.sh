#!/bin/sh
# Debian's Chromium, for tests/browser: installs it if it is missing and apt-get may.
set -eu
[ -x /usr/bin/chromium ] && exit 0
as_root=""
if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "pbem: the browser tests need Chromium at /usr/bin/chromium: install the package chromium." >&2
  exit 1
fi
echo "pbem: installing chromium" >&2
$as_root apt-get update -q >/dev/null
$as_root apt-get install -y -q --no-install-recommends chromium >/dev/null
