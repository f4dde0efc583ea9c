"""Counts the verdicts that the rules for fixes give on gpsd's JSON, independently of milepostd.

Written from the rules' text alone: positions become Earth-centred points by a formula of its own,
JSON is read by Python's module. Usage: verdicts.py FILE; prints a line `verdict count` for each
verdict that occurs. A transcript (`+SECONDS < TEXT`) gives each line its receipt; the lines of any
other file all come in at once.
"""

import datetime
import json
import math
import re
import sys

WALL_BASE_MS = 1_796_000_000_000
MAX_GAP_MS = 10_000
MAX_ERROR_M = 100
MAX_SPEED_MPS = 500 / 3.6
FREE_LEAP_M = 50
FAR_AHEAD_MS = 12 * 3600 * 1000


def received(path):
    """The lines with their receipt, milliseconds."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            line = line.rstrip("\r\n")
            if not path.endswith(".txt"):
                yield 0, line
            elif match := re.match(r"\+([0-9.]+) < (.*)$", line):
                yield round(float(match[1]) * 1000), match[2].removesuffix("\\r")


def number(report, key):
    value = report.get(key)
    return value if type(value) in (int, float) else None


def milliseconds(report):
    text = report.get("time")
    if not isinstance(text, str):
        return None
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return round(moment.timestamp() * 1000)


def metres(a, b):
    """The chord between two places, through points on the ellipsoid."""

    def point(place):
        latitude, longitude = map(math.radians, place)
        a, f = 6378137.0, 1 / 298.257223563
        e2 = f * (2 - f)
        n = a / math.sqrt(1 - e2 * math.sin(latitude) ** 2)
        return (
            n * math.cos(latitude) * math.cos(longitude),
            n * math.cos(latitude) * math.sin(longitude),
            n * (1 - e2) * math.sin(latitude),
        )

    return math.dist(point(a), point(b))


class Seen:
    """Where, and when by which clock, a receiver says that it was."""

    def __init__(self, place, ms, timed):
        self.place, self.ms, self.timed = place, ms, timed

    def too_fast_from(self, before):
        seconds = (self.ms - before.ms) / 1000
        if not self.timed:
            seconds = max(seconds, 1)
        distance = metres(before.place, self.place)
        return distance > FREE_LEAP_M and distance > MAX_SPEED_MPS * seconds

    def doubt_after(self, before):
        if self.ms < before.ms:
            return "earlier"
        if self.ms - before.ms > FAR_AHEAD_MS:
            return "far-ahead"
        return "too-fast" if self.too_fast_from(before) else None


class Rules:
    def __init__(self):
        self.last = None  # the last usable fix
        self.timed_receipt = None  # when the last usable fix with a time came in
        self.run = []  # pending fixes that fit one another
        self.pinned = None  # the receiver in use
        self.others = {}  # other receivers: first and latest fix since the pinned one's last usable

    def verdict(self, report, receipt):
        mode = number(report, "mode") or 0
        place = (number(report, "lat"), number(report, "lon"))
        if mode < 2 or None in place:
            return "no-fix"
        if not (-90 <= place[0] <= 90 and -180 <= place[1] <= 180):
            return "invalid-position"
        if place == (0, 0):
            return "null-island"
        error = number(report, "eph")
        if error is None:
            error = max(number(report, "epx") or 0, number(report, "epy") or 0)
        if error > MAX_ERROR_M:
            return "inaccurate"
        if number(report, "status") == 8:
            return "simulated"
        if number(report, "status") == 5:
            return "estimated"
        ms = milliseconds(report)
        seen = Seen(place, WALL_BASE_MS + receipt if ms is None else ms, ms is not None)
        device = report.get("device", "")
        if self.pinned not in (None, device):
            if not self.takes_over(device, seen):
                return "other-device"
            return self.use(device, seen, receipt)
        return self.order(device, seen, receipt)

    def takes_over(self, device, seen):
        first, latest = self.others.get(device, (seen, seen))
        if seen.ms != latest.ms:
            if seen.timed != latest.timed or seen.doubt_after(latest):
                first = seen
            latest = seen
        self.others[device] = (first, latest)
        return latest.ms - first.ms > MAX_GAP_MS

    def order(self, device, seen, receipt):
        if not seen.timed:
            if self.timed_receipt is not None and receipt - self.timed_receipt <= MAX_GAP_MS:
                return "untimed"
            # Fixes of one receipt come one after the other.
            before = [s.ms for s in [self.last, *self.run[-1:]] if s and not s.timed]
            if before and 0 <= max(before) - seen.ms < 1000:
                seen.ms = max(before) + 1
        if self.last is None or self.last.timed != seen.timed:
            return self.use(device, seen, receipt)
        if seen.ms in [self.last.ms] + [s.ms for s in self.run[-1:]]:
            return "duplicate"
        doubt = seen.doubt_after(self.last)
        if doubt is None:
            return self.use(device, seen, receipt)
        if self.run:
            gap = seen.ms - self.run[-1].ms
            if not 0 < gap <= MAX_GAP_MS or seen.too_fast_from(self.run[-1]):
                self.run = []
        self.run.append(seen)
        return self.use(device, seen, receipt) if len(self.run) == 3 else doubt

    def use(self, device, seen, receipt):
        self.last, self.pinned, self.run, self.others = seen, device, [], {}
        if seen.timed:
            self.timed_receipt = receipt
        return "usable"


def main(path):
    rules = Rules()
    counts = {}
    for receipt, line in received(path):
        try:
            report = json.loads(line)
        except ValueError:
            continue
        if isinstance(report, dict) and report.get("class") == "TPV":
            verdict = rules.verdict(report, receipt)
            counts[verdict] = counts.get(verdict, 0) + 1
    for verdict in sorted(counts):
        print(verdict, counts[verdict])


main(sys.argv[1])
