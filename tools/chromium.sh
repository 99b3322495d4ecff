#!/bin/sh
# Debian's Chromium without windows, for the browser tests: installs it if it is missing and apt-get may.
set -eu
[ -x /usr/bin/chromium-headless-shell ] && exit 0
sh "$(dirname "$0")/debian.sh" \
  "the browser tests need Chromium at /usr/bin/chromium-headless-shell" chromium-headless-shell
