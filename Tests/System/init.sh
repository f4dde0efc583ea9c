#!/bin/sh
# First process of the vehicle's namespaces: mounts what a machine has, and becomes systemd.
# usage: init.sh ROOT
set -eu
root=$1
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir "$root/run/lock" "$root/run/below"
# Each boot has an id, in namespaces too.
cp /proc/sys/kernel/random/uuid "$root/run/boot-id"
mount --bind "$root/run/boot-id" "$root/proc/sys/kernel/random/boot_id"
ip link set lo up
cd "$root"
pivot_root . run/below
umount -l /run/below
exec env -i container=vehicle PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /usr/lib/systemd/systemd --system --unit=vehicle.target --log-target=journal --show-status=no
