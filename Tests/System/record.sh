#!/bin/sh
# A hook for the tests: appends a line with the event's id, event and fence, and what the sandbox is.
set -eu
if (: >/etc/milepostd/intruder) 2>/dev/null; then etc=written; else etc=refused; fi
if ls /root >/dev/null 2>&1; then home=seen; else home=refused; fi
sandbox=$(awk '/^(CapEff|NoNewPrivs|Seccomp):/ { printf "%s%s ", $1, $2 }' /proc/self/status)
echo "$MILEPOST_EVENT_ID $1 $2 $(id -un) ${sandbox}etc:$etc home:$home" >>/var/lib/milepostd/hooked
