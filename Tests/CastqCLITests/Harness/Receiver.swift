import Foundation
import Testing

/// A simulated receiver in a process of its own, and every message it sees.
final class Receiver: Sendable {
  /// `127.0.0.1:PORT`.
  let address: String
  /// Its log, a message a line.
  let log = LineFeed()
  private let program: RunningProgram

  /// Starts a receiver that lives as long as the object.
  convenience init(_ stage: Stage, speed: Double = 20, _ options: String...) async throws {
    try await self.init(stage, speed: speed, options)
  }

  init(_ stage: Stage, speed: Double = 20, _ options: [String]) async throws {
    let pipe = "\(stage.folder)/log-\(UUID().uuidString)"
    guard mkfifo(pipe, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    let descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, 0)
    program = try RunningProgram(
      Programs.path("castq-receiver-sim"),
      (options.contains("--port") ? [] : ["--port", "0"]) + ["--speed", "\(speed)", "--log", pipe] + options,
      environment: stage.environment, folder: stage.folder, patience: RunningProgram.lifetime)
    let greeting = try #require(
      await program.stdout.line(containing: "listening on "), "\(program.stderr.text)")
    address = try #require(greeting.split(separator: " ").dropFirst(2).first.map(String.init))
    // Read only now: a pipe nobody writes to yet has an end.
    log.read(descriptor)
  }

  deinit { program.signal(SIGKILL) }

  /// Switches it off, and waits until it is.
  func end() async {
    program.signal(SIGKILL)
    _ = await program.ended()
  }

  /// Waits until one that advertises itself answers on the network; false if it does not come to that.
  func isAdvertised() async -> Bool { await program.stdout.line(containing: "advertised by ") != nil }

  /// The types of the messages that senders sent to it, in their order.
  var requests: [String] {
    log.lines.compactMap { line in
      guard line.contains(#""dir":"in""#), let document = try? Document(line) else { return nil }
      return document["data"]?["type"]?.string
    }
  }

  /// Waits for a message of this type from a sender, at or after a line of the log; its line's index.
  @discardableResult
  func request(_ type: String, from: Int = 0) async -> Int? {
    await log.index(from: from) { $0.contains(#""dir":"in""#) && $0.contains("\"type\":\"\(type)\"") }
  }

  /// Waits until it says that something plays.
  @discardableResult
  func playing(from: Int = 0) async -> Int? {
    await log.index(from: from) { $0.contains(#""dir":"out""#) && $0.contains(#""playerState":"PLAYING""#) }
  }
}
