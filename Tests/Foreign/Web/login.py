"""Tokens: who has none sees the login, and who may look sees no button."""

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Service, Site


def drive(steps: Steps, site: Site):
    with patient(steps, "beyond loopback a token is asked for: a wrong one is told, a right one leads to the page that was wanted"):
        look = site.castq("web", "token", "add", "desk", "--role", "look").strip()
        site.castq("web", "token", "add", "boss", "--role", "edit")
        web = Service(site, r"the page is at http://\S+:(?P<port>\d+)/", "web", "--listen", "0.0.0.0:0")
        try:
            with Browser() as window:
                _log_in(site, window, f"http://127.0.0.1:{web.ready['port']}", look)
        finally:
            web.end()


def _log_in(site: Site, window: Browser, address: str, token: str):
    window.open(address + "/d/lobby?tab=plan")
    window.wait("document.querySelector('input[name=token]')")
    expect("Welcome" not in window.driver.page_source and "lobby TV" not in window.driver.page_source.lower(), "a stranger sees the screen")

    def send(text: str):
        window.run("document.querySelector('input[name=token]').value = arguments[0]", text)
        window.click("button.primary")

    send("castq_wrong")
    window.wait("document.querySelector('main').innerText.includes('not valid')")
    send(token)
    window.wait("location.pathname === '/d/lobby' && location.search === '?tab=plan' && document.documentElement.dataset.ready")
    window.wait("document.querySelector('castq-controller').dataset.air")
    expect(window.run("return document.body.dataset.role") == "look", "it has another role")
    expect(not window.run("return document.querySelector('.transport button')"), "who may look can press")
    site.castq("-d", "lobby", "play")
    window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
    open_acts = "return [...document.querySelectorAll('[data-act]:not(:disabled)')].filter(one => one.checkVisibility()).map(one => one.outerHTML)"
    window.click("header .cast")
    window.wait("!document.querySelector('#chooser [data-part=connected]').hidden")
    expect(not window.run(open_acts), f"in the chooser: {window.run(open_acts)}")
    window.open(address + "/history")
    window.wait("!document.querySelector('castq-mini').hidden")
    expect(not window.run(open_acts), f"in the mini controller: {window.run(open_acts)}")
    window.open(address + "/d/lobby")
    window.wait("document.querySelector('castq-controller').dataset.air")
    site.castq("-d", "lobby", "volume", "64")
    window.wait("document.querySelector('castq-controller [data-part=level]').innerText === '64'")
    window.open(address + "/settings")
    window.run("document.querySelector('form[action=\"/logout\"] button').click()")
    window.wait("document.querySelector('input[name=token]')")
