"""Somebody who answers in place of the centre or of the broker, and asks for a password: he gets none."""

import contextlib
import os
import pathlib
import socket
import ssl
import struct
import tempfile
import threading

from steps import PATIENCE, Steps, expect

from .secure import Authority
from .site import LinkedSite

# A host that is another one by its name, and is reached on this computer.
HOST = "0.0.0.0"
SECRET = "s3cret-of-genoa"


class Impostor:
    """Listens as PostgreSQL or mosquitto would, with a certificate or without, and keeps every byte that it is sent in clear."""

    def __init__(self, authority: Authority | None = None, is_broker: bool = False):
        self._listener = socket.create_server((HOST, 0))
        self.port = self._listener.getsockname()[1]
        self._is_broker = is_broker
        self._context = None
        if authority:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(authority.certificate, authority.key)
        self.heard = b""
        self.called, self.gone = threading.Event(), threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            self.called.set()
            with contextlib.suppress(OSError):
                self._serve_broker(line) if self._is_broker else self._serve_centre(line)
            line.close()
            self.gone.set()

    def _serve_broker(self, line: socket.socket):
        if self._context:
            line = self._context.wrap_socket(line, server_side=True)
        line.settimeout(PATIENCE)
        self.heard += line.recv(4096)

    def _serve_centre(self, line: socket.socket):
        line.settimeout(PATIENCE)
        while (first := line.recv(4096))[4:8] in (struct.pack("!i", 80877103), struct.pack("!i", 80877104)):
            if first[4:8] == struct.pack("!i", 80877103) and self._context:
                line.sendall(b"S")
                line = self._context.wrap_socket(line, server_side=True)
            else:
                line.sendall(b"N")
        self.heard += first
        # AuthenticationCleartextPassword
        line.sendall(b"R" + struct.pack("!ii", 8, 3))
        self.heard += line.recv(4096)


def impostor(steps: Steps):
    with tempfile.TemporaryDirectory(prefix="castq-impostor-", dir="/tmp") as folder, LinkedSite("genoa") as site:
        own, other, fitting = (Authority(f"{folder}/{name}") for name in ("own", "other", "fitting"))
        own.certify(fitting, f"IP:{HOST}")
        _centre(steps, site, own, other, fitting)
        _broker(steps, site, own, other)
        _files(steps, site)


def _centre(steps: Steps, site: LinkedSite, own: Authority, other: Authority, fitting: Authority):
    def address(port: int, words: str = "") -> str:
        return f"postgresql://genoa:{SECRET}@{HOST}:{port}/fleet{words}"

    ca = f"?sslrootcert={own.certificate}"
    for name, authority, words in (
            ("without a certificate", None, ""), ("without a certificate, where one is expected", None, ca),
            ("with a certificate of nobody that is trusted", other, ca),
            ("with the right certificate, that wants the password and does not know it", fitting, ca)):
        with steps.step(f"an impostor of the centre {name} gets no password", 120), Impostor(authority) as listener:
            site.configure(site="genoa", postgres=address(listener.port, words))
            for command in (("report",), ("sites",)):
                error = site.command(*command, codes=(69, 77)).stderr
                expect(SECRET not in error, error)
            lines = site.start().lines
            lines.wait_for("the centre (does not answer|refuses)", 60)
            site.stop()
            expect(SECRET.encode() not in listener.heard, f"{listener.heard}")
            expect(lines.count("in its place") == 0, "it says that the address allows less")
    with steps.step("an address of the centre that allows less is taken at its word, and repeated once", 120), Impostor() as listener:
        site.configure(site="genoa", postgres=address(listener.port, "?sslmode=disable"))
        lines = site.start().lines
        expect(listener.gone.wait(PATIENCE), "it was not called")
        site.stop()
        expect(SECRET.encode() in listener.heard, "the impostor of this test hears nothing")
        expect(lines.count("sslmode=disable") == 1 and lines.count(SECRET) == 0, "it was reported again")
    with steps.step("this computer's own centre needs no certificate", 60), Impostor() as listener:
        site.configure(site="genoa", postgres=address(listener.port).replace(HOST, "127.0.0.1"))
        site.command("report", codes=(69, 77))
        expect(SECRET.encode() in listener.heard, "the password was not sent")


def _broker(steps: Steps, site: LinkedSite, own: Authority, other: Authority):
    with steps.step("a password goes to no broker in clear, unless the address says so, which is repeated once", 120), \
            Impostor(is_broker=True) as listener:
        clear = f"mqtt://genoa:{SECRET}@{HOST}:{listener.port}"
        site.configure(site="genoa", mqtt=clear)
        for command in ("run", "unlink"):
            error = site.command(command, codes=(78,)).stderr
            expect("in clear" in error and "tls=off" in error and SECRET not in error, error)
        expect(not listener.called.is_set(), "it was called")
        site.configure(site="genoa", mqtt=f"{clear}?tls=off")
        lines = site.start().lines
        expect(listener.gone.wait(PATIENCE), "it was not called")
        site.stop()
        expect(SECRET.encode() in listener.heard and lines.count("tls=off") == 1, "it was reported again")
    with steps.step("an impostor of the broker with a certificate of nobody that is trusted gets no password", 120), \
            Impostor(other, is_broker=True) as listener:
        for ca in (f"?ca={own.certificate}", ""):
            site.configure(site="genoa", mqtt=f"mqtts://genoa:{SECRET}@{HOST}:{listener.port}{ca}")
            site.start().lines.wait_for("the broker does not answer", 60)
            site.stop()
        expect(listener.called.is_set() and listener.heard == b"", f"{listener.heard}")


def _files(steps: Steps, site: LinkedSite):
    with steps.step("a configuration with a password that everybody may read is said once, and one for its group is not", 120):
        file = pathlib.Path(site.folder, "config.yaml")
        site.configure(site="genoa", mqtt=f"mqtt://genoa:{SECRET}@127.0.0.1:1")
        for mode, count in ((0o644, 1), (0o640, 0), (0o600, 0)):
            os.chmod(file, mode)
            lines = site.start().lines
            lines.wait_for("the broker does not answer", 60)
            site.stop()
            expect(lines.count("everybody on this computer may read") == count, f"{mode:o}: {lines.tail()}")
        site.configure(site="genoa", mqtt="mqtt://127.0.0.1:1")
        os.chmod(file, 0o644)
        lines = site.start().lines
        lines.wait_for("the broker does not answer", 60)
        site.stop()
        expect(lines.count("everybody on this computer") == 0, "there is no password in it")
