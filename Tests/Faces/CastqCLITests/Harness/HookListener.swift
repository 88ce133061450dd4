import Foundation
import Testing

/// A web server that accepts what hooks post, as the example of docs/metrics.md checks it; it refuses the first ones.
final class HookListener: Sendable {
  static let secret = "a secret of nobody"

  private let program: RunningProgram
  let port: String
  var log: LineFeed { program.stdout }

  private static let script = """
    import hashlib, hmac, http.server, json, sys
    refusals = int(sys.argv[2])
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments): pass
        def do_POST(self):
            global refusals
            body = self.rfile.read(int(self.headers["Content-Length"]))
            said = self.headers.get("Castq-Signature", "")
            good = hmac.compare_digest(said, "sha256=" + hmac.new(b"a secret of nobody", body, hashlib.sha256).hexdigest())
            status = 503 if refusals > 0 else 204 if good else 401
            refusals -= 1
            event = json.loads(body)
            self.send_response(status); self.send_header("Content-Length", "0"); self.end_headers()
            # Whoever reads this knows that the answer is on its way.
            print(status, self.headers["Castq-Event"], self.headers["Castq-Delivery"], event["device"], json.dumps(event), flush=True)
    server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print("listening on", server.server_address[1], flush=True)
    server.serve_forever()
    """

  /// - Parameter port: that of one which has ended; nil for one of its own.
  init(_ stage: Stage, port: String? = nil, refusals: Int = 0) async throws {
    let place = try port ?? "\(FreePort.next())"
    program = try RunningProgram(
      "python3", ["-c", Self.script, place, "\(refusals)"],
      environment: ProcessInfo.processInfo.environment, folder: stage.folder,
      patience: RunningProgram.lifetime)
    try #require(await program.stdout.line(containing: "listening on ") != nil, "\(program.stderr.text)")
    self.port = place
  }

  /// Ends it; nobody else takes the port meanwhile.
  func end() async {
    program.signal(SIGKILL)
    _ = await program.ended()
  }

  deinit { program.signal(SIGKILL) }
}
