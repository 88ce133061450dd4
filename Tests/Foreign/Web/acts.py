"""Announcing, tracks, speed, artwork and colours."""

import json
import pathlib
import urllib.request

from steps import PATIENCE, Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site

# The rules of the page by themselves: a command that the device refuses, in both orders; one that is done is pending until it is seen, and a
# refusal of another command changes nothing.
FAILURES = """const done = arguments[arguments.length - 1];
  import(document.body.dataset.assets + 'store.js').then(({initial, reduce}) => {
    const asked = {type: 'asked', device: 'bar', number: 1, patch: {player_state: 'PAUSED'}, heard: 0};
    const accepted = {type: 'accepted', device: 'bar', number: 1, request: 'a', heard: 0};
    const outcome = (request, done) => ({type: 'outcome', data: {request, done}});
    const isPending = (...events) => events.reduce(reduce, initial()).pending.has('bar');
    done([
      !isPending(asked, accepted, outcome('a', false)), !isPending(asked, outcome('a', false), accepted),
      isPending(asked, accepted, outcome('a', true)), isPending(asked, outcome('a', true), accepted),
      isPending(asked, accepted, outcome('b', false)), isPending(asked, outcome('b', false), accepted),
      ...[2999, 3000].map((heard) => isPending(asked, {type: 'expired', heard}) === (heard < 3000)),
    ].flatMap((isSo, index) => isSo ? [] : [index]));
  }, (error) => done([String(error)]));"""


def _row(screen: str, state: str) -> str:
    return f"#announce li[data-device={screen}][data-state={state}]"


def _skip_ad(window: Browser):
    window.wait("(button => button.innerText === 'Skip ad' && !button.disabled)(document.querySelector('castq-controller [data-part=skip-ad]'))")
    window.click("castq-controller [data-part=skip-ad]")


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "an announcement reaches the screens that were chosen, and no other"):
        # What is short gives the screens back soon, and yet is seen by a page that is busy.
        gong = site.playlist("gong.m3u", [("Gong", site.url("gong"))], "#CASTQ: end=15")
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        # It lasts for a moment: what a card says then is kept.
        window.run("""globalThis.announced = [];
          for (const card of document.querySelectorAll('castq-card')) new MutationObserver(() => {
            if (card.querySelector('[data-part=rule]')?.textContent.startsWith('Announcement: ')) announced.push(card.dataset.device);
          }).observe(card, {subtree: true, childList: true, characterData: true, attributes: true});""")
        window.click("[data-opens=announce]")
        window.run("document.querySelector('#announce [name=source]').value = arguments[0]", gong)
        for name in ("bar", "foyer"):
            window.click(f"#announce input[value={name}]")
        window.click("#announce button.primary")
        for name in ("bar", "foyer"):
            site.devices[name].log.wait_for(r'gong\.mp4.*"dir":"in"')
            window.wait("announced.includes(values[0])", name)
            window.wait("document.querySelector(values[0])?.innerText.includes('On now')", _row(name, "on"))
        for name in ("bar", "foyer"):
            window.wait("document.querySelector(values[0])?.innerText.includes('Shown')", _row(name, "shown"))
        # One sentence for those who hear the page.
        said = window.wait("document.querySelector('#announce [role=status]').innerText.startsWith('The announcement was') && document.querySelector('#announce [role=status]').innerText")
        expect(said == "The announcement was shown on Bar TV and Foyer TV.", said)
        window.click("#announce [data-part=close]")
        window.wait("!document.getElementById('announce').open")
        window.wait("!document.querySelector('#announce [name=source]').value")
        for name in ("bar", "foyer"):
            window.wait("document.querySelector(values[0]).innerText === ''", f"castq-card[data-device={name}] [data-part=rule]")
        expect(not any("gong" in line for line in site.devices["lobby"].log.tail(100)), "the lobby has it, too")
    with patient(steps, "an announcement says of each screen how it went, and why it was not shown there"):
        site.castq("-d", "lobby", "stop")
        window.click("[data-opens=announce]")
        window.run("document.querySelector('#announce [name=source]').value = arguments[0]", gong)
        for name in ("bar", "lobby"):
            window.click(f"#announce input[value={name}]")
        window.click("#announce button.primary")
        window.wait("document.querySelector(values[0])?.innerText.includes('is stopped')", _row("lobby", "not_shown"))
        # Whoever closes it finds it as it is.
        window.click("#announce [data-part=close]")
        window.click("[data-opens=announce]")
        window.wait("document.querySelector(values[0])", _row("bar", "shown"))
        window.wait("document.querySelector('#announce [role=status]').innerText === 'The announcement was shown on Bar TV, not shown on Lobby TV.'")
        window.click("#announce [data-part=again]")
        window.wait("document.querySelector('#announce form [name=source]').checkVisibility()")
        expect(window.run("return document.querySelector('#announce [name=source]').value") == gong, "what was written is gone")
        window.run("document.querySelector('#announce form[data-do]').reset()")
        window.keys("\ue00c")
        window.wait("!document.getElementById('announce').open")
        site.castq("-d", "lobby", "play")
    with patient(steps, "an announcement that was not shown is said, and what was written stays"):
        gone = site.folder + "/gone.mp3"
        window.click("[data-opens=announce]")
        window.run("document.querySelector('#announce [name=source]').value = arguments[0]", gone)
        window.click("#announce input[value=foyer]")
        window.click("#announce button.primary")
        window.wait("document.querySelector('#announce form [data-part=mistake]')?.innerText.includes('gone.mp3')")
        expect(window.run("return document.querySelector('#announce [name=source]').value") == gone, "what was written is gone")
    with patient(steps, "what failed is said where it was asked for, and nowhere else"):
        window.open(site.address + "/d/bar")
        window.wait("document.documentElement.dataset.ready")
        window.run("""globalThis.outcomes = []; globalThis.live = null;
          import(document.body.dataset.assets + 'live.js').then((module) => { live = module;
            live.store.subscribe((now, before, event) => { if (event.type === 'outcome') outcomes.push(event.data.request); }); });""")
        window.wait("live?.store.state.link === 'up'")
        asked = urllib.request.Request(
            site.address + "/api/v1/devices/bar/commands", json.dumps({"verb": "play", "entry": 999999}).encode(),
            {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            number = json.load(answer)["request"]
        window.wait("outcomes.includes(values[0])", number)
        window.run("live.command('bar', 'play', {entry: 999999})")
        window.wait("document.querySelector('castq-toasts p')")
        said = window.run("return document.querySelectorAll('castq-toasts p').length")
        expect(said == 1, f"{said} messages: {window.text('castq-toasts')}")
        window.run("live.transfer('bar', 'bar').then((problem) => { globalThis.refused = problem; })")
        said = window.wait("globalThis.refused")
        expect(said.startswith("Bar TV is the device"), f"a screen has another name there: {said}")
    with patient(steps, "a message whose script cannot be had is said all the same"), Browser() as other:
        other.driver.execute_cdp_cmd("Network.enable", {})
        other.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/toasts.js"]})
        other.open(site.address + "/d/bar")
        other.wait("document.documentElement.dataset.ready && document.body.dataset.link === 'up'")
        other.run("import(document.body.dataset.assets + 'live.js').then((live) => live.command('bar', 'play', {entry: 999999}))")
        other.wait("document.querySelector('#connection [data-part=words]').innerText.includes('999999')")
    with patient(steps, "tracks are listed by language and name, chosen, and switched off"):
        entry = ("Words", site.url("film"))
        site.castq("-d", "bar", "cast", site.playlist(
            "words.m3u", [entry], f'#CASTQ: tracks=words.vtt:de:Deutsch image={site.media.url("/cover.png")} subtitle="A subtitle"'))
        window.open(site.address + "/d/bar")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
        window.click("castq-controller [data-part=more] > summary")
        window.wait("document.querySelector('fieldset[data-type=TEXT]')?.textContent.includes('Deutsch (de)')")
        window.wait("document.querySelector('fieldset[data-type=TEXT] input:checked')?.value > 0")
        for choice, active in (("0", False), (None, True)):
            window.run("""[...document.querySelectorAll('fieldset[data-type=TEXT] input')]
              .find(one => arguments[0] === null ? one.value !== '0' : one.value === arguments[0]).click()""", choice)
            site.devices["bar"].was_asked("EDIT_TRACKS_INFO")
            window.wait("Boolean(document.querySelector('fieldset[data-type=TEXT] input:checked')?.value > 0) === values[0]", active)
            tracks = lambda: site.document("-d", "bar", "status")["tracks"]
            site.until(lambda: [one["active"] for one in tracks()] == [active], tracks)
    with patient(steps, "tracks of what plays now are offered, and none of what played before"):
        site.castq("-d", "bar", "cast", site.playlist("plain.m3u", [("Plain", site.url("film"))]))
        window.wait("document.querySelector('castq-controller [data-part=title]').innerText === 'Plain'")
        window.wait("!document.querySelector('fieldset[data-type=TEXT]')")
        site.castq("-d", "bar", "cast", site.folder + "/words.m3u")
        window.wait("document.querySelector('fieldset[data-type=TEXT]')?.textContent.includes('Deutsch (de)')")
    with patient(steps, "what the screen has confirmed before the page has its answer is not pending once more"):
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
        # The list of tracks lies over the transport until something else is pressed.
        window.click(".stage-bar h2")
        # The answer comes when the page lets it, and what is drawn from then on is kept.
        window.run("""globalThis.real = fetch; globalThis.again = [];
          const held = new Promise((go) => { globalThis.letAnswer = go; });
          globalThis.fetch = async (...all) => { const answer = await real(...all); if (all[1]?.method === 'POST') await held; return answer; };""")
        window.click(".transport [value=toggle]")
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused' && !document.querySelector('castq-controller').dataset.pending")
        window.run("""const one = document.querySelector('castq-controller'); globalThis.fetch = real;
          new MutationObserver(() => { if (one.dataset.pending) again.push(one.dataset.state); }).observe(one, {attributeFilter: ['data-pending']});
          letAnswer();""")
        site.castq("-d", "bar", "play")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
        expect(window.run("return again") == [], "it was pending again")
    with patient(steps, "what failed is not pending any more, whether the answer or the outcome comes first"):
        wrong = window.driver.execute_async_script(FAILURES)
        expect(wrong == [], str(wrong))
    with patient(steps, "the speed is chosen, and shown where somebody else chooses it"):
        window.click("[data-part=speed] > summary")
        window.click("[data-rate='2']")
        site.devices["bar"].was_asked("SET_PLAYBACK_RATE")
        window.wait("document.querySelector(\"[data-rate='2']\").ariaPressed === 'true'")
        site.until(lambda: site.document("-d", "bar", "status")["rate"] == 2, lambda: "another speed")
        site.castq("-d", "bar", "rate", "0.5")
        window.wait("document.querySelector(\"[data-rate='0.5']\").ariaPressed === 'true'")
        window.click("[data-rate='1']")
        window.wait("document.querySelector(\"[data-rate='1']\").ariaPressed === 'true'")
        window.click(".stage-bar h2")
    with patient(steps, "ads are marked on the seek bar; the one that plays has its name, and is skipped when it may be"):
        pathlib.Path(site.folder, "ads.yaml").write_text(f"""entries:
  - url: {site.url("film")}
    title: Film
    duration: 60
    clips: [{{id: soap, url: {site.url("offers")}, duration: 40, title: Soap, skippable_after: 2}}]
    breaks:
      - {{id: before, position: start, clips: [soap]}}
      - {{id: within, position: 30, clips: [soap]}}
""")
        site.castq("-d", "bar", "cast", site.folder + "/ads.yaml")
        window.wait("document.querySelectorAll('castq-controller [data-part=marks] i').length === 2")
        bar, mark = window.run("""return [document.querySelector('castq-controller .bar'), document.querySelectorAll('castq-controller .marks i')[1]]
          .map(one => { const box = one.getBoundingClientRect(); return [box.left + box.width / 2, box.width]; })""")
        expect(mark[1] > 0 and abs(bar[0] - mark[0]) < 3, f"the mark of the middle is at {mark}, the bar at {bar}")
        window.wait("document.querySelector('castq-controller [data-part=ad-name]').innerText === 'Ad 1 of 1: Soap'")
        window.wait("/^0:[0-3][0-9] left$/.test(document.querySelector('castq-controller [data-part=ad-rest]').innerText)")
        # What may be skipped stays so when a status puts the clock of the ad back by a moment; the next ad has its own time.
        states = window.run("""const controller = document.querySelector('castq-controller'), box = controller.querySelector('[data-part=ad]');
          return [['a', 2], ['a', 0], ['a', 1], ['b', 1], [null], ['a', 1]].map(([name, left]) => {
            controller.drawAd(name && {name, rest: '', left}, true);
            return box.hidden ? null : box.querySelector('[data-part=skip-ad]').disabled;
          });""")
        expect(states == [True, False, False, True, None, True], f"the button is disabled: {states}")
        # While the page has no connection to castq-web its buttons do nothing.
        _skip_ad(window)
        site.devices["bar"].was_asked("SKIP_AD")
        window.wait("document.querySelector('castq-controller [data-part=ad]').hidden")
        site.castq("-d", "bar", "cast", site.folder + "/words.m3u")
        window.wait("document.querySelectorAll('castq-controller [data-part=marks] i').length === 0")
        window.wait("document.querySelector('fieldset[data-type=TEXT]')?.textContent.includes('Deutsch (de)')")
    with patient(steps, "what comes next is shown half a minute before the end, and not while an ad keeps it waiting"):
        pathlib.Path(site.folder, "late.yaml").write_text(f"""entries:
  - url: {site.url("film")}
    title: Film
    duration: 60
    clips: [{{id: soap, url: {site.url("offers")}, duration: 40, title: Soap, skippable_after: 1}}]
    breaks: [{{id: within, position: 36, clips: [soap]}}]
  - {{url: {site.url("menu")}, title: Menu}}
""")
        site.castq("-d", "bar", "cast", site.folder + "/late.yaml")
        window.wait("document.querySelectorAll('castq-controller [data-part=marks] i').length === 1")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
        site.castq("-d", "bar", "seek", "33")
        window.wait("document.querySelector('castq-controller [data-part=up-next]').innerText.includes('Menu')")
        window.wait("document.querySelector('castq-controller [data-part=ad-name]').innerText.includes('Soap')")
        window.wait("document.querySelector('castq-controller [data-part=up-next]').hidden")
        _skip_ad(window)
        window.wait("document.querySelector('castq-controller [data-part=up-next]').innerText.includes('Menu')")
        site.castq("-d", "bar", "cast", site.folder + "/words.m3u")
        window.wait("document.querySelector('fieldset[data-type=TEXT]')?.textContent.includes('Deutsch (de)')")
    with patient(steps, "artwork is seen on the controller, the cards and the mini controller, as wide as it is needed"):
        picture = "(() => { const one = document.querySelector(values[0]); return one?.complete && one.naturalWidth })()"
        width = window.wait(picture, "castq-controller [data-part=art] img")
        expect(width <= 960, f"the controller has {width} px")
        window.open(site.address + "/")
        width = window.wait(picture, "castq-card[data-device=bar] [data-part=art] img")
        expect(width <= 320, f"the card has {width} px")
        window.open(site.address + "/history")
        window.wait(picture, "castq-mini [data-part=art] img")
    with patient(steps, "colours are those of the system until somebody chooses others, and stay chosen"):
        paper = "return getComputedStyle(document.documentElement).backgroundColor"
        window.open(site.address + "/settings")
        light = window.run(paper)
        window.click("#theme input[value=dark]")
        window.wait("document.documentElement.dataset.theme === 'dark'")
        window.wait("getComputedStyle(document.documentElement).backgroundColor !== values[0]", light)
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.theme === 'dark'")
        expect(window.run(paper) != light, "another page forgot it")
        window.open(site.address + "/settings")
        window.wait("document.querySelector('#theme input[value=dark]').checked")
        window.click("#theme input[value=auto]")
        window.wait("!document.documentElement.dataset.theme")
        window.wait("getComputedStyle(document.documentElement).backgroundColor === values[0]", light)
