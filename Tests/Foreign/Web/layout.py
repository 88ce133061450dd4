"""Every page on a desk and on a phone: nothing is cut off, nothing is wider than the screen, and where one is can be seen."""

from steps import Steps, expect

from .accessibility import PAGES
from .browser import Browser
from .pace import patient
from .site import Site

TABS = [
    "/d/lobby?tab=plan", "/d/lobby?tab=history", "/schedule?from=2027-03-01&to=2027-03-08", "/schedule?view=week&device=foyer",
    "/schedule?edit=breakfast", "/schedule?device=foyer&why=now",
]

# What sticks out: labels of the plan out of their lane, the page that is open out of the row of pages, the page itself.
CUT = """const found = [];
  const ends = (one) => one.getBoundingClientRect().right;
  for (const text of document.querySelectorAll('.ruler text')) {
    if (ends(text) > ends(text.closest('svg')) + 1) found.push(`hour ${text.textContent}`);
  }
  const here = document.querySelector('.top nav [aria-current]'), box = here?.getBoundingClientRect();
  if (here && (box.left < 0 || box.right > innerWidth)) found.push(`page ${here.textContent}`);
  for (const box of document.querySelectorAll('.scroll')) {
    if (box.scrollWidth > box.clientWidth + 1) found.push(`${box.getAttribute('aria-label')} by ${box.scrollWidth - box.clientWidth} px`);
  }
  // What a column is called stands at its head, or at each cell.
  for (const table of document.querySelectorAll('.rows-table:not([hidden])')) {
    const heads = [...table.tHead.rows[0].cells].map((one) => one.textContent);
    const hasHeads = table.tHead.getBoundingClientRect().height > 1;
    for (const row of [...table.tBodies[0].rows, ...(table.tFoot?.rows ?? [])]) {
      const words = [...row.cells].map((one) => hasHeads ? one.dataset.label : getComputedStyle(one, '::before').content.slice(1, -1));
      if (words.join() !== heads.join()) found.push(`${words} for ${heads}`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push(`${document.documentElement.scrollWidth} px`);
  return found;"""


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "nothing is cut off on any page, at 1280, 390 and 320 px, tables neither, and the page that is open is seen among the pages"):
        found = []
        for width in (1280, 390, 320):
            window.size(width, 900)
            for path in [*PAGES, *TABS]:
                window.open(site.address + path)
                window.wait("document.documentElement.dataset.ready")
                found += [f"{width} {path}: {one}" for one in window.run(CUT)]
        # Titles and names without a blank.
        window.size(320, 900)
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        long = """for (const one of document.querySelectorAll('castq-card')) {
          for (const part of ['then', 'rule', 'title', 'name']) one.querySelector(`[data-part=${part}]`).textContent = 'Welcome_'.repeat(20);
        }"""
        found += [f"320 long titles: {one}" for one in window.run(long + CUT)]
        window.size(1280, 900)
        expect(not found, "; ".join(found))
    with patient(steps, "on a phone the plan is a list below each screen: the piece of now is marked, and a tap is why"):
        window.size(320, 900)
        window.open(site.address + "/schedule")
        window.wait("document.querySelector('.lane-list a')?.offsetHeight >= 40")
        names = window.run("return [...document.querySelectorAll('.lane:not(.ruler)')].map(one => one.querySelector('.lane-name strong').innerText)")
        expect(names == sorted(f"{name.title()} TV" for name in site.devices), f"lanes of {names}")
        for name in names:
            window.wait("[...document.querySelectorAll('.lane')].find(one => one.querySelector('.lane-name strong')?.innerText === values[0])"
                        ".querySelector('li[aria-current=time]')?.offsetHeight", name)
        rows = window.text(".lane-list:has([data-kind=rule])")
        expect("menus by breakfast" in rows or "menus by late" in rows, rows)
        expect(window.run("return document.querySelector('.axis').getBoundingClientRect().height") == 0, "lanes of hours are drawn, too")
        window.click(".lane-list a")
        window.wait("document.querySelector('dialog[open]')?.innerText.startsWith('Why')")
        expect(window.text("dialog[open] [data-part=first]").endswith("."), "it answers nothing")
        window.size(1280, 900)
    with patient(steps, "a screen that castq has a connection to was last heard now, and one that never answered says so in its picture's place"):
        site.castq("device", "add", "attic", f"{site.devices['lobby'].host}:9")
        site.castq("-d", "attic", "enqueue", site.url("menu"))
        window.open(site.address + "/")
        window.wait("document.querySelector('castq-card[data-device=attic] [data-part=says]')?.textContent.startsWith('No answer since')")
        window.wait("document.getElementById('needs').innerText.includes('attic is not heard since')")
        window.open(site.address + "/d/lobby?tab=health")
        window.wait("document.querySelector('.facts.wide [data-part=seen]').innerText.includes('now')")
        site.castq("device", "remove", "attic")
