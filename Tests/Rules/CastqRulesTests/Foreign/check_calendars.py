"""Judges the times of events by recurring-ical-events, a line of JSON a case: [calendar, site, first, last, [[start, end]...], [days]].

The calendar is the text of a file, the site a zone, first and last days such as 2026-12-24. Starts and ends are seconds since 1970, of
events of times; days are those of the site on which events are. Prints `true`, or what is right.

Three rules are the RFC's and not the judge's: a duration of hours is time that passes, also where clocks are changed (3.3.6), which Python's
sums of local times do not know; the end of an event begins to count where its start really is; and a time that clocks skip is that of the
offset before (3.3.5), also in a zone that the file defines, where Python takes the offset after.
"""

import json
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events

UTC = timezone.utc


def moment(time, site):
    return (time if time.tzinfo else time.replace(tzinfo=site)).astimezone(UTC)


def skipped(time):
    """How much later the clock shows a time that it skips: the clock goes by the offset before."""
    if time.tzinfo is None or time.astimezone(UTC).astimezone(time.tzinfo).replace(tzinfo=None) == time.replace(tzinfo=None):
        return timedelta()
    before, after = ((time + timedelta(hours=hours)).utcoffset() for hours in (-3, 3))
    return after - before


def length(component):
    """What the case says of an event whose DURATION has hours: an occurrence does not have it."""
    seconds = component.get("X-EXACT")
    return timedelta(seconds=int(seconds)) if seconds is not None else None


def judge(text, zone, first, last):
    site = ZoneInfo(zone)
    first, last = date.fromisoformat(first), date.fromisoformat(last)
    found = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(
        first - timedelta(days=3), last + timedelta(days=3)
    )
    times, days = set(), set()
    for event in found:
        start, end = event.start, event.end
        if not isinstance(start, datetime):
            end = max(end, start + timedelta(days=1))
            days.update(start + timedelta(days=each) for each in range((end - start).days))
            continue
        exact = length(event)
        late = skipped(start)
        start, end = moment(start + late, site), end + late
        end = start + exact if exact is not None else moment(end, site)
        shown = start.astimezone(site).date()
        until = (end - timedelta(seconds=1) if end > start else end).astimezone(site).date()
        if until < first or shown > last:
            continue
        times.add((int(start.timestamp()), int(end.timestamp())))
        days.update(shown + timedelta(days=each) for each in range((until - shown).days + 1))
    return sorted(map(list, times)), sorted(day.isoformat() for day in days if first <= day <= last)


for line in sys.stdin:
    text, zone, first, last, times, days = json.loads(line)
    right = judge(text, zone, first, last)
    print("true" if right == (times, days) else json.dumps({"times": right[0], "days": right[1]}))
