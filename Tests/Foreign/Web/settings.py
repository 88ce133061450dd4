"""What a person has set for the faces: colours and fonts, no introduction, the controller that opens by itself."""

from steps import Steps, expect

from .accessibility import violations
from .browser import Browser, axe
from .pace import patient
from .site import Site

CONFIGURATION = """timezone: Europe/Berlin
style:
  light: {active_tint: "#1659C7", progress: "#7A1FA2", mini_controller: {background: "#E8EEF9"}}
  dark: {active_tint: "#7FB0FF"}
  fonts: {title: {size: 27, bold: true}}
introduction: "off"
open_controller: casting
"""

# The rules of the page by themselves. `-` is nothing on the screen, `?` a screen that does not answer, `*` where casting begins.
STORIES = """const done = arguments[arguments.length - 1];
  import(document.body.dataset.assets + 'store.js').then(({initial, reduce}) => {
    const wrong = [];
    for (const story of ['- a* a - b*', 'a a b', '? a', '- a* ? a', '- a* ? - a - b*', '- ? a*', '- a* - ? a*', 'a ? b', 'a ? - b*']) {
      let state = initial(), begun = 0;
      for (const [index, report] of story.split(' ').entries()) {
        const what = report[0], isOn = !'-?'.includes(what);
        state = reduce(state, {type: 'status', heard: 0, data: {device: 'lobby', connection: what === '?' ? 'offline' : 'connected',
          player_state: what === '?' ? null : isOn ? 'PLAYING' : 'IDLE', title: isOn ? what : null, url: isOn ? what : null, entry: null}});
        const now = state.casting.get('lobby')?.begun ?? 0;
        if ((now > begun) !== report.endsWith('*')) wrong.push(`${story} at ${index}`);
        begun = now;
      }
    }
    done(wrong);
  }, (error) => done([String(error)]));"""

# The computed style of the first element that a selector finds.
STYLE = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"


def drive(steps: Steps):
    with Site("lobby", "bar", configuration=CONFIGURATION) as site, Browser() as window:
        with patient(steps, "open_controller: who is writing is not torn from the field"):
            # Where the window has room, the chosen screen stands beside the wall anyway.
            window.size(900, 900)
            window.open(site.address + "/")
            window.run("localStorage.setItem('castq.device', 'lobby')")
            window.open(site.address + "/")
            window.wait("document.querySelectorAll('castq-card[data-state=idle]').length === 2")
            window.run("document.getElementById('search').focus()")
            site.castq("-d", "lobby", "cast", site.url("film"))
            window.wait("document.querySelector('castq-card[data-device=lobby]').dataset.state === 'playing'")
            expect(window.run("return location.pathname") == "/", "it opened while somebody was writing")
            site.castq("-d", "lobby", "stop")
        with patient(steps, "open_controller: the controller of the chosen screen opens when casting begins there, and nowhere else"):
            window.open(site.address + "/")
            window.wait("document.querySelectorAll('castq-card[data-state=idle]').length === 2")
            site.castq("-d", "bar", "cast", site.playlist("bar.m3u", [("film", site.url("film"))] * 5))
            window.wait("document.querySelector('castq-card[data-device=bar]').dataset.state === 'playing'")
            expect(window.run("return location.pathname") == "/", "it opened for a screen that was not chosen")
            site.castq("-d", "lobby", "cast", site.playlist("lobby.m3u", [("Welcome", site.url("welcome")), ("Menu", site.url("menu"))] * 3))
            window.wait("location.pathname === '/d/lobby' && document.querySelector('castq-controller').dataset.state === 'playing'")
        with patient(steps, "open_controller: what was found playing opens nothing, and there is no introduction where it is off"):
            window.open(site.address + "/")
            window.wait("document.querySelectorAll('castq-card[data-state=playing]').length === 2")
            site.castq("-d", "lobby", "pause")
            window.wait("document.querySelector('castq-card[data-device=lobby]').dataset.state === 'paused'")
            site.castq("-d", "lobby", "play")
            window.wait("document.querySelector('castq-card[data-device=lobby]').dataset.state === 'playing'")
            expect(window.run("return location.pathname") == "/", "it opened for what played already")
            expect(not window.run("return document.querySelector('#introduction').matches(':popover-open')"), "it was introduced")
        with patient(steps, "open_controller: a screen that plays on after its connection was lost opens nothing"):
            window.run("""globalThis.states = []; const card = document.querySelector('castq-card[data-device=lobby]');
              new MutationObserver(() => states.push(card.dataset.state)).observe(card, {attributeFilter: ['data-state']});""")
            site.devices["lobby"].world("reset")
            window.wait("states.some((one) => one !== 'playing') && states.at(-1) === 'playing'")
            expect(window.run("return location.pathname") == "/", "it opened, though nothing has begun")
        with patient(steps, "open_controller: casting begins when something is shown where nothing was, and at no other time"):
            wrong = window.driver.execute_async_script(STORIES)
            expect(not wrong, "; ".join(wrong))
        with patient(steps, "style: its colours and fonts are those of the page, each in its scheme and its part"):
            window.wait("!document.querySelector('.mini').hidden")
            for scheme, accent in (("light", "rgb(22, 89, 199)"), ("dark", "rgb(127, 176, 255)")):
                window.media(prefers_color_scheme=scheme)
                found = window.run(STYLE, ":root", "accentColor")
                expect(found == accent, f"{scheme}: the accent is {found}")
            window.media(prefers_color_scheme="light")
            found = [window.run(STYLE, ".mini", "backgroundColor"), window.run(STYLE, ":root", "backgroundColor"), window.run(STYLE, "h1", "fontSize")]
            expect(found == ["rgb(232, 238, 249)", "rgb(246, 246, 244)", "27px"], f"they are {found}")
            window.open(site.address + "/d/lobby")
            window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
            found = window.run(STYLE, "castq-controller .seek input", "accentColor")
            expect(found == "rgb(122, 31, 162)", f"the progress is {found}")
        with patient(steps, "style: axe finds nothing on a page that has one", 60):
            script, found = axe(), []
            for scheme in ("light", "dark"):
                window.media(prefers_color_scheme=scheme)
                for path in ("/", "/d/lobby"):
                    window.open(site.address + path)
                    window.wait("document.documentElement.dataset.ready")
                    found += [f"{scheme} {path}: {one}" for one in violations(window, script)]
            expect(not found, "; ".join(found))
