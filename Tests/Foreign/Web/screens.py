"""The first page, the Cast button with its chooser, and the mini controller."""

import json

from steps import Steps, expect

from .accessibility import PAGES
from .browser import Browser
from .pace import patient
from .site import Site


def card(name: str) -> str:
    return f"castq-card[data-device='{name}']"


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "a screen that is added, gets another name or is removed is so on a page that is open, but nobody is torn from a field"):
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        site.castq("device", "add", "attic", "127.0.0.1:9")
        window.wait("document.querySelector(values[0])", card("attic"))
        site.castq("device", "alias", "attic", "loft")
        window.wait("document.querySelector(values[0])", card("loft"))
        window.wait("document.documentElement.dataset.ready")
        window.run("document.getElementById('search').focus()")
        site.castq("device", "rm", "loft")
        site.castq("-d", "lobby", "volume", "41")
        window.wait("document.querySelector(values[0])", card("loft"))
        window.run("document.getElementById('search').blur()")
        window.wait("!document.querySelector(values[0])", card("loft"))
    with patient(steps, "who follows a link just when the screens change gets there"):
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        window.run("""document.querySelector(".top nav a[href='/schedule']").click();
          document.dispatchEvent(new CustomEvent('castq-reset'));""")
        window.wait("location.pathname === '/schedule' && document.documentElement.dataset.ready")
    with patient(steps, "design 1: the Cast button is in the header of every page, at the same place"):
        places = set()
        for path in PAGES:
            window.open(site.address + path)
            places.add(json.dumps(window.run("""
              const box = document.querySelector('header .cast').getBoundingClientRect();
              return [Math.round(box.right), Math.round(box.top)];""")))
        expect(len(places) == 1, f"it is at {places}")
    with patient(steps, "design 3: the introduction appears once, when a screen is there, and can be dismissed"):
        window.open(site.address + "/settings")
        window.click("#again")
        window.open(site.address + "/")
        window.wait("document.getElementById('introduction').matches(':popover-open')")
        window.click("#introduction button")
        window.wait("!document.getElementById('introduction').matches(':popover-open')")
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        expect(not window.run("return document.getElementById('introduction').matches(':popover-open')"), "it came again")
    # From its beginning: a busy computer may have needed its minute for what came before.
    site.castq("-d", "lobby", "cast", site.folder + "/lobby.m3u")
    with patient(steps, "design 4 and 5: the button opens the chooser: Cast to, in name order, busy ones say Casting"):
        window.run("localStorage.removeItem('castq.device')")
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        window.click("header .cast")
        window.wait("document.getElementById('chooser').open")
        window.wait("document.querySelectorAll('#chooser .choice').length === 3")
        expect(window.text("#chooser h2") == "Cast to", window.text("#chooser"))
        window.wait("document.querySelector('#chooser').innerText.includes('Casting Welcome')")
        names = window.run("return [...document.querySelectorAll('#chooser .choice .title')].map(one => one.innerText)")
        expect(names == sorted(names, key=str.lower), f"the order is {names}")
        expect(window.run("return document.querySelectorAll('main .choice').length") == 0, "screens stand elsewhere, too")
    with patient(steps, "design 2: the button is disconnected, then connected and filled, in words and icon"):
        expect(window.run("return document.querySelector('.cast').dataset.state") == "disconnected", "before")
        window.run("""[...document.querySelectorAll('#chooser .choice')].find(one => one.innerText.includes('Welcome')).click()""")
        window.wait("location.pathname === '/d/lobby' && document.querySelector('.cast').dataset.state === 'connected'")
        expect("Lobby TV" in window.text(".cast"), window.text(".cast"))
    with patient(steps, "design 12: the mini controller is seen wherever the expanded one is not open, and leads to it"):
        window.wait("document.querySelector('castq-mini').hidden")
        window.open(site.address + "/history")
        window.wait("!document.querySelector('castq-mini').hidden")
        window.wait("document.querySelector('castq-mini').innerText.includes('Welcome')")
        # Of several screens it says which one its buttons are for, whatever is on it.
        window.wait("document.querySelector('castq-mini [data-part=subtitle]').innerText.startsWith('on Lobby TV')")
        window.run("""const slider = document.querySelector('castq-mini [data-part=volume]');
          slider.value = 37; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change'));""")
        site.devices["lobby"].was_asked("SET_VOLUME")
        expect(window.run("return document.querySelector('castq-mini [data-part=skip]').checkVisibility()"), "there is no Next")
        window.click("castq-mini .what")
        window.wait("location.pathname === '/d/lobby'")
        window.size(390, 700)
        window.wait("document.querySelector('castq-mini').hidden")
        window.run("scrollTo(0, document.documentElement.scrollHeight)")
        window.wait("!document.querySelector('castq-mini').hidden")
        window.run("scrollTo(0, 0); document.querySelector('.transport').scrollIntoView({block: 'center'})")
        window.wait("document.querySelector('castq-mini').hidden")
        window.size(1280, 900)
    with patient(steps, "design 15: coming back shows the running session at once"):
        window.open(site.address + "/")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'")
