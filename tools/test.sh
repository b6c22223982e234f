#!/bin/sh
# Builds Hearth into build-test/ with warnings as errors and runs its tests.
#
# usage: tools/test.sh [--sanitize|--sanitize-threads] [--suite NAME]... [MESON OPTION]...
#   --sanitize           with the address and undefined-behaviour sanitizers, in
#                        build-sanitize/
#   --sanitize-threads   with the thread sanitizer, in build-sanitize-threads/
#   --suite NAME         only the tests of a suite: base, traces, sim, sampling,
#                        warmup, tracer, cli, corpus (default: all but long);
#                        threads: those of others that are made for the thread sanitizer
#   MESON OPTION         such as -Dcorpus=FOLDER, for tests on external traces,
#                        which are skipped without it
set -eu
cd "$(dirname "$0")/.."

build="build-test"
type=debugoptimized
sanitize=none
suites=
while [ $# -gt 0 ]; do
    case "$1" in
    --sanitize)
        build="build-sanitize"
        sanitize=address,undefined
        ;;
    --sanitize-threads)
        build="build-sanitize-threads"
        sanitize=thread
        ;;
    --suite)
        suites="$suites --suite $2"
        shift
        ;;
    *) break ;;
    esac
    shift
done

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
# Where other work shares the cores, tests take a few times longer than their limits assume.
# shellcheck disable=SC2086 # a list of options
meson test -C "$build" -v --print-errorlogs --timeout-multiplier 4 $suites >"$build/tests.log" 2>&1 || status=$?
if [ "$status" != 0 ]; then
    cat "$build/tests.log"
fi
echo
grep -oE 'Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$build/tests.log" |
    awk -F'[ ,]+' '{ checks += $2; failures += $4; errors += $6 }
        END { if (NR) printf "checks of unit tests: %d, failures: %d, errors: %d\n", checks, failures, errors }'
# Meson's own count, in the words that other tools read.
awk '/^Ok:|^Expected Fail:/ { ok += $NF } /^Fail:|^Timeout:|^Unexpected Pass:/ { failed += $NF }
    /^Skipped:/ { skipped += $NF } END { printf "%d passed, %d failed, %d skipped\n", ok, failed, skipped }' "$build/tests.log"
exit "$status"
