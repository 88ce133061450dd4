import Foundation
import Testing

/// Numbers that no clock, port, volume or list has, wherever people and their programs write some.
@Suite("Odd numbers", .timeLimit(.minutes(20)))
struct OddNumbersTests {
  private static let numbers = [
    "-9223372036854775809", "9223372036854775807", "-1", "1e400", "nan", "99999999999999999999",
  ]

  /// It says what is wrong, or does what was asked; it is not ended by a trap.
  private func expectWords(
    _ ending: Ending, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      (0...124).contains(ending.exit) && ending.exit != 70, "\(what): \(ending)",
      sourceLocation: sourceLocation)
    let failed = ending.exit > 1
    #expect(
      !failed || ending.stderr.hasPrefix("castq: "), "\(what): \(ending)", sourceLocation: sourceLocation)
    #expect(
      !ending.stderr.contains("Fatal error"), "\(what): \(ending.stderr)", sourceLocation: sourceLocation)
  }

  @Test("every number of the environment is taken, or refused in words")
  func environment() async throws {
    try await Stage.with { stage in
      for number in Self.numbers {
        // Each with commands that read it.
        for (name, value, commands) in [
          ("CASTQ_MEDIA_PORT", number, ["cast none.wav"]),
          ("CASTQ_ADVERTISE", "192.0.2.1:\(number)", ["cast none.wav"]),
          ("CASTQ_DEVICE", number, ["queue", "cast none.wav"]), ("CASTQ_EPOCH", number, ["cast none.wav"]),
          ("CASTQ_LEASE_FD", number, ["cast none.wav"]), ("COLUMNS", number, ["history"]),
          ("LINES", number, ["history"]),
        ] {
          for command in commands {
            let words = command.split(separator: " ").map(String.init)
            let ending = try await stage.castq(words, variables: [name: value])
            expectWords(ending, "\(name)=\(value) castq \(command)")
          }
        }
      }
    }
  }

  @Test("every number of a command is taken, or refused in words")
  func arguments() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage)
      try await stage.castq("device", "add", "lobby", receiver.address)
      try stage.tone("song.wav", seconds: 1)
      try await stage.castq("enqueue", "song.wav")
      for number in Self.numbers {
        for command in [
          ["history", "--limit", number], ["history", "--since", number], ["queue", "--timeout", number],
          ["remove", number], ["move", number, number], ["plan", "--to", number],
          ["plan", "--from", "+\(number)d"],
          ["report", "plays", "--since", "\(number)d"], ["why", number], ["volume", number],
          ["seek", number],
          ["rate", number], ["schedule", "add", "odd", "--play", "song.wav", "--every", number],
          ["enqueue", "--duration", number, "song.wav"], ["enqueue", "--start", number, "song.wav"],
          ["device", "add", "odd", "192.0.2.1:\(number)"], ["prepare", "--budget", number, "song.wav"],
        ] {
          expectWords(try await stage.castq(command), command.joined(separator: " "))
        }
      }
    }
  }
}
