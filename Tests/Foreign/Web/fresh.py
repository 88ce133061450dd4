"""A fresh install."""

import os

from simulator import Simulator
from steps import Steps

from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps):
    with patient(steps, "a fresh install leads to something playing in three clicks", 90):
        os.environ["CASTQ_INTERFACES"] = "lo"
        try:
            with Simulator("--name", "Living room", "--advertise", "--interface", "lo") as found, Site() as site, Browser() as window:
                window.open(site.address + "/")
                window.wait("document.documentElement.dataset.ready")
                window.click("header .cast")
                # Others may make devices known on this computer at the same time.
                own = "[...document.querySelectorAll('#chooser .choice')].find(one => one.innerText.includes('Living room'))"
                window.wait(own)
                window.run(f"{own}.click()")
                window.wait("location.pathname.startsWith('/d/')")
                window.click("[data-part=first] button.primary")
                found.was_asked("QUEUE_LOAD", 30)
                window.wait("document.querySelector('castq-controller').dataset.state === 'playing'", limit=30)
                window.wait("document.querySelector('castq-controller [data-part=total]').innerText === '0:30'")
                # It moves.
                window.wait("document.querySelector('castq-controller [data-part=elapsed]').innerText >= '0:02'", limit=30)
                window.wait("document.querySelector('castq-controller').innerText.includes('castq test card')")
        finally:
            del os.environ["CASTQ_INTERFACES"]
