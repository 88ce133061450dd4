import Foundation
import Testing

@Suite("Devices that have to prove who they are", .timeLimit(.minutes(20)))
struct TrustTests {
  /// A device in the ledger that answers like this when it is asked who it is.
  private func device(
    _ answer: String, body: (Stage, Receiver) async throws -> Void
  ) async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(
        stage, "--authentication", answer, "--write-root", "\(stage.folder)/roots.pem")
      try stage.add(device: "lobby", at: receiver.address)
      try await body(stage, receiver)
    }
  }

  /// Another device takes the first one's place.
  private func replace(_ stage: Stage, _ answer: String) async throws -> Receiver {
    let other = try await Receiver(stage, "--authentication", answer)
    try stage.add(device: "lobby", at: other.address)
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
      let status = try await stage.castq("status")
      #expect(
        status.exit == 77 && status.errorLines.count == 1 && status.stderr.contains("castq device unpin"))
      try stage.tone("a.wav", seconds: 1)
      try await stage.castq("enqueue", "a.wav")
      for shown in [status, try await stage.castq("status"), try await stage.castq()] {
        #expect(shown.stdout.contains("does not prove that it is the right one"), "\(shown.stdout)")
        #expect(!shown.stdout.contains("does not answer"), "it did answer: \(shown.stdout)")
      }
      for command in [["volume"], ["pause"]] {
        expectOneLine(try await stage.castq(command), exit: 77, saying: "castq device unpin lobby")
      }
      for command in ["cast", "run"] {
        expectOneLine(try await stage.castq(command, "a.wav"), exit: 77, saying: "lobby")
      }
      // An application may be launched while the device proves its key, and nothing else follows.
      #expect(
        Set(impostor.requests).isSubset(of: ["CONNECT", "GET_STATUS", "LAUNCH"]),
        "it learns nothing of what is played: \(impostor.requests)")
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
      for manner in ["internal-error", "silent"] {
        let mute = try await replace(stage, manner)
        try stage.tone("a.wav", seconds: 1)
        for command in [["volume"], ["cast", "a.wav"], ["run", "a.wav"]] {
          let ending = try await stage.castq(command)
          expectOneLine(ending, exit: 77, saying: "'castq device unpin lobby'")
          #expect(ending.stderr.hasPrefix("castq: lobby"))
        }
        withExtendedLifetime(mute) {}
      }
      let mute = try await replace(stage, "internal-error")
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

  @Test(
    "a device that says nothing when it is asked is used, and not waited for by each command; that is told once"
  )
  func silence() async throws {
    try await device("silent") { stage, receiver in
      let variables = ["CASTQ_LOG": "none,LedgerTrust=info"]
      let first = try await stage.castq("volume", variables: variables)
      #expect(first.exit == 0 && first.errorLines.count == 1, "\(first.stderr)")
      #expect(first.stderr.contains("has not proved who it is"))
      #expect(try await shown(stage)["can_prove"] == .null, "silence is no answer")
      #expect(try await shown(stage)["silent_at"]?.string != nil)
      #expect(
        try await stage.castq("device", "show", "lobby").stdout.contains(
          "did not answer the request for its key"))
      #expect(try await stage.castq("volume", variables: variables).stderr.isEmpty)
      withExtendedLifetime(receiver) {}
    }
  }

  @Test(
    "an impostor that announces a pinned device as a group elsewhere, under another name, is told nothing")
  func impostor() async throws {
    try await LoopbackNetwork.alone {
      try await Stage.with { stage in
        let loopback = LoopbackNetwork.variables
        let advertised = [
          "--advertise", "--interface", "lo", "--uuid", "5f0ca571-0000-4000-a000-000000004801",
        ]
        var genuine: Receiver? = try await Receiver(
          stage, advertised + ["--name", "Pinned TV", "--authentication", "honest"])
        let pinned = try await stage.castq("device", "pin", "Pinned TV", variables: loopback)
        #expect(pinned.exit == 0, "\(pinned.stderr)")
        withExtendedLifetime(genuine) {}
        genuine = nil
        // The same UUID; a group by its bits, for which any key would do.
        let impostor = try await Receiver(
          stage,
          advertised + [
            "--name", "Free Cinema", "--authentication", "other-device", "--member",
            "11111111-2222-3333-4444-555555555555:0.5:Kitchen",
          ])
        #expect(try await stage.castq("devices", "--scan", "10s", variables: loopback).exit == 0)
        let shown = try await stage.json("device", "show", "Pinned TV")
        #expect(shown["address"] == .string(impostor.address), "it was heard")
        #expect(shown["name"] == .string("Pinned TV") && shown["group"] == .bool(false))
        #expect(shown["announced_name"] == .string("Free Cinema"))
        let words = try await stage.castq("device", "show", "Pinned TV").stdout
        #expect(words.contains("announced as ‘Free Cinema’") && words.contains("castq device pin"))
        #expect(try await stage.castq("devices").stdout.contains("announced as ‘Free Cinema’"))
        try stage.tone("a.wav", seconds: 1)
        for command in [["volume"], ["cast", "a.wav"]] {
          let ending = try await stage.castq(["-d", "Pinned TV"] + command, variables: loopback)
          expectOneLine(ending, exit: 77, saying: "castq device unpin")
        }
        #expect(!impostor.requests.contains("LAUNCH") && !impostor.requests.contains("GET_STATUS"))
      }
    }
  }

  @Test(
    "a pinned device that was renamed keeps its name until it has said the new one over a proved connection")
  func renamed() async throws {
    try await LoopbackNetwork.alone {
      try await Stage.with { stage in
        let loopback = LoopbackNetwork.variables
        let advertised = [
          "--advertise", "--interface", "lo", "--uuid", "5f0ca571-0000-4000-a000-000000004802",
          "--authentication", "honest",
        ]
        var receiver: Receiver? = try await Receiver(stage, advertised + ["--name", "Foyer TV"])
        #expect(try await stage.castq("device", "pin", "Foyer TV", variables: loopback).exit == 0)
        withExtendedLifetime(receiver) {}
        receiver = nil
        let renamed = try await Receiver(stage, advertised + ["--name", "Atrium TV"])
        #expect(try await stage.castq("devices", "--scan", "10s", variables: loopback).exit == 0)
        #expect(try await stage.json("device", "show", "Foyer TV")["announced_name"] == .string("Atrium TV"))
        #expect(try await stage.json("device", "show", "Foyer TV")["name"] == .string("Foyer TV"))
        // A simulator that is started again has another key: it cannot prove the name that it announces.
        #expect(try await stage.castq("device", "pin", "Foyer TV", variables: loopback).exit == 77)
        #expect(try await stage.json("device", "show", "Foyer TV")["name"] == .string("Foyer TV"))
        withExtendedLifetime(renamed) {}
      }
    }
  }

  @Test("a group of speakers cannot be pinned, and says so")
  func group() async throws {
    try await LoopbackNetwork.alone {
      try await Stage.with { stage in
        let loopback = LoopbackNetwork.variables
        let receiver = try await Receiver(
          stage,
          [
            "--advertise", "--interface", "lo", "--seed", "4803", "--name", "All Speakers",
            "--authentication",
            "honest", "--member", "11111111-2222-3333-4444-555555555555:0.5:Kitchen",
          ])
        #expect(try await stage.castq("-d", "All Speakers", "volume", variables: loopback).exit == 0)
        let ending = try await stage.castq("device", "pin", "All Speakers", variables: loopback)
        expectOneLine(ending, exit: 77, saying: "cannot be pinned")
        let shown = try await stage.castq("device", "show", "All Speakers").stdout
        #expect(shown.contains("a group cannot be pinned"))
        withExtendedLifetime(receiver) {}
      }
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
