"""Screens that are idle, live, or somebody else's."""

import uuid

import pychromecast
from steps import PATIENCE, Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "design 6: connected and idle: the chooser has the device, its volume, and stop casting"):
        window.open(site.address + "/d/foyer")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'")
        window.click("header .cast")
        window.wait("document.getElementById('chooser').open && !document.querySelector('#chooser [data-part=connected]').hidden")
        expect(window.text("#chooser h2") == "Foyer TV", window.text("#chooser"))
        for part in ("volume", "quit", "leave", "open"):
            expect(window.run("return document.querySelector(`#chooser [data-part=${arguments[0]}]`).offsetHeight > 0", part), part)
        expect(window.run("return document.querySelector('#chooser [data-part=toggle]').hidden"), "there is nothing to pause")
    with patient(steps, "design 15: disconnecting leaves what plays; stop casting ends it: two acts"):
        site.castq("-d", "bar", "cast", site.url("film"))
        window.open(site.address + "/d/bar")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
        window.click(".chosen [data-part=screen-menu] > summary")
        window.click(".chosen [data-part=leave]")
        window.wait("location.pathname === '/' && document.querySelector('.cast').dataset.state === 'disconnected'")
        expect(site.document("-d", "bar", "status")["player_state"] == "PLAYING", "it was stopped")
        window.open(site.address + "/d/bar")
        window.click(".chosen [data-part=screen-menu] > summary")
        window.click(".chosen [data-quit]")
        site.devices["bar"].was_asked("STOP")
        window.wait("document.querySelector('castq-controller').dataset.state === 'idle'")
    with patient(steps, "design 12: live media is stopped, not paused"):
        site.castq("-d", "bar", "cast", site.playlist("live.m3u", [("On air", site.url("news"))], "#CASTQ: live=yes"))
        window.wait("document.querySelector('castq-controller').dataset.live === 'true'")
        window.wait("document.querySelector('.transport [value=toggle]').getAttribute('aria-label') === 'Stop'")
        window.wait("document.querySelector('castq-controller [data-part=elapsed]').innerText === 'Live'")
        window.wait("document.querySelector('castq-controller [data-part=total]').innerText === ''")
    with patient(steps, "design 8: another's takeover is said, and a button takes the screen back while the guest plays"):
        device = site.devices["bar"]
        cast = pychromecast.get_chromecast_from_host(
            (device.host, device.port, uuid.UUID(device.uuid), "Chromecast", device.name), tries=1, timeout=PATIENCE)
        try:
            cast.wait(PATIENCE)
            cast.media_controller.play_media(site.url("offers"), "video/mp4", stream_type="BUFFERED")
            window.wait("!document.querySelector('[data-part=guest]').hidden")
            window.wait("document.querySelector('[data-part=guest-why]').innerText.startsWith('A guest has the screen')")
        finally:
            cast.disconnect(PATIENCE)
        window.click("[data-part=guest] button")
        window.wait("document.querySelector('[data-part=guest]').hidden && document.querySelector('castq-controller').dataset.state === 'playing'")
        site.castq("-d", "bar", "cast", site.url("film"))
        window.wait("document.querySelector('castq-controller').dataset.live !== 'true'")
