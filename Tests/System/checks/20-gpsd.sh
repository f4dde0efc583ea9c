# A drive through a real gpsd, whose receiver sends UDP.

cp "$project/Config/demo/drive.nmea" "$project/Config/markers.d/sample.csv" "$vehicle/srv/"
printf 'DEVICES="udp://127.0.0.1:5555"\nGPSD_OPTIONS="-n -b"\nUSBAUTO="false"\n' >"$vehicle/etc/default/gpsd"
cp "$here/receiver.py" "$vehicle/srv/"
mark
inside systemctl enable --quiet --now gpsd.socket
inside systemctl start gpsd.service
check "mileposts are put in and reloaded" sh -c 'cp "$1" "$2"' sh "$project/Config/markers.d/sample.csv" "$etc/markers.d/"
install -m 755 "$examples/hooks/announce.sh" "$etc/hooks.d/announce.sh"
install -m 755 "$here/record.sh" "$etc/hooks.d/record.sh"
check "systemctl reload succeeds" inside systemctl reload milepostd.service
check "the status counts the mileposts" until_true 5 status_says "31 mileposts\|30 mileposts\|31 fences"

grep '^\$' "$vehicle/srv/drive.nmea" >"$vehicle/srv/sentences"
# gpsd drops the first epoch.
tail -n +3 "$vehicle/srv/sentences" >"$vehicle/srv/from-second"
replayed /srv/from-second >"$scratch/expected"
# gpsd forgets what comes before a client watches.
client() { inside ss -Htn state established 'sport = :2947' | grep -q .; }
check "milepostd connects to gpsd" until_true 20 client
mark
check "the receiver sends a drive" inside python3 /srv/receiver.py /srv/sentences
all_there() { [ "$(events | wc -l)" -ge "$(wc -l <"$scratch/expected")" ]; }
check "all events come to the journal" until_true 15 all_there
events >"$scratch/seen"
check "they are the replay's, in its order ($(wc -l <"$scratch/expected"))" same "$scratch/expected" "$scratch/seen"

of_field() { [ "$(events MILEPOST_ROAD=A1 MILEPOST_EVENT=enter | grep -c '^enter A1/')" = "$(grep -c '^enter A1/' "$scratch/expected")" ]; }
check "journalctl MILEPOST_ROAD=A1 MILEPOST_EVENT=enter finds the road's" of_field
check "journalctl -x explains an event by the catalog" \
  sh -c 'printf %s "$1" | grep -q "The vehicle entered the geofence A1/"' sh \
  "$(journal -x MESSAGE_ID=a59a8d8da58c48fe817a9b9a16c2f042 | head -n 40)"
line=$(journal --output=json MILEPOST_EVENT=exit | tail -n 1)
say "$(printf %s "$line" | jq -c 'with_entries(select(.key | test("^(MESSAGE|PRIORITY|MILEPOST)")))')"
check "an event's JSON has the fields" jq -en --argjson event "$line" '$event |
  (.MILEPOST_EVENT == "exit") and (.MILEPOST_INSIDE_S | tonumber > 0) and (.PRIORITY == "5") and
  (.MILEPOST_MILEAGE_M | tonumber >= 0) and (.MILEPOST_TIME | test("^2026-11-30T09:.*Z$")) and
  (.MILEPOST_EVENT_ID | test("^[0-9a-f]{16}-[0-9]+$")) and (._SYSTEMD_UNIT == "milepostd.service")'
journal -x MESSAGE_ID=a59a8d8da58c48fe817a9b9a16c2f042 | tail -n 14 | sed 's/^/# /'

hooked() { sed 's/^[^ ]* //; s/ milepostd CapEff.*//' "$state/hooked" 2>/dev/null; }
# The first fix runs no hooks.
replayed /srv/from-second initial >"$scratch/expected-hooked"
hook_done() { [ "$(hooked | wc -l)" -ge "$(wc -l <"$scratch/expected-hooked")" ]; }
check "the hook runs for each event" until_true 30 hook_done
hooked >"$scratch/seen"
check "in their order" same "$scratch/expected-hooked" "$scratch/seen"
say "the hook's last line: $(tail -n 1 "$state/hooked")"
check "it ran as milepostd, without new privileges, filtered, and could not write to /etc" \
  sh -c 'tail -n 1 "$1" | grep -q "milepostd CapEff:0000000000000000 NoNewPrivs:1 Seccomp:2 etc:refused home:refused"' sh "$state/hooked"
announced() { journal SYSLOG_IDENTIFIER=announce.sh --output=cat | grep -q "enter A1 2K+900"; }
check "what a hook prints is in the journal under its name" until_true 10 announced
