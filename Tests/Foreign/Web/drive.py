"""Drives the operator page in Debian's Chromium: what its design promises, each promise by its name."""

import json
import os
import pathlib
import random
import statistics
import time

from steps import Steps, expect

from . import browser
from .accessibility import PAGES, violations
from .browser import Browser
from .site import Site

PICTURES = pathlib.Path(__file__).parents[3] / "docs" / "pictures"


def drive(steps: Steps):
    why = browser.missing()
    if why:
        print(f"web: skipped: {why}", flush=True)
        return
    print("web, in Chromium", flush=True)
    with Site("lobby", "bar", "foyer") as site:
        _prepare(site)
        with Browser() as window:
            _screens(steps, site, window)
            _controller(steps, site, window)
            _others(steps, site, window)
            _queue(steps, site, window)
            _pages(steps, site, window)
            _outage(steps, site, window)
        _without_script(steps, site)
    _fresh(steps)


def _step(steps: Steps, name: str, deadline: float = 90, essential: bool = False):
    """A step with time enough for a browser on a busy machine."""
    return steps.step(name, deadline, essential)


def _prepare(site: Site):
    site.castq("-d", "lobby", "cast", site.playlist("lobby.m3u", [
        ("Welcome", site.url("welcome")), ("Menu", site.url("menu")), ("Offers", site.url("offers")),
        ("News", site.url("news"))]))
    site.castq("-d", "bar", "cast", site.url("film"))
    site.castq("group", "add", "foyers", "lobby", "foyer")
    site.castq("programme", "add", "menus", site.url("menu"))
    site.castq("schedule", "add", "breakfast", "--play", "menus", "-d", "foyer", "--daily", "08:00-10:30")
    site.castq("schedule", "add", "late", "--play", "menus", "-d", "bar", "--daily", "03:00-03:30")


def _card(name: str) -> str:
    return f"castq-card[data-device='{name}']"


def _screens(steps: Steps, site: Site, window: Browser):
    with _step(steps, "the first page: at most 12 requests and 150 KB, all of them to this host", 90, essential=True):
        window.driver.execute_cdp_cmd("Network.enable", {})
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        window.wait("document.querySelector(values[0])", f"{_card('lobby')}[data-state='playing']")
        # Sizes as they came over the wire, and the page itself.
        facts = window.run("""
          const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
          return {count: all.length, bytes: all.reduce((sum, one) => sum + one.transferSize, 0),
                  paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null};""")
        window.collect()
        own = [one for one in window.requests if one.startswith(("http:", "https:", "ws:", "wss:"))]
        expect(len(own) <= 12, f"{len(own)} requests: {own}")
        expect(facts["bytes"] <= 150_000, f"{facts['bytes']} bytes")
        expect(all(one.startswith(site.address) for one in own), f"requests to others: {own}")
        print(f"        {len(own)} requests, {facts['bytes']} bytes, first paint after {facts['paint']:.0f} ms", flush=True)
    with _step(steps, "design 1: the Cast button is in the header of every page, at the same place"):
        places = set()
        for path in PAGES:
            window.open(site.address + path)
            places.add(json.dumps(window.run("""
              const box = document.querySelector('header .cast').getBoundingClientRect();
              return [Math.round(box.right), Math.round(box.top)];""")))
        expect(len(places) == 1, f"it is at {places}")
    with _step(steps, "design 3: the introduction appears once, when a screen is there, and can be dismissed"):
        window.open(site.address + "/settings")
        window.click("#again")
        window.open(site.address + "/")
        window.wait("document.getElementById('introduction').matches(':popover-open')")
        window.click("#introduction button")
        window.wait("!document.getElementById('introduction').matches(':popover-open')")
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        expect(not window.run("return document.getElementById('introduction').matches(':popover-open')"), "it came again")
    with _step(steps, "design 4 and 5: the button opens the chooser: Cast to, in name order, busy ones say Casting"):
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
    with _step(steps, "design 2: the button is disconnected, then connected and filled, in words and icon"):
        expect(window.run("return document.querySelector('.cast').dataset.state") == "disconnected", "before")
        window.run("""[...document.querySelectorAll('#chooser .choice')].find(one => one.innerText.includes('Welcome')).click()""")
        window.wait("location.pathname === '/d/lobby' && document.querySelector('.cast').dataset.state === 'connected'")
        expect("lobby" in window.text(".cast"), window.text(".cast"))
    with _step(steps, "design 12: the mini controller is seen wherever the expanded one is not open, and leads to it"):
        window.wait("document.querySelector('castq-mini').hidden")
        window.open(site.address + "/history")
        window.wait("!document.querySelector('castq-mini').hidden")
        window.wait("document.querySelector('castq-mini').innerText.includes('Welcome')")
        window.click("castq-mini .what")
        window.wait("location.pathname === '/d/lobby'")
    with _step(steps, "design 15: coming back shows the running session at once"):
        window.open(site.address + "/")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'")


def _controller(steps: Steps, site: Site, window: Browser):
    window.open(site.address + "/d/lobby")
    window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
    with _step(steps, "design 7 and 11: title, elapsed left, total right, and the position moves"):
        expect("Welcome" in window.text("castq-controller"), window.text("castq-controller"))
        expect(window.text("castq-controller [data-part=total]") == "1:00", window.text("castq-controller .seek"))
        before = window.text("castq-controller [data-part=elapsed]")
        window.wait("document.querySelector('castq-controller [data-part=elapsed]').innerText !== values[0]", before)
    with _step(steps, "design 9: controls are in step when somebody else acts"):
        site.castq("-d", "lobby", "pause")
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused'")
        site.castq("-d", "lobby", "play")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
    with _step(steps, "the page pauses and continues, by button and by key"):
        window.click(".transport [value=toggle]")
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused' && !document.querySelector('castq-controller').dataset.pending")
        expect(site.document("-d", "lobby", "status")["player_state"] == "PAUSED", "castq says otherwise")
        window.run("document.activeElement.blur()")
        window.keys("k")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing' && !document.querySelector('castq-controller').dataset.pending")
    with _step(steps, "design 10: the volume slider is in step with the device"):
        site.castq("-d", "lobby", "volume", "30")
        window.wait("document.querySelector('castq-controller [data-part=volume]').value === '30'")
        window.run("""const slider = document.querySelector('castq-controller [data-part=volume]');
          slider.value = 44; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change'));""")
        window.wait("document.querySelector('castq-controller [data-part=level]').innerText === '44'")
        site.devices["lobby"].was_asked("SET_VOLUME")
    with _step(steps, "a position that is chosen on the bar is sought"):
        window.run("""const bar = document.querySelector('castq-controller [data-part=seek]');
          bar.value = 500; bar.dispatchEvent(new Event('input')); bar.dispatchEvent(new Event('change'));""")
        site.devices["lobby"].was_asked("SEEK")
        window.wait("Number(document.querySelector('castq-controller [data-part=seek]').value) >= 500")
    with _step(steps, "design 13: what is next is shown before the end, with wait, play now and stop", 30):
        window.run("""const bar = document.querySelector('castq-controller [data-part=seek]');
          bar.value = 600; bar.dispatchEvent(new Event('input')); bar.dispatchEvent(new Event('change'));""")
        window.wait("!document.querySelector('[data-part=up-next]').hidden")
        window.wait("document.querySelector('[data-part=up-next]').innerText.includes('Menu')")
        window.click("[data-part=hold]")
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused'")
        expect(len(site.titles("lobby")) == 4, "stopping cleared the queue")
    with _step(steps, "design 16: an error is in the user's words, with a next step"):
        window.run("""document.querySelector('.add input[name=sources]').value = 'nonsense';
          document.querySelector('.add button[value=end]').click();""")
        window.wait("document.querySelector('castq-toasts p')?.innerText.includes('neither an address nor')")
    with _step(steps, "a title that is hostile stays text"):
        site.castq("-d", "lobby", "enqueue", site.playlist("evil.m3u", [("<img src=x onerror=alert(1)>&\"'", site.url("gong"))]))
        window.wait("document.querySelector('castq-queue').innerText.includes('<img src=x onerror=alert(1)>')")
        expect(window.run("return document.querySelectorAll('castq-queue img').length") == 0, "it became an element")
        site.castq("-d", "lobby", "remove", str(site.document("-d", "lobby", "queue")["entries"][-1]["entry"]))
    with _step(steps, "a status of the receiver reaches the page", 30):
        window.run("""globalThis.heard = []; new MutationObserver(() => heard.push(performance.timeOrigin + performance.now()))
          .observe(document.querySelector('castq-controller [data-part=level]'), {childList: true, characterData: true, subtree: true});""")
        late = []
        for level in (20, 40, 60, 35, 55):
            window.run("heard.length = 0")
            site.castq("-d", "lobby", "volume", str(level))
            after = time.time() * 1000
            window.wait("heard.length > 0")
            late.append(window.run("return heard[0]") - after)
        print(f"        {statistics.median(late):.0f} ms after castq volume had returned (median of {len(late)})", flush=True)


def _others(steps: Steps, site: Site, window: Browser):
    import uuid

    import pychromecast

    with _step(steps, "design 6: connected and idle: the chooser has the device, its volume, and stop casting"):
        window.open(site.address + "/d/foyer")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'")
        window.click("header .cast")
        window.wait("document.getElementById('chooser').open && !document.querySelector('#chooser [data-part=connected]').hidden")
        expect(window.text("#chooser h2") == "foyer", window.text("#chooser"))
        for part in ("volume", "quit", "leave", "open"):
            expect(window.run("return document.querySelector(`#chooser [data-part=${arguments[0]}]`).offsetHeight > 0", part), part)
        expect(window.run("return document.querySelector('#chooser [data-part=toggle]').hidden"), "there is nothing to pause")
    with _step(steps, "design 15: disconnecting leaves what plays; stop casting ends it: two acts"):
        window.open(site.address + "/d/bar")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
        window.click("castq-controller [data-part=leave]")
        window.wait("location.pathname === '/' && document.querySelector('.cast').dataset.state === 'disconnected'")
        expect(site.document("-d", "bar", "status")["player_state"] == "PLAYING", "it was stopped")
        window.open(site.address + "/d/bar")
        window.click("castq-controller [data-quit]")
        site.devices["bar"].was_asked("STOP")
        window.wait("document.querySelector('castq-controller').dataset.state === 'idle'")
    with _step(steps, "design 12: live media is stopped, not paused"):
        site.castq("-d", "bar", "cast", site.playlist("live.m3u", [("On air", site.url("news"))], "#CASTQ: live=yes"))
        window.wait("document.querySelector('castq-controller').dataset.live === 'true'")
        window.wait("document.querySelector('.transport [value=toggle]').getAttribute('aria-label') === 'Stop'")
        expect(window.text("castq-controller [data-part=elapsed]") == "Live", window.text(".seek"))
        expect(window.text("castq-controller [data-part=total]") == "", window.text(".seek"))
    with _step(steps, "design 8: another's takeover is said, with how to get the screen back"):
        device = site.devices["bar"]
        cast = pychromecast.get_chromecast_from_host(
            (device.host, device.port, uuid.UUID(device.uuid), "Chromecast", device.name), tries=1, timeout=5)
        try:
            cast.wait(10)
            cast.media_controller.play_media(site.url("offers"), "video/mp4", stream_type="BUFFERED")
            window.wait("!document.querySelector('[data-part=guest]').hidden")
            expect("takes it back" in window.text("[data-part=guest]"), window.text("[data-part=guest]"))
        finally:
            cast.disconnect(5)
        site.castq("-d", "bar", "cast", site.url("film"))
        window.wait("document.querySelector('[data-part=guest]').hidden")
    with _step(steps, "everything leads on by keyboard alone: the chooser, a screen, its transport"):
        from selenium.webdriver.common.keys import Keys

        window.run("localStorage.removeItem('castq.device')")
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")

        def tab(to: str):
            for _ in range(40):
                window.keys(Keys.TAB)
                if window.run("return document.activeElement.matches(arguments[0])", to):
                    return
            raise AssertionError(f"no tab leads to {to}")

        tab("header .cast")
        window.keys(Keys.ENTER)
        window.wait("document.querySelectorAll('#chooser .choice').length === 3")
        tab(".choice")
        window.keys(Keys.ENTER)
        window.wait("location.pathname === '/d/bar' && document.querySelector('castq-controller').dataset.state === 'playing'")
        tab(".transport [value=toggle]")
        window.keys(Keys.SPACE)
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused'")
        window.keys(Keys.SPACE)
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
    with _step(steps, "100,000 events leave the heap within 5 MB of what it was", 60):
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        size = lambda: window.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]
        flood = """const done = arguments[arguments.length - 1], count = arguments[0];
          import(document.querySelector('script[type=module]').src.replace('app.js', 'live.js')).then(({store}) => {
            const names = [...document.querySelectorAll('castq-card')].map(one => one.dataset.device);
            for (let at = 0; at < count; at += 1) store.dispatch({type: 'status', heard: Date.now(), data: {
              device: names[at % names.length], connection: 'connected', player_state: at % 2 ? 'PLAYING' : 'PAUSED', title: `T ${at}`,
              position_s: at % 60, duration_s: 60, at: new Date().toISOString(), volume: {level: at % 100, muted: false}}});
            done(true); });"""
        window.driver.execute_async_script(flood, 2000)
        window.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        before = size()
        window.driver.execute_async_script(flood, 100_000)
        window.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        expect(size() - before <= 5_000_000, f"it grew by {size() - before} bytes")
        print(f"        it grew by {(size() - before) / 1000:.0f} KB", flush=True)


def _order(window: Browser) -> list[str]:
    return window.run("""return [...document.querySelectorAll('castq-queue li')]
      .sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map(one => one.querySelector('.title').innerText)""")


def _until_order(window: Browser, wanted: list[str]):
    window.wait("""JSON.stringify([...document.querySelectorAll('castq-queue li')].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)
      .map(one => one.querySelector('.title').innerText)) === JSON.stringify(values[0])
      && !document.querySelector('castq-queue li[data-pending]')""", wanted)


def _grip(title: str) -> str:
    return f"""[...document.querySelectorAll('castq-queue li')].find(one => one.innerText.includes({json.dumps(title)}))"""


def _pointer(window: Browser, kind: str, title: str, places: int, hold: bool = False):
    """Drags a row by its grip with a mouse or a finger."""
    box = window.run(f"""const row = {_grip(title)}; row.scrollIntoView({{block: 'nearest'}});
      const box = row.querySelector('[data-part=grip]').getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];""")
    x, y, to = box[0], box[1], box[1] + places * 44
    send = window.driver.execute_cdp_cmd
    if kind == "touch":
        point = lambda at: [{"x": x, "y": at}]
        send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point(y)})
        for part in (0.3, 0.7, 1):
            send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": point(y + (to - y) * part)})
        if not hold:
            send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        send("Input.dispatchMouseEvent", {"type": "mousePressed", "x": x, "y": y, "button": "left", "clickCount": 1})
        for part in (0.3, 0.7, 1):
            send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y + (to - y) * part, "button": "left", "buttons": 1})
        if not hold:
            send("Input.dispatchMouseEvent", {"type": "mouseReleased", "x": x, "y": to, "button": "left", "clickCount": 1})
    return x, to


def _queue(steps: Steps, site: Site, window: Browser):
    site.castq("-d", "foyer", "enqueue", site.playlist("foyer.m3u", [
        (name, site.url("menu")) for name in ("Anna", "Bert", "Cleo", "Dora", "Emil", "Fred")]))
    site.castq("-d", "foyer", "pause", check=False)
    window.open(site.address + "/d/foyer")
    with _step(steps, "design 14: the queue is listed, and rows are moved with the mouse"):
        _until_order(window, ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fred"])
        _pointer(window, "mouse", "Fred", -2)
        _until_order(window, ["Anna", "Bert", "Cleo", "Fred", "Dora", "Emil"])
        expect(site.titles("foyer") == _order(window), f"castq has {site.titles('foyer')}")
    with _step(steps, "rows are moved by touch"):
        _pointer(window, "touch", "Fred", 2)
        _until_order(window, ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fred"])
        expect(site.titles("foyer") == _order(window), f"castq has {site.titles('foyer')}")
    with _step(steps, "rows are moved by keyboard, which is said: Fred, moved to 5 of 6"):
        from selenium.webdriver.common.keys import Keys

        window.run(f"{_grip('Fred')}.focus()")
        window.driver.switch_to.active_element.send_keys(Keys.ALT, Keys.ARROW_UP)
        window.wait("document.querySelector('[data-part=spoken]').textContent === 'Fred, moved to 5 of 6'")
        _until_order(window, ["Anna", "Bert", "Cleo", "Dora", "Fred", "Emil"])
        window.wait(f"document.activeElement === {_grip('Fred')}")
        expect(site.titles("foyer") == _order(window), f"castq has {site.titles('foyer')}")
    with _step(steps, "rows are moved by a menu, without dragging: down, and to a position"):
        window.run(f"{_grip('Fred')}.querySelector('[data-part=menu]').click()")
        window.click("#entry-menu [data-do=down]")
        _until_order(window, ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fred"])
        window.run(f"{_grip('Fred')}.querySelector('[data-part=menu]').click()")
        window.click("#entry-menu [data-do=position]")
        window.run("document.querySelector('#position-dialog input').value = 4; document.querySelector('#position-dialog button.primary').click()")
        _until_order(window, ["Anna", "Bert", "Cleo", "Fred", "Dora", "Emil"])
        expect(site.titles("foyer") == _order(window), f"castq has {site.titles('foyer')}")
    with _step(steps, "a track change during a drag completes or cancels it, and never misplaces it"):
        window.wait("!document.querySelector('castq-queue li[data-pending]')")
        before = site.titles("foyer")
        x, y = _pointer(window, "mouse", "Emil", -2, hold=True)
        site.castq("-d", "foyer", "next", check=False)
        window.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1})
        window.wait("!document.querySelector('castq-queue li.lifted') && !document.querySelector('castq-queue li[data-pending]')")
        moved = [one for one in before if one != "Emil"]
        moved.insert(before.index("Emil") - 2, "Emil")
        expect(site.titles("foyer") in (before, moved), f"castq has {site.titles('foyer')}")
        _until_order(window, site.titles("foyer"))
    with _step(steps, "random moves from two browsers and the command line at once: equal everywhere, nothing lost", 60), Browser() as other:
        other.open(site.address + "/d/foyer")
        names = sorted(site.titles("foyer"))
        for page in (window, other):
            page.wait("document.querySelectorAll('castq-queue.live li').length === 6")
            page.run("""globalThis.finished = false; (async () => {
              const queue = document.querySelector('castq-queue');
              for (let count = 0; count < 20; count += 1) {
                const rows = [...queue.querySelectorAll('li')];
                await queue.move(Number(rows[Math.floor(Math.random() * rows.length)].dataset.entry), Math.floor(Math.random() * 6));
              }
              globalThis.finished = true; })()""")
        entries = [str(one["entry"]) for one in site.document("-d", "foyer", "queue")["entries"]]
        for count in range(10):
            site.castq("-d", "foyer", "move", random.choice(entries), str(random.randint(1, 6)), check=False)
        for page in (window, other):
            page.wait("globalThis.finished")
        final = site.titles("foyer")
        expect(sorted(final) == names, f"{final} of {names}")
        for page in (window, other):
            _until_order(page, final)
    with _step(steps, "an entry is removed by key"):
        from selenium.webdriver.common.keys import Keys

        window.run(f"{_grip('Dora')}.focus()")
        window.driver.switch_to.active_element.send_keys(Keys.DELETE)
        window.wait("!document.querySelector('castq-queue ol').innerText.includes('Dora')")
        expect("Dora" not in site.titles("foyer"), "castq has it still")
    with _step(steps, "10,000 entries: their rows are there in at most 600 elements, and the last one can be reached", 60):
        many = [(f"Number {count}", site.url("menu")) for count in range(1, 10_001)]
        site.castq("-d", "bar", "enqueue", site.playlist("many.m3u", many))
        window.open(site.address + "/d/bar")
        window.wait("document.querySelectorAll('castq-queue.live li').length > 5")
        count = "return document.querySelectorAll('castq-queue *').length"
        first = window.run(count)
        window.run("const scroll = document.querySelector('.rows'); scroll.scrollTop = scroll.scrollHeight")
        window.wait("document.querySelector('castq-queue ol').innerText.includes('Number 10000')")
        expect(max(first, window.run(count)) <= 600, f"{first} and {window.run(count)} elements")
        window.run("document.querySelector('.rows').scrollTop = 0")
        site.castq("-d", "bar", "clear")


def _pages(steps: Steps, site: Site, window: Browser):
    script = browser.axe()
    PICTURES.mkdir(parents=True, exist_ok=True) if os.environ.get("CASTQ_PICTURES") else None
    for path, name in PAGES.items():
        with _step(steps, f"axe finds nothing on {path}: light and dark, 1280 and 320 px, reduced motion, forced colours", 60):
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
            if os.environ.get("CASTQ_PICTURES"):
                window.open(site.address + path)
                window.wait("document.documentElement.dataset.ready && document.body.dataset.link !== 'down'")
                window.picture(str(PICTURES / f"{name}.png"))
    with _step(steps, "a click on the plan is why"):
        window.open(site.address + "/schedule")
        window.wait("document.querySelector('.segment')")
        window.run("document.querySelector('.segment').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
        window.wait("document.querySelector('dialog[open]')?.innerText.startsWith('Why')")
    with _step(steps, "days on which clocks change have 23 and 25 columns"):
        for day, after, columns in (("2027-03-28", "2027-03-29", "23"), ("2026-10-25", "2026-10-26", "25")):
            window.open(f"{site.address}/schedule?from={day}&to={after}&tz=Europe/Berlin")
            found = window.wait("document.querySelector('castq-lanes')?.dataset.columns")
            expect(found == columns, f"{day} has {found}")
    with _step(steps, "the shortcuts are listed by ?, and fire in no field"):
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        window.keys("?")
        window.wait("document.getElementById('shortcuts').open")
        window.run("document.getElementById('shortcuts').close()")
        window.keys("/")
        window.wait("document.activeElement.id === 'search'")
        window.keys("?k")
        expect(window.run("return document.activeElement.value") == "?k" and not window.run("return document.getElementById('shortcuts').open"), "it fired")
        window.wait("document.querySelectorAll('#cards li:not([hidden])').length === 0 && !document.getElementById('no-match').hidden")
    with _step(steps, "eight tabs are live on one stream", 30):
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


def _outage(steps: Steps, site: Site, window: Browser):
    with _step(steps, "every time shows its zone"):
        window.open(site.address + "/history")
        window.wait("document.querySelector('time')")
        times = window.run("return [...document.querySelectorAll('main time')].map(one => one.innerText)")
        expect(all("UTC" in one for one in times), f"{times}")
    with _step(steps, "the daemon is killed: a banner, actions greyed, the last truth stays; and it is live again", 60):
        window.open(site.address + "/d/lobby")
        window.wait("document.querySelector('castq-controller').dataset.air")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'")
        site.daemon.kill()
        window.wait("document.querySelector('#connection').innerText.includes('does not run')")
        expect(window.run("return document.querySelector('.transport [value=toggle]').disabled"), "the button can be pressed")
        expect("UTC" in window.text("#connection"), window.text("#connection"))
        site.start_daemon()
        window.wait("document.querySelector('#connection p').hidden")
        window.wait("!document.querySelector('.transport [value=toggle]').disabled")
    with _step(steps, "no page breaks the content security policy, none logs an error, none asks another host"):
        window.collect()
        # The browser logs every refusal; those that a step asked for are known.
        wrong = [one for one in window.complaints if not ("/api/v1/" in one and "the server responded with a status of 4" in one)]
        expect(not wrong, "; ".join(wrong[:5]))
        others = [one for one in window.requests if not one.startswith((site.address, "data:", "blob:", "chrome"))]
        expect(not others, f"{others[:5]}")


def _without_script(steps: Steps, site: Site):
    with _step(steps, "without script the pages list, show and post forms", 40), Browser(script=False) as plain:
        plain.open(site.address + "/")
        expect("lobby" in plain.driver.page_source, "no screen is listed")
        for path in PAGES:
            plain.open(site.address + path)
        plain.open(site.address + "/d/lobby")
        from selenium.webdriver.common.by import By

        rows = plain.driver.find_elements(By.CSS_SELECTOR, "castq-queue li")
        expect(len(rows) == 4, f"{len(rows)} rows")
        site.castq("-d", "lobby", "play")
        plain.driver.find_element(By.CSS_SELECTOR, ".transport [value=stop]").click()
        expect(plain.driver.current_url.startswith(site.address + "/d/lobby"), plain.driver.current_url)
        status = json.loads(site.castq("-d", "lobby", "status", "--json", check=False))
        expect(status["player_state"] == "IDLE", f"it is {status['player_state']}")


def _fresh(steps: Steps):
    from simulator import Simulator

    with _step(steps, "a fresh install leads to something playing in three clicks", 90):
        os.environ["CASTQ_INTERFACES"] = "lo"
        try:
            with Simulator("--name", "Living room", "--advertise", "--interface", "lo") as found, Site() as site, Browser() as window:
                window.open(site.address + "/")
                window.wait("document.documentElement.dataset.ready")
                window.click("header .cast")
                window.wait("document.querySelector('#chooser .choice')")
                window.click("#chooser .choice")
                window.wait("location.pathname.startsWith('/d/')")
                window.click("[data-part=first] button.primary")
                found.was_asked("QUEUE_LOAD", 30)
                window.wait("document.querySelector('castq-controller').dataset.air === 'air'", limit=30)
                expect("castq test card" in window.text("castq-controller"), window.text("castq-controller"))
        finally:
            del os.environ["CASTQ_INTERFACES"]
