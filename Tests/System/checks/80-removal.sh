# Upgrade, removal and purge.

pid=$(show MainPID)
echo '# of the administrator' >>"$etc/milepostd.conf"
database=$(inside stat -c %i /var/lib/milepostd/events.db)
mark
check "the newer package is installed over the older one" inside_dpkg --install "$package"
check "the service has restarted" until_true 15 eval 'is ActiveState active && ! is MainPID "$pid"'
check "state is kept" test "$(inside stat -c %i /var/lib/milepostd/events.db)" = "$database"
check "the changed configuration is kept" grep -q "of the administrator" "$etc/milepostd.conf"
mark
drive
check "events go on after the upgrade, with the next sequence" eval 'until_true 10 enough 2 && no_hole'

check "the package is removed" inside_dpkg --remove milepostd
check "nothing of it runs" eval '[ -z "$(inside pgrep -x milepostd)" ]'
check "configuration and state are still there" test -e "$etc/milepostd.conf" -a -e "$state/events.db"
check "the package is installed again, and goes on" inside_dpkg --install "$package"
rm -f "$state/hooked" "$etc"/markers.d/* "$etc"/hooks.d/* "$etc"/milepostd.conf.d/*
echo 'road,mileage,latitude,longitude' >"$etc/markers.d/mine.csv"
check "the package is purged" inside_dpkg --purge milepostd
left() { find "$vehicle"/etc "$vehicle"/usr "$vehicle"/var/lib "$vehicle"/run "$vehicle"/lib -xdev -path '*milepost*' 2>/dev/null |
  grep -v -e /etc/systemd/system/ -e /var/lib/dpkg/ -e /srv/ -e polkit -e follow -e /var/lib/systemd/ -e /etc/passwd -e /etc/group -e 'etc/milepostd$' -e markers.d; }
check "nothing is left but what people added" eval '! left'
check "what people added is" test -e "$etc/markers.d/mine.csv"
check "and the account" inside getent passwd milepostd

# State on a disk of its own, which no one can remove.
rm -f "$etc/markers.d/mine.csv"
inside_dpkg --install "$package"
inside systemctl stop milepostd.service
inside mount -t tmpfs tmpfs /var/lib/milepostd
inside systemctl start milepostd.service
check "it runs with its state on a mount point" until_true 10 is ActiveState active
check "and is purged" inside_dpkg --purge milepostd
check "the mount point stays, and is empty" eval 'inside mountpoint -q /var/lib/milepostd && [ -z "$(inside ls -A /var/lib/milepostd)" ]'
