"""The queue: rows that are moved in four ways, by several at once, and ten thousand of them."""

import os
import random
import statistics

from selenium.webdriver.common.keys import Keys
from steps import Steps, expect

from .accessibility import violations
from .browser import Browser, axe
from .pace import patient
from .rows import grip, order, pointer, until_order
from .site import Site

# All of them together; the design has a thousand.
MOVES = int(os.environ.get("CASTQ_MOVES", "50"))


def drive(steps: Steps, site: Site, window: Browser):
    site.castq("-d", "foyer", "enqueue", site.playlist("foyer.m3u", [
        (name, site.url("menu")) for name in ("Anna", "Bert", "Cleo", "Dora", "Emil", "Fred")]))
    window.open(site.address + "/d/foyer")
    with patient(steps, "design 14: the queue is listed, and rows are moved with the mouse"):
        until_order(window, ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fred"])
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
        pointer(window, "mouse", "Fred", -2)
        until_order(window, ["Anna", "Bert", "Cleo", "Fred", "Dora", "Emil"])
        site.has_titles("foyer", order(window))
    with patient(steps, "rows are moved by touch"):
        pointer(window, "touch", "Fred", 2)
        until_order(window, ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fred"])
        site.has_titles("foyer", order(window))
    with patient(steps, "rows are moved by keyboard, which is said: Fred, moved to 5 of 6"):
        window.run(f"{grip('Fred')}.focus()")
        window.driver.switch_to.active_element.send_keys(Keys.ALT, Keys.ARROW_UP)
        window.wait("document.querySelector('[data-part=spoken]').textContent === 'Fred, moved to 5 of 6'")
        until_order(window, ["Anna", "Bert", "Cleo", "Dora", "Fred", "Emil"])
        window.wait(f"document.activeElement === {grip('Fred')}")
        site.has_titles("foyer", order(window))
    with patient(steps, "rows are moved by a menu, without dragging: down, and to a position"):
        window.run(f"{grip('Fred')}.querySelector('[data-part=menu]').click()")
        window.click("#entry-menu [data-do=down]")
        until_order(window, ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fred"])
        window.run(f"{grip('Fred')}.querySelector('[data-part=menu]').click()")
        window.click("#entry-menu [data-do=position]")
        window.run("document.querySelector('#position-dialog input').value = 4; document.querySelector('#position-dialog button.primary').click()")
        until_order(window, ["Anna", "Bert", "Cleo", "Fred", "Dora", "Emil"])
        site.has_titles("foyer", order(window))
    with patient(steps, "rows are moved by a menu: to the top, and so that they are played next, whatever stands above"):
        # From its beginning: a busy computer may have needed its minute for what came before.
        site.castq("-d", "foyer", "play", str(next(one["entry"] for one in site.document("-d", "foyer", "queue")["entries"] if one["title"] == "Anna")))
        window.wait(f"{grip('Anna')}.dataset.state === 'playing'")
        for act, name, wanted in (("next", "Dora", ["Anna", "Dora", "Bert", "Cleo", "Fred", "Emil"]),
                                  ("top", "Emil", ["Emil", "Anna", "Dora", "Bert", "Cleo", "Fred"]),
                                  ("next", "Fred", ["Fred", "Emil", "Anna", "Dora", "Bert", "Cleo"])):
            window.run(f"{grip(name)}.querySelector('[data-part=menu]').click()")
            window.click(f"#entry-menu [data-do={act}]")
            until_order(window, wanted)
            site.has_titles("foyer", order(window))
            site.until(lambda: site.document("-d", "foyer", "status")["queue"]["next_title"] == name, lambda: f"another next after {act} of {name}")
    with patient(steps, "a track change during a drag completes or cancels it, and never misplaces it"):
        window.wait("!document.querySelector('castq-queue li[data-pending]')")
        before = site.titles("foyer")
        x, y = pointer(window, "mouse", "Cleo", -2, hold=True)
        site.castq("-d", "foyer", "next", check=False)
        window.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1})
        window.wait("!document.querySelector('castq-queue li.lifted') && !document.querySelector('castq-queue li[data-pending]')")
        moved = [one for one in before if one != "Cleo"]
        moved.insert(before.index("Cleo") - 2, "Cleo")
        expect(site.titles("foyer") in (before, moved), f"castq has {site.titles('foyer')}")
        until_order(window, site.titles("foyer"))
    with patient(steps, "random moves from two browsers and the command line at once: equal everywhere, nothing lost", 60 + MOVES), Browser() as other:
        other.open(site.address + "/d/foyer")
        names = sorted(site.titles("foyer"))
        for page in (window, other):
            page.wait("document.querySelectorAll('castq-queue.live li').length === 6")
            page.run("""globalThis.finished = false; globalThis.moved = 0; (async () => {
              const queue = document.querySelector('castq-queue');
              for (let count = 0; count < %d; count += 1) {
                const rows = [...queue.querySelectorAll('li')];
                const entry = Number(rows[Math.floor(Math.random() * rows.length)].dataset.entry);
                if (await queue.move(entry, Math.floor(Math.random() * 6))) globalThis.moved += 1;
              }
              globalThis.finished = true; })()""" % (2 * MOVES // 5))
        entries = [str(one["entry"]) for one in site.document("-d", "foyer", "queue")["entries"]]
        for _ in range(MOVES // 5):
            site.castq("-d", "foyer", "move", random.choice(entries), str(random.randint(1, 6)), check=False)
        for page in (window, other):
            page.wait("globalThis.finished")
        moved = [page.run("return globalThis.moved") for page in (window, other)]
        print(f"        {moved[0]} and {moved[1]} of {2 * MOVES // 5} each were possible where the others had just moved", flush=True)
        expect(min(moved) > 0, "one page has moved nothing")
        final = site.titles("foyer")
        expect(sorted(final) == names, f"{final} of {names}")
        for page in (window, other):
            until_order(page, final)
    with patient(steps, "a list that is moved and moved back while its rows are read is shown as it is"):
        was = site.titles("foyer")
        entry = str(site.document("-d", "foyer", "queue")["entries"][0]["entry"])
        # The first answer is kept back until the list has been put back.
        window.run("""globalThis.kept = null; const real = globalThis.fetch;
          globalThis.fetch = async (...asked) => {
            const answer = await real(...asked);
            if (!String(asked[0]).includes('/queue?')) return answer;
            globalThis.fetch = real;
            const text = await answer.text();
            await new Promise(go => { globalThis.kept = go; });
            return new Response(text, { headers: answer.headers });
          };
          const script = document.querySelector('link[rel=modulepreload][href$="live.js"]').href;
          import(script).then(({ store }) => { globalThis.version = () => store.state.versions.get('foyer'); });""")
        site.castq("-d", "foyer", "move", entry, "6")
        window.wait("globalThis.kept !== null")
        moved = window.run("return globalThis.version()")
        site.castq("-d", "foyer", "move", entry, "1")
        window.wait("globalThis.version() !== values[0]", moved)
        window.run("globalThis.kept()")
        until_order(window, was)
        site.has_titles("foyer", was)
    with patient(steps, "an entry is removed by key"):
        window.run(f"{grip('Dora')}.focus()")
        window.driver.switch_to.active_element.send_keys(Keys.DELETE)
        window.wait("!document.querySelector('castq-queue ol').innerText.includes('Dora')")
        site.until(lambda: "Dora" not in site.titles("foyer"), lambda: "it still")
    with patient(steps, "undo brings an entry, a move and a whole queue back, under the numbers that they had"):
        def rows() -> list[tuple[int, str]]:
            return [(one["entry"], one["title"]) for one in site.document("-d", "foyer", "queue")["entries"]]

        def shown(wanted: list[tuple[int, str]]):
            until_order(window, [title for _, title in wanted])
            site.until(lambda: rows() == wanted, rows)

        window.keys("u")
        window.wait("document.querySelector('castq-queue ol').innerText.includes('Dora')")
        site.until(lambda: len(rows()) == len(names), rows)
        whole = rows()
        shown(whole)
        expect(sorted(title for _, title in whole) == names, f"castq has {whole}")
        # A change is undone also by a key that comes before castq has answered.
        window.run(f"{grip('Dora')}.focus()")
        window.keys(Keys.DELETE, "u")
        window.wait("document.querySelector('[data-part=spoken]').textContent === 'Dora is back'")
        shown(whole)
        window.run(f"{grip('Dora')}.focus()")
        window.driver.switch_to.active_element.send_keys(Keys.ALT, Keys.ARROW_DOWN if whole[-1][1] != "Dora" else Keys.ARROW_UP)
        window.wait("document.querySelector('[data-part=spoken]').textContent.startsWith('Dora, moved')")
        site.until(lambda: rows() != whole, lambda: "moved nothing")
        window.click("castq-queue [data-part=undo]")
        shown(whole)
        window.click("castq-queue [value=clear]")
        window.wait("document.querySelectorAll('castq-queue.live li').length === 0")
        site.has_titles("foyer", [])
        window.click("castq-queue [data-part=undo]")
        shown(whole)
    with patient(steps, "the message of a change takes that change back, whatever was changed since, and is closed by its cross"):
        for title in ("Dora", "Anna"):
            window.run(f"{grip(title)}.focus()")
            window.keys(Keys.DELETE)
            window.wait(f"!{grip(title)}")
        message = "[...document.querySelectorAll('castq-toasts p')].find(one => one.innerText.includes(values[0]))"
        window.wait(message, "Dora is removed")
        window.media(forced_colors="active")
        stray = violations(window, axe())
        window.media(forced_colors="none")
        expect(not stray, "; ".join(stray))
        window.run(f"const values = ['Dora is removed']; {message}.querySelector('button').click()")
        window.wait(f"{grip('Dora')} && !{grip('Anna')}")
        window.run(f"const values = ['Anna is removed']; {message}.querySelector('button[aria-label=Close]').click()")
        window.wait(f"!{message}", "Anna is removed")
        window.keys("u")
        site.until(lambda: len(rows()) == len(names), rows)
        # Of two that stood beside each other, the one that comes back last does not know the other.
        whole = rows()
        shown(whole)
    with patient(steps, "what plays, is removed and comes back is marked as playing, alone or with the whole queue"):
        site.castq("-d", "foyer", "play", str(rows()[0][0]))
        name = rows()[0][1]
        plays = f"{grip(name)}?.dataset.state === 'playing'"
        window.wait(plays)
        for remove in (lambda: (window.run(f"{grip(name)}.focus()"), window.keys(Keys.DELETE)),
                       lambda: window.click("castq-queue [value=clear]")):
            remove()
            window.wait(f"!{grip(name)}")
            expect(site.document("-d", "foyer", "status")["player_state"] == "PLAYING", "it does not play on")
            window.click("castq-queue [data-part=undo]")
            shown(whole)
            window.wait(plays)
            site.until(lambda: site.document("-d", "foyer", "status")["entry"] == whole[0][0], lambda: "another entry on the screen")
    with patient(steps, "10,000 entries: their rows are there in at most 600 elements, and the last one can be reached", 60):
        many = [(f"Number {count}", site.url("menu")) for count in range(1, 10_001)]
        site.castq("-d", "bar", "enqueue", site.playlist("many.m3u", many))
        late = []
        for _ in range(5):
            window.open(site.address + "/d/bar")
            window.wait("document.querySelectorAll('castq-queue.live li').length > 5")
            late.append(window.run("return performance.getEntriesByName('castq-rows')[0].startTime"))
        print(f"        the first rows after {statistics.median(late):.0f} ms (median of {len(late)}); the goal is 150 ms", flush=True)
        count = "return document.querySelectorAll('castq-queue *').length"
        first = window.run(count)
        # They came with the page: nothing was asked for them, however long the list is.
        asked = window.run("""const rows = performance.getEntriesByName('castq-rows')[0].startTime;
          return performance.getEntriesByType('resource').filter(one => one.name.includes('/queue?') && one.startTime < rows).length;""")
        expect(asked == 0, f"{asked} requests before the first rows")
        window.run("const scroll = document.querySelector('.rows'); scroll.scrollTop = scroll.scrollHeight")
        window.wait("document.querySelector('castq-queue ol').innerText.includes('Number 10000')")
        expect(max(first, window.run(count)) <= 600, f"{first} and {window.run(count)} elements")
        window.run("document.querySelector('.rows').scrollTop = 0")
        site.castq("-d", "bar", "clear")
