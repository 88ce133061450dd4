"""What stands below the picture of a controller stays where it is, whatever comes and goes."""

import pathlib

from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site

PLACES = """const y = (what) => Math.round(document.querySelector(what).getBoundingClientRect().top + scrollY);
  return [y('.transport'), y('castq-controller [data-part=seek-row]'), y('.volume')].join();"""
LISTED = ["Welcome", "Song", "Poster", "Advertised", "Live"]


def _list(site: Site) -> str:
    path = pathlib.Path(site.folder, "slots.yaml")
    film = site.url("welcome")
    path.write_text(f"""castq: 1
repeat: all
entries:
  - {{file: {film}, type: video/mp4, title: Welcome, subtitle: A film with a second line}}
  - {{file: {film}, type: video/mp4, title: Song}}
  - {{file: {site.media.url("/cover.png")}, type: image/png, title: Poster, duration: 600}}
  - {{file: {film}, type: video/mp4, title: Advertised, breaks: [{{position: start, clips: [{{id: spot, file: {film}, title: Spot}}]}}]}}
  - {{file: {film}, type: video/mp4, title: Live, stream: live}}
""")
    return str(path)


def drive(steps: Steps):
    with Site("foyer") as site, Browser() as window, patient(steps, "six clicks on Next are six skips: no button moves under the pointer, whatever is on the screen", 60):
        for width in (1280, 390):
            window.size(width, 900)
            site.castq("-d", "foyer", "cast", _list(site))
            window.open(site.address + "/d/foyer")
            window.wait("document.querySelector('castq-controller').innerText.includes('Welcome')")
            places = {window.run(PLACES)}
            for number in range(6):
                wanted = LISTED[(number + 1) % len(LISTED)]
                window.run("document.querySelector('.transport [value=next]').click()")
                window.wait("document.querySelector('castq-controller [data-part=title]').innerText === values[0]", wanted)
                places.add(window.run(PLACES))
            expect(len(places) == 1, f"{width} px: the controls stood at {sorted(places)}")
        window.size(1280, 900)
