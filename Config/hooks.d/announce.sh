#!/bin/sh
# Example of a hook: prints one line for each event. Hooks get the event in their environment, as
# here, and as one line of JSON on standard input; what they print goes to the journal.
set -eu

if [ -n "${MILEPOST_ROAD:-}" ]; then
  place="$MILEPOST_ROAD ${MILEPOST_MILEAGE:-}"
else
  place=${MILEPOST_FENCE:-?}
fi

line="${MILEPOST_EVENT:-?} $place"
if [ -n "${MILEPOST_TRAVEL:-}" ]; then line="$line, mileage $MILEPOST_TRAVEL"; fi
if [ -n "${MILEPOST_SPEED_KMH:-}" ]; then line="$line, at $MILEPOST_SPEED_KMH km/h"; fi
if [ -n "${MILEPOST_INSIDE_S:-}" ]; then line="$line, after $MILEPOST_INSIDE_S s"; fi
printf '%s (%s)\n' "$line" "${MILEPOST_TIME:-no time}"
