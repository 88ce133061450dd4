"""What a page costs that is open for long."""

import os

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site

# `make endurance` has five times as many.
EVENTS = int(os.environ.get("CASTQ_EVENTS", "20000"))
BOUND = EVENTS * 50  # bytes; a page that kept its events would need far more for each


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, f"{EVENTS:,} events leave the heap within {BOUND / 1e6:.0f} MB of what it was", 60):
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        grown = growth(window, EVENTS)
        expect(grown <= BOUND, f"it grew by {grown} bytes")
        print(f"        it grew by {grown / 1000:.0f} KB", flush=True)


def growth(window: Browser, events: int) -> int:
    """By how many bytes the heap of an open page grows with so many events."""
    def size() -> int:
        window.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        return window.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]

    flood = """const done = arguments[arguments.length - 1], count = arguments[0];
      import(document.querySelector('script[type=module]').src.replace('app.js', 'live.js')).then(({store}) => {
        const names = [...document.querySelectorAll('castq-card')].map(one => one.dataset.device);
        for (let at = 0; at < count; at += 1) store.dispatch({type: 'status', heard: Date.now(), data: {
          device: names[at % names.length], connection: 'connected', player_state: at % 2 ? 'PLAYING' : 'PAUSED', title: `T ${at}`,
          position_s: at % 60, duration_s: 60, at: new Date().toISOString(), volume: {level: at % 100, muted: false}}});
        done(true); });"""
    window.driver.execute_async_script(flood, 2000)
    before = size()
    window.driver.execute_async_script(flood, events)
    # What a busy browser has yet to draw is held until it is drawn: the least of a few looks is what stays.
    grown = []
    for _ in range(20):
        grown.append(size() - before)
        if grown[-1] <= BOUND / 5:
            break
        window.driver.execute_async_script("requestAnimationFrame(arguments[0])")
    return min(grown)
