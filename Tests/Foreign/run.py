#!/usr/bin/env python3
"""Drives the receiver simulator with real senders: run.py [DRIVER…]. Exits 1 if any step failed."""

import sys

import drive_api
import drive_catt
import drive_discovery
import drive_mpd
import drive_pychromecast
import drive_two_senders
import Documents.drive
import Link.drive
import Web.drive
from steps import GivenUp, Steps

DRIVERS = {"pychromecast": drive_pychromecast.drive, "catt": drive_catt.drive, "two-senders": drive_two_senders.drive,
           "discovery": drive_discovery.drive, "web": Web.drive.drive, "api": drive_api.drive,
           "mpd": drive_mpd.drive, "documents": Documents.drive.drive, "link": Link.drive.drive}


def main(names: list[str]) -> int:
    unknown = set(names) - set(DRIVERS)
    if unknown:
        print(f"no such driver: {', '.join(sorted(unknown))}; there are {', '.join(DRIVERS)}", file=sys.stderr)
        return 64
    steps = Steps()
    for name in names or DRIVERS:
        try:
            DRIVERS[name](steps)
        except GivenUp:
            print(f"  {name}: the other steps need the one that failed", flush=True)
        except Exception as error:  # the steps catch their own; this is the simulator or the driver itself
            steps.fail(name, error)
    print(f"{steps.passed} passed, {steps.failed} failed", flush=True)
    return 1 if steps.failed else 0


sys.exit(main(sys.argv[1:]))
