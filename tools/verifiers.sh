#!/bin/sh
# Debian's minisign and OpenSSH, which bench/audit.py compares the audit with: installs them if they
# are missing and apt-get may.
set -eu
if command -v minisign >/dev/null && command -v ssh-keygen >/dev/null; then exit 0; fi
sh "$(dirname "$0")/debian.sh" "make bench needs minisign and OpenSSH" minisign openssh-client
