#!/bin/sh
# Plays a sound at every milepost entered. Needs milepostd.service.d/sound.conf, and alsa-utils.
set -eu
[ "$1" = enter ] || exit 0
exec aplay -q /usr/share/sounds/alsa/Front_Center.wav
