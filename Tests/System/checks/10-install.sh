# The package's first installation, on a machine without gpsd's socket and without mileposts.

mark
check "an older package is installed" inside_dpkg --install "$older"
check "it makes the account" inside getent passwd milepostd
check "the service is enabled, starts without gpsd and mileposts, and is READY" \
  until_true 10 is ActiveState active
check "its status says that there are no mileposts" until_true 5 status_says "no mileposts"
check "the journal says where mileposts go" until_true 5 journal_has "no mileposts: put"
check "a hook directory is there, empty" test "$(ls "$etc/hooks.d" | wc -l)" = 0
check "what is shipped is all commented out" sh -c '! grep -q "^[^#\[]" "$1"' sh "$etc/milepostd.conf"
check "only root may change the configuration" \
  test "$(find "$etc" \( ! -user root -o -perm /022 \) | wc -l)" = 0

verify() { [ -z "$(inside systemd-analyze verify milepostd.service milepostd-fifo.socket 2>&1 | tee /dev/stderr)" ]; }
check "systemd-analyze verify has nothing to say" verify
exposure=$(inside systemd-analyze security --offline=yes --no-pager milepostd.service)
printf '%s\n' "$exposure" | grep -v '^✓' | sed 's/^/# /'
check "systemd-analyze security: exposure at most 1.5" awk -v said="$exposure" 'BEGIN {
  if (!match(said, /exposure level for milepostd.service: [0-9.]+/)) exit 1
  split(substr(said, RSTART, RLENGTH), words, ": "); exit !(words[2] <= 1.5) }'
say "resident: $(inside sh -c 'grep VmRSS /proc/$(systemctl show --value -p MainPID milepostd)/status')"
