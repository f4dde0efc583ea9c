#!/bin/bash
# Installs, upgrades and purges the package by apt on a bare Debian, where apt has to find all that it
# depends on; its output is TAP. systemd is put in there, but does not run.
# usage: apt.sh SUITE OLDER-PACKAGE PACKAGE, as root; takes what make-root.sh takes, and the network.
set -u
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
chmod 755 "$scratch"
bare=$scratch/root
trap 'rm -rf "$scratch"' EXIT
. "$here/tap.sh"
explain() { :; }

# Each command has mounts of its own, so that none is left when the root is removed.
inside() {
  unshare --mount --pid --fork --kill-child sh -c 'mount -t proc proc "$1/proc" && exec chroot "$@"' sh "$bare" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
version() { inside dpkg-query --show --showformat='${Version}' milepostd; }
enabled() { test -L "$bare/etc/systemd/system/multi-user.target.wants/milepostd.service"; }

"$here/make-root.sh" "$1" "$bare" || { echo "Bail out! there is no root of $1"; exit 1; }
cp "$2" "$bare/srv/older.deb"
cp "$3" "$bare/srv/newer.deb"
cp "$project/Config/markers.d/sample.csv" "$project/Config/demo/drive.nmea" "$bare/srv/"
cp /etc/resolv.conf "$bare/etc/"
inside apt-get update --quiet=2
say "$(. "$bare/etc/os-release"; echo "$PRETTY_NAME")"

check "nothing of it is there" eval '! inside sh -c "command -v systemctl gpsd milepostd"'
check "apt installs it and all that it depends on" inside apt-get install --yes --quiet=2 /srv/older.deb
check "and gpsd, which it recommends" inside sh -c "command -v gpsd"
say "with it came: $(inside dpkg-query --show systemd gpsd libproj25 libsqlite3-0 libexpat1 | tr '\t\n' ' ,')"
check "no library is missing" eval '! inside ldd /usr/sbin/milepostd /usr/bin/milepostctl | grep "not found"'
check "it makes the account" inside getent passwd milepostd
check "the service is enabled" enabled
check "the shipped configuration is good" inside milepostd --check
replayed() { inside milepostctl replay --markers /srv/sample.csv /srv/drive.nmea 2>/dev/null | wc -l; }
check "a drive is replayed, with its 56 events" test "$(replayed)" = 56

echo '# of the administrator' >>"$bare/etc/milepostd/milepostd.conf"
was=$(version)
check "apt upgrades it" inside apt-get install --yes --quiet=2 /srv/newer.deb
check "to the newer version ($was, $(version))" test "$(version)" != "$was"
check "the changed configuration is kept" grep -q "of the administrator" "$bare/etc/milepostd/milepostd.conf"
check "the service is enabled as before" enabled
check "apt purges it" inside apt-get purge --yes --quiet=2 milepostd
left() { find "$bare"/etc "$bare"/usr "$bare"/var/lib "$bare"/run -path '*milepost*'; }
check "nothing is left" test -z "$(left)"
say "left: $(left | tr '\n' ' ')"
check "but the account" inside getent passwd milepostd
echo "1..$count"
say "$((count - failures)) of $count checks passed"
[ $failures = 0 ]
