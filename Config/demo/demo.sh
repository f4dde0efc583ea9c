#!/bin/sh
# A drive through milepostd in a scratch folder, without root, gpsd or systemd.
# usage: demo.sh FOLDER-OF-THE-PROGRAMS
set -eu
bin=$(cd "$1" && pwd)
config=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
daemon=
finish() {
  [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM

# The shipped configuration, with a drop-in that keeps everything in the scratch folder.
cp "$config/milepostd.conf" "$scratch/milepostd.conf"
mkdir "$scratch/milepostd.conf.d" "$scratch/hooks.d"
install -m 755 "$config/hooks.d/announce.sh" "$scratch/hooks.d/announce.sh"
cat >"$scratch/milepostd.conf.d/demo.conf" <<END
[Source]
Type=fifo
Path=$scratch/fixes
[Fences]
Markers=
Markers=$config/markers.d/sample.csv
[Hooks]
Directory=$scratch/hooks.d
[Events]
Database=$scratch/events.db
END

echo "milepostd reads a drive of 4 minutes from a FIFO, about 20 times as fast."
echo "Its lines, and those of the hook announce.sh:"
echo
JOURNAL_STREAM='' "$bin/milepostd" --config "$scratch/milepostd.conf" 2>&1 &
daemon=$!
until [ -p "$scratch/fixes" ]; do
  kill -0 "$daemon" 2>/dev/null || { echo "milepostd ended" >&2; exit 1; }
  sleep 0.05
done

# One epoch, two sentences, at a time.
while IFS= read -r gga && IFS= read -r rmc; do
  printf '%s\n%s\n' "$gga" "$rmc"
  sleep 0.05
done >"$scratch/fixes" <<END
$(grep '^\$' "$config/demo/drive.nmea")
END

# The hooks' turn, then the counters.
sleep 1
kill -TERM "$daemon"
wait "$daemon"
daemon=
echo
echo "The same drive replayed:"
"$bin/milepostctl" replay --config "$scratch/milepostd.conf" "$config/demo/drive.nmea" >"$scratch/events"
echo "The last event as hooks get it on standard input:"
tail -n 1 "$scratch/events"
