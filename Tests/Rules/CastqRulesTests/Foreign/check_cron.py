"""Judges next times of cron expressions by cronsim, a line of JSON a case: [expression, zone, start, [moments]].

Moments are seconds since 1970, and null in place of the list is an expression that castq refuses. Prints `true`, or what cronsim
says. What Debian's cron runs at a fixed time agrees as it is, also on the nights on which clocks are changed. What begins with a
star in the minute or the hour, cron runs by elapsed time, and castq by the clock on the wall: such expressions are asked for without
a zone, and their times get their moments by castq's rule, which `moment` has in words of its own.
"""

import json
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

UTC = timezone.utc


def moment(local, zone):
    """The first occurrence of a local time, and for one that clocks skip the end of the gap."""
    first = local.replace(tzinfo=zone, fold=0)
    there = first.astimezone(UTC)
    if there.astimezone(zone).replace(tzinfo=None) == local:
        return int(there.timestamp())
    # Skipped: between the moments that the offsets before and after the gap give.
    ends = sorted(int(local.replace(tzinfo=zone, fold=fold).astimezone(UTC).timestamp()) for fold in (0, 1))
    low, high = ends[0] - 1, ends[1]
    before = datetime.fromtimestamp(low, zone).utcoffset()
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high


def expected(expression, zone, start, count):
    fields = expression.split()
    if fields[0].startswith("*") or fields[1].startswith("*"):
        local = datetime.fromtimestamp(start, zone).replace(tzinfo=None, second=0)
        away = timedelta(hours=25 if zone.key == "Pacific/Apia" else 2)
        moments = (moment(each, zone) for each in CronSim(expression, local - away))
    else:
        moments = (int(each.timestamp()) for each in CronSim(expression, datetime.fromtimestamp(start - 86400, zone)))
    found = []
    for each in moments:
        if each > start and each not in found:
            found.append(each)
        if len(found) == count:
            break
    return found


zones = {}
for line in sys.stdin:
    expression, name, start, moments = json.loads(line)
    zone = zones.setdefault(name, ZoneInfo(name))
    try:
        right = expected(expression, zone, start, len(moments or [0]))
    except CronSimError:
        right = []
    except StopIteration:
        right = []
    agrees = right == moments if moments else not right
    print("true" if agrees else f"{expression} | {name} | {start}: castq {moments}, cronsim {right}")
