"""Drives the operator page in Debian's Chromium: what its design promises, each promise by its name."""

from steps import Steps

from . import browser
from .site import Site


def drive(steps: Steps):
    why = browser.missing()
    if why:
        print(f"web: skipped: {why}", flush=True)
        return
    # These need what may be missing.
    from . import (acts, addresses, afternoon, checklist, controller, crowd, fresh, isolation, keyboard, layout, library, login, memory, orders, outage,
                   palette, pages, plain, programmes, reports, rules, screens, senders, settings, slots, stopwatch, volume, weight, words)

    print("web, in Chromium", flush=True)
    with Site("lobby", "bar", "foyer") as site:
        _prepare(site)
        with browser.Browser() as window:
            for part in (screens, controller, senders, keyboard, memory, orders, acts, programmes, rules, addresses, pages, palette, words, layout, outage):
                part.drive(steps, site, window)
        plain.drive(steps, site)
        login.drive(steps, site)
    slots.drive(steps)
    stopwatch.drive(steps)
    afternoon.drive(steps)
    volume.drive(steps)
    library.drive(steps)
    isolation.drive(steps)
    crowd.drive(steps)
    settings.drive(steps)
    reports.drive(steps)
    checklist.drive(steps)
    fresh.drive(steps)
    weight.drive(steps)


def _prepare(site: Site):
    site.castq("-d", "lobby", "cast", site.playlist("lobby.m3u", [
        ("Welcome", site.url("welcome")), ("Menu", site.url("menu")), ("Offers", site.url("offers")),
        ("News", site.url("news"))]))
    site.castq("-d", "bar", "cast", site.url("film"))
    site.castq("web", "token", "add", "anna", "--role", "operate")
    site.castq("group", "add", "foyers", "lobby", "foyer")
    site.castq("programme", "add", "menus", site.url("menu"))
    site.castq("schedule", "add", "breakfast", "--play", "menus", "-d", "foyer", "--daily", "08:00-10:30")
    site.castq("schedule", "add", "late", "--play", "menus", "-d", "bar", "--daily", "03:00-03:30")
