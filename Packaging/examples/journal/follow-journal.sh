#!/bin/sh
# Follows milepostd's events in the journal and does something at each, with the rights of its own
# unit instead of milepostd's sandbox: see milepost-follow.service. Needs jq.
# usage: follow-journal.sh STATE-FOLDER
set -eu
cursor=$1/cursor

# After a restart it goes on behind the event that it handled last.
if [ -s "$cursor" ]; then
  from="--after-cursor=$(cat "$cursor")"
else
  from=--lines=0
fi

# Only milepostd itself can write entries of its unit.
journalctl --quiet --follow --output=json "$from" \
  _SYSTEMD_UNIT=milepostd.service MILEPOST_EVENT=enter \
  _SYSTEMD_UNIT=milepostd.service MILEPOST_EVENT=exit |
  jq --unbuffered -r '[.__CURSOR, .MILEPOST_EVENT_ID, .MILEPOST_EVENT, .MILEPOST_FENCE] | @tsv' |
  while IFS='	' read -r place id event fence; do
    # Here goes what is to be done.
    echo "$event $fence ($id)"
    printf '%s\n' "$place" >"$cursor.new"
    mv "$cursor.new" "$cursor"
  done
