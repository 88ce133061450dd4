"""The search field finds everything, and does things."""

from selenium.webdriver.common.keys import Keys
from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps, site: Site, window: Browser):
    found = "[...document.querySelectorAll('#palette li')].map((one) => one.innerText.replace(/\\s+/g, ' '))"
    with patient(steps, "the search finds screens, programmes, times and pages from every page, and leads to them by keyboard"):
        for typed, wanted, path in (("bar t", "Bar TV Screen", "/d/bar"), ("menus", "menus Programme", "/library"),
                                    ("breakf", "breakfast Time", "/schedule"), ("repor", "Reports Page", "/reports")):
            window.open(site.address + "/settings")
            window.wait("document.documentElement.dataset.ready")
            window.keys("/")
            window.wait("document.activeElement.id === 'search'")
            window.keys(typed)
            window.wait(f"{found}.includes(values[0])", wanted)
            place = window.run(f"return {found}").index(wanted)
            window.keys(*([Keys.ARROW_DOWN] * place), Keys.ENTER)
            window.wait("location.pathname === values[0]", path)
    with patient(steps, "the search pauses a screen, and an emptied field finds nothing"):
        site.castq("-d", "bar", "cast", site.url("film"))
        window.open(site.address + "/settings")
        window.wait("document.documentElement.dataset.ready")
        window.keys("/")
        window.wait("document.activeElement.id === 'search'")
        window.keys("pause bar")
        window.wait(f"{found}[0] === 'Pause Bar TV Do'")
        window.keys(Keys.ENTER)
        site.says("bar", "PAUSED")
        expect(window.run("return document.getElementById('palette').hidden"), "the list stays open")
