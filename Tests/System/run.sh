#!/bin/bash
# The system test: installs the package into a throw-away vehicle with a real systemd, and drives.
# usage: run.sh OLDER-PACKAGE PACKAGE [ROOT], as root; its output is TAP, a minute or two of it.
# ROOT is the system that the vehicle has, as make-root.sh makes one; else this machine's own.
set -u
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)

missing() {
  [ "$(id -u)" = 0 ] || { echo "root is needed"; return; }
  for program in jq dpkg-deb nsenter unshare pivot_root; do
    command -v $program >/dev/null || { echo "$program is not there"; return; }
  done
  for program in /usr/lib/systemd/systemd gpsd python3 jq ss pgrep man; do
    chroot "$lower" sh -c 'command -v "$1"' sh $program >/dev/null || { echo "$program is not there"; return; }
  done
  unshare --mount --pid --ipc --uts --net --cgroup --fork true 2>/dev/null ||
    { echo "this machine gives no namespaces"; return; }
  unshare --mount sh -c 'mount -t tmpfs none /mnt && mkdir /mnt/u /mnt/w /mnt/r &&
    mount -t overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w none /mnt/r &&
    mount -t cgroup2 none /mnt/u' 2>/dev/null || { echo "this machine lets no overlay be mounted"; return; }
}

lower=$(realpath "${3:-/}")
if [ -z "${MILEPOST_SYSTEM_TEST:-}" ]; then
  reason=$(missing)
  # A root that was asked for is there and whole, or the test has failed.
  if [ -n "$reason" ] && [ "$lower" != / ]; then
    echo "Bail out! the system test cannot be run in $lower: $reason"
    exit 1
  elif [ -n "$reason" ]; then
    echo "1..0 # SKIP the system test cannot be run: $reason"
    exit 0
  fi
  scratch=$(mktemp -d)
  trap 'rmdir "$scratch"' EXIT
  MILEPOST_SYSTEM_TEST=$scratch unshare --mount --pid --fork --kill-child --mount-proc \
    "$0" "$(realpath "$1")" "$(realpath "$2")" "$lower"
  exit
fi

scratch=$MILEPOST_SYSTEM_TEST
older=$1
package=$2
. "$here/tap.sh"
. "$here/vehicle.sh"
. "$here/milepostd.sh"
trap '[ -z "$init" ] || cut_power' EXIT
make_vehicle
started=$(uptime_ms)
seed=${MILEPOST_TEST_SEED:-$RANDOM}
say "MILEPOST_TEST_SEED=$seed"
RANDOM=$seed
boot
say "$(. "$vehicle/etc/os-release"; echo "$PRETTY_NAME"), $(inside gpsd -V | head -n 1)"
say "$(inside systemctl --version | head -n 1) booted in $(($(uptime_ms) - started)) ms"
for part in "$here"/checks/${MILEPOST_CHECKS:-*}.sh; do
  say "---- $(basename "$part" .sh)"
  . "$part"
done
echo "1..$count"
say "$((count - failures)) of $count checks passed in $((($(uptime_ms) - started) / 1000)) s"
[ $failures = 0 ]
