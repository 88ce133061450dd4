import Foundation
import Testing

/// `castq mpd` in a process of its own, asked over sockets.
final class MusicServer: Sendable {
  /// The ports in the order of the lines; those of sockets are left out.
  let ports: [Int]
  let program: RunningProgram

  /// - Parameter count: at how many places it listens.
  init(_ stage: Stage, listen: String? = "127.0.0.1:0", count: Int = 1, _ options: String...) async throws {
    program = try stage.start(
      options + ["mpd"] + (listen.map { ["--listen", $0] } ?? []), patience: RunningProgram.lifetime)
    var (lines, next) = ([String](), 0)
    for _ in 0..<count {
      let index = try #require(
        await program.stderr.index(from: next) { $0.contains(" connect to ") }, "\(program.stderr.text)")
      lines.append(program.stderr.lines[index])
      next = index + 1
    }
    ports = lines.compactMap { line in
      line.split(separator: ":").last?.prefix { $0.isNumber }.isEmpty == false
        ? line.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) } : nil
    }
  }

  deinit { program.signal(SIGKILL) }

  /// Sends lines over a connection of their own, and returns all answers without the greeting.
  func ask(_ lines: String..., at port: Int? = nil) async throws -> String {
    let place = try #require(port ?? ports.first)
    let feed = try connect(place, lines + ["close"])
    await feed.ended()
    return feed.lines.dropFirst().joined(separator: "\n")
  }

  /// Sends lines, and returns what comes as long as the object lives.
  func listen(_ lines: String...) throws -> LineFeed {
    let place = try #require(ports.first)
    return try connect(place, lines)
  }

  /// Sends lines, and others later by `say`.
  func talk(_ lines: String...) throws -> (feed: LineFeed, say: @Sendable (String) -> Void) {
    let place = try #require(ports.first)
    let descriptor = try LocalConnection.open(place)
    let feed = LineFeed()
    feed.read(descriptor)
    let say: @Sendable (String) -> Void = { line in
      #expect(Glibc.send(descriptor, line + "\n", line.utf8.count + 1, Int32(MSG_NOSIGNAL)) > 0)
    }
    for line in lines { say(line) }
    return (feed, say)
  }

  private func connect(_ port: Int, _ lines: [String]) throws -> LineFeed {
    let descriptor = try LocalConnection.open(port)
    let feed = LineFeed()
    feed.read(descriptor)
    try LocalConnection.send(lines.joined(separator: "\n") + "\n", descriptor)
    return feed
  }
}
