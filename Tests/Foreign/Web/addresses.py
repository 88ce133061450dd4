"""What a page shows is in its address, and every table has the command that prints it."""

import shlex
import subprocess

from steps import PATIENCE, Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site, program

# Each page with its filters: what its fields and links must show again after a reload.
FILTERED = {
    "/history?device=lobby&outcome=interrupted&since=2026-01-01&until=2999-01-01&tz=Asia%2FKathmandu": {
        "[name=device]": "lobby", "[name=outcome]": "interrupted", "[name=since]": "2026-01-01", "[name=until]": "2999-01-01",
        "[name=tz]": "Asia/Kathmandu"},
    "/reports?paper=proof&device=lobby&from=2026-01-01&to=2026-12-31&client=Winter+%26+Sons&tz=Asia%2FKathmandu": {
        "[name=paper]": "proof", "[name=from]": "2026-01-01", "[name=to]": "2026-12-31", "[name=client]": "Winter & Sons",
        ".filters [name=device]": "lobby", "[name=tz]": "Asia/Kathmandu"},
    "/schedule?from=2027-03-28&to=2027-04-04&tz=Asia%2FKathmandu&device=foyer": {"[name=tz]": "Asia/Kathmandu"},
    "/?group=foyers": {}, "/?q=lobby": {"[name=q]": "lobby"}, "/d/lobby?tab=history": {}, "/doctor?device=bar": {},
}

# The parts of a page that an address decides: its fields, its chosen links, and the rows below.
SHOWN = """const fields = [...document.querySelectorAll('main form:not([method=post]) [name], header [name]')].map(one => [one.name, one.value]);
  const chosen = [...document.querySelectorAll('main [aria-current]')].map(one => one.innerText);
  const rows = [...document.querySelectorAll('main tbody tr, #cards li:not([hidden]) h2, castq-lanes [data-device]')]
    .map(one => one.dataset.play ?? one.dataset.device ?? one.innerText);
  const commands = [...document.querySelectorAll('[data-copy]')].map(one => one.dataset.copy);
  return JSON.stringify([fields, chosen, rows, commands]);"""


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "filters, zone, range and device are in the address: whoever reloads it, or is given it, sees the same page", 60):
        # What plays would end meanwhile, and be a row more.
        for name in site.devices:
            site.castq("-d", name, "pause", check=False)
        for path, fields in FILTERED.items():
            window.open(site.address + path)
            window.wait("document.documentElement.dataset.ready")
            for selector, value in fields.items():
                found = window.run("return document.querySelector(`main ${arguments[0]}, header ${arguments[0]}`)?.value ?? null", selector)
                expect(found == value, f"{path}: {selector} is {found}")
            # A play that ends meanwhile is a row more, and another sum, once.
            for _ in range(3):
                before = window.run(SHOWN)
                window.driver.refresh()
                window.wait("document.documentElement.dataset.ready")
                after = window.run(SHOWN)
                with Browser() if path.startswith("/history") else _same(window) as other:
                    other.open(site.address + path)
                    other.wait("document.documentElement.dataset.ready")
                    elsewhere = other.run(SHOWN)
                if before == after == elsewhere:
                    break
            expect(after == before, f"{path} is another page after a reload: {before} {after}")
            expect(elsewhere == before, f"{path} is another page in another browser: {before} {elsewhere}")
        for name in site.devices:
            site.castq("-d", name, "play", check=False)
    with patient(steps, "filters that are chosen on a page go into its address"):
        window.open(site.address + "/history?tz=Asia/Kathmandu")
        window.wait("document.documentElement.dataset.ready")
        window.click("main .chips a[href*='range=today']")
        window.wait("new URLSearchParams(location.search).get('range') === 'today' && document.documentElement.dataset.ready")
        window.run("const form = document.querySelector('form.filters'); form.elements.device.value = 'bar'; form.requestSubmit();")
        window.wait("new URLSearchParams(location.search).get('device') === 'bar' && new URLSearchParams(location.search).get('tz') === 'Asia/Kathmandu'")
        expect(window.run("const asked = new URLSearchParams(location.search); return asked.get('from') === asked.get('to') && asked.get('from').length") == 10, "the day is lost")
        window.wait("document.documentElement.dataset.ready")
        times = window.run("return [...document.querySelectorAll('main time')].map(one => one.innerText)")
        expect(times and not any("UTC" in one for one in times), f"a time repeats the zone: {times[:3]}")
        expect("Asia/Kathmandu (UTC+5:45)" in window.text("main .zone"), window.text("main .zone"))
    with patient(steps, "every table can be copied as the castq command that prints it, and that command runs", 90):
        commands = set()
        for path in ["/schedule", "/library", "/d/lobby", "/d/lobby?tab=plan", "/d/lobby?tab=history", "/d/lobby?tab=health", *FILTERED]:
            window.open(site.address + path)
            window.wait("document.documentElement.dataset.ready")
            tables = window.run("return document.querySelectorAll('main table, castq-queue, castq-lanes').length")
            found = window.run("return [...document.querySelectorAll('main [data-copy]')].map(one => one.dataset.copy)")
            expect(found or not tables, f"{path} has a table and no command")
            commands.update(found)
        for command in sorted(commands):
            words = shlex.split(command)
            expect(words[0] == "castq", command)
            if "doctor" in words or "token" in words:
                continue
            done = subprocess.run([program(), *words[1:]], env=site.environment, cwd=site.folder, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=PATIENCE)
            expect(done.returncode in (0, 1), f"{command}: exit {done.returncode}: {done.stderr[-200:]}")
    with patient(steps, "a command is copied by its button, which says so"):
        window.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        window.open(site.address + "/history?device=lobby")
        window.wait("document.documentElement.dataset.ready")
        window.click("main [data-copy]")
        window.wait("document.querySelector('castq-toasts p')?.innerText.includes('Copied')")


class _same:
    """The browser itself, where another one would show nothing else."""

    def __init__(self, window: Browser):
        self.window = window

    def __enter__(self):
        return self.window

    def __exit__(self, *_):
        pass
