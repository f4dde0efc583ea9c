#!/bin/sh
# Sends each event, which is one line of JSON on standard input, to a server. A server that cannot be
# reached is a failure: milepostd tries again, and the event's id tells the server a repetition.
# The sandbox lets hooks use the network; milepostd.service.d/network.conf shows how to narrow it.
set -eu
exec curl --fail --silent --show-error --max-time 20 --header 'Content-Type: application/json' \
  --data-binary @- http://127.0.0.1:8080/events
