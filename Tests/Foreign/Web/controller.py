"""The expanded controller of a screen that plays."""

import statistics
import time

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps, site: Site, window: Browser):
    # From its beginning: a busy computer may have needed its minute for what came before.
    site.castq("-d", "lobby", "cast", site.folder + "/lobby.m3u")
    window.open(site.address + "/d/lobby")
    window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
    with patient(steps, "design 7 and 11: title, elapsed left, total right, and the position moves"):
        window.wait("document.querySelector('castq-controller').innerText.includes('Welcome')")
        window.wait("document.querySelector('castq-controller [data-part=total]').innerText === '1:00'")
        before = window.text("castq-controller [data-part=elapsed]")
        window.wait("document.querySelector('castq-controller [data-part=elapsed]').innerText !== values[0]", before)
    with patient(steps, "design 9: controls are in step when somebody else acts"):
        site.castq("-d", "lobby", "pause")
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused'")
        site.castq("-d", "lobby", "play")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
    with patient(steps, "the page pauses and continues, by button and by key"):
        window.click(".transport [value=toggle]")
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused' && !document.querySelector('castq-controller').dataset.pending")
        site.says("lobby", "PAUSED")
        window.run("document.activeElement.blur()")
        window.keys("k")
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing' && !document.querySelector('castq-controller').dataset.pending")
    with patient(steps, "design 10: the volume slider is in step with the device"):
        site.castq("-d", "lobby", "volume", "30")
        window.wait("document.querySelector('castq-controller [data-part=volume]').value === '30'")
        window.run("""const slider = document.querySelector('castq-controller [data-part=volume]');
          slider.value = 44; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change'));""")
        window.wait("document.querySelector('castq-controller [data-part=level]').innerText === '44'")
        site.devices["lobby"].was_asked("SET_VOLUME")
    with patient(steps, "a position that is chosen on the bar is sought"):
        window.run("""const bar = document.querySelector('castq-controller [data-part=seek]');
          bar.value = 500; bar.dispatchEvent(new Event('input')); bar.dispatchEvent(new Event('change'));""")
        site.devices["lobby"].was_asked("SEEK")
        window.wait("Number(document.querySelector('castq-controller [data-part=seek]').value) >= 500")
    with patient(steps, "design 13: what is next is shown before the end, with wait, play now and stop", 30):
        window.run("""const bar = document.querySelector('castq-controller [data-part=seek]');
          bar.value = 600; bar.dispatchEvent(new Event('input')); bar.dispatchEvent(new Event('change'));""")
        window.wait("!document.querySelector('[data-part=up-next]').hidden")
        window.wait("document.querySelector('[data-part=up-next]').innerText.includes('Menu')")
        window.click("[data-part=hold]")
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused'")
        expect(len(site.titles("lobby")) == 4, "stopping cleared the queue")
    with patient(steps, "design 16: an error is in the user's words, with a next step"):
        window.run("""document.querySelector('.add input[name=sources]').value = 'nonsense';
          document.querySelector('.add button[value=end]').click();""")
        window.wait("document.querySelector('.add [data-part=mistake]')?.innerText.includes('neither an address nor')")
        window.wait("document.querySelector('.add [aria-invalid=true]') === document.activeElement && document.activeElement.value === 'nonsense'")
    with patient(steps, "a title that is hostile stays text"):
        site.castq("-d", "lobby", "enqueue", site.playlist("evil.m3u", [("<img src=x onerror=alert(1)>&\"'", site.url("offers"))]))
        window.wait("document.querySelector('castq-queue').innerText.includes('<img src=x onerror=alert(1)>')")
        expect(window.run("return document.querySelectorAll('castq-queue img').length") == 0, "it became an element")
        site.castq("-d", "lobby", "remove", str(site.document("-d", "lobby", "queue")["entries"][-1]["entry"]))
    with patient(steps, "what nobody sees in a title is not in the page, and what joins its emoji and letters is"):
        joined = "\U0001F468\u200D\U0001F469 \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"
        title = f"Pay\U000E0041\u202E\u200Bcode {joined}"
        site.castq("-d", "lobby", "enqueue", site.playlist("hidden.m3u", [(title, site.url("offers"))]))
        window.wait("[...document.querySelectorAll('castq-queue .title')].some((one) => one.textContent === values[0])", f"Paycode {joined}")
        site.castq("-d", "lobby", "remove", str(site.document("-d", "lobby", "queue")["entries"][-1]["entry"]))
    with patient(steps, "a status of the receiver reaches the page", 30):
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
