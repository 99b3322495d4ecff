#!/bin/sh
# tools/container.sh [podman|docker]: build the container, start it, ask it for its page, stop it.
set -eu
cd "$(dirname "$0")/.."
with=${1:-podman}
"$with" build -f Containerfile -t pbem-try .
name=$("$with" run --detach --publish 127.0.0.1::8080 pbem-try)
trap '"$with" logs "$name"; "$with" rm --force --volumes "$name" >/dev/null' EXIT
at=$("$with" port "$name" 8080/tcp | head -n 1)
tries=0
until curl --fail --silent --output /dev/null "http://$at/site.json"; do
  tries=$((tries + 1))
  if [ "$tries" = 60 ]; then echo "the container does not answer at http://$at" >&2; exit 1; fi
  sleep 1
done
test "$("$with" exec "$name" id -u)" = 1000
"$with" exec "$name" pbem --version
