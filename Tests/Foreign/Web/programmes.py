"""Lists that are dropped, and screens that change from one programme to another."""

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "a list that is dropped is looked at first, and queued only when that is wanted"):
        site.castq("-d", "foyer", "clear")
        window.open(site.address + "/library")
        window.wait("document.documentElement.dataset.ready")
        window.run("document.querySelector('#drop select').value = 'foyer'")
        before = site.titles("foyer")
        _drop(window, f"#EXTM3U\n#EXTINF:60,One\n{site.url('menu')}\n{site.url('news')}\nlocal.mp4\n")
        window.wait("document.querySelector('[data-checked]')?.innerText.includes('2 entries')")
        window.wait("document.querySelector('[data-checked]').innerText.includes('1 lines name local files')")
        expect(site.titles("foyer") == before, "it was queued at once")
        window.click("[data-checked] button")
        window.wait("document.querySelector('castq-toasts').innerText.includes('2 entries are queued on Foyer TV')")
        site.until(lambda: len(site.titles("foyer")) == len(before) + 2, lambda: site.titles("foyer"))
    with patient(steps, "what is wrong with a list is told by line"):
        window.run("document.querySelector('#drop [name=check]').value = arguments[0]",
                   site.playlist("bad.m3u", [("Gone", "gone.mp4")]))
        window.click("#drop form button")
        window.wait("document.querySelector('[data-checked] .failure')?.innerText.includes('gone.mp4')")
    with patient(steps, "a rule made on the page changes the screen, and switched off gives it back"):
        site.castq("-d", "foyer", "cast", site.playlist("base.m3u", [("Base", site.url("news"))]))
        site.castq("programme", "add", "evening", site.playlist("evening.m3u", [("Evening", site.url("offers"))]))
        window.open(site.address + "/schedule")
        window.wait("document.documentElement.dataset.ready")
        window.click(".page-head .primary")
        window.wait("document.querySelector('#rule-form') && document.documentElement.dataset.ready")
        window.click("#drawer summary")
        window.run("""const form = document.querySelector('#rule-form');
          for (const [name, value] of Object.entries(arguments[0])) form.elements[name].value = value;""",
                   {"rule": "tonight", "play": "evening", "device": "foyer", "when": "always"})
        window.click("#rule-form button.primary")
        window.wait("document.querySelector('[data-rule-row=tonight]')")
        window.open(site.address + "/")
        card = "document.querySelector('castq-card[data-device=foyer]')"
        window.wait(f"{card}.querySelector('[data-part=title]').innerText === 'Evening'")
        window.wait(f"{card}.querySelector('[data-part=rule]').innerText.includes('tonight')")
        _explained(site, window)
        window.open(site.address + "/schedule?edit=tonight")
        window.wait("document.documentElement.dataset.ready")
        window.click("#drawer [value=disable]")
        window.wait("document.querySelector('[data-rule-row=tonight]')?.dataset.off === 'true'")
        window.open(site.address + "/")
        window.wait(f"{card}.querySelector('[data-part=title]').innerText === 'Base'")
        window.wait(f"{card}.querySelector('[data-part=rule]').innerText === ''")
        site.castq("schedule", "rm", "tonight")


def _drop(window: Browser, text: str):
    """Drops a file of this computer on the page."""
    window.run("""const file = new File([arguments[0]], 'list.m3u', {type: 'audio/x-mpegurl'});
      const carried = new DataTransfer();
      carried.items.add(file);
      for (const name of ['dragover', 'drop'])
        document.getElementById('drop').dispatchEvent(new DragEvent(name, {dataTransfer: carried, bubbles: true, cancelable: true}));""", text)


def _explained(site: Site, window: Browser):
    """The controller says by which rule this is on the screen, and why; its queue waits meanwhile."""
    window.open(site.address + "/d/foyer")
    line = "document.querySelector('castq-controller [data-part=by-rule]')"
    window.wait(f"!{line}.hidden && {line}.innerText.includes('by tonight')")
    window.run(f"{line}.querySelector('a').click()")
    window.wait("document.querySelector('dialog[open]')?.innerText.includes('evening is on.')")
    site.castq("schedule", "disable", "tonight")
    window.wait(f"{line}.hidden && document.querySelector('castq-controller [data-part=title]').innerText === 'Base'")
    site.castq("schedule", "enable", "tonight")
    window.wait(f"!{line}.hidden")
