#!/bin/sh
# Debian's Chromium, for the browser tests: installs it if it is missing and apt-get may. Most tests use
# the one without windows; it shows no notifications, so one test uses the whole one.
set -eu
[ -x /usr/bin/chromium-headless-shell ] && [ -x /usr/bin/chromium ] && exit 0
sh "$(dirname "$0")/debian.sh" \
  "the browser tests need Chromium at /usr/bin/chromium-headless-shell and /usr/bin/chromium" \
  chromium-headless-shell chromium
