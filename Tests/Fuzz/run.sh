#!/bin/sh
# Fuzzes each target for some seconds, from the kept corpus and what earlier runs have found.
# usage: run.sh SECONDS [TARGET]...; the first finding ends it and names its file
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
fuzzer=.build/fuzz/milepost-fuzz
# A crash is told by libFuzzer; Swift's own backtrace would stand in its way.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=suppressions=Tests/Fuzz/asan.supp
[ $# -gt 0 ] || set -- $(ls Tests/Fuzz/corpus)
for target; do
  found=.build/fuzz/found/$target
  mkdir -p "$found"
  log=.build/fuzz/$target.log
  if MILEPOST_FUZZ=$target "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -detect_leaks=0 -max_len=4096 -artifact_prefix=".build/fuzz/$target-" -print_final_stats=1 \
    "$found" "Tests/Fuzz/corpus/$target" >"$log" 2>&1 </dev/null; then
    awk -v target="$target" '/number_of_executed_units/ { runs = $2 } / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
      END { printf "fuzz: %-14s %9d inputs, %5d edges reached, nothing found\n", target, runs, cov }' "$log"
  else
    tail -n 60 "$log"
    echo "fuzz: $target: found something, see above and $log" >&2
    exit 1
  fi
done
