# What hooks can be given: the examples, run as they are.

drop() { mkdir -p "$dropins"; cp "$examples/milepostd.service.d/$1.conf" "$dropins/"; inside systemctl daemon-reload; }
hook() { install -m 755 "$examples/hooks/$1" "$etc/hooks.d/$1"; }
next=300
drive() { fixes $((next + 1)) $((next + 40)) | feed; next=$((next + 40)); }
restart() { inside systemctl restart milepostd.service; until_true 10 is ActiveState active; }
failed_hook() { journal_has "$1.*\(fail\|ended\|exit\|again\)"; }

mark
hook append-to-file.sh
inside install -d -o milepostd -g milepostd /srv/milepost
drive
check "without its drop-in a hook cannot write elsewhere" until_true 10 failed_hook append-to-file
drop write-files
restart
drive
check "with write-files.conf it writes" until_true 20 test -s "$vehicle/srv/milepost/events.jsonl"
rm -f "$etc/hooks.d/append-to-file.sh"
check "each line is an event" jq -es 'length > 0 and all(.schema == 1)' "$vehicle/srv/milepost/events.jsonl"

inside sh -c 'cat >/srv/server.py' <<'END'
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open("/run/posted", "ab") as file:
            file.write(body)
        self.send_response(204)
        self.end_headers()
    def log_message(self, *arguments):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", 8080), Handler).serve_forever()
END
if inside sh -c 'command -v curl' >/dev/null; then
  inside systemd-run --quiet --unit=server python3 /srv/server.py
  drop network
  hook post-to-server.sh
  restart
  drive
  check "the network is open to hooks: post-to-server.sh, under network.conf" until_true 30 inside test -s /run/posted
  rm -f "$etc/hooks.d/post-to-server.sh"
  said=$(inside journalctl --quiet --unit=milepostd.service --grep="unit configures an IP firewall" --lines=1 --output=cat)
  say "whether IPAddressDeny= binds here: ${said:-yes, as far as systemd says}"
else
  skip "the network is open to hooks" "curl is not there"
fi

# No sound card here: a file that the group audio alone may read, and ALSA's null device. (The sandbox
# shows groups of the system as nogroup, but they count.)
drop sound
echo audible >"$vehicle/srv/sound"
inside chown root:audio /srv/sound
chmod 640 "$vehicle/srv/sound"
cat >"$etc/hooks.d/sound.sh" <<'END'
#!/bin/sh
cat /srv/sound
aplay -q -D null -f cd -d 1 /dev/zero && echo played
END
chmod 755 "$etc/hooks.d/sound.sh"
restart
mark
drive
in_audio() { journal --output=cat SYSLOG_IDENTIFIER=sound.sh | grep -q "audible"; }
check "sound.conf gives hooks the rights of the group audio" until_true 10 in_audio
if [ -x "$vehicle/usr/bin/aplay" ]; then
  played() { journal --output=cat SYSLOG_IDENTIFIER=sound.sh | grep -q "played"; }
  check "and ALSA plays, to its null device" until_true 15 played
else
  skip "and ALSA plays" "aplay is not there"
fi
say "real sound devices: none here, not tried"
rm -f "$etc/hooks.d/sound.sh"

if [ -e "$vehicle/usr/lib/polkit-1/polkitd" ]; then
  printf '[Service]\nType=oneshot\nExecStart=/bin/sh -c "date >>/run/horn"\n' >"$vehicle/etc/systemd/system/milepost-horn.service"
  printf '[Service]\nType=oneshot\nExecStart=/bin/sh -c "date >>/run/other"\n' >"$vehicle/etc/systemd/system/other.service"
  inside systemctl daemon-reload
  hook start-unit.sh
  sed 's/milepost-horn/other/' "$examples/hooks/start-unit.sh" >"$etc/hooks.d/start-other.sh"
  chmod 755 "$etc/hooks.d/start-other.sh"
  mark
  drive
  check "without polkit's rule a hook starts no unit" until_true 20 failed_hook start-unit
  check "so it was" eval '! inside test -e /run/horn'
  mkdir -p "$vehicle/etc/polkit-1/rules.d"
  install -m 644 "$examples/polkit/50-milepostd.rules" "$vehicle/etc/polkit-1/rules.d/"
  inside systemctl try-restart polkit.service
  restart
  drive
  check "with it the hook starts the one unit" until_true 20 inside test -e /run/horn
  mark
  drive
  check "and no other" until_true 20 failed_hook start-other
  check "so it is" eval '! inside test -e /run/other'
  rm -f "$etc/hooks.d/start-unit.sh" "$etc/hooks.d/start-other.sh"
else
  skip "a hook starts one unit by polkit" "polkitd is not there"
fi

install -m 755 "$examples/journal/follow-journal.sh" "$vehicle/usr/local/bin/"
install -m 644 "$examples/journal/milepost-follow.service" "$vehicle/etc/systemd/system/"
inside systemctl daemon-reload
inside systemctl start milepost-follow.service
until_true 10 inside pgrep -f 'journalctl --quiet --follow' >/dev/null
# Whether it listens already is not to be seen from outside: drives go on until it does.
followed() { drive; inside journalctl --quiet --unit=milepost-follow.service --output=cat | grep -q "^enter A1/"; }
check "a follower of the journal with rights of its own is told" until_true 20 followed
inside systemctl stop milepost-follow.service
inside journalctl --quiet --unit=milepost-follow.service --output=cat --lines=1 | sed 's/^/# /'
rm -f "$dropins"/network.conf "$dropins"/sound.conf "$dropins"/write-files.conf
inside systemctl daemon-reload
restart
