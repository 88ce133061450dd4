import Foundation
import Testing

@Suite("Devices that have to prove who they are", .timeLimit(.minutes(6)))
struct TrustTests {
  /// A device in the ledger that answers like this when it is asked who it is.
  private func device(
    _ answer: String, body: (Stage, Receiver) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(
        stage, "--authentication", answer, "--write-root", "\(stage.folder)/roots.pem")
      try await stage.castq("device", "add", "lobby", receiver.address)
      try await body(stage, receiver)
    }
  }

  /// Another device takes the first one's place.
  private func replace(_ stage: Stage, _ answer: String) async throws -> Receiver {
    let other = try await Receiver(stage, "--authentication", answer)
    expectSilence(try await stage.castq("device", "add", "lobby", other.address))
    return other
  }

  private func shown(_ stage: Stage) async throws -> Document {
    try await stage.json("device", "show", "lobby")
  }

  @Test("the key that a device proves first is pinned, and another one is refused until it is unpinned")
  func pinning() async throws {
    try await device("honest") { stage, _ in
      #expect(try await stage.castq("volume").exit == 0)
      let key = try #require(try await shown(stage)["pinned_key"]?.string)
      #expect(key.count == 64)
      #expect(try await stage.json("devices")["devices"]?.elements.map { $0["pinned"] } == [.bool(true)])
      #expect(try await stage.castq("volume").exit == 0, "the same key is fine")
      let printed = try await stage.castq("device", "pin", "lobby")
      #expect(printed.exit == 0 && printed.stdout.filter { $0.isHexDigit } == key)

      let impostor = try await replace(stage, "other-device")
      for command in [["volume"], ["status"], ["pause"]] {
        expectOneLine(try await stage.castq(command), exit: 77, saying: "castq device unpin lobby")
      }
      try stage.tone("a.wav", seconds: 1)
      for command in ["cast", "run"] {
        expectOneLine(try await stage.castq(command, "a.wav"), exit: 77, saying: "lobby")
      }
      #expect(!impostor.requests.contains("LAUNCH"), "it is told nothing")
      let document = try await stage.castq("volume", "--json")
      #expect(try Document(document.stdout)["error"]?["exit"] == .number(77))
      #expect(try await shown(stage)["pinned_key"] == .string(key))

      expectSilence(try await stage.castq("device", "unpin", "lobby"))
      #expect(try await stage.castq("volume").exit == 0)
      let other = try #require(try await shown(stage)["pinned_key"]?.string)
      #expect(other != key && other.count == 64)
    }
  }

  @Test("a pinned device that proves nothing any more is refused; one that never could is used")
  func inability() async throws {
    try await device("internal-error") { stage, _ in
      #expect(try await stage.castq("volume").exit == 0)
      #expect(try await shown(stage)["pinned"] == .bool(false))
      #expect(try await shown(stage)["can_prove"] == .bool(false))
      let words = try await stage.castq("device", "show", "lobby")
      #expect(words.stdout.contains("cannot prove who it is"))
      expectOneLine(try await stage.castq("device", "pin", "lobby"), exit: 77, saying: "no key is pinned")
      let honest = try await replace(stage, "honest")
      #expect(try await stage.castq("device", "pin", "lobby").exit == 0)
      withExtendedLifetime(honest) {}
      let mute = try await replace(stage, "internal-error")
      expectOneLine(try await stage.castq("volume"), exit: 77, saying: "lobby")
      expectSilence(try await stage.castq("device", "pin", "lobby", "--off"))
      #expect(try await stage.castq("volume").exit == 0, "nobody asks any more")
      withExtendedLifetime(mute) {}
    }
  }

  @Test("it is told once, in the log, that a device cannot prove who it is")
  func note() async throws {
    try await device("internal-error") { stage, _ in
      let variables = ["CASTQ_LOG": "none,LedgerTrust=info"]
      let first = try await stage.castq("volume", variables: variables)
      #expect(first.exit == 0 && first.errorLines.count == 1, "\(first.stderr)")
      #expect(first.stderr.contains("cannot prove who it is"))
      #expect(try await stage.castq("volume", variables: variables).stderr.isEmpty)
    }
  }

  @Test("a forged proof is refused at first contact, too")
  func forged() async throws {
    try await device("forged") { stage, _ in
      expectOneLine(try await stage.castq("volume"), exit: 77, saying: "check 9")
      #expect(try await shown(stage)["pinned"] == .bool(false))
    }
  }

  @Test("with roots, only a device whose certificate leads to one of them will do")
  func roots() async throws {
    try await device("honest") { stage, _ in
      expectSilence(try await stage.castq("device", "pin", "lobby", "--roots", "roots.pem"))
      #expect(try await stage.castq("volume").exit == 0)
      let other = try await replace(stage, "wrong-chain")
      expectOneLine(try await stage.castq("volume"), exit: 77, saying: "check 6")
      try FileManager.default.removeItem(atPath: "\(stage.folder)/roots.pem")
      try stage.tone("a.wav", seconds: 1)
      expectOneLine(try await stage.castq("volume"), exit: 78, saying: "roots.pem")
      expectOneLine(try await stage.castq("run", "a.wav"), exit: 77, saying: "roots.pem")
      withExtendedLifetime(other) {}
    }
  }
}
