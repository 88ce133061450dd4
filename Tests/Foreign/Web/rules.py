"""The page of the schedule: times that are made, changed, removed, skipped, moved and dragged, each told before anything is changed."""

from selenium.webdriver.common.keys import Keys
from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site

LIST = "document.querySelector('#occurrence [data-part=preview]').innerText"
SAYS = "document.querySelector('[data-part=says]').innerText"
# The piece of a rule, wherever it is drawn; a day that has passed is told by another one.
PIECE = ".piece[data-rule=lunch]"
WEEK = "/schedule?view=week&device=foyer"


def drive(steps: Steps, site: Site, window: Browser):
    site.castq("schedule", "add", "lunch", "--play", "menus", "-d", "foyer", "--daily", "12:00-13:00", "--priority", "1")
    _new(steps, site, window)
    _change(steps, site, window)
    _kinds(steps, site, window)
    _occurrences(steps, site, window)
    _drag(steps, site, window)
    _keys(steps, site, window)
    with patient(steps, "a rule that is switched off and on again is the same rule: one with days, and one with what the page does not know"):
        for name, words in (("night", ("--daily", "22:00-02:00", "--volume", "20")), ("office", ("--daily", "08:00-10:30", "--days", "mon-fri"))):
            site.castq("schedule", "add", name, "--play", "menus", "-d", "foyer", *words)
            before = site.document("schedule", "show", name)
            for act, is_off in (("disable", "true"), ("enable", None)):
                _open(site, window, f"/schedule?edit={name}")
                window.click(f"#drawer [value={act}]")
                window.wait("location.search.includes('notice=') && document.documentElement.dataset.ready")
                window.wait("(document.querySelector(values[0])?.dataset.off ?? null) === values[1]", f"[data-rule-row={name}]", is_off)
            after = site.document("schedule", "show", name)
            expect(all(after[one] == before[one] for one in ("kind", "form", "expression", "enabled", "volume")), f"{before} is now {after}")
            site.castq("schedule", "rm", name)
    site.castq("schedule", "rm", "lunch")


def _new(steps: Steps, site: Site, window: Browser):
    with patient(steps, "a daily time takes five clicks and one word: free time is clicked, its day and hour are in the drawer, and ghosts show it"):
        _open(site, window, WEEK)
        x, y = _place(window, hour=16)
        clicks = 0
        _click(window, x, y)
        clicks += 1
        window.wait("document.querySelector('#drawer') && document.documentElement.dataset.ready")
        expect(window.run("return document.querySelector('[name=from]').value") == "16:00", "it is another hour")
        expect(window.run("return document.querySelector('#rule-form [name=device]').value") == "foyer", "it is another screen")
        # Two clicks choose in a list.
        _choose(window, "play", "menus")
        clicks += 2
        for selector in ("[data-days]", "[name=to]"):
            window.click(selector)
            clicks += 1
        window.keys("16:45")
        window.wait(SAYS + ".startsWith('Every day from 16:00 to 16:45 menus plays on Foyer TV instead of the queue.')")
        window.wait("document.querySelectorAll('.ghost').length >= 1")
        expect("16:00-16:45" not in site.castq("schedule", "ls"), "it was made at once")
        expect(clicks <= 5, f"{clicks} clicks")
        window.keys(Keys.ENTER)
        window.wait("document.querySelector('.notice')?.innerText === 'menus is saved.'")
        made = site.document("schedule", "show", "menus")
        expect((made["form"], made["expression"], made["device"]) == ("daily", "16:00-16:45", "foyer"), f"{made}")
    with patient(steps, "a time that cannot be made says why, beside what was written, and a second one of a programme has a number"):
        _open(site, window, "/schedule?new=&play=menus&device=foyer")
        for name, value in (("from", "9"), ("to", "25:00")):
            window.run("const one = document.querySelector(`#rule-form [name=${arguments[0]}]`); one.value = arguments[1]; one.dispatchEvent(new Event('input', {bubbles: true}))", name, value)
        window.wait("document.querySelector('[data-part=says]').dataset.bad === 'true'")
        window.click("#rule-form button.primary")
        window.wait("document.querySelector('#mistake') && document.querySelector('[name=to]').value === '25:00'")
        window.run("document.querySelector('[name=to]').value = '0930'")
        window.click("#rule-form button.primary")
        window.wait("document.querySelector('.notice')?.innerText === 'menus 2 is saved.'")
        expect(site.document("schedule", "show", "menus 2")["expression"] == "09:00-09:30", "it is another time")
        site.castq("schedule", "rm", "menus 2")


def _change(steps: Steps, site: Site, window: Browser):
    with patient(steps, "a time is changed, duplicated and removed; what was removed comes back as it was"):
        site.castq("schedule", "add", "menus", "--play", "menus", "-d", "foyer", "--daily", "16:00-16:45", "--volume", "40", "--replace")
        _open(site, window, "/schedule?device=foyer")
        window.click("[data-rule-row=menus] a")
        window.wait("document.querySelector('#drawer') && document.documentElement.dataset.ready")
        window.run("document.querySelector('[name=to]').value = '17:15'")
        window.click("#rule-form button.primary")
        window.wait("document.querySelector('.notice')?.innerText === 'menus is saved.'")
        now = site.document("schedule", "show", "menus")
        expect((now["expression"], now["volume"]) == ("16:00-17:15", 40), f"{now}")
        _open(site, window, "/schedule?device=foyer&edit=menus")
        window.click("#drawer a[href*=copy]")
        window.wait("location.search.includes('copy=menus') && document.querySelector('#drawer') && document.documentElement.dataset.ready")
        window.click("#rule-form button.primary")
        window.wait("document.querySelector('.notice')?.innerText === 'menus 2 is saved.'")
        expect(site.document("schedule", "show", "menus 2")["volume"] == 40, "what the form does not know is lost")
        site.castq("schedule", "rm", "menus 2")
        _open(site, window, "/schedule?device=foyer&edit=menus")
        window.click("#drawer [value=remove-rule]")
        window.wait("document.querySelector('.notice')?.innerText.includes('menus is removed.')")
        expect("16:00-17:15" not in site.castq("schedule", "ls"), "it is there")
        window.click(".notice button")
        window.wait("document.querySelector('.notice')?.innerText === 'It is back.'")
        back = site.document("schedule", "show", "menus")
        expect(all(back[one] == now[one] for one in ("expression", "volume", "device", "programme")), f"{now} is {back}")
        site.castq("schedule", "rm", "menus")


def _kinds(steps: Steps, site: Site, window: Browser):
    with patient(steps, "an ad share is made, changed, duplicated and removed by clicks, and its sentence says how much of each hour it has"):
        _open(site, window, "/schedule?device=foyer")
        window.click(".page-head .primary")
        window.wait("document.querySelector('#drawer') && document.documentElement.dataset.ready")
        _pick(window, "share")
        _choose(window, "play", "menus")
        _write(window, "share", "90 s")
        _write(window, "most", "4")
        window.wait(SAYS + ".startsWith('Always menus plays on Foyer TV between what else is on, for 1 min 30 s of each hour, at most 4 times.')")
        expect(window.run("return ['often', 'from'].map((one) => document.querySelector(`#rule-form [name=${one}]`).checkVisibility())") == [False, True], "it has fields of another kind")
        _save(window, "menus is saved.")
        made = site.document("schedule", "show", "menus")
        expect((made["kind"], made["form"], made["per_hour_s"], made["max_plays"]) == ("share", "always", 90, 4), f"{made}")
        site.castq("share", "add", "menus", "menus", "-d", "foyer", "--per-hour", "90s", "--max-plays", "4", "--replace", "--valid", "2026-01-01..2090-01-01")
        _change_of(site, window, "menus", "share", "5%")
        now = site.document("schedule", "show", "menus")
        expect((now["per_hour_s"], now["max_plays"], now["valid_until"]) == (180, 4, "2090-01-01"), f"{now}")
        _twice_and_gone(site, window, "menus", ("kind", "per_hour_s", "max_plays", "valid_until"))
    with patient(steps, "an announcement that comes again is made, changed, duplicated and removed by clicks, and its sentence says when it comes"):
        _open(site, window, "/schedule?new=&device=foyer")
        _pick(window, "announcement")
        _choose(window, "play", "menus")
        _write(window, "starts", "9")
        _write(window, "stops", "17")
        window.wait(SAYS + ".startsWith('Every hour from 09:00 to 17:00 menus plays on Foyer TV as an announcement, and gives the screen back.')")
        _choose(window, "often", "day")
        _write(window, "at", "1845")
        window.wait(SAYS + ".startsWith('Every day at 18:45 menus plays on Foyer TV as an announcement')")
        expect(window.run("return ['stops', 'from', 'share'].map((one) => document.querySelector(`#rule-form [name=${one}]`).checkVisibility())") == [False] * 3, "it has fields of another kind")
        _save(window, "menus is saved.")
        made = site.document("schedule", "show", "menus")
        expect((made["kind"], made["form"], made["expression"]) == ("trigger", "cron", "45 18 * * *"), f"{made}")
        site.castq("schedule", "add", "menus", "--play", "menus", "-d", "foyer", "--cron", "45 18 * * *", "--interrupt", "--volume", "40", "--resume", "item", "--replace")
        _change_of(site, window, "menus", "at", "19")
        now = site.document("schedule", "show", "menus")
        expect((now["expression"], now["volume"], now["resume"], now["kind"]) == ("0 19 * * *", 40, "item", "trigger"), f"{now}")
        _twice_and_gone(site, window, "menus", ("kind", "expression", "volume", "resume"))


def _change_of(site: Site, window: Browser, name: str, field: str, text: str):
    """From its row in the list into the drawer, and one field of it."""
    _open(site, window, "/schedule?device=foyer")
    window.run("document.querySelector(arguments[0]).closest('details').open = true", f"[data-rule-row={name}]")
    window.click(f"[data-rule-row={name}] a")
    window.wait("document.querySelector('#drawer') && document.documentElement.dataset.ready")
    _write(window, field, text)
    _save(window, f"{name} is saved.")


def _twice_and_gone(site: Site, window: Browser, name: str, kept: tuple[str, ...]):
    """Duplicated, and the first one removed and put back as it was."""
    before = site.document("schedule", "show", name)
    _open(site, window, f"/schedule?device=foyer&edit={name}")
    window.click("#drawer a[href*=copy]")
    window.wait("location.search.includes('copy=') && document.querySelector('#drawer') && document.documentElement.dataset.ready")
    _save(window, f"{name} 2 is saved.")
    second = site.document("schedule", "show", f"{name} 2")
    expect(all(second[one] == before[one] for one in kept), f"{before} twice is {second}")
    site.castq("schedule", "rm", f"{name} 2")
    _open(site, window, f"/schedule?device=foyer&edit={name}")
    window.click("#drawer [value=remove-rule]")
    window.wait("document.querySelector('.notice')?.innerText.includes('is removed.')")
    left = site.document("schedule", "ls")["rules"] + site.document("share", "ls")["shares"]
    expect(all(one["rule"] != name for one in left), "it is there")
    window.click(".notice button")
    window.wait("document.querySelector('.notice')?.innerText === 'It is back.'")
    back = site.document("schedule", "show", name)
    expect(all(back[one] == before[one] for one in kept), f"{before} is {back}")
    site.castq("schedule", "rm", name)


def _occurrences(steps: Steps, site: Site, window: Browser):
    with patient(steps, "a click on what is to come is an answer, and what can be done: this time is skipped, and told before it is"):
        _open(site, window)
        _tap(window, PIECE)
        window.wait("document.querySelector('#answer [data-part=first]')?.innerText === 'menus will be on.'")
        window.click("#answer [value=skip]")
        window.wait(LIST + ".includes('~ rule lunch:') && " + LIST + ".includes('- Foyer TV:')")
        expect(not _exceptions(site), "it was skipped at once")
        shown = window.run("return " + LIST)
        window.click("#occurrence button.primary")
        skipped = _until(site, window, "skip")
        expect(skipped["occurrence"][:10] in shown, f"{skipped} is not what was shown: {shown}")
        site.castq("schedule", "move", f"lunch@{skipped['occurrence']}", skipped["occurrence"])
    with patient(steps, "a time is moved by a dialog, by keyboard alone"):
        _open(site, window)
        window.run("document.querySelector(arguments[0]).focus()", PIECE)
        window.keys(Keys.ENTER)
        window.wait("document.querySelector('#answer [data-move]')")
        window.run("document.querySelector('#answer [data-move]').focus()")
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


def _pull_end(site: Site, window: Browser):
    """Pulls the lower edge of a block of the week an hour down; the drawer is open then."""
    _open(site, window, WEEK)
    window.run("document.querySelector('.days-scroll').scrollTop = 400")
    x, y, width, height, _ = _box(window, 0)
    _pull(window, x + width / 2, y + height / 2 - 3, 0, 44)
    window.wait("document.querySelector('#drawer') && document.documentElement.dataset.ready")


def _drag(steps: Steps, site: Site, window: Browser):
    with patient(steps, "the middle of a piece is dragged: this time moves, which is asked before it changes anything; and it can be moved back"):
        _open(site, window)
        x, y, width, _, hour = _box(window, 3_600_000)
        _pull(window, x + width / 2, y, hour, 0)
        window.wait("document.querySelector('#occurrence').open")
        window.wait(LIST + ".includes('+ Foyer TV:')")
        expect(not _exceptions(site), "it was moved at once")
        to = window.run("return document.querySelector('#occurrence input').value")
        expect(to[11:] == "13:00", f"it would begin at {to}")
        window.click("#occurrence button.primary")
        moved = _until(site, window, "move")
        expect(moved["to"][:16] == to, f"{moved} is not {to}")
        site.castq("schedule", "move", f"lunch@{moved['occurrence']}", moved["occurrence"])
    with patient(steps, "an edge of a block is dragged: the drawer has the new end, and nothing is changed before it is saved"):
        _pull_end(site, window)
        expect(window.run("return document.querySelector('[name=to]').value") == "14:00", "it is another end")
        window.wait(SAYS + ".includes('from 12:00 to 14:00')")
        expect(site.document("schedule", "show", "lunch")["expression"] == "12:00-13:00", "it was changed at once")
        window.click("#rule-form button.primary")
        window.wait("document.querySelector('.notice')?.innerText === 'lunch is saved.'")
        expect(site.document("schedule", "show", "lunch")["expression"] == "12:00-14:00", "it was not changed")
    with patient(steps, "an edge of a time that an expression gives is dragged: it lasts longer, and begins when it did"):
        site.castq("schedule", "add", "lunch", "--play", "menus", "-d", "foyer", "--cron", "0 12 * * *", "--for", "1h", "--priority", "1", "--replace")
        _pull_end(site, window)
        expect(window.run("return document.querySelector('[name=for]').value") == "120m", "it is another length")
        window.click("#rule-form button.primary")
        window.wait("document.querySelector('.notice')?.innerText === 'lunch is saved.'")
        rule = site.document("schedule", "show", "lunch")
        expect((rule["expression"], rule["for_s"]) == ("0 12 * * *", 7200), f"it is another rule: {rule}")
        site.castq("schedule", "add", "lunch", "--play", "menus", "-d", "foyer", "--daily", "12:00-13:00", "--priority", "1", "--replace")


def _keys(steps: Steps, site: Site, window: Browser):
    with patient(steps, "each lane and each day is one stop of the tab key, and arrows go through its pieces"):
        for path, group in (("/schedule", ".lane[role=group]"), (WEEK, ".day")):
            _open(site, window, path)
            stops = "[...document.querySelectorAll('castq-lanes a')].filter(one => one.tabIndex === 0 && one.offsetParent).length"
            groups = window.run("return document.querySelectorAll(arguments[0]).length", group)
            expect(window.run("return " + stops) == groups, f"{path}: {window.run('return ' + stops)} stops of {groups} groups")
        window.run("document.querySelector('.day a').focus()")
        window.keys(Keys.ARROW_RIGHT)
        window.wait("document.activeElement.closest('.day') === document.querySelectorAll('.day')[1]")
    with patient(steps, "a week of a screen has at most sixty stops of the tab key, and a name for what has no room for it"):
        _open(site, window, WEEK)
        count = window.run("""return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
          .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility()).length""")
        expect(count <= 60, f"{count} stops")
        window.run("document.querySelector(arguments[0]).focus()", PIECE)
        window.wait("document.querySelector('.tip:not([hidden])')?.innerText.startsWith('menus 12:00')")


def _open(site: Site, window: Browser, path: str = "/schedule"):
    window.open(site.address + path)
    window.wait("document.documentElement.dataset.ready && document.querySelector('castq-lanes [tabindex]')")
    window.wait("!document.getElementById('rule-form') || performance.getEntriesByType('resource').some((one) => one.name.endsWith('/rules.js'))")


def _exceptions(site: Site) -> list[dict]:
    return site.document("schedule", "show", "lunch")["exceptions"]


def _until(site: Site, window: Browser, action: str | None) -> dict:
    """The exception of the rule once the page has been told that it is made, by loading anew."""
    window.wait("document.documentElement.dataset.ready && !document.querySelector('dialog[open]')")
    window.wait("performance.getEntriesByType('navigation')[0].type === 'reload'")
    found = _exceptions(site)
    expect([one["action"] for one in found] == ([action] if action else []), f"castq has {found}")
    return found[0] if found else {}


def _choose(window: Browser, name: str, value: str):
    window.run("""const one = document.querySelector(`#rule-form [name=${arguments[0]}]`);
      one.value = arguments[1]; one.dispatchEvent(new Event('input', {bubbles: true}))""", name, value)


def _pick(window: Browser, kind: str):
    window.run("document.querySelector('#rule-form [name=what][value=' + arguments[0] + ']').click()", kind)


def _write(window: Browser, name: str, text: str):
    """Into a field that is to be seen."""
    expect(window.run("return document.querySelector(`#rule-form [name=${arguments[0]}]`).checkVisibility()", name), f"{name} is not to be seen")
    _choose(window, name, text)


def _save(window: Browser, words: str):
    window.click("#rule-form button.primary")
    window.wait("document.querySelector('.notice')?.innerText === values[0]", words)


def _tap(window: Browser, selector: str):
    window.run("document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))", selector)


def _place(window: Browser, hour: int) -> tuple[float, float]:
    """Where an hour of the last day of the week is."""
    window.run("document.querySelector('.days-scroll').scrollTop = (arguments[0] - 3) * 44", hour)
    return window.run("""const all = document.querySelectorAll('svg.day-axis[data-from]'), box = all[all.length - 1].getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height * (arguments[0] + 0.2) / 24];""", hour)


def _box(window: Browser, length: int) -> list[float]:
    """The piece at rest: its left and its middle, its size, and how long a length of time is. Nothing lies over it."""
    window.run("globalThis.rests = null; [...document.querySelectorAll(arguments[0])].at(-1).scrollIntoView({block: 'center'})", PIECE)
    window.wait("""(() => { const one = [...document.querySelectorAll(values[0])].at(-1), box = one.getBoundingClientRect();
      const before = globalThis.rests; globalThis.rests = box.y;
      return before === box.y && one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); })()""", PIECE)
    return window.run("""const one = [...document.querySelectorAll(arguments[0])].at(-1), box = one.getBoundingClientRect();
      const track = one.closest('svg').getBoundingClientRect(), lanes = document.querySelector('castq-lanes').dataset;
      return [box.x, box.y + box.height / 2, box.width, box.height, arguments[1] / (lanes.to - lanes.from) * track.width];""", PIECE, length)


def _click(window: Browser, x: float, y: float):
    send = window.driver.execute_cdp_cmd
    for kind in ("mousePressed", "mouseReleased"):
        send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})


def _pull(window: Browser, x: float, y: float, right: float, down: float):
    send = window.driver.execute_cdp_cmd
    send("Input.dispatchMouseEvent", {"type": "mousePressed", "x": x, "y": y, "button": "left", "clickCount": 1})
    for part in (0.3, 0.7, 1):
        send("Input.dispatchMouseEvent",
             {"type": "mouseMoved", "x": x + right * part, "y": y + down * part, "button": "left", "buttons": 1})
    send("Input.dispatchMouseEvent", {"type": "mouseReleased", "x": x + right, "y": y + down, "button": "left", "clickCount": 1})
