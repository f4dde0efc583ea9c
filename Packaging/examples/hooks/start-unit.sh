#!/bin/sh
# Starts a unit of yours, which has the rights that it says itself, at every milepost entered. Needs
# polkit/50-milepostd.rules in /etc/polkit-1/rules.d, which allows this one unit and nothing else.
set -eu
[ "$1" = enter ] || exit 0
exec systemctl --no-ask-password --no-block start milepost-horn.service
