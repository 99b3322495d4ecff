#!/bin/sh
# tools/setup.sh [dev|bench|browser|mutants|release|site|test-host|test-store]: make .venv if it is missing, broken or moved; install pbem
# (and the named extra) into it if pyproject.toml has changed since. Prints nothing if there is
# nothing to do.
set -eu
cd "$(dirname "$0")/.."
extra=${1:-}
stamp=.venv/.pbem-${extra:-run}

find_python() { # prints the first command that is a Python 3.11 to 3.14 with a working venv
  old="" novenv=""
  for candidate in ${PYTHON3:-} python3.14 python3.13 python3.12 python3.11 python3 python; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    # a pyenv shim exists even where its Python does not: ask it
    found=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    case $found in 3.11 | 3.12 | 3.13 | 3.14) ;; *) old="$old $found"; continue ;; esac
    if "$candidate" -c 'import venv, ensurepip' 2>/dev/null; then echo "$candidate"; return; fi
    novenv=${novenv:-$found}
  done
  if [ -n "$novenv" ]; then
    echo "pbem: python $novenv is here, but its venv module is not: install the package python3-venv" \
      "(Debian, Ubuntu: sudo apt install python$novenv-venv) and run make again." >&2
  else
    echo "pbem: no Python 3.11 to 3.14 found${old:+ (only$old)}: install python3 and python3-venv" \
      "(Debian, Ubuntu: sudo apt install python3 python3-venv) and run make again." >&2
  fi
  return 1
}

# the stamp holds what was installed and where: scripts in .venv name the folder they were made in
wanted() { pwd; cat pyproject.toml; }

if wanted | cmp -s - "$stamp" 2>/dev/null; then exit 0; fi
if [ -z "$extra" ] && wanted | cmp -s - .venv/.pbem-dev 2>/dev/null; then exit 0; fi # dev holds all of it
right='import sys, pip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))'
if ! .venv/bin/python -c "$right" >/dev/null 2>&1; then
  python=$(find_python)
  echo "pbem: making .venv with $("$python" --version)" >&2
  rm -rf .venv
  "$python" -m venv .venv
fi
echo "pbem: installing into .venv${extra:+ (with the tools for $extra)}" >&2
# --quiet twice: errors only; pip's warnings are about the user's own settings
.venv/bin/python -m pip install --quiet --quiet --disable-pip-version-check \
  --editable ".${extra:+[$extra]}"
# pip compiles what it copies, not what it links to; and some people switch bytecode off
.venv/bin/python -m compileall -q engine games pbem
wanted >"$stamp"
