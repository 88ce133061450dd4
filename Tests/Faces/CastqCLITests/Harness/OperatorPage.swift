import Foundation
import Testing

/// `castq web` in a process of its own, asked over sockets.
final class OperatorPage: Sendable {
  let port: Int
  let program: RunningProgram

  struct Answer: Sendable {
    let status: Int
    let head: String
    let body: String

    var json: Document { get throws { try Document(body) } }
  }

  init(_ stage: Stage, listen: String = "127.0.0.1:0", _ options: String...) async throws {
    program = try stage.start(
      options + ["web", "--listen", listen], patience: RunningProgram.lifetime)
    let line = try #require(
      await program.stderr.line(containing: "the page is at "), "\(program.stderr.text)")
    port = try #require(line.split(separator: ":").last.flatMap { Int($0.dropLast()) })
  }

  deinit { program.signal(SIGKILL) }

  /// Asks the API.
  /// - Parameter isOfAPI: whether the path is below that of the API.
  func ask(
    _ method: String, _ path: String, _ fields: [String] = [], json: String? = nil,
    host: String = "127.0.0.1",
    isOfAPI: Bool = true
  ) async throws -> Answer {
    var head =
      [
        "\(method) \(isOfAPI ? "/api/v1/" : "")\(path) HTTP/1.1", "Host: \(host):\(port)",
        "Connection: close",
      ] + fields
    if let json { head += ["Content-Type: application/json", "Content-Length: \(json.utf8.count)"] }
    let text = try await exchange(head.joined(separator: "\r\n") + "\r\n\r\n" + (json ?? ""))
    let end = text.firstRange(of: "\r\n\r\n")
    return Answer(
      status: text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
      head: String(text[..<(end?.lowerBound ?? text.endIndex)]),
      body: String(text[(end?.upperBound ?? text.endIndex)...]))
  }

  /// A page or a file of the browser, without its head.
  func page(_ path: String) async throws -> String {
    let text = try await exchange(
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
    let end = try #require(text.firstRange(of: "\r\n\r\n"), "\(text.prefix(200))")
    #expect(text.hasPrefix("HTTP/1.1 200"), "\(path): \(text.prefix(100))")
    return String(text[end.upperBound...])
  }

  /// A document of the API.
  func get(_ path: String) async throws -> Document { try await ask("GET", path).json }

  /// The stream of events, line by line, as long as the object lives.
  func events(_ query: String = "", fields: [String] = []) throws -> LineFeed {
    let descriptor = try LocalConnection.open(port)
    let feed = LineFeed()
    feed.read(descriptor)
    let head = ["GET /api/v1/events\(query) HTTP/1.1", "Host: localhost"] + fields
    try LocalConnection.send(head.joined(separator: "\r\n") + "\r\n\r\n", descriptor)
    return feed
  }

  private func exchange(_ text: String) async throws -> String {
    let descriptor = try LocalConnection.open(port)
    let feed = LineFeed()
    feed.read(descriptor)
    try LocalConnection.send(text, descriptor)
    await feed.ended()
    return feed.text
  }
}
