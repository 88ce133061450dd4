import Foundation
import Testing

/// Python's web server over a folder `www` of a stage, in a process of its own.
///
/// Besides the files it has `/moved/X`, which redirects to `/X`, `/loop/X`, which redirects to itself, and `/never/X`, which
/// never answers; `/with/X` sends X with the header lines of `X.head`; `/radio/X` sends sound without end. `/tagged/X` has an `ETag`, and answers 304 to whoever has that version; `log` has a line of each such answer.
final class WebServer: Sendable {
  /// `http://127.0.0.1:PORT` or `https://localhost:PORT`.
  let address: String
  private let program: RunningProgram
  /// What the server says: `tagged STATUS AUTHORIZATION`.
  var log: LineFeed { program.stdout }

  private static let script = """
    import hashlib, http.server, os, select, socketserver, ssl, threading, urllib.parse
    pair = threading.Barrier(2)
    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {".m3u": "text/html", ".m3u8": "audio/x-mpegurl", ".wav": "audio/wav", "": "text/plain"}
        def __init__(self, *arguments): super().__init__(*arguments, directory="www")
        def log_message(self, *arguments): pass
        def do_GET(self):
            if self.path.startswith("/never/"): return self.rfile.read(1)
            if self.path.startswith("/radio/"): return self.send_radio()
            if self.path.startswith("/loop/"): return self.move_to(self.path)
            if self.path.startswith("/tagged/"): return self.send_tagged(self.path.split("?")[0].split("/", 2)[2])
            if self.path.startswith("/as/"): return self.send_as(*self.path.split("/", 3)[2:])
            if self.path.startswith("/with/"): return self.send_with(self.path.split("?")[0].split("/", 2)[2])
            if self.path.startswith("/pair/"):
                # `/pair/SECONDS/X` waits so long for another one.
                try: pair.wait(float(self.path.split("/")[2]))
                except threading.BrokenBarrierError:
                    pair.reset()
                    return self.send_error(404)
                return self.send_as("audio/mpeg", "song")
            if not self.path.startswith("/moved/"): return super().do_GET()
            self.move_to(self.path.removeprefix("/moved"))
        def move_to(self, path):
            self.send_response(302)
            self.send_header("Location", path)
            self.end_headers()
        def send_tagged(self, file):
            body = open("www/" + file, "rb").read()
            tag = '"' + hashlib.sha256(body).hexdigest() + '"'
            status = 304 if self.headers.get("If-None-Match") == tag else 200
            print("tagged", status, self.headers.get("Authorization"), flush=True)
            self.send_response(status)
            self.send_header("ETag", tag)
            self.send_header("Content-Length", len(body) if status == 200 else 0)
            self.end_headers()
            if status == 200: self.wfile.write(body)
        def send_radio(self):
            self.send_response(200)
            self.send_header("Content-Type", "audio/mpeg")
            self.end_headers()
            frames = (b"\\xff\\xfb\\x90\\x00" + bytes(413)) * 10
            try:
                # Until the listener hangs up, which is heard at once.
                while not select.select([self.connection], [], [], 0.2)[0]: self.wfile.write(frames)
            except OSError: pass
        def send_with(self, file):
            body = open("www/" + file, "rb").read()
            self.send_response(200)
            for line in open("www/" + file + ".head", encoding="latin-1").read().splitlines():
                self.send_header(*line.split(": ", 1))
            self.send_header("Content-Length", len(body))
            self.end_headers()
            self.wfile.write(body)
        def send_as(self, kind, rest):
            file = "www/" + rest
            body = open(file, "rb").read() if os.path.exists(file) else b"x" * 100
            self.send_response(200)
            if kind != "none": self.send_header("Content-Type", urllib.parse.unquote(kind))
            if "shared" in rest: self.send_header("Access-Control-Allow-Origin", "*")
            if "endless" not in rest: self.send_header("Content-Length", len(body))
            self.end_headers()
            self.wfile.write(body)
    class Server(http.server.ThreadingHTTPServer):
        # Python's own asks the name service for the computer's name, which may take minutes.
        def server_bind(self):
            socketserver.TCPServer.server_bind(self)
            self.server_name, self.server_port = self.server_address
    server = Server(("127.0.0.1", 0), Handler)
    if os.path.exists("cert.pem"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("cert.pem", "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print("listening on", server.server_address[1], flush=True)
    server.serve_forever()
    """

  /// Starts a server that lives as long as the object.
  /// - Parameter isSecure: makes a certificate for `localhost`, which is its own root, in `cert.pem`.
  init(_ stage: Stage, isSecure: Bool = false, files: [String: String]) async throws {
    for (name, text) in files {
      let path = "\(stage.folder)/www/\(name)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    let environment = ProcessInfo.processInfo.environment
    if isSecure {
      let words =
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem"
      let making = try RunningProgram(
        "openssl", words.split(separator: " ").map(String.init), environment: environment,
        folder: stage.folder)
      #expect(await making.ended().exit == 0)
    }
    program = try RunningProgram(
      "python3", ["-c", Self.script], environment: environment, folder: stage.folder,
      patience: RunningProgram.lifetime)
    let greeting = try #require(
      await program.stdout.line(containing: "listening on "), "\(program.stderr.text)")
    let port = try #require(greeting.split(separator: " ").last)
    address = isSecure ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)"
  }

  deinit { program.signal(SIGKILL) }
}
