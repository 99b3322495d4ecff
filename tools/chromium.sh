#!/bin/sh
# Debian's Chromium, for tests/browser: installs it if it is missing and apt-get may.
set -eu
[ -x /usr/bin/chromium ] && exit 0
sh "$(dirname "$0")/debian.sh" "the browser tests need Chromium at /usr/bin/chromium" chromium
