# Power cuts: everything ends at once at a random instant while fixes come in; the disk stays.

rm -f "$etc"/hooks.d/*
install -m 755 "$here/record.sh" "$etc/hooks.d/record.sh"
inside systemctl enable --quiet milepostd-fifo.socket milepostd.service
restart
unit_of_feed() { # FIRST: fixes for a minute, 50 a second, from one process in the vehicle
  fixes "$1" $(($1 + 3000)) >"$vehicle/srv/fixes"
  inside systemd-run --quiet --collect --unit=feed \
    sh -c 'while read -r fix; do echo "$fix"; echo "$fix" >/srv/fed; sleep 0.02; done </srv/fixes >/run/milepostd-fixes'
}
mark
for cut in 1 2 3 4 5 6 7 8 9 10; do
  unit_of_feed $((next + 1))
  # Not before the first event of this boot; then up to 400 ms, as the seed says.
  seen() { [ "$(sed 's/,.*//' "$vehicle/srv/fed" 2>/dev/null || echo 0)" -gt $((1796119200 + next + 8)) ] 2>/dev/null; }
  until_true 20 seen
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
