"""A small web server for the media that a device fetches, with ranges."""

import hashlib
import http.server
import pathlib
import re
import threading
import urllib.parse

TYPES = {".mp4": "video/mp4", ".mp3": "audio/mpeg", ".wav": "audio/wav", ".webm": "video/webm", ".jpg": "image/jpeg"}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self._answer(with_body=True)

    def do_HEAD(self):
        self._answer(with_body=False)

    def log_message(self, *_):
        pass

    def _answer(self, with_body: bool):
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        file = self.server.files.get(path)
        if file is None:
            return self._send(404, b"", "text/plain", with_body)
        body = file.read_bytes()
        if self.server.tags:
            tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            if self.headers.get("If-None-Match") == tag:
                return self._send(304, b"", "text/plain", False, {"ETag": tag})
            if path in self.server.cut:
                return self._cut(body, tag, *self.server.cut[path])
            return self._send(200, body, "application/octet-stream", with_body, {"ETag": tag})
        kind = TYPES.get(file.suffix, "application/octet-stream")
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not wanted:
            return self._send(200, body, kind, with_body)
        first, last = int(wanted[1]), min(int(wanted[2] or len(body)), len(body) - 1)
        if first > last:
            return self._send(416, b"", kind, with_body, {"Content-Range": f"bytes */{len(body)}"})
        span = {"Content-Range": f"bytes {first}-{last}/{len(body)}"}
        self._send(206, body[first : last + 1], kind, with_body, span)

    def _cut(self, body: bytes, tag: str, count: int, has_length: bool):
        """What a connection that breaks leaves of a file; without its length, it looks whole."""
        self.send_response(200)
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body))) if has_length else self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body[:count])
        self.close_connection = True

    def _send(self, status: int, body: bytes, kind: str, with_body: bool, more: dict[str, str] | None = None):
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Accept-Ranges": "bytes"}
        for name, value in {**headers, "Access-Control-Allow-Origin": "*", **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)


class MediaServer(http.server.ThreadingHTTPServer):
    """Serves `files` (URL path to file) on loopback while its `with` block runs."""

    daemon_threads = True

    def __init__(self, files: dict[str, pathlib.Path], tags: bool = False):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files, self.tags = files, tags
        # Of a server with tags: paths whose files break off, after so many bytes, and whether their length is said.
        self.cut: dict[str, tuple[int, bool]] = {}

    def handle_error(self, request, client_address):
        """Says nothing: players drop connections whenever they have what they need (protocol 12.4)."""

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def url(self, path: str) -> str:
        host, port = self.server_address[:2]
        return f"http://{host}:{port}{urllib.parse.quote(path)}"
