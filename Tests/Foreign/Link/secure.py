"""A broker and a centre with TLS, authorities of their own, passwords and certificates in place of them."""

import contextlib
import os
import pathlib
import subprocess
import tempfile

from ports import free_port
from simulator import Lines
from steps import Steps, expect

from .centre import Centre, become, broker_program
from .site import LinkedSite


def secure(steps: Steps):
    _broker(steps)
    _centre(steps)


def _broker(steps: Steps):
    from .witness import Witness
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="castq-broker-", dir="/tmp"))
        own, other, broker = (Authority(f"{folder}/{name}") for name in ("own", "other", "broker"))
        own.certify(broker)
        subprocess.run(["mosquitto_passwd", "-b", "-c", f"{folder}/users", "rome", "p@ss word"], check=True, capture_output=True)
        port, open_port, closed_port = free_port(), free_port(), free_port()
        pathlib.Path(folder, "nothing").write_text("topic read none\n")
        pathlib.Path(folder, "mosquitto.conf").write_text(
            f"per_listener_settings true\nlog_dest stderr\nlistener {port} 127.0.0.1\nallow_anonymous false\n"
            f"password_file {folder}/users\ncertfile {broker.certificate}\nkeyfile {broker.key}\n"
            f"listener {open_port} 127.0.0.1\nallow_anonymous true\n"
            f"listener {closed_port} 127.0.0.1\nallow_anonymous true\nacl_file {folder}/nothing\n")
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        process = subprocess.Popen([*become(), broker_program(), "-c", f"{folder}/mosquitto.conf"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        stack.callback(process.wait)
        stack.callback(process.kill)
        Lines(process.stderr).wait_for(r"mosquitto version .* running", 30)
        with LinkedSite("rome") as site, Witness(open_port, "castq/#") as witness:
            def link(password: str, authority: Authority | None):
                ca = f"?ca={authority.certificate}" if authority else ""
                site.stop()
                site.configure(site="rome", mqtt=f"mqtts://rome:{password}@127.0.0.1:{port}{ca}")
                return site.start()

            with steps.step("a broker with TLS, a CA of its own and a password is reached", 120, essential=True):
                link("p%40ss%20word", own).lines.wait_for("the broker answers", 30)
                witness.wait_for("castq/rome/availability", lambda text: text == "online")
            with steps.step("a broker of another CA, of none that the system trusts, and a wrong password are reported", 120):
                for password, authority in (("p%40ss%20word", other), ("p%40ss%20word", None), ("wrong", own)):
                    running = link(password, authority)
                    line = running.lines.wait_for("the broker (answers|does not answer).*", 30)[0]
                    expect("not answer" in line and f"127.0.0.1:{port}: " in line, f"{authority}: {line}")
                expect("Not authorized" in line or "Bad User Name or Password" in line, line)
            with steps.step("a broker that nobody is at is reported, and a password of a broker is in no message", 120):
                site.stop()
                site.configure(site="rome", mqtt="mqtt://rome:p%40ss@127.0.0.1:1")
                line = site.start().lines.wait_for("the broker .*", 30)[0]
                expect("does not answer: 127.0.0.1:1: Connection refused" in line and "p%40ss" not in line, line)
                site.stop()
                site.configure(site="rome", mqtt="mqtt://no-such-host.invalid")
                site.start().lines.wait_for("does not answer: no-such-host.invalid:1883: its name cannot be resolved", 30)
                site.stop()
            with steps.step("a broker whose access list allows a site nothing is reported once", 120):
                site.configure(site="rome", mqtt=f"mqtt://127.0.0.1:{closed_port}")
                lines = site.start().lines
                lines.wait_for("the broker answers", 30)
                lines.wait_for(r"the broker refuses what this site sends \(messages: Not authorized\): .* castq/rome/#", 30)
                site.stop()
                expect(lines.count("the broker refuses") == 1, "it was reported again")
            with steps.step("an address of a broker that cannot be right has its exit code, and a password is in no message", 60):
                site.configure(site="rome", mqtt="mqtts://rome:p%40ss@127.0.0.1:1?ca=relative.pem")
                words = site.command("run", codes=(78,)).stderr
                expect("ca=" in words and "p%40ss" not in words, words)
            with steps.step("a file of certificates that is not there, or holds none, is named", 120):
                for name in ("missing.pem", "empty.pem"):
                    path = f"{folder}/{name}"
                    site.configure(site="rome", mqtt=f"mqtts://127.0.0.1:{port}?ca={path}")
                    if name.startswith("missing"):
                        words = site.command("run", codes=(78,)).stderr
                    else:
                        pathlib.Path(path).touch()
                        words = site.start().lines.wait_for("the broker .*", 30)[0]
                    expect(path in words, words)
                site.stop()


def _centre(steps: Steps):
    with Centre() as centre, tempfile.TemporaryDirectory(prefix="castq-centre-", dir="/tmp") as folder, LinkedSite("genoa") as site:
        # The server takes the name in the client's certificate for that of its role.
        own, server, client = (Authority(f"{folder}/{name}") for name in ("own", "server", "castq"))
        own.certify(server)
        own.certify(client)
        data = pathlib.Path(centre.folder, "data")
        for source, name in ((own.certificate, "root.crt"), (server.certificate, "server.crt"), (server.key, "server.key")):
            (data / name).write_bytes(pathlib.Path(source).read_bytes())
            os.chmod(data / name, 0o600)
            os.chown(data / name, data.stat().st_uid, data.stat().st_gid)
        with open(data / "postgresql.conf", "a") as file:
            file.write("ssl = on\nssl_ca_file = 'root.crt'\n")
        (data / "pg_hba.conf").write_text(
            "hostssl all castq 127.0.0.1/32 cert\nhost all guard 127.0.0.1/32 scram-sha-256\nhost all ghost 127.0.0.1/32 trust\n")
        centre.stop_server("fast")
        centre.start_server()
        files = {"sslrootcert": own.certificate, "sslcert": client.certificate, "sslkey": client.key}

        def link(**files: str):
            words = "&".join(f"{key}={path}" for key, path in files.items())
            site.configure(site="genoa", postgres=f"{centre.address()}?sslmode=verify-full&{words}")

        with steps.step("a centre with TLS, a CA of its own and certificates in place of passwords is reached", 120, essential=True):
            link(**files)
            site.command("migrate")
            expect(site.document("report")["total"]["plays"] == 0, "another total")
        with steps.step("a file of the centre's address that is not there is named", 120):
            for key in files:
                path = f"{folder}/missing.{key}"
                link(**{**files, key: path})
                words = site.command("report", codes=(69, 77)).stderr
                expect(path in words and words.count("\n") == 1, words)
                line = site.start().lines.wait_for("the centre (does not answer|refuses).*", 30)[0]
                expect(path in line, line)
                site.stop()
        with steps.step("a password, a role and a database that the centre does not accept are a refusal in its words, with what to do", 120):
            address = centre.address()
            known = f"{address}?sslmode=verify-full&{'&'.join(f'{key}={path}' for key, path in files.items())}"
            for postgres, words in (
                    (address.replace("castq@", "guard:s3cret@"), 'password authentication failed for user "guard"'),
                    (address.replace("castq@", "guard@"), "no password supplied"),
                    (address.replace("castq@", "ghost@"), 'role "ghost" does not exist'),
                    (known.replace("/postgres?", "/nowhere?"), 'database "nowhere" does not exist')):
                site.configure(site="genoa", postgres=postgres)
                refusal = site.command("report", codes=(77,)).stderr
                line = site.start().lines.wait_for("the centre refuses the connection.*", 30)[0]
                site.stop()
                for said in (refusal, line):
                    expect(words in said and "pg_hba.conf" in said and "s3cret" not in said, said)
                expect(refusal.count("\n") == 1, refusal)


class Authority:
    """A key and its certificate."""

    def __init__(self, path: str):
        self.key, self.certificate = f"{path}.key", f"{path}.pem"
        self._run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                  f"/CN={os.path.basename(path)}", "-keyout", self.key, "-out", self.certificate)

    def certify(self, server: "Authority", name: str = "IP:127.0.0.1"):
        self._run("x509", "-in", server.certificate, "-signkey", server.key, "-x509toreq", "-out", f"{server.key}.req")
        pathlib.Path(f"{server.key}.ext").write_text(f"subjectAltName={name}\n")
        self._run("x509", "-req", "-in", f"{server.key}.req", "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial",
                  "-days", "2", "-extfile", f"{server.key}.ext", "-out", server.certificate)

    @staticmethod
    def _run(*words: str):
        subprocess.run(["openssl", *words], check=True, capture_output=True, timeout=60)
