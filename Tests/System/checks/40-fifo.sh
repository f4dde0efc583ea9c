# A drive through the FIFO that systemd makes.

configure 10-fifo "$(printf '[Source]\nType=fifo')"
inside systemctl stop milepostd.service
inside systemctl start milepostd-fifo.socket
inside systemctl restart milepostd.service
fifo=/run/milepostd-fixes
check "milepostd reads systemd's FIFO" until_true 10 is ActiveState active
check "which root and the group alone may write" \
  test "$(inside stat -c '%F %a %U %G' $fifo)" = "fifo 660 root milepostd"
is_fifo() { inside test -p $fifo; }
feed() { inside sh -c "cat >$fifo"; }
mark
fixes 0 150 | feed
enough() { [ "$(events MILEPOST_EVENT=enter | wc -l)" -ge "$1" ]; }
check "events come" until_true 10 enough 30
pid=$(show MainPID)
inside kill -KILL "$pid"
# While it is not there, the FIFO keeps what is written.
fixes 151 155 | feed
back() { is ActiveState active && ! is MainPID "$pid"; }
check "killed, it comes back" until_true 15 back
mark
fixes 156 300 | feed
check "and reads on" until_true 10 enough 25
check "no event is missing, none is there twice under another id" no_hole
# An event whose journal entry was cut off is there as a repeated one alone; each counts once.
alternate() {
  inside journalctl --quiet --output=json MILEPOST_EVENT=enter MILEPOST_EVENT=exit |
    jq -r '[.MILEPOST_SEQUENCE, .MILEPOST_EVENT, .MILEPOST_FENCE] | @tsv' | sort -n | uniq |
    awk -F'\t' '$1 == number { print "two events of one number:", $0; bad = 1 }
      $3 in last && last[$3] == $2 { print "twice:", $0; bad = 1 }
      { number = $1; last[$3] = $2 } END { exit bad || NR == 0 }'
}
check "enter and exit alternate for each milepost" alternate

# A configuration that nothing can run on: the FIFO and what is written wait for its repair.
configure 50-bad '[Bad'
fixes 301 303 | feed
inside systemctl --no-block restart milepostd.service
check "a bad configuration is refused" until_true 10 journal_has "50-bad.conf:1"
sleep 3
check "and the FIFO stays, whatever is written" \
  eval 'fixes 304 305 | feed && is_fifo && [ "$(inside systemctl is-active milepostd-fifo.socket)" = active ]'
rm "$etc/milepostd.conf.d/50-bad.conf"
mark
check "once it is repaired, the service comes by itself" until_true 15 is ActiveState active
fixes 306 400 | feed
check "and reads the FIFO" until_true 10 enough 10

# The FIFO taken away under the service, and a writer that makes a file in its place.
inside systemctl enable --quiet milepostd-fifo.socket
inside systemctl stop milepostd-fifo.socket
inside sh -c "echo >$fifo"
inside systemctl restart milepostd.service
check "a restart brings an enabled FIFO back" until_true 10 eval 'is ActiveState active && is_fifo'
mark
fixes 401 500 | feed
check "and it is read" until_true 10 enough 10
inside systemctl disable --quiet milepostd-fifo.socket
