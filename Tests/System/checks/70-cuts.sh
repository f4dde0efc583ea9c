# Power cuts: everything ends at once at a random instant while fixes come in; the disk stays. At the
# last one journald lags behind.

rm -f "$etc"/hooks.d/*
install -m 755 "$here/record.sh" "$etc/hooks.d/record.sh"
# A service has a /proc of its own. systemd 252 leaves out of it the boot id that this vehicle has, so
# that a cut would look like a crash.
unit_dropin boot-id "BindReadOnlyPaths=/run/boot-id:/proc/sys/kernel/random/boot_id"
inside systemctl enable --quiet milepostd-fifo.socket milepostd.service
restart
unit_of_feed() { # FIRST: fixes for a minute, 50 a second, from one process in the vehicle
  fixes "$1" $(($1 + 3000)) >"$vehicle/srv/fixes"
  inside systemd-run --quiet --collect --unit=feed \
    sh -c 'while read -r fix; do echo "$fix"; echo "$fix" >/srv/fed; sleep 0.02; done </srv/fixes >/run/milepostd-fixes'
}
# Whether more than N fixes have gone in since the last cut. usage: fed N
fed() { [ "$(sed 's/,.*//' "$vehicle/srv/fed" 2>/dev/null || echo 0)" -gt $((1796119200 + next + $1)) ] 2>/dev/null; }
mark
for cut in 1 2 3 4 5 6 7 8 9 10; do
  unit_of_feed $((next + 1))
  # Not before the first event of this boot; then up to 400 ms, as the seed says.
  until_true 20 fed 8
  if [ $cut = 10 ]; then
    inside sh -c 'kill -STOP "$(systemctl show --value --property=MainPID systemd-journald.service)"'
    until_true 20 fed 60
  fi
  instant=$((RANDOM % 400))
  sleep "0.$(printf %03d $instant)"
  cut_power
  last=$(sed 's/,.*//' "$vehicle/srv/fed")
  [ -n "$last" ] && next=$((last - 1796119200))
  before=$(uptime_ms)
  boot
  until_true 20 is ActiveState active
  say "cut $cut, $instant ms on, at fix $next; up again $(($(uptime_ms) - before)) ms later"
done
check "after ten cuts it runs" is ActiveState active
drive
until_true 10 status_says "fix"
check "after ten cuts no event is missing in the journal" until_true 15 no_hole
check "enter and exit alternate over all cuts" alternate
# Events that are in the journal as repeated ones alone: journald had not taken them before the cut.
again() {
  inside journalctl --quiet --output=json MILEPOST_EVENT=enter MILEPOST_EVENT=exit |
    jq -r '[.MILEPOST_SEQUENCE, .MILEPOST_REPEATED // "0"] | @tsv' | sort -u |
    awk '$2 == "1" { repeated[$1] } $2 == "0" { first[$1] } END { for (number in repeated) if (!(number in first)) print number }'
}
check "what journald had not taken yet at the last cut is there again, marked" eval '[ "$(again | wc -l)" -ge 2 ]'
hooks_whole() {
  inside journalctl --quiet --output=json MILEPOST_EVENT=enter MILEPOST_EVENT=exit |
    jq -r --argjson from "$(sed -n '1s/^[0-9a-f]*-\([0-9]*\) .*/\1/p' "$scratch/first")" \
      'select(.MILEPOST_CAUSE != "initial" and (.MILEPOST_SEQUENCE | tonumber) >= $from) | .MILEPOST_EVENT_ID' |
    sort -u >"$scratch/told"
  sed 's/ .*//' "$state/hooked" | sort -u >"$scratch/had"
  comm -23 "$scratch/told" "$scratch/had" >"$scratch/lost"
  echo "without a hook run: $(tr '\n' ' ' <"$scratch/lost")"
  [ -s "$scratch/told" ] && [ ! -s "$scratch/lost" ]
}
# From the first event since this part began.
journal --output=json MILEPOST_EVENT=enter MILEPOST_EVENT=exit | jq -r '.MILEPOST_EVENT_ID + " "' >"$scratch/first"
check "after ten cuts each event has reached the hook" until_true 30 hooks_whole
repeated=$(inside journalctl --quiet --output=json MILEPOST_REPEATED=1 | wc -l)
twice=$(sed 's/ .*//' "$state/hooked" | sort | uniq -d | wc -l)
say "$(wc -l <"$scratch/told") events over ten cuts; $repeated journal entries repeated, $twice hook runs again"
