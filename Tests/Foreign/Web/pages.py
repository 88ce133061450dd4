"""Every page: what axe-core finds, the plan, and many tabs at once."""

from steps import Steps, expect

from . import browser
from .accessibility import PAGES, violations
from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps, site: Site, window: Browser):
    script = browser.axe()
    for path in PAGES:
        with patient(steps, f"axe finds nothing on {path}: light and dark, 1280 and 320 px, reduced motion, forced colours", 60):
            found = []
            for scheme, width, more in (("light", 1280, {}), ("dark", 320, {"prefers_reduced_motion": "reduce"}),
                                        ("light", 320, {"forced_colors": "active"})):
                window.media(prefers_color_scheme=scheme, **more)
                window.size(width, 900)
                window.open(site.address + path)
                window.wait("document.documentElement.dataset.ready")
                found += [f"{scheme} {width}: {one}" for one in violations(window, script)]
                wide = window.run("return document.documentElement.scrollWidth")
                if wide > width:
                    found.append(f"{width}: the page is {wide} px wide")
            window.media(prefers_color_scheme="light")
            window.size(1280, 900)
            expect(not found, "; ".join(found))
    with patient(steps, "a click on the plan is an answer beside it, and on a narrow window in a dialog"):
        for width, place in ((1280, "#answer"), (768, "dialog[open]")):
            window.size(width, 900)
            window.open(site.address + "/schedule")
            window.wait("document.querySelector('.piece') && document.documentElement.dataset.ready")
            window.run("document.querySelector('.piece').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
            window.wait("document.querySelector(values[0])?.innerText.endsWith('.')", f"{place} [data-part=first]")
        window.size(1280, 900)
    with patient(steps, "days on which clocks change have 23 and 25 columns"):
        for day, after, columns in (("2027-03-28", "2027-03-29", "23"), ("2027-10-31", "2027-11-01", "25")):
            window.open(f"{site.address}/schedule?from={day}&to={after}&tz=Europe/Berlin")
            found = window.wait("document.querySelector('castq-lanes')?.dataset.columns")
            expect(found == columns, f"{day} has {found}")
    with patient(steps, "eight tabs are live on one stream", 30):
        driver, first = window.driver, window.driver.current_window_handle
        for _ in range(7):
            driver.switch_to.new_window("tab")
            driver.get(site.address + "/d/lobby")
        site.castq("-d", "lobby", "volume", "71")
        for handle in driver.window_handles:
            driver.switch_to.window(handle)
            if handle != first:
                window.wait("document.querySelector('castq-controller [data-part=level]')?.innerText === '71'")
                driver.close()
        driver.switch_to.window(first)
