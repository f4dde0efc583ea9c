# Checks with numbered lines of the Test Anything Protocol; to be sourced.
#
#   check NAME COMMAND...       ok if the command succeeds; else what it printed is shown
#   skip NAME REASON            what cannot be run here
#   until_true SECONDS COMMAND  runs the command again and again until it succeeds
#   say TEXT                    a remark

count=0
failures=0

say() { printf '# %s\n' "$*"; }

check() {
  name=$1
  shift
  count=$((count + 1))
  if "$@" >"$scratch/said" 2>&1; then
    echo "ok $count - $name"
  else
    failures=$((failures + 1))
    echo "not ok $count - $name"
    say "failed: $*"
    tail -n 40 "$scratch/said" | sed 's/^/#   /'
    explain | sed 's/^/#   /'
  fi
}

skip() {
  count=$((count + 1))
  echo "ok $count - $1 # SKIP $2"
}

until_true() {
  deadline=$(($(uptime_ms) + $1 * 1000))
  shift
  until "$@"; do
    [ "$(uptime_ms)" -lt "$deadline" ] || { echo "waited in vain for: $*"; return 1; }
    # Between two looks only.
    sleep 0.02
  done
}

uptime_ms() { awk '{ printf "%d", $1 * 1000 }' /proc/uptime; }
