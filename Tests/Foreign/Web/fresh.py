"""A fresh install."""

import os

from simulator import Simulator
from steps import Steps

from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps):
    with patient(steps, "a fresh install finds a screen unasked, and one click has something playing on it", 90):
        os.environ["CASTQ_INTERFACES"] = "lo"
        try:
            with Simulator("--name", "Living room", "--advertise", "--interface", "lo") as found, Site() as site, Browser() as window:
                window.open(site.address + "/")
                # Found unasked; others may make devices known on this computer at the same time.
                own = "[...document.querySelectorAll('.first .found-list li')].find(one => one.innerText.includes('Living room'))"
                window.wait(own)
                window.run(f"{own}.querySelector('button').click()")
                window.wait("location.pathname.startsWith('/d/')")
                found.was_asked("QUEUE_LOAD", 30)
                window.wait("document.querySelector('castq-controller').dataset.state === 'playing'", limit=30)
                window.wait("document.querySelector('castq-controller [data-part=total]').innerText === '0:30'")
                # It moves.
                window.wait("document.querySelector('castq-controller [data-part=elapsed]').innerText >= '0:02'", limit=30)
                window.wait("document.querySelector('castq-controller').innerText.includes('castq test card')")
        finally:
            del os.environ["CASTQ_INTERFACES"]
