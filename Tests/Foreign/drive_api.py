"""Tries the API of `castq web` with schemathesis, which makes requests of all kinds out of the API's own description.

What it judges: no answer is a server error, and every answer is one that the description knows. A device is there whose queue has
something, and a rule, so that names that exist are tried, too.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

from simulator import Lines, Simulator
from steps import PATIENCE, Steps, expect

SCHEMATHESIS = pathlib.Path(sys.executable).parent / "schemathesis"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# Streams have no end, the doctor takes its time, and a television may take a minute for an announcement.
LEFT_OUT = ["/events", "/devices/{device}/doctor", "/announcements"]


def castq(*arguments: str, environment: dict[str, str]) -> None:
    program = pathlib.Path(os.environ.get("CASTQ_BIN", ".build/debug"), "castq").resolve()
    subprocess.run([program, *arguments], env=environment, check=True, timeout=PATIENCE, capture_output=True)


def ask(base: str, path: str, document: dict, method: str = "POST") -> int:
    request = urllib.request.Request(
        f"{base}/{path}", json.dumps(document).encode(), {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.status


def drive(steps: Steps) -> None:
    print("schemathesis, on the API of castq web", flush=True)
    if not SCHEMATHESIS.exists():
        print("  skipped: schemathesis is not installed; 'make venv' installs it", flush=True)
        return
    with tempfile.TemporaryDirectory() as folder, Simulator() as simulator:
        environment = {"HOME": folder, "PATH": "/usr/bin:/bin", "CASTQ_DB": f"{folder}/castq.db",
                       "XDG_RUNTIME_DIR": folder, "CASTQ_INTERFACES": "none"}
        castq("device", "add", "lobby", f"127.0.0.1:{simulator.port}", environment=environment)
        program = pathlib.Path(os.environ.get("CASTQ_BIN", ".build/debug"), "castq").resolve()
        web = subprocess.Popen([program, "web", "--listen", "127.0.0.1:0"], env=environment, text=True,
                               stderr=subprocess.PIPE)
        try:
            # All that it says is read: it must never wait for a pipe that is full.
            base = f"{Lines(web.stderr).wait_for(r'http://[^ ]+')[0]}api/v1"
            with steps.step("the API takes a queue and a rule", 30, essential=True):
                addresses = [f"http://127.0.0.1:1/{number}.mp4" for number in range(5)]
                expect(ask(base, "devices/lobby/queue", {"sources": addresses}) == 201, "nothing was enqueued")
                rule = {"play": addresses[0], "devices": "lobby", "daily": "08:00-09:00"}
                expect(ask(base, "schedule/rules/breakfast", rule, "PUT") == 200, "there is no rule")
            with steps.step("no request makes a server error or an answer that the description does not know", 1800):
                command = [SCHEMATHESIS, "run", f"{base}/openapi.json", "--checks", CHECKS, "--max-examples", "3",
                           "--phases", "examples,coverage,fuzzing", "--seed", "7", "--no-color",
                           "--request-timeout", str(PATIENCE), "--suppress-health-check", "all"]
                for path in LEFT_OUT:
                    command += ["--exclude-path", path]
                done = subprocess.run(command, capture_output=True, text=True, timeout=1700, cwd=folder)
                expect(done.returncode == 0, done.stdout[-6000:])
            with steps.step("it still answers"):
                expect(urllib.request.urlopen(f"{base}/healthz", timeout=PATIENCE).status == 200, "it does not")
        finally:
            web.kill()
            web.wait()
