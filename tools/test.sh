#!/bin/sh
# Builds Hearth into build-test/ with warnings as errors and runs all tests.
#
# usage: tools/test.sh [--sanitize|--sanitize-threads] [MESON OPTION]...
#   --sanitize           with the address and undefined-behaviour sanitizers, in
#                        build-sanitize/
#   --sanitize-threads   with the thread sanitizer, in build-sanitize-threads/
set -eu
cd "$(dirname "$0")/.."

build="build-test"
type=debugoptimized
sanitize=none
if [ "${1-}" = --sanitize ]; then
    shift
    build="build-sanitize"
    type=debug
    sanitize=address,undefined
elif [ "${1-}" = --sanitize-threads ]; then
    shift
    build="build-sanitize-threads"
    type=debugoptimized
    sanitize=thread
fi

tools/install-deps.sh
reconfigure=
if [ -f "$build/build.ninja" ]; then
    reconfigure=--reconfigure
fi
# shellcheck disable=SC2086 # empty when there is nothing to reconfigure
meson setup $reconfigure "$build" --buildtype="$type" -Db_sanitize="$sanitize" -Dwerror=true \
    -Dtests=enabled "$@" >/dev/null
meson compile -C "$build"

status=0
meson test -C "$build" -v --print-errorlogs >"$build/tests.log" 2>&1 || status=$?
if [ "$status" != 0 ]; then
    cat "$build/tests.log"
fi
echo
sed -n '/^Ok:/,$p' "$build/tests.log" | grep -E '^[A-Z][a-z ]+: +[0-9]+' || true
grep -oE 'Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$build/tests.log" |
    awk -F'[ ,]+' '{ checks += $2; failures += $4; errors += $6 }
        END { if (NR) printf "checks of unit tests: %d, failures: %d, errors: %d\n", checks, failures, errors }'
exit "$status"
