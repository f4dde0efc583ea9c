# A throw-away vehicle: a real systemd with journald and D-Bus in namespaces, on an overlay of $lower,
# this machine's own root or another. To be sourced by run.sh, which lives in mount and process
# namespaces of its own: whatever happens, nothing outlives it.
#
#   make_vehicle        lay the overlay over the root, as $vehicle
#   boot                start systemd, and wait until it has settled
#   inside COMMAND...   run a command in the vehicle
#   cut_power           kill everything in it at once; the disk stays
#
# A cut ends processes in the midst of what they do. It does not lose what the kernel has taken and
# not yet written to a disk: that is tested with a disk of the store's own in EventStoreTests.

vehicle=$scratch/root
cgroups=$scratch/cgroups
boots=0
init=

# Units that would touch the kernel or the hardware below.
masked="systemd-udevd.service systemd-udevd-kernel.socket systemd-udevd-control.socket
systemd-udev-trigger.service systemd-sysctl.service systemd-modules-load.service
systemd-remount-fs.service systemd-binfmt.service proc-sys-fs-binfmt_misc.automount
systemd-journald-audit.socket dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount
sys-kernel-tracing.mount sys-kernel-config.mount sys-fs-fuse-connections.mount tmp.mount
systemd-timesyncd.service systemd-update-utmp.service systemd-random-seed.service"

make_vehicle() {
  mount -t tmpfs -o mode=755 vehicle "$scratch"
  mkdir "$scratch/upper" "$scratch/work" "$vehicle" "$cgroups"
  mount -t overlay -o "lowerdir=$lower,upperdir=$scratch/upper,workdir=$scratch/work" vehicle "$vehicle"
  mount -t cgroup2 cgroup2 "$cgroups"
  # Nothing that this machine starts, and a name and journal of its own.
  rm -rf "$vehicle"/etc/systemd/system/* "$vehicle"/var/log/* "$vehicle"/etc/milepostd
  # Containers have it, lest packages start services; vehicles do not.
  rm -f "$vehicle/usr/sbin/policy-rc.d"
  mkdir -p "$vehicle/var/log/journal" "$vehicle/etc/systemd/system/multi-user.target.wants"
  tr -d - </proc/sys/kernel/random/uuid >"$vehicle/etc/machine-id"
  for unit in $masked; do ln -s /dev/null "$vehicle/etc/systemd/system/$unit"; done
}

boot() {
  boots=$((boots + 1))
  # What has been enabled, without all that multi-user.target of this machine has beside.
  printf '[Unit]\nRequires=basic.target dbus.socket\nAfter=basic.target\nWants=%s\n' \
    "$(ls "$vehicle/etc/systemd/system/multi-user.target.wants" | tr '\n' ' ')" \
    >"$vehicle/etc/systemd/system/vehicle.target"
  group=$(mktemp -d "$cgroups/milepostd-test.$boots.XXXXXX")
  # In a group of its own before the namespaces are made, so that this is the vehicle's root.
  sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$group" \
    unshare --mount --pid --ipc --uts --net --cgroup --fork --kill-child \
    "$here/init.sh" "$vehicle" </dev/null >"$scratch/boot.log" 2>&1 &
  parent=$!
  until_true 20 eval 'init=$(cat "/proc/$parent/task/$parent/children" 2>/dev/null | tr -d " "); [ -n "$init" ]' &&
    until_true 30 is_up || { cat "$scratch/boot.log"; echo "Bail out! systemd did not come up"; exit 1; }
}

is_up() {
  case $(inside systemctl is-system-running --wait 2>/dev/null) in
  running | degraded) ;;
  *) return 1 ;;
  esac
}

inside() {
  nsenter --target "$init" --mount --pid --ipc --uts --net --cgroup --wdns=/ -- \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"
}

cut_power() {
  kill -KILL "$init"
  wait "$parent" 2>/dev/null || true
  init=
  find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
}
