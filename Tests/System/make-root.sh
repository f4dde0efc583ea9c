#!/bin/sh
# Makes the root of another Debian release, from the mirror that this machine's apt uses: with what the
# system test's checks need and what PACKAGE depends on, for `run.sh OLDER PACKAGE DIRECTORY`;
# without PACKAGE a bare one.
# usage: make-root.sh SUITE DIRECTORY [PACKAGE], as root; needs mmdebstrap. MIRROR= names another mirror.
set -eu
fail() { echo "make-root.sh: $*" >&2; exit 1; }
[ $# = 2 ] || [ $# = 3 ] || fail "usage: make-root.sh SUITE DIRECTORY [PACKAGE]"
suite=$1
root=$2
[ "$(id -u)" = 0 ] || fail "root is needed"
[ ! -e "$root" ] || fail "$root is there already"
command -v mmdebstrap >/dev/null || fail "mmdebstrap is not there (apt install mmdebstrap)"
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' \
  'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)}
[ -n "$mirror" ] || fail "this machine's apt knows no mirror of Debian (apt-get update, or MIRROR=)"

packages=
if [ $# = 3 ]; then
  # The machine, what is driven on it, what the examples of hooks call, and what the checks look with.
  packages="systemd dbus polkitd gpsd python3 curl jq alsa-utils iproute2 procps man-db"
  # Names alone, and the first where there is a choice, of: libc6 (>= 2.36), systemd | another
  packages="$packages $(dpkg-deb --field "$3" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g')"
fi

# A root is there as a whole or not at all.
settings=$(mktemp)
trap 'rm -rf "$root.part" "$settings"' EXIT
# What this machine's apt needs to reach the mirror, and is lenient about.
apt-config dump --format '%F "%v";%n' |
  grep -i '^Acquire::\(Check-Date\|Check-Valid-Until\|Retries\|.*::Proxy\)' >"$settings" || true
mkdir -p "$(dirname "$root")"
mmdebstrap --variant=minbase --aptopt="$settings" ${packages:+--include="$packages"} \
  "$suite" "$root.part" "deb $mirror $suite main"
mv "$root.part" "$root"
