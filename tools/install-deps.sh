#!/bin/sh
# Installs what Hearth is built with, on Debian 12 and its kin: only packages
# that are missing.
#
# usage: tools/install-deps.sh [--check] [PACKAGE]...
#   --check   say what is missing and install nothing
#   PACKAGE   installed too, such as clang
set -eu

check=
if [ "${1-}" = --check ]; then
    check=1
    shift
fi

packages="gcc g++ libc6-dev meson ninja-build pkg-config python3
libarchive-dev liblzma-dev libzstd-dev libcsv-dev libxxhash-dev libsqlite3-dev check"

missing=
for package in $packages "$@"; do
    # A pkgconf of another name provides pkg-config: ask for what is there.
    if [ "$package" = pkg-config ] && command -v pkg-config >/dev/null; then
        continue
    fi
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
if [ -z "$missing" ]; then
    exit 0
fi
if [ -n "$check" ]; then
    echo "missing:$missing"
    exit 1
fi
echo "installing:$missing"
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "install-deps.sh: not root and no sudo; install these packages:$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
$as_root apt-get update -q
# shellcheck disable=SC2086 # a list of names
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing
