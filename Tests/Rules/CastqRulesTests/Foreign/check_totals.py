"""Judges the day and hour totals of reports, a line of JSON a case: [zone, unit, plays, totals].

A play is [start, end, seconds]: milliseconds since 1970, and the seconds shown, spread evenly over it. Totals are seconds by label:
2026-10-25 or 2026-10-25T02:00+01:00. Prints `true`, or what is right. Time is counted in quarters of an hour, of which each lies in one
day and one hour of every zone that is asked for; the clocks are zoneinfo's.
"""

import json
import sys
from collections import defaultdict
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

QUARTER = 900_000


def label(moment, zone, unit):
    local = datetime.fromtimestamp(moment / 1000, timezone.utc).astimezone(zone)
    if unit == "day":
        return f"{local:%Y-%m-%d}"
    offset = f"{local:%z}"
    return f"{local:%Y-%m-%dT%H}:00{offset[:3]}:{offset[3:5]}"


for line in sys.stdin:
    name, unit, plays, totals = json.loads(line)
    zone = ZoneInfo(name)
    right = defaultdict(float)
    for start, end, seconds in plays:
        moment = start
        while moment < end:
            following = min((moment // QUARTER + 1) * QUARTER, end)
            right[label(moment, zone, unit)] += seconds * (following - moment) / (end - start)
            moment = following
    agrees = set(right) == set(totals) and all(abs(right[key] - totals[key]) < 0.002 for key in right)
    print("true" if agrees else f"{name} {unit}: castq {totals}, right is {dict(right)}")
