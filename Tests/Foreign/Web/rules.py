"""Times of rules that are skipped and moved: what changes is shown before anything is changed."""

from selenium.webdriver.common.keys import Keys
from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site

LIST = "document.querySelector('#occurrence [data-part=preview]').innerText"


def drive(steps: Steps, site: Site, window: Browser):
    site.castq("schedule", "add", "lunch", "--play", "menus", "-d", "foyer", "--daily", "12:00-13:00", "--priority", "1")
    with patient(steps, "a rule that is written shows what it would change, and changes nothing before it is added"):
        _open(site, window)
        window.click("#new-rule summary")
        window.run("""const form = document.querySelector('#new-rule form');
          for (const [name, value] of Object.entries(arguments[0])) form.elements[name].value = value;
          form.elements.name?.focus; form.elements.expression.dispatchEvent(new Event('input', {bubbles: true}));""",
                   {"rule": "tea", "play": "menus", "device": "foyer", "form": "daily", "expression": "16:00-17:00"})
        own = "document.querySelector('#new-rule [data-part=preview]').innerText"
        window.wait(own + ".includes('+ rule tea:')")
        window.wait(own + ".includes('+ Foyer TV:') && " + own + ".includes('16:00–17:00')")
        expect("tea" not in site.castq("schedule", "ls"), "it was added")
        window.run("""const field = document.querySelector('#new-rule form').elements.expression;
          field.value = '16:00-nonsense'; field.dispatchEvent(new Event('input', {bubbles: true}))""")
        window.wait("document.querySelector('#new-rule [data-change=failure]')")
    with patient(steps, "a rule that cannot be made says why in its form, which keeps what was written; one that is made is told after the page has loaded anew"):
        _open(site, window)
        window.click("#new-rule summary")
        fill = """const form = document.querySelector('#new-rule form');
          for (const [name, value] of Object.entries(arguments[0])) form.elements[name].value = value;"""
        window.run(fill, {"rule": "lunch", "play": "menus", "device": "foyer", "form": "daily", "expression": "16:00-17:00"})
        window.click("#new-rule button.primary")
        mistake = "document.querySelector('#new-rule [data-part=mistake]')"
        window.wait(mistake + "?.innerText.includes('There is a rule lunch already')")
        window.wait("document.querySelector('#new-rule [name=rule]').ariaInvalid === 'true'")
        window.run(fill, {"rule": "tea", "play": "/nowhere/tea.m3u"})
        window.click("#new-rule button.primary")
        window.wait(mistake + "?.innerText.includes('/nowhere/tea.m3u')")
        expect("tea" not in site.castq("schedule", "ls"), "it was added")
        window.run(fill, {"play": "menus"})
        window.click("#new-rule button.primary")
        window.wait("performance.getEntriesByType('navigation')[0].type === 'reload'")
        window.wait("document.querySelector('castq-toasts')?.innerText.includes('tea is a rule now')")
        site.castq("schedule", "rm", "tea")
    with patient(steps, "the next time of a rule is skipped: the words of the command line, and only then the change"):
        _open(site, window)
        window.click("[data-rule=lunch] [value=skip]")
        window.wait(LIST + ".includes('~ rule lunch:') && " + LIST + ".includes('- Foyer TV:')")
        expect(not _exceptions(site), "it was skipped at once")
        shown = window.run("return " + LIST)
        window.click("#occurrence button.primary")
        window.wait("!document.querySelector('#occurrence').open")
        window.wait("document.documentElement.dataset.ready")
        skipped = _until(site, window, "skip")
        expect(skipped["occurrence"][:10] in shown, f"{skipped} is not what was shown: {shown}")
        site.castq("schedule", "move", f"lunch@{skipped['occurrence']}", skipped["occurrence"])
    with patient(steps, "a time is moved by a dialog, by keyboard alone"):
        _open(site, window)
        window.run("document.querySelector('[data-rule=lunch] [data-move]').focus()")
        window.keys(Keys.ENTER)
        window.wait("document.querySelector('#occurrence').open")
        before = window.run("return document.querySelector('#occurrence input').value")
        window.run("""const field = document.querySelector('#occurrence input');
          field.value = field.value.slice(0, 11) + '14:30'; field.dispatchEvent(new Event('input', {bubbles: true})); field.focus()""")
        window.wait(LIST + ".includes('14:30–15:30')")
        window.keys(Keys.ENTER)
        moved = _until(site, window, "move")
        expect(moved["occurrence"][:16] == before and moved["to"][11:16] == "14:30", f"{moved}")
        site.castq("schedule", "move", f"lunch@{moved['occurrence']}", moved["occurrence"])
    with patient(steps, "a time is moved by dragging it, which asks before it changes anything"):
        _open(site, window)
        # The page may still be laid out: the piece is taken when it rests and nothing lies over it.
        window.run("globalThis.rests = null; document.querySelector('.segment[data-rule=lunch]').scrollIntoView({block: 'center'})")
        window.wait("""(() => { const one = document.querySelector('.segment[data-rule=lunch]'), box = one.getBoundingClientRect();
          const before = globalThis.rests; globalThis.rests = box.y;
          return before === box.y && one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); })()""")
        box = window.run("""const one = document.querySelector('.segment[data-rule=lunch]');
          one.scrollIntoView({block: 'center'});
          const box = one.getBoundingClientRect(), track = one.closest('.lane-track').getBoundingClientRect();
          const lanes = document.querySelector('castq-lanes').dataset;
          return [box.x + box.width / 2, box.y + box.height / 2, 3_600_000 / (lanes.to - lanes.from) * track.width];""")
        _drag(window, *box)
        window.wait("document.querySelector('#occurrence').open")
        window.wait(LIST + ".includes('+ Foyer TV:')")
        expect(not _exceptions(site), "it was moved at once")
        to = window.run("return document.querySelector('#occurrence input').value")
        expect(to[11:] == "13:00", f"it would begin at {to}")
        window.click("#occurrence button.primary")
        moved = _until(site, window, "move")
        expect(moved["to"][:16] == to, f"{moved} is not {to}")
    with patient(steps, "a single press on a time leads to moving it, too; and what was moved can be moved back"):
        _open(site, window)
        window.run("""document.querySelector('.segment[data-rule=lunch]')
          .dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))""")
        window.click("dialog[open] [data-time=move]")
        window.wait("document.querySelector('#occurrence').open && !document.querySelector('#occurrence [data-part=yes]').disabled")
        window.click("#occurrence button.primary")
        window.wait("!document.querySelector('#occurrence').open")
        _until(site, window, None)
    with patient(steps, "a rule that is switched off and on again is the same rule: an announcement, and one with days"):
        for name, words in (("bell", ("--cron", "0 12 * * *", "--interrupt")), ("office", ("--daily", "08:00-10:30", "--days", "mon-fri"))):
            site.castq("schedule", "add", name, "--play", "menus", "-d", "foyer", *words)
            before = site.document("schedule", "show", name)
            for act, is_off in (("disable", "true"), ("enable", None)):
                _open(site, window)
                window.click(f"[data-rule={name}] [value={act}]")
                window.wait("performance.getEntriesByType('navigation')[0].type === 'reload'")
                window.wait("(document.querySelector(values[0])?.dataset.off ?? null) === values[1]", f"[data-rule={name}]", is_off)
            after = site.document("schedule", "show", name)
            expect(all(after[one] == before[one] for one in ("kind", "form", "expression", "enabled")), f"{before} is now {after}")
            site.castq("schedule", "rm", name)
        site.castq("schedule", "rm", "lunch")


def _open(site: Site, window: Browser):
    window.open(site.address + "/schedule")
    window.wait("document.documentElement.dataset.ready && document.querySelector('[data-rule=lunch]')")


def _exceptions(site: Site) -> list[dict]:
    return site.document("schedule", "show", "lunch")["exceptions"]


def _until(site: Site, window: Browser, action: str | None) -> dict:
    """The exception of the rule once the page has been told that it is made, by loading anew."""
    window.wait("document.documentElement.dataset.ready && !document.querySelector('dialog[open]')")
    window.wait("performance.getEntriesByType('navigation')[0].type === 'reload'")
    found = _exceptions(site)
    expect([one["action"] for one in found] == ([action] if action else []), f"castq has {found}")
    return found[0] if found else {}


def _drag(window: Browser, x: float, y: float, by: float):
    send = window.driver.execute_cdp_cmd
    send("Input.dispatchMouseEvent", {"type": "mousePressed", "x": x, "y": y, "button": "left", "clickCount": 1})
    for part in (0.3, 0.7, 1):
        send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x + by * part, "y": y, "button": "left", "buttons": 1})
    send("Input.dispatchMouseEvent", {"type": "mouseReleased", "x": x + by, "y": y, "button": "left", "clickCount": 1})
