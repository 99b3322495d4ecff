#!/bin/sh
# Node and npm, for the site: installs Debian's if they are missing and apt-get may.
set -eu
command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 && exit 0
sh "$(dirname "$0")/debian.sh" "the site needs node and npm" nodejs npm
