"""castq-link as its unit confines it."""

import datetime
import os
import pathlib
import subprocess
import tempfile

from steps import Steps, expect

from .centre import NOBODY, Centre, become, link_program
from .site import LinkedSite, Running

CLONE = pathlib.Path(__file__).parents[3]


def why_not() -> str | None:
    service = CLONE / "scripts" / "as-service"
    for command in (["unshare", "--user", "--mount", "true"], ["test", "-r", str(service)], ["test", "-x", link_program()]):
        if subprocess.run([*become(), *command], capture_output=True).returncode:
            return f"an ordinary user cannot do this here: {' '.join(command)}"
    return None


def confined(steps: Steps, centre: Centre):
    if why := why_not():
        print(f"  castq-link as its unit confines it: skipped: {why}", flush=True)
        return
    from .witness import Witness
    with LinkedSite("bern") as site, Witness(centre.broker_port, "castq/bern/#") as witness, \
            tempfile.TemporaryDirectory(prefix="castq-unit-", dir="/tmp") as place:
        with steps.step("castq-link sends plays, publishes states and performs commands as its unit confines it", 120):
            state, run, shown = (pathlib.Path(place, name) for name in ("state", "run", "shown"))
            for folder in (state, run, shown):
                folder.mkdir()
            site.castq("device", "add", "lobby", "127.0.0.1:1")
            site.past([("lobby", f"spot {number}", 1_793_577_600_000 + number * 10_000, 9.5, "finished") for number in range(50)])
            site.castq("db", "backup", str(state / "castq.db"))
            site.configure(site="bern", postgres=centre.address(), mqtt=f"mqtt://127.0.0.1:{centre.broker_port}", discovery="off")
            (shown / "config.yaml").write_bytes(pathlib.Path(site.folder, "config.yaml").read_bytes())
            for path in (pathlib.Path(place), *pathlib.Path(place).rglob("*")):
                os.chmod(path, 0o755 if path.is_dir() else 0o644)
                if os.geteuid() == 0:
                    os.chown(path, NOBODY, NOBODY)
            command = [*become(), str(CLONE / "scripts" / "as-service"), "--unit", "castq-link.service", "--show",
                       os.path.dirname(link_program()), "--show", str(shown), str(state), str(run), link_program(), "run", "--config",
                       str(shown / "config.yaml")]
            running = Running(command, site.environment, place, "ready as")
            site.callback(running.kill)
            status = pathlib.Path(f"/proc/{running.process.pid}/status").read_text()
            for line in ("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
                expect(line in status, "the test itself confines nothing")
            expect(centre.wait_for(50, "bern") == 50, "more came than were played")
            witness.wait_for("castq/bern/lobby/state")
            # It starts castq, which calls the device, at which nobody is.
            soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=10)
            witness.publish("castq/bern/lobby/command", {"id": "1", "command": "pause", "expires_at": soon.isoformat()})
            reply = witness.reply("castq/bern/lobby/reply", "1")
            expect(reply["exit"] == 69, f"{reply}")
            expect(running.end() == 143, "another exit")
