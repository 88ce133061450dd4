import Foundation
import Testing

/// Chromium, headless, in a process group that ends with the object.
final class Browser: Sendable {
  /// Where Debian has it.
  private static let path = "/usr/bin/chromium"

  /// What it needs to start here; nil where it does not. In its sandbox, unless the computer gives ordinary users no namespaces, as
  /// many containers do: it opens a page of the test alone.
  static let options: [String]? = [[], ["--no-sandbox"]].first { options in
    guard access(path, X_OK) == 0 else { return false }
    let folder = "\(NSTemporaryDirectory())/chromium-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments =
      ["60", path] + common + options + ["--user-data-dir=\(folder)", "--dump-dom", "about:blank"]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static let common = [
    "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update",
    "--autoplay-policy=no-user-gesture-required",
  ]

  private let program: RunningProgram

  init(_ stage: Stage, at address: String) throws {
    program = try RunningProgram(
      Self.path,
      Self.common + (Self.options ?? []) + [
        "--user-data-dir=\(stage.folder)/chromium", "--remote-debugging-port=0", address,
      ], environment: stage.environment, folder: stage.folder, patience: RunningProgram.lifetime)
  }

  // It ends its own children when it is asked to end.
  deinit { program.signal(SIGTERM) }
}

/// A web server of one page, which prints what the page posts.
///
/// A page that asks for `/next` waits for what the test gives it next.
final class ResultPage: Sendable {
  let address: String
  private let program: RunningProgram

  private static let script = """
    import http.server, socketserver, sys
    orders = None
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments): pass
        def do_GET(self):
            global orders
            if self.path == "/next":
                orders = orders or open("orders")
                body = orders.readline().strip().encode()
                self.send_response(200)
                self.send_header("Content-Length", len(body))
                self.end_headers()
                return self.wfile.write(body)
            isTrack = self.path.endswith(".vtt")
            body = b"WEBVTT\\n" if isTrack else open("page.html", "rb").read()
            self.send_response(200)
            self.send_header("Content-Type", "text/vtt" if isTrack else "text/html")
            self.send_header("Content-Length", len(body))
            self.end_headers()
            self.wfile.write(body)
        def do_POST(self):
            print("posted", self.rfile.read(int(self.headers["Content-Length"])).decode(), flush=True)
            self.send_response(204)
            self.end_headers()
    class Server(http.server.ThreadingHTTPServer):
        def server_bind(self):
            socketserver.TCPServer.server_bind(self)
            self.server_name, self.server_port = self.server_address
    server = Server(("127.0.0.1", 0), Handler)
    print("listening on", server.server_address[1], flush=True)
    server.serve_forever()
    """

  private let orders: FileHandle

  init(_ stage: Stage, _ page: String) async throws {
    try stage.file("page.html", page)
    // Open for both, so that neither side waits for the other.
    guard mkfifo("\(stage.folder)/orders", 0o600) == 0,
      let orders = FileHandle(forUpdatingAtPath: "\(stage.folder)/orders")
    else { throw CocoaError(.fileWriteUnknown) }
    self.orders = orders
    program = try RunningProgram(
      "python3", ["-c", Self.script], environment: ProcessInfo.processInfo.environment, folder: stage.folder,
      patience: RunningProgram.lifetime)
    let greeting = try #require(
      await program.stdout.line(containing: "listening on "), "\(program.stderr.text)")
    address = "http://127.0.0.1:\(try #require(greeting.split(separator: " ").last))/"
  }

  deinit { program.signal(SIGKILL) }

  /// The first thing that the page posted, or one that it posted later.
  func result(_ number: Int = 0) async throws -> Document {
    var place = 0
    for _ in 0..<number {
      place = try #require(await program.stdout.index(from: place) { $0.hasPrefix("posted ") }) + 1
    }
    let line = try #require(await program.stdout.line(containing: "posted ", from: place))
    return try Document(String(line.dropFirst("posted ".count)))
  }

  /// Answers one request for `/next`.
  func give(_ order: String) throws { try orders.write(contentsOf: Data("\(order)\n".utf8)) }
}
