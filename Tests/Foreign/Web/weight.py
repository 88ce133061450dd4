"""What each page costs whoever opens it for the first time."""

import datetime
import pathlib
import urllib.request

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site

SCREENS = 50
PAGES = {
    "/": "the first page", "/d/lobby": "a queue of 40 entries", "/schedule": "a day of 50 screens",
    "/schedule?view=week&device=lobby": "a week", "/schedule?view=week&device=@all": "a week of 50 screens",
    "/schedule?edit=hourly7": "a time that is changed",
    "/library": "the library", "/reports": "a report", "/settings": "the settings", "/history": "the history", "/doctor": "the doctor",
}

# What is fetched in reserve, after six seconds, is not what the page waits for.
SPARE = """(one => one.startTime >= 6000 && /\\/(keys|toasts|chooser|why|palette|occurrence|drop)[.]js$/.test(one.name))"""
FETCHED = f"""[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter(one => !{SPARE}(one))"""
# Nothing was fetched for a moment, so that it is all there.
SETTLED = f"""document.documentElement.dataset.ready && performance.getEntriesByName('first-contentful-paint').length
  && performance.getEntriesByType('navigation')[0].loadEventEnd > 0
  && performance.now() > Math.max(...{FETCHED}.map(one => one.responseEnd)) + 1500"""


def drive(steps: Steps):
    with Site("lobby") as site, Browser() as window:
        with patient(steps, "each page is first loaded with at most 12 requests and 150 KB on the wire", 300):
            _fill(site)
            packed = _is_packed(site)
            if not packed:
                print("        castq was built without zlib: bytes are not judged", flush=True)
            window.driver.execute_cdp_cmd("Network.enable", {})
            heavy = []
            for path, what in PAGES.items():
                _forget(window)
                window.collect().requests.clear()
                window.open(site.address + path)
                window.wait(SETTLED)
                facts = window.run(f"""
                  return {{bytes: {FETCHED}.reduce((sum, one) => sum + one.transferSize, 0),
                    spare: performance.getEntriesByType('resource').filter({SPARE}).map(one => one.name),
                    paint: performance.getEntriesByName('first-contentful-paint')[0].startTime}}""")
                # A file that is asked for again comes from the cache.
                asked = {one for one in window.collect().requests if one.startswith("http") and one not in facts["spare"]}
                print(f"        {what}: {len(asked)} requests, {facts['bytes']} bytes, first paint after {facts['paint']:.0f} ms", flush=True)
                if len(asked) > 12 or packed and facts["bytes"] > 150_000 or not all(one.startswith(site.address) for one in asked):
                    heavy.append(f"{path}: {facts['bytes']} bytes, {len(asked)} requests: {sorted(asked)}")
            expect(not heavy, "; ".join(heavy))
        with patient(steps, "what is pressed while its script is on its way is done when that is there"):
            _forget(window)
            at = datetime.datetime.now(datetime.timezone.utc).replace(minute=8, second=0) + datetime.timedelta(hours=1)
            window.open(f"{site.address}/schedule?device=screen7&why={at:%Y-%m-%dT%H:%M:%SZ}")
            window.wait("document.documentElement.dataset.ready && document.querySelector('[data-rule-form] [value=skip]')")
            conditions = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
            window.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**conditions, "latency": 1000})
            window.run("document.querySelector('[data-rule-form] [value=skip]').click()")
            window.wait("document.getElementById('occurrence').open")
            window.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**conditions, "latency": 0})


def _forget(window: Browser):
    window.open("about:blank")
    window.driver.execute_cdp_cmd("Network.clearBrowserCache", {})


def _fill(site: Site):
    """A queue of 40 entries, and a rule for each screen that comes hourly."""
    names = ["lobby"] + [f"screen{number}" for number in range(2, SCREENS + 1)]
    for number, name in enumerate(names[1:], 2):
        # Nothing is there: the page has it, and its rule.
        site.castq("device", "add", name, f"127.0.0.{number}:9")
    rules = "".join(f"  hourly{number}: {{play: news, devices: {name}, cron: '{number} * * * *', for: 5m, interrupt: true}}\n"
                    for number, name in enumerate(names, 1))
    plan = pathlib.Path(site.folder, "hourly.yaml")
    plan.write_text(f"programmes:\n  news: {site.url('news')}\nrules:\n{rules}")
    site.castq("schedule", "apply", str(plan))
    site.castq("-d", "lobby", "cast", site.playlist("forty.m3u", [(f"Number {number} of the evening", site.url("menu"))
                                                                  for number in range(40)]))
    site.plays("lobby")


def _is_packed(site: Site) -> bool:
    asked = urllib.request.Request(site.address + "/", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        return answer.headers["Content-Encoding"] == "gzip"
