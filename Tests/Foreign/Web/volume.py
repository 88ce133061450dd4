"""Who turns the volume at once: two pages, a terminal and the command line, on a screen that castq feeds and on one that it does not."""

import concurrent.futures

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site, program
from .terminal import Terminal

PRESSES = 3


def drive(steps: Steps):
    with Site("lobby", "bar") as site, Browser() as desk, Browser(width=390, height=844) as phone:
        site.castq("-d", "lobby", "cast", site.url("film"))
        for name, what in (("lobby", "castq feeds"), ("bar", "nothing feeds")):
            with patient(steps, f"two pages, a terminal and the command line turn the volume at once, and every step counts: a screen that {what}"):
                _turn(site, name, desk, phone)


def _turn(site: Site, name: str, desk: Browser, phone: Browser):
    level = "document.querySelector('castq-controller [data-part=level]').innerText === values[0]"
    site.castq("-d", name, "volume", "20")
    with Terminal([program(), "-d", name, "remote"], site.environment, site.folder) as terminal:
        for page in (desk, phone):
            page.open(f"{site.address}/d/{name}")
            page.wait(f"document.documentElement.dataset.ready && {level}", "20")
        terminal.until(lambda lines: "20%" in lines[0], "the level")
        with concurrent.futures.ThreadPoolExecutor(3 + PRESSES) as threads:
            presses = [threads.submit(page.keys, *["+"] * PRESSES) for page in (desk, phone)]
            presses.append(threads.submit(terminal.press, "+" * PRESSES))
            presses += [threads.submit(site.castq, "-d", name, "volume", "+5") for _ in range(PRESSES)]
            for press in presses:
                press.result()
        goal = str(20 + 4 * PRESSES * 5)
        for page in (desk, phone):
            page.wait(level, goal)
        terminal.until(lambda lines: f"{goal}%" in lines[0], f"{goal}%")
    found = site.castq("-d", name, "volume").strip()
    expect(found == goal, f"the device has {found}, not {goal}")
