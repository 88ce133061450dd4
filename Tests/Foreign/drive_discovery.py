"""Who finds whom: pychromecast our simulator, and castq every device that other programs make known.

The second half runs on computers of its own (networks.py), one cable to each foreign device, so that nothing of this
machine's network is heard or disturbed.
"""

import contextlib
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import uuid

import avahi
import pychromecast
import pychromecast.discovery
from drive_catt import free_address
from networks import Networks, Unavailable
from simulator import READY, Lines, Simulator, program
from steps import PATIENCE, GivenUp, Steps, expect
from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

HERE = pathlib.Path(__file__).parent
KIND = "_googlecast._tcp.local."
MEDIA_SUBTYPE = "_%9E5E7C8F47989526C9BCD95D24084F6F0B27C5ED._sub." + KIND
KEYS = {"id", "cd", "rm", "ve", "md", "ic", "fn", "ca", "st", "bs", "nf", "rs"}


def drive(steps: Steps):
    print(f"discovery: zeroconf {importlib.metadata.version('zeroconf')}, "
          f"pychromecast {importlib.metadata.version('pychromecast')}")
    with contextlib.suppress(GivenUp):
        _simulator_is_found(steps)
    for families in ({"IPv4"}, {"IPv6"}, {"IPv4", "IPv6"}):
        with contextlib.suppress(GivenUp):
            if not _castq_finds(steps, families):
                break


class Watch(pychromecast.discovery.AbstractCastListener):
    """What pychromecast believes, for whoever waits until it is so."""

    def __init__(self):
        self._changed = threading.Condition()
        self.changes: list[tuple[str, uuid.UUID]] = []

    def _note(self, what: str, who: uuid.UUID):
        with self._changed:
            self.changes.append((what, who))
            self._changed.notify_all()

    def add_cast(self, uuid, service):
        self._note("added", uuid)

    def update_cast(self, uuid, service):
        self._note("updated", uuid)

    def remove_cast(self, uuid, service, cast_info):
        self._note("removed", uuid)

    def until(self, *change, timeout: float = PATIENCE):
        with self._changed:
            if not self._changed.wait_for(lambda: change in self.changes, timeout):
                raise AssertionError(f"{change} did not happen, but {self.changes}")


def _simulator_is_found(steps: Steps):
    """On loopback: by pychromecast, as home automation finds devices."""
    address = free_address()
    zeroconf = Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
    options = ("--name", "Wohnzimmer 📺", "--model", "Chromecast Ultra", "--advertise", "--interface", "127.0.0.1")
    watch = Watch()
    browser = pychromecast.discovery.CastBrowser(watch, zeroconf)
    try:
        with Simulator(*options, "--setup-port", "8008", bind=address, port=8009) as device:
            who = uuid.UUID(device.uuid)
            browser.start_discovery()
            with steps.step("pychromecast finds the simulator", essential=True):
                watch.until("added", who)
            with steps.step("pychromecast knows its name, model, place and kind"):
                found = browser.devices[who]
                expect(found.friendly_name == device.name, f"friendly_name {found.friendly_name!r}")
                expect(found.model_name == "Chromecast Ultra", f"model_name {found.model_name!r}")
                expect((found.host, found.port) == (address, 8009), f"at {found.host}:{found.port}")
                expect(found.cast_type == "cast", f"cast_type {found.cast_type!r}")
            with steps.step("the record has every key of a genuine one, with values that are understood"):
                texts = _texts(device.uuid)
                expect(set(texts) == KEYS, f"keys {sorted(texts)}")
                expect(uuid.UUID(texts["id"]) == who and texts["ve"] == "05" and int(texts["ca"]) == 4101, f"{texts}")
                expect(texts["st"] == "0" and texts["rs"] == "", f"busy while nothing runs: {texts}")
            with steps.step("an application that starts is told, with its text and its namespace"):
                cast = pychromecast.get_chromecast_from_cast_info(found, zeroconf, tries=1, timeout=PATIENCE)
                cast.wait(timeout=PATIENCE)
                cast.start_app("CC1AD845", timeout=PATIENCE)
                texts = _texts(device.uuid, until={"st": "1", "rs": "Default Media Receiver"})
                expect(_browse(zeroconf, MEDIA_SUBTYPE), "nobody answers for the media namespace")
                expect(_browse(zeroconf, "_CC1AD845._sub." + KIND), "nobody answers for the application")
            with steps.step("so is its end"):
                cast.quit_app(timeout=PATIENCE)
                _texts(device.uuid, until={"st": "0", "rs": ""})
                cast.disconnect(timeout=PATIENCE)
        with steps.step("pychromecast sees it go when it says goodbye"):
            watch.until("removed", who)
    finally:
        browser.stop_discovery()
        zeroconf.close()


def _texts(identity: str, until: dict[str, str] | None = None) -> dict[str, str]:
    """The keys of the device's record, asked for anew until it says what is wanted.

    Each time by a resolver that knows nothing yet: where a value was one thing, another, and the first again within
    seconds, zeroconf 0.154 holds on to one it knows to be outdated.
    """
    digits = uuid.UUID(identity).hex
    texts: dict[str, str] = {}
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.closing(Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)) as fresh:
            info = ServiceInfo(KIND, f"Chromecast-Ultra-{digits}.{KIND}")
            expect(info.request(fresh, PATIENCE * 1000), "the record is not answered")
        texts = {key.decode(): (value or b"").decode() for key, value in info.properties.items()}
        if all(texts.get(key) == value for key, value in (until or {}).items()):
            return texts
    raise AssertionError(f"still {texts}")


def _browse(zeroconf: Zeroconf, kind: str) -> bool:
    """Whether anybody answers for a service type."""
    heard = threading.Event()

    def note(zeroconf, service_type, name, state_change):
        if state_change is ServiceStateChange.Added:
            heard.set()

    browser = ServiceBrowser(zeroconf, kind, handlers=[note])
    try:
        return heard.wait(PATIENCE)
    finally:
        browser.cancel()


# castq as the finder


def _castq_finds(steps: Steps, families: set[str]) -> bool:
    """False when this machine allows no networks of our own."""
    words = " and ".join(sorted(families))
    if not avahi.is_installed():
        print("  skip  castq finds foreign devices: avahi-daemon, avahi-utils and dbus-daemon are not installed")
        return False
    try:
        networks = Networks(families).__enter__()
    except Unavailable as error:
        print(f"  skip  castq finds foreign devices: {error}")
        return False
    with contextlib.closing(contextlib.ExitStack()) as cleanup:
        cleanup.push(networks.__exit__)
        with steps.step(f"{words}: avahi, zeroconf and the simulator make devices known", essential=True):
            expected = _publish(networks)
        with steps.step(f"{words}: castq finds each of them, under the addresses of its cable"):
            _expect_found(networks, expected)
        with steps.step(f"{words}: an avahi of castq's machine finds each of them", essential=True):
            beside = avahi.Avahi(networks, networks.ours, ["lan", "wifi"])
            _expect_browsed(beside, expected)
        with steps.step(f"{words}: castq does so beside it"):
            _expect_found(networks, expected)
    return True


def _texts_of(name: str) -> dict[str, str]:
    return {"id": uuid.uuid5(uuid.NAMESPACE_DNS, name).hex, "cd": "", "rm": "", "ve": "05", "md": "Foreign",
            "ic": "/setup/icon.png", "fn": name, "ca": "4101", "st": "0", "bs": "FA8FCA000000", "nf": "1", "rs": ""}


def _publish(networks: Networks) -> dict[str, tuple[int, set[str]]]:
    """Three devices: name, port, and the addresses under which each may be told."""
    theirs = networks.theirs
    texts = _texts_of("Avahi Hall")
    avahi.Avahi(networks, theirs, ["lan"]).publish(f"Foreign-{texts['id']}", 8009, texts)
    addresses = sorted(address for address in networks.addresses("wifi") if "%" not in address)
    device = networks.keep(theirs.start(
        sys.executable, str(HERE / "zeroconf_device.py"), "32187", json.dumps(_texts_of("Zeroconf Hall")), *addresses,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    Lines(device.stdout).wait_for("published")
    everywhere = "0.0.0.0" if networks.families == {"IPv4"} else "::"
    simulator = networks.keep(theirs.start(
        program(), "--advertise", "--bind", everywhere, "--name", "Simulated Hall",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    output = Lines(simulator.stdout)
    port = int(output.wait_for(READY)["port"])
    output.wait_for("advertised by")
    both = networks.addresses("lan") | networks.addresses("wifi")
    return {"Avahi Hall": (8009, networks.addresses("lan")), "Zeroconf Hall": (32187, networks.addresses("wifi")),
            "Simulated Hall": (port, both)}


def scan(networks: Networks, duration: str = "2s") -> list[dict]:
    """What `castq devices` finds on our computer, with an empty memory."""
    database = networks.folder / f"{uuid.uuid4()}.db"
    done = subprocess.run(
        networks.ours.command(_castq(), "devices", "--scan", duration, "--json"), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, env={**os.environ, "CASTQ_DB": str(database)})
    expect(done.stdout, f"castq devices: exit {done.returncode}: {done.stderr}")
    found = json.loads(done.stdout)
    expect(found["devices"] or not found["problems"], f"castq devices: {found['problems']}")
    return found["devices"]


def _castq() -> str:
    return str(pathlib.Path(os.environ.get("CASTQ_BIN", ".build/debug"), "castq").resolve())


def _expect_browsed(browser: avahi.Avahi, expected: dict[str, tuple[int, set[str]]]):
    found, end = browser.browse(), time.monotonic() + PATIENCE
    # Each look ends by itself, whether or not a busy device has answered by then.
    while set(expected) - {name for name, _, _ in found} and time.monotonic() < end:
        found = browser.browse()
    for name, (port, addresses) in expected.items():
        places = {(address, told) for told_name, address, told in found if told_name == name}
        expect(places, f"avahi does not find {name}, but {found}")
        bare = {address.split("%")[0] for address in addresses}
        wrong = {place for place in places if place[0] not in bare or place[1] != port}
        expect(not wrong, f"avahi finds {name} at {sorted(wrong)}")


def _expect_found(networks: Networks, expected: dict[str, tuple[int, set[str]]]):
    found: dict[str, dict] = {}
    # A busy device answers later than the first look lasts.
    for duration in ("2s", "10s", "60s"):
        found = {device["name"]: device for device in scan(networks, duration)}
        missing = set(expected) - set(found)
        if not missing:
            break
    expect(not missing, f"not found: {', '.join(sorted(missing))}; found: {found}")
    expect(set(found) == set(expected), f"found more than there is: {sorted(found)}")
    for name, (port, addresses) in expected.items():
        host, _, told = found[name]["address"].rpartition(":")
        expect(int(told) == port, f"{name}: port {told} instead of {port}")
        expect(host.strip("[]") in addresses, f"{name}: at {host}, which is none of {sorted(addresses)}")
