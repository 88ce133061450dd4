"""The words of every page: those of people, and none of a program's."""

import re

from steps import Steps, expect

from .accessibility import PAGES
from .browser import Browser
from .pace import patient
from .site import Site

# What nobody but a program says: identifiers, JSON, codes of receivers, names of the wire, words of rules.
FOREIGN = {
    "the number of an announcement": r"announcement \d{6,}",
    "JSON": r"[{\[]\s*\"\w+\"\s*:",
    "a receiver's code": r"\b(LOAD_FAILED|LOAD_CANCELLED|MEDIA_SRC_NOT_SUPPORTED|INVALID_REQUEST|INTERRUPTED|CANCELLED|MEDIA_STATUS)\b",
    "the name of an application": r"Default Media Receiver|CC1AD845",
    "an address of a file": r"file:///",
    "a command": r"\bcastq (?!is\b|plays?\b|calls?\b|called\b|has\b|cannot\b|does\b|waits?\b|starts?\b|connects?\b|knows?\b|runs?\b|looks?\b|test\b|tries\b|serves?\b|reaches\b|found\b|was\b|went\b|names?\b)[a-z]+",
    "a word of rules": r"\b(daypart|adherence|Expression|unobserved)\b",
    "a name without a value": r"\b(null|undefined|NaN|\[object Object\])\b",
    "a unique number": r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-",
}


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "no page has an identifier, JSON, a receiver's code, an alias or a command in its words", 60):
        site.castq("announce", site.url("gong"), "-d", "bar", check=False)
        site.castq("-d", "foyer", "enqueue", site.media.url("/gone.mp4"))
        found = []
        for path in [*PAGES, "/d/lobby?tab=plan", "/d/lobby?tab=history"]:
            window.open(site.address + path)
            window.wait("document.documentElement.dataset.ready")
            text = window.text()
            for what, pattern in FOREIGN.items():
                found += [f"{path}: {what}: {one.group(0)!r}" for one in re.finditer(pattern, text)]
            # An alias stands in addresses and commands; people read the name.
            found += [f"{path}: the alias {alias}" for alias in site.devices if re.search(rf"(?<![\w/@]){alias}(?![\w/])", text)]
        expect(not found, "; ".join(sorted(set(found))[:40]))
