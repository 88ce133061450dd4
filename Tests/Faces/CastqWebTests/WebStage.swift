import CastqOperations
import FoundationEssentials
import Logging
import Testing
@testable import CastqWeb

/// A server on a port of its own, for as long as a test runs.
struct WebStage: Sendable {
  let port: Int
  let documents: FakeDocuments
  let site: WebSite
  let tokens: TokenBook

  static func with(_ body: @Sendable (WebStage) async throws -> Void) async throws {
    try await with({ _ in }, body)
  }

  static func with(
    _ change: (inout WebSettings) -> Void, _ body: @Sendable (WebStage) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "castq-web-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var settings = WebSettings(tokenFile: folder.appending(path: "tokens").path, version: "1.2.3")
    settings.port = 0
    change(&settings)
    let documents = FakeDocuments()
    let server = try WebServer(
      settings, documents: documents, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let (ports, ready) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await server.run { port in
          ready.yield(port)
          ready.finish()
        }
        ready.finish()
      }
      var first: Int?
      for await port in ports { first = first ?? port }
      let stage = WebStage(
        port: try #require(first), documents: documents, site: server.site,
        tokens: TokenBook(path: settings.tokenFile))
      try await body(stage)
      group.cancelAll()
    }
  }

  /// Sends a request as it stands and reads the answer to it.
  func send(_ text: String) async throws -> RawAnswer { try await RawConnection(port).ask(text) }

  /// A request of a browser or a script.
  /// - Parameter fields: each as `Name: value`; `Host` is that of the server unless it is given.
  func ask(
    _ method: String, _ path: String, _ fields: [String] = [], json: String? = nil
  ) async throws -> RawAnswer {
    var head = ["\(method) \(path) HTTP/1.1"]
    if !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) {
      head.append("Host: 127.0.0.1:\(port)")
    }
    head += fields
    if let json { head += ["Content-Type: application/json", "Content-Length: \(json.utf8.count)"] }
    head.append("Connection: close")
    return try await send(head.joined(separator: "\r\n") + "\r\n\r\n" + (json ?? ""))
  }
}

/// What came back, as bytes say it.
struct RawAnswer: Sendable {
  let status: Int
  /// By their names in lower case.
  let fields: [String: String]
  let bytes: [UInt8]

  var body: String { String(decoding: bytes, as: UTF8.self) }

  init(_ received: [UInt8]) {
    let end = received.firstRange(of: Array("\r\n\r\n".utf8))
    let lines = String(decoding: received[..<(end?.lowerBound ?? received.endIndex)], as: UTF8.self)
      .split(separator: "\r\n")
    status = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    self.fields = fields
    bytes = end.map { Array(received[$0.upperBound...]) } ?? []
  }
}
