#!/bin/sh
# Follows milepostd's events in the journal and does something at each, with the rights of its own
# unit instead of milepostd's sandbox: see milepost-follow.service. Needs jq.
# usage: follow-journal.sh STATE-FOLDER
set -eu
cursor=$1/cursor

remember() {
  printf '%s\n' "$1" >"$cursor.new"
  mv "$cursor.new" "$cursor"
}

# The first start remembers the journal's end, so that no later event is missed; each further start goes
# on behind the event that was handled last.
if ! [ -s "$cursor" ]; then
  end=$(journalctl --quiet --lines=1 --output=json | jq -r .__CURSOR)
  [ -n "$end" ] || { echo "the journal is empty or may not be read" >&2; exit 1; }
  remember "$end"
fi
last=$(cat "$cursor")
[ -z "${NOTIFY_SOCKET:-}" ] || systemd-notify --ready

# Only milepostd itself can write entries of its unit. Not --after-cursor: it leaves out an event where
# the cursor's own entry is none, or is in the journal no more.
journalctl --quiet --follow --no-tail --output=json --cursor="$last" \
  _SYSTEMD_UNIT=milepostd.service MILEPOST_EVENT=enter \
  _SYSTEMD_UNIT=milepostd.service MILEPOST_EVENT=exit |
  jq --unbuffered -r --arg last "$last" 'select(.__CURSOR != $last) |
    [.__CURSOR, .MILEPOST_EVENT_ID, .MILEPOST_EVENT, .MILEPOST_FENCE] | @tsv' |
  while IFS='	' read -r place id event fence; do
    # Here goes what is to be done.
    echo "$event $fence ($id)"
    remember "$place"
  done
