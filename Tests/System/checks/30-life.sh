# What happens to a service in its life: hangs, reloads, gpsd and journald that go and come.

unit_dropin test "$(printf 'WatchdogSec=2s\nRestartSec=100ms')"
inside systemctl restart milepostd.service
check "it restarts with a watchdog of 2 s" until_true 10 is ActiveState active
pid=$(show MainPID)
inside kill -STOP "$pid"
restarted() { is NRestarts 1 && is ActiveState active && ! is MainPID "$pid"; }
check "SIGSTOP is caught by the watchdog, and the service comes back" until_true 25 restarted
check "the journal says so" until_true 5 journal_has "Watchdog timeout"

mark
configure 50-bad "$(printf '[Filter]\nJitterThreshold=15 mm')"
refuses() { ! inside systemctl reload milepostd.service; }
check "reload with a bad configuration fails" refuses
check "the journal names file, line and key" until_true 5 journal_has "50-bad.conf:2: JitterThreshold"
check "and it runs on" is ActiveState active
pid=$(show MainPID)
inside kill -HUP "$pid"
check "SIGHUP with a bad configuration keeps the old one" until_true 5 journal_has "the old configuration stays"
configure 50-bad "$(printf '[Fences]\nRadius=41m')"
check "reload with a good configuration succeeds" inside systemctl reload milepostd.service
check "in the same process" is MainPID "$pid"
rm "$etc/milepostd.conf.d/50-bad.conf"
inside systemctl reload milepostd.service

until_true 30 client
inside python3 /srv/receiver.py /srv/sentences 0 10
check "fixes come in" until_true 10 status_says "fix"
mark
inside systemctl stop gpsd.service gpsd.socket
check "gpsd stopped: one line" until_true 15 journal_has "lost\|unreachable\|refused"
check "it runs on without" is ActiveState active
inside systemctl start gpsd.socket gpsd.service
check "gpsd started again: it reconnects" until_true 40 client
mark
inside python3 /srv/receiver.py /srv/sentences 10 60
check "and events come" until_true 10 eval '[ "$(events MILEPOST_EVENT=enter | wc -l)" -ge 2 ]'

mark
inside systemctl restart systemd-journald.service
inside python3 /srv/receiver.py /srv/sentences 60 130
check "journald restarted: events after it arrive" until_true 10 eval '[ "$(events MILEPOST_EVENT=enter | wc -l)" -ge 2 ]'

# A journald that hangs holds nobody up: with its queue full, events wait in the store.
mark
pid=$(show MainPID)
journald=$(inside systemctl show --value --property=MainPID systemd-journald.service)
inside kill -STOP "$journald"
inside python3 -c '
import socket
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
    journal.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    journal.connect("/run/systemd/journal/socket")
    try:
        while True: journal.send(b"MESSAGE=filler\n", socket.MSG_DONTWAIT)
    except BlockingIOError: pass'
inside python3 /srv/receiver.py /srv/sentences 130 160
# Twice the watchdog's time.
sleep 4
check "journald hangs: a reload is answered" inside timeout 10 systemctl reload milepostd.service
inside kill -CONT "$journald"
check "and the events come once it goes on" until_true 15 eval '[ "$(events MILEPOST_EVENT=enter | wc -l)" -ge 1 ]'
check "all by the same process" is MainPID "$pid"

# Stopped by its socket too, journald cannot take anything: events wait in the store.
mark
inside systemctl stop systemd-journald.service systemd-journald.socket systemd-journald-dev-log.socket 2>/dev/null
inside python3 /srv/receiver.py /srv/sentences 160 188
inside systemctl start systemd-journald.socket systemd-journald-dev-log.socket systemd-journald.service
inside systemctl restart milepostd.service
no_hole() { journal_sequences | awk 'NR > 1 && $1 != last + 1 { print "after", last, "comes", $1; bad = 1 } { last = $1 } END { exit bad || NR == 0 }'; }
journal_sequences() { inside journalctl --quiet --output=json MILEPOST_EVENT=enter MILEPOST_EVENT=exit | jq -r .MILEPOST_SEQUENCE | sort -nu; }
check "journald away for a while: no event is missing in the journal" until_true 10 no_hole

stopping() {
  inside systemctl start milepostd.service
  until_true 10 is ActiveState active || return 1
  before=$(uptime_ms)
  inside systemctl stop milepostd.service
  shutdown=$(($(uptime_ms) - before))
}
best=100000
for _ in 1 2 3; do stopping && [ "$shutdown" -lt "$best" ] && best=$shutdown; done
check "without hooks it stops within 1 s ($best ms, the best of 3)" test "$best" -le 1000
check "its end is clean" is Result success
inside systemctl start milepostd.service
