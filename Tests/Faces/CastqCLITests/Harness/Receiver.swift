import ArgumentParser
import CastReceiverSim
import CastTLS
import Foundation
import NIOPosix
import Synchronization
import Testing

@testable import castq_receiver_sim

/// A simulated receiver, as the options of `castq-receiver-sim` describe it, and every message it sees.
final class Receiver: Sendable {
  /// `127.0.0.1:PORT`.
  let address: String
  /// Its log, a message a line.
  let log = LineFeed()
  private let place: Place

  /// In this process, because each program would make a key of its own; but what is switched off without a goodbye, where others
  /// wait for one, is a program.
  private enum Place {
    case here(SimFleet)
    case program(RunningProgram)
  }

  private static let identity = Result { () throws(TLSError) in
    let now = time(nil)
    return try TLSIdentity.selfSigned(
      commonName: "castq-receiver-sim", notBefore: now - 3600, notAfter: now + 86_400)
  }
  private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)

  /// Starts a receiver that lives as long as the object.
  convenience init(_ stage: Stage, speed: Double = 20, _ options: String...) async throws {
    try await self.init(stage, speed: speed, options)
  }

  init(_ stage: Stage, speed: Double = 20, _ options: [String]) async throws {
    let pipe = "\(stage.folder)/log-\(UUID().uuidString)"
    guard mkfifo(pipe, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    let descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, 0)
    let words =
      (options.contains("--port") ? [] : ["--port", "0"]) + ["--speed", "\(speed)", "--log", pipe] + options
    let greeting: String
    if options.contains("--advertise") {
      let program = try RunningProgram(
        Programs.path("castq-receiver-sim"), words, environment: stage.environment, folder: stage.folder,
        patience: RunningProgram.lifetime)
      greeting = try #require(
        await program.stdout.line(containing: "listening on "), "\(program.stderr.text)")
      place = .program(program)
    } else {
      let simulator = try ReceiverSimulator.parse(words)
      let fleet = try simulator.fleet()
      let announced = Mutex("")
      try await fleet.start(identity: Self.identity.get(), on: Self.threads) { line in
        announced.withLock { $0 = line }
      }
      greeting = announced.withLock { $0 }
      place = .here(fleet)
    }
    address = try #require(greeting.split(separator: " ").dropFirst(2).first.map(String.init))
    // Read only now: a pipe nobody writes to yet has an end.
    log.read(descriptor)
  }

  deinit {
    switch place {
    case .here(let fleet): Task { await fleet.stop() }
    case .program(let program): program.signal(SIGKILL)
    }
  }

  /// Switches it off, and waits until it is.
  func end() async {
    switch place {
    case .here(let fleet): await fleet.stop()
    case .program(let program):
      program.signal(SIGKILL)
      _ = await program.ended()
    }
  }

  struct Refusal: Error {
    var words: String
  }

  /// Does to it what a line of `castq-receiver-sim --control` does, and returns when that is done.
  func control(_ line: String) async throws {
    guard case .here(let fleet) = place else { throw Refusal(words: "a program has no control here") }
    let answer = await fleet.answer(line)
    guard answer.hasPrefix("ok") else { throw Refusal(words: answer) }
  }

  /// Waits until one that advertises itself answers on the network; false if it does not come to that.
  func isAdvertised() async -> Bool {
    guard case .program(let program) = place else { return false }
    return await program.stdout.line(containing: "advertised by ") != nil
  }

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
