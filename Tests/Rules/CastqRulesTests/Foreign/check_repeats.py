"""Judges the starts of recurrence rules by dateutil, a line of JSON a case: [start, rule, first, last, [starts]].

Times are minutes since 1970-01-01. Prints `true`, or what dateutil says.
"""

import json
import sys
from datetime import datetime, timedelta

from dateutil.rrule import rrulestr

EPOCH = datetime(1970, 1, 1)


def date(number):
    return EPOCH + timedelta(minutes=number)


for line in sys.stdin:
    start, rule, first, last, starts = json.loads(line)
    found = rrulestr(rule, dtstart=date(start)).between(date(first), date(last), inc=True)
    right = [(each - EPOCH) // timedelta(minutes=1) for each in found]
    print(json.dumps(right == starts or right))
