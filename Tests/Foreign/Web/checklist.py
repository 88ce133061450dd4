"""What the design asks of the page besides: connecting, the chooser while something plays, loading, what is next, and the queue."""

import json

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .rows import until_order
from .site import Site, program
from .terminal import Terminal

CONFIGURATION = """timezone: Europe/Berlin
devices:
  lobby: {volume: 35}
"""
CONTROLLER = "document.querySelector('castq-controller')"


def drive(steps: Steps):
    with Site("lobby", "bar", configuration=CONFIGURATION) as site, Browser() as window:
        window.open(site.address + "/")
        window.run("localStorage.setItem('castq.introduced', 'yes')")
        _button(steps, site, window)
        _playing(steps, site, window)
        _terminal(steps, site)
        _next(steps, site, window)
        _queue(steps, site, window)


def _button(steps: Steps, site: Site, window: Browser):
    with patient(steps, "design 2: a screen that is being reached is connecting, which moves; one that is off is explained", 120):
        device = site.devices["bar"]
        window.open(site.address + "/d/bar")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'")
        window.run("""globalThis.moves = []; const cast = document.querySelector('.cast');
          new MutationObserver(() => moves.push([cast.dataset.state, getComputedStyle(cast.querySelector('.glyph')).animationName, cast.ariaLabel]))
            .observe(cast, {attributeFilter: ['data-state']});""")
        device.world("power off")
        window.wait("document.querySelector('.cast').dataset.state === 'suspended'", limit=60)
        window.wait("document.querySelector('.cast').ariaLabel.includes('unreachable')")
        window.wait("document.querySelector('castq-cast-button [role=status]').textContent === 'Cast: Bar TV, unreachable'")
        window.wait("document.querySelector('castq-controller .state, castq-controller [data-part=word]').innerText.includes('Unreachable')")
        device.world("power on")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'", limit=90)
        for state, motion, label in window.run("return moves"):
            if state == "connecting":
                expect(motion == "waiting" and "Connecting" in label, f"{state} {motion} {label}")
        # The state itself, as the page draws it for any screen.
        window.run("""const cast = document.querySelector('.cast'); cast.dataset.state = 'connecting';""")
        expect(window.run("return getComputedStyle(document.querySelector('.cast .glyph')).animationName") == "waiting", "it stands still")


def _playing(steps: Steps, site: Site, window: Browser):
    with patient(steps, "design 7: casting: the chooser has title, artwork, pause, volume and stop, and leads to the expanded controller"):
        site.castq("-d", "lobby", "cast", site.playlist(
            "lobby.m3u", [(name, site.url("menu")) for name in ("Welcome", "Menu", "Offers")],
            f'#CASTQ: image={site.media.url("/cover.png")} subtitle="A subtitle"'))
        window.run("localStorage.setItem('castq.device', 'lobby')")
        window.open(site.address + "/history")
        window.wait("document.querySelector('.cast').dataset.state === 'connected'")
        window.click("header .cast")
        panel = "#chooser [data-part=connected]"
        window.wait("document.querySelector(values[0]).innerText.includes('Welcome') && document.querySelector(values[0]).innerText.includes('A subtitle')", panel)
        window.wait("document.querySelector(values[0] + ' [data-part=art] img')?.naturalWidth > 0", panel)
        for part in ("toggle", "volume", "quit", "leave", "open"):
            expect(window.run("return document.querySelector(`${arguments[0]} [data-part=${arguments[1]}]`).offsetHeight > 0", panel, part), part)
        window.click(f"{panel} [data-part=toggle]")
        window.wait("document.querySelector(values[0] + ' [data-part=toggle]').innerText === 'Play'", panel)
        # The page shows for a moment what was wished.
        site.says("lobby", "PAUSED")
        window.click(f"{panel} [data-part=toggle]")
        window.wait("document.querySelector(values[0] + ' [data-part=toggle]').innerText === 'Pause'", panel)
        window.click(f"{panel} [data-part=open]")
        window.wait(f"location.pathname === '/d/lobby' && {CONTROLLER}.dataset.state === 'playing'")
    with patient(steps, "design 10: after connecting the slider has the device's level; a configured one is shown beside it"):
        expect(window.text("castq-controller [data-part=configured]") == "configured 35", window.text("castq-controller .volume"))
        level = lambda: site.document("-d", "lobby", "status")["volume"]["level"]
        site.until(lambda: level() == 35, level)
        window.wait(f"{CONTROLLER}.querySelector('[data-part=volume]').value === '35'")
        site.devices["lobby"].log.skip()
        window.open(site.address + "/d/bar")
        window.wait(f"{CONTROLLER}.querySelector('[data-part=volume]').disabled === false")
        expect(window.text("castq-controller [data-part=configured]") == "", "nobody configured that")
        own = json.loads(site.castq("-d", "bar", "status", "--json", check=False))["volume"]["level"]
        window.wait(f"{CONTROLLER}.querySelector('[data-part=volume]').value === values[0]", str(own))
        expect(not any("SET_VOLUME" in line and '"dir":"in"' in line for line in site.devices["bar"].log.tail(200)), "the page set a level")
    with patient(steps, "design 11: loading is shown while the receiver loads"):
        window.open(site.address + "/d/bar")
        window.wait("document.documentElement.dataset.ready")
        window.run(f"""globalThis.states = []; new MutationObserver(() => states.push({CONTROLLER}.dataset.air)).observe({CONTROLLER}, {{attributeFilter: ['data-air', 'data-state']}});""")
        site.castq("-d", "bar", "cast", site.url("film"))
        window.wait(f"{CONTROLLER}.dataset.state === 'playing'")
        if "busy" not in window.run("return states"):
            # A busy computer may tell the page of both at once: then it is shown at the next load.
            site.castq("-d", "bar", "cast", site.url("film"))
            window.wait("states.includes('busy')")


def _terminal(steps: Steps, site: Site):
    with patient(steps, "design 5: the chooser of the terminal says what each screen is casting, by its title, and what plays next there"):
        with Terminal([program(), "remote"], site.environment, site.folder) as terminal:
            terminal.until(lambda lines: any("Lobby TV" in line and "Casting Welcome" in line for line in lines), "what the lobby casts")
            terminal.until(lambda lines: any("Bar TV" in line and "Casting film" in line for line in lines), "what the bar casts")
            site.castq("-d", "lobby", "next")
            terminal.until(lambda lines: any("Lobby TV" in line and "Casting Menu" in line for line in lines), "what it casts next")
            site.castq("-d", "lobby", "previous")
            terminal.until(lambda lines: any("Lobby TV" in line and "Casting Welcome" in line for line in lines), "what it casts again")
    with patient(steps, "a web page that is shown is in the queue of the terminal, and so is what is added behind it"):
        site.castq("-d", "bar", "cast", "--type", "text/html", site.url("news"))
        with Terminal([program(), "-d", "bar", "remote"], site.environment, site.folder) as terminal:
            terminal.until(lambda _: len(terminal.queue()) == 1, "the queue")
            site.castq("-d", "bar", "enqueue", site.url("gong"))
            terminal.until(lambda _: terminal.queue()[1:] == ["gong"], "the longer queue")
    with patient(steps, "what was played and what is planned are told in the terminal by the same clocks, those of the site"):
        with Terminal([program(), "-d", "lobby", "remote"], site.environment, site.folder) as terminal:
            terminal.until(lambda lines: any("space pause" in line for line in lines), "the controller")
            for key, head in (("L", "What was played"), ("P", "Plan")):
                terminal.press(key)
                terminal.until(lambda lines: head in lines[2] and any("times in Europe/Berlin" in line for line in lines)
                               and not any("castq:" in line for line in lines), head)
                terminal.press("q")
                terminal.until(lambda lines: any("space pause" in line for line in lines), "the controller again")


def _next(steps: Steps, site: Site, window: Browser):
    with patient(steps, "design 13: play now plays what is next; stop stops, and the queue stays", 60):
        window.open(site.address + "/d/lobby")
        window.wait(f"{CONTROLLER}.dataset.state === 'playing'")
        site.castq("-d", "lobby", "seek", "35")
        window.wait("!document.querySelector('[data-part=up-next]').hidden")
        window.wait("document.querySelector('[data-part=up-next]').innerText.includes('Menu')")
        window.click("[data-part=play-now]")
        window.wait(f"{CONTROLLER}.querySelector('[data-part=title]').textContent === 'Menu' && {CONTROLLER}.dataset.state === 'playing'")
        site.castq("-d", "lobby", "seek", "35")
        window.wait("!document.querySelector('[data-part=up-next]').hidden")
        before = site.titles("lobby")
        window.click("[data-part=halt]")
        window.wait(f"{CONTROLLER}.dataset.state === 'idle'")
        site.has_titles("lobby", before)


def _queue(steps: Steps, site: Site, window: Browser):
    with patient(steps, "design 14: an address is added, added next, added and played at once; the history is one tab away", 60):
        def add(name: str, button: str):
            window.run("document.querySelector('.add [name=sources]').value = arguments[0]", site.url(name))
            window.click(f".add button{button}")
            window.wait("!document.querySelector('.add [name=sources]').value")

        site.castq("-d", "lobby", "clear")
        window.open(site.address + "/d/lobby")
        window.wait("document.querySelector('castq-queue.live')")
        add("welcome", "[value=end]")
        add("menu", "[value=end]")
        add("offers", "[name=play]")
        window.wait(f"{CONTROLLER}.dataset.state === 'playing'")
        site.until(lambda: len(site.titles("lobby")) == 3, lambda: site.titles("lobby"))
        until_order(window, site.titles("lobby"))
        playing = site.document("-d", "lobby", "status")["title"]
        add("news", "[value=next]")
        window.wait("document.querySelectorAll('castq-queue li').length === 4")
        site.until(lambda: site.document("-d", "lobby", "status")["queue"]["next_title"].lower().startswith("news"),
                   lambda: f"{site.titles('lobby')} and {playing} plays")
        window.click(".tabs a[href*=history]")
        window.wait("document.querySelector('[data-part=rows], .rows-table')?.innerText.includes('Menu')")
