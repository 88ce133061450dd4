import Foundation
import Testing

/// A folder of its own for one test.
struct TemporaryFolder {
  private static let openSSL = "/usr/bin/openssl"
  /// Whether `makeAuthority(names:)` is possible.
  static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: openSSL)
  private let url: URL

  init() throws {
    url = URL(filePath: NSTemporaryDirectory()).appending(path: "castq-http-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func remove() { try? FileManager.default.removeItem(at: url) }

  /// Makes `ca.pem`, and `cert.pem` with `key.pem` signed by it, all for two days.
  /// - Parameter names: as OpenSSL writes them, such as `DNS:localhost,IP:127.0.0.1`.
  func makeAuthority(names: String) throws {
    let common = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    try Self.openssl(
      common + ["-subj", "/CN=castq test root", "-keyout", path("ca.key"), "-out", path("ca.pem")])
    try Self.openssl(
      common + [
        "-subj", "/CN=leaf", "-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-addext",
        "subjectAltName=\(names)",
        "-addext", "basicConstraints=critical,CA:FALSE", "-keyout", path("key.pem"), "-out", path("cert.pem"),
      ])
  }

  private static func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: openSSL)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}

/// Python's web server, which serves a folder over TLS until it is stopped.
final class PythonServer {
  private let process = Process()
  let port: Int

  private static let program = """
    import http.server, ssl, sys
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments): super().__init__(*arguments, directory=sys.argv[1])
        def log_message(self, *arguments): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1] + "/cert.pem", sys.argv[1] + "/key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  init(folder: TemporaryFolder) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program, folder.path("")]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = ""
    while let data = try output.fileHandleForReading.read(upToCount: 1), let byte = data.first, byte != 0x0A {
      line.append(Character(Unicode.Scalar(byte)))
    }
    port = try #require(Int(line))
  }

  /// Kills it: a child that a worker thread has started may have SIGTERM blocked.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
