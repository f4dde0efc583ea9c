# What the checks say about milepostd in the vehicle; to be sourced.

state=$vehicle/var/lib/milepostd
etc=$vehicle/etc/milepostd
examples=$vehicle/usr/share/doc/milepostd/examples
dropins=$vehicle/etc/systemd/system/milepostd.service.d

show() { inside systemctl show --value --property="$1" milepostd.service; }
is() { [ "$(show "$1")" = "$2" ]; }
status_says() { show StatusText | grep -q -- "$1"; }

# Remembers the time: `journal` shows what comes after. (A cursor would not do: with a match,
# --after-cursor leaves out the first entry where the cursor's own does not match.)
mark() { since=@$(date +%s.%6N); }
journal() { inside journalctl --quiet --since="$since" "$@"; }
journal_has() { journal -u milepostd.service --output=cat | grep -q -- "$1"; }

# `enter A1/0K+000`, a line for each event since the mark. A match narrows it.
events() {
  journal --output=json MESSAGE_ID=a59a8d8da58c48fe817a9b9a16c2f042 \
    MESSAGE_ID=4a9f079314a743cf8306280cd1d1aee7 "$@" |
    jq -r '.MILEPOST_EVENT + " " + .MILEPOST_FENCE'
}

# What `milepostctl replay` makes of a file in the vehicle, of all causes or all but one.
# usage: replayed FILE [CAUSE]
replayed() {
  inside milepostctl replay --markers /etc/milepostd/markers.d/sample.csv "$1" 2>/dev/null |
    jq -r --arg but "${2:-}" 'select(.cause != $but) | .event + " " + .fence.id'
}

# The two are the same lines; else shows how they differ.
same() { diff "$1" "$2"; }

# A drop-in for the unit, and one for the configuration.
unit_dropin() {
  mkdir -p "$dropins"
  printf '[Service]\n%s\n' "$2" >"$dropins/$1.conf"
  inside systemctl daemon-reload
}
configure() { printf '%s\n' "$2" >"$etc/milepostd.conf.d/$1.conf"; }

# Shown where a check fails.
explain() {
  [ -n "$init" ] || return 0
  inside systemctl --no-pager --lines=0 status milepostd.service
  inside journalctl --quiet --no-pager --lines=15 --output=short-monotonic
}

# Fix number N of a vehicle that goes to and fro on the sample's road, 25 m further a second; as CSV.
# usage: fixes FIRST LAST
fixes() {
  awk -v first="$1" -v last="$2" 'BEGIN {
    for (n = first; n <= last; n++) {
      place = (n * 25) % 6000
      if (place > 3000) place = 6000 - place
      printf "%d,%.7f,%.7f\n", 1796119200 + n, 24.85 + place * 0.000006, 121.77 + place * 0.000007393
    }
  }'
}

# Runs dpkg in the vehicle on a package of the machine below.
inside_dpkg() {
  action=$1
  shift
  for file in "$@"; do [ ! -e "$file" ] || cp "$file" "$vehicle/srv/"; done
  inside dpkg "$action" --force-confold $(for file in "$@"; do
    if [ -e "$file" ]; then echo "/srv/$(basename "$file")"; else echo "$file"; fi; done)
}
