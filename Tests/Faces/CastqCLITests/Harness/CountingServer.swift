import Foundation
import Testing

/// A web server at an address of its own on loopback, which says each request that castq sends to it. Requests of devices it answers alike.
///
/// `/to/URL` redirects to the URL.
final class CountingServer: Sendable {
  /// `127.0.0.2:PORT`.
  let place: String
  var address: String { "http://\(place)" }
  private let program: RunningProgram
  private let folder: String

  private static let script = """
    import http.server, os, socketserver, sys
    folder = sys.argv[2]
    types = {".m3u": "audio/x-mpegurl", ".yaml": "text/yaml", ".wav": "audio/wav", ".vtt": "text/vtt", ".png": "image/png"}
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments): pass
        def do_GET(self):
            speaker = "castq" if self.headers.get("User-Agent") == "castq" else "other"
            # In one piece: requests come at the same time.
            os.write(1, (speaker + " " + self.path + chr(10)).encode())
            if self.path.startswith("/to/"):
                self.send_response(302)
                self.send_header("Location", self.path[4:])
                self.send_header("Content-Length", 0)
                self.end_headers()
                return
            try: body = open(os.path.join(folder, os.path.basename(self.path.split("?")[0])), "rb").read()
            except OSError: return self.send_error(404)
            self.send_response(200)
            self.send_header("Content-Type", types.get(os.path.splitext(self.path)[1], "application/octet-stream"))
            self.send_header("Content-Length", len(body))
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(body)
    class Server(http.server.ThreadingHTTPServer):
        def server_bind(self):
            socketserver.TCPServer.server_bind(self)
            self.server_name, self.server_port = self.server_address
    server = Server((sys.argv[1], 0), Handler)
    print("listening on", server.server_address[1], flush=True)
    server.serve_forever()
    """

  /// Starts a server that lives as long as the object.
  init(_ stage: Stage, host: String) async throws {
    folder = "\(stage.folder)/\(host)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    program = try RunningProgram(
      "python3", ["-c", Self.script, host, folder], environment: ProcessInfo.processInfo.environment,
      folder: stage.folder, patience: RunningProgram.lifetime)
    let greeting = try #require(
      await program.stdout.line(containing: "listening on "), "\(program.stderr.text)")
    place = "\(host):\(try #require(greeting.split(separator: " ").last))"
  }

  deinit { program.signal(SIGKILL) }

  func serve(_ name: String, _ text: String) throws { try serve(name, Data(text.utf8)) }

  func serve(_ name: String, _ bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  /// The paths that castq has asked for so far.
  func asked() async throws -> [String] {
    let mark = "/mark-\(UUID().uuidString)"
    let port = try #require(place.split(separator: ":").last.flatMap { Int($0) })
    let host = String(place.prefix { $0 != ":" })
    // What came before is said before.
    let asking = try RunningProgram(
      "python3",
      [
        "-c",
        "import http.client; c = http.client.HTTPConnection('\(host)', \(port)); c.request('GET', '\(mark)'); c.getresponse()",
      ], environment: ProcessInfo.processInfo.environment, folder: folder)
    _ = await asking.ended()
    _ = try #require(await program.stdout.line(containing: mark))
    return program.stdout.lines.filter { $0.hasPrefix("castq /") }.map { String($0.dropFirst(6)) }
  }
}
