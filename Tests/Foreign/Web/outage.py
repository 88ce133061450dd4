"""A daemon that is killed, and what browsers complained of."""

import os
import pathlib
import re
import signal
import time

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "a page says once whose times they are, and no time repeats it"):
        window.open(site.address + "/history")
        window.wait("document.querySelector('time')")
        expect(window.text("main").count("UTC") == window.text("main .zone").count("UTC") > 0, window.text("main"))
    with patient(steps, "the daemon is killed: a banner, and screens are reached without it; and it is live again", 60):
        window.open(site.address + "/d/lobby")
        window.wait("document.querySelector('castq-controller').dataset.air")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'")
        began = time.monotonic()
        site.daemon.kill()
        window.wait("document.querySelector('#connection').innerText.includes('is not running')")
        print(f"        the banner after {1000 * (time.monotonic() - began):.0f} ms", flush=True)
        window.wait("!document.querySelector('.transport [value=toggle]').disabled")
        expect(re.search(r"since \d\d:\d\d:\d\d", window.text("#connection")), window.text("#connection"))
        site.start_daemon()
        began = time.monotonic()
        window.wait("document.querySelector('#connection p').hidden")
        window.wait("!document.querySelector('.transport [value=toggle]').disabled")
        print(f"        live again {1000 * (time.monotonic() - began):.0f} ms after the daemon was ready", flush=True)
    _start(steps, site, window)
    with patient(steps, "without its own service the page greys what acts, says since when it knows nothing, and sends nothing later", 60):
        # Three minutes: it must not be over when everything is here again.
        site.castq("-d", "lobby", "cast", site.playlist("films.m3u", [("film", site.url("film"))] * 3))
        window.open(site.address + "/d/lobby")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
        # What keys do is fetched while the service is there.
        window.wait("performance.getEntriesByType('resource').some(one => one.name.endsWith('/toasts.js'))")
        address = site.address
        site.web.kill()
        window.wait("document.body.dataset.link === 'down' && document.querySelector('.transport [value=toggle]').disabled")
        expect(re.search(r"since \d\d:\d\d", window.text("#connection")), window.text("#connection"))
        expect("film" in window.text("castq-controller [data-part=title]").lower(), "what was known last is gone")
        window.keys("?")
        window.wait("document.getElementById('shortcuts').open")
        window.run("document.getElementById('shortcuts').close()")
        window.keys(" ")
        site.start_web(address)
        window.wait("document.body.dataset.link === 'up' && !document.querySelector('.transport [value=toggle]').disabled", limit=60)
        site.castq("-d", "lobby", "volume", "66")
        window.wait("document.querySelector('castq-controller [data-part=level]').innerText === '66'")
        state = site.document("-d", "lobby", "status")["player_state"]
        expect(state == "PLAYING", f"a key of that time has done something: {state}")
    with patient(steps, "a page of the history misses no row while the daemon and the page's own service are killed", 90):
        site.castq("-d", "lobby", "cast", site.playlist("three.m3u", [(name, site.url("menu")) for name in ("One", "Two", "Three")]))
        window.open(site.address + "/history?device=lobby")
        window.wait("document.querySelector('[data-part=rows]').innerText.includes('One')")
        site.daemon.kill()
        site.start_daemon()
        # It has not taken the screen up yet.
        site.castq("-d", "lobby", "play")
        site.castq("-d", "lobby", "next")
        window.wait("document.querySelector('[data-part=rows]').innerText.includes('Two')")
        address = site.address
        site.web.kill()
        site.castq("-d", "lobby", "next")
        site.start_web(address)
        window.wait("document.querySelector('[data-part=rows]').innerText.includes('Three')", limit=60)
        plays = [str(play["play"]) for play in site.document("history", "--device", "lobby", "--limit", "200")["plays"]]
        window.wait("values[0].every(play => document.querySelector(`[data-play='${play}']`))", plays)
    with patient(steps, "no page breaks the content security policy, none logs an error, none asks another host"):
        window.collect()
        # The browser logs every refusal, and every question to a service that was killed; those that a step asked for are known.
        wrong = [one for one in window.complaints
                 if not ("/api/v1/" in one and ("the server responded with a status of 4" in one or "net::ERR_" in one))]
        expect(not wrong, "; ".join(wrong[:5]))
        others = [one for one in window.requests if not one.startswith((site.address, "data:", "blob:", "chrome"))]
        expect(not others, f"{others[:5]}")


def _daemons(site: Site) -> list[int]:
    """The processes that are daemons of the site."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"daemon" in words and site.database.encode() in words:
            found.append(int(path.parent.name))
    return found


def _start(steps: Steps, site: Site, window: Browser):
    button = ".banner form.start button"
    config = pathlib.Path(site.folder, "config.yaml")
    started: list[int] = []
    try:
        with patient(steps, "castq that is not running is started by a click: one, however often it is clicked, and it outlives the page", 90):
            window.open(site.address + "/d/lobby")
            window.wait("document.querySelector('#connection p').hidden && document.querySelector(values[0]).parentElement.hidden", button)
            site.daemon.kill()
            window.wait("document.querySelector(values[0]).checkVisibility()", button)
            right = config.read_text()
            config.write_text("daemon: {on_exit: never}\n")
            window.click(button)
            window.wait("document.querySelector('.banner form.start .failure')?.innerText.includes('leave or stop')")
            expect("castq ended at once" in window.text(".banner .failure"), window.text(".banner"))
            config.write_text(right)
            # Others press it at the same moment.
            window.run("""globalThis.answers = [];
              for (let i = 0; i < 3; i += 1) fetch('/api/v1/daemon', {method: 'POST'}).then((answer) => answers.push(answer.status));""")
            window.click(button)
            window.wait("answers.length === 3 && answers.every((status) => status === 200)")
            window.wait("document.querySelector('#connection p').hidden && document.querySelector(values[0]).parentElement.hidden", button)
            window.wait("document.querySelector('castq-controller').dataset.air && !document.querySelector('.transport [value=toggle]').disabled")
            started = _daemons(site)
            expect(len(started) == 1, f"{len(started)} daemons run")
            expect("ready" in pathlib.Path(f"{site.database}.daemon.log").read_text(), "its log has nothing")
            address = site.address
            site.web.kill()
            site.start_web(address)
            expect(_daemons(site) == started, "it has ended with the page")
            window.wait("document.body.dataset.link === 'up' && document.querySelector('#connection p').hidden", limit=60)
    finally:
        for process in started or _daemons(site):
            os.kill(process, signal.SIGTERM)
        site.until(lambda: not _daemons(site), lambda: "a daemon that does not end")
    site.start_daemon()
