"""What happens to a link that people look after: a backup put back, bundles of one second, a way back, bundles applied by hand, two links of
one name, and a role that may do what the page says."""

import json
import os
import pathlib
import re

from steps import Steps, expect

from .centre import Centre
from .site import LinkedSite

# 2 November 2026 in UTC.
MORNING = 1_793_577_600_000
PAGE = pathlib.Path(__file__).parents[3] / "docs" / "link.md"


def mishaps(steps: Steps, centre: Centre):
    _restored(steps, centre)


def _ends(first: int, count: int):
    """Plays on one screen that end every hundred seconds."""
    return [("lobby", f"spot {number}", MORNING + number * 100_000, 9.5, "finished") for number in range(first, first + count)]


def _restored(steps: Steps, centre: Centre):
    with LinkedSite("lille", postgres=centre.address()) as site:
        with steps.step("an older copy of the database keeps the order of its plays, and no clock is said to be set back", 120):
            site.past(_ends(0, 3))
            site.start()
            centre.wait_for(3, "lille")
            site.stop()
            site.castq("db", "backup", f"{site.folder}/old.db")
            site.past(_ends(3, 2))
            site.start()
            centre.wait_for(5, "lille")
            site.stop()
            for suffix in ("", "-wal", "-shm"):
                pathlib.Path(site.database + suffix).unlink(missing_ok=True)
            os.rename(f"{site.folder}/old.db", site.database)
            # The first two have numbers of others, the third one is the first of its number.
            site.past(_ends(5, 3))
            site.start().lines.wait_for("older copy", 30)
            centre.wait_for(8, "lille")
            site.stop()
            titles = [title for (title,) in centre.rows("SELECT title FROM play WHERE site = 'lille' ORDER BY seq")]
            expect(titles == [f"spot {number}" for number in range(8)], f"the order is {titles}")
            clocks = site.document("report", "--site", "lille")["clocks"]
            expect(clocks == [], f"{clocks}")
