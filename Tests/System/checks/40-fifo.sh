# A drive through the FIFO that systemd makes.

configure 10-fifo "$(printf '[Source]\nType=fifo')"
inside systemctl stop milepostd.service
inside systemctl start milepostd-fifo.socket
inside systemctl restart milepostd.service
fifo=/run/milepostd-fixes
check "milepostd reads systemd's FIFO" until_true 10 is ActiveState active
check "which root and the group alone may write" \
  test "$(inside stat -c '%F %a %U %G' $fifo)" = "fifo 660 root milepostd"
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
