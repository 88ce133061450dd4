import Foundation
import Testing

/// Lists on a receiver that behaves as the genuine framework does where that is least expected: history is what was displayed
/// (protocol 21.22 to 21.27).
@Suite("As the genuine framework behaves", .timeLimit(.minutes(20)))
struct FrameworkTests {
  /// A film of twenty seconds of which only the first bytes were copied.
  private func cutFilm(_ stage: Stage) throws {
    func box(_ kind: String, _ content: Data, size: Int? = nil) -> Data {
      let size = UInt32(size ?? content.count + 8)
      return Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }) + Data(kind.utf8) + content
    }
    var header = Data(count: 12)  // version, flags, times
    header += [0, 0, 0x03, 0xE8]  // 1000 units a second
    header += [0, 0, 0x4E, 0x20]  // 20,000 of them
    header += Data(count: 80)
    let film =
      box("ftyp", Data("isom0000".utf8)) + box("moov", box("mvhd", header))
      + box("mdat", Data(count: 40_000), size: 1_000_000)
    try film.write(to: URL(fileURLWithPath: "\(stage.folder)/cut.mp4"))
  }

  /// A list of these files, titled by their names.
  private func list(_ stage: Stage, _ names: [String]) throws -> String {
    let lines = names.map { "#EXTINF:-1,\($0)\n\($0)\n" }.joined()
    return try stage.file("list.m3u", "#EXTM3U\n" + lines)
  }

  /// The plays of history and what was displayed, in words that can be compared.
  private func compare(
    _ stage: Stage, _ receiver: Receiver, _ expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [Document] {
    let plays = try await stage.history()
    let said = plays.map { "\($0["entry"]?.int ?? 0) \($0["outcome"]?.string ?? "open")" }
    let shown = Display(receiver.log.lines).showings.map(\.description)
    #expect(said == shown, "history says what was displayed", sourceLocation: sourceLocation)
    let words = plays.map { "\($0["title"]?.string ?? "?") \($0["outcome"]?.string ?? "open")" }
    #expect(words == expected, sourceLocation: sourceLocation)
    return plays
  }

  @Test("a film that was cut off fails alone, twice: the next one plays once, to its end")
  func cutOff() async throws {
    try await Stage.with { stage in
      // So slow that no position which is told late is taken for a seek.
      let receiver = try await Receiver(stage, speed: 1.4)
      try stage.add(device: "lobby", at: receiver.address)
      for name in ["a3.wav", "b3.wav", "c3.wav"] { try stage.tone(name, seconds: 3) }
      try cutFilm(stage)
      let ending = try await stage.castq("run", try list(stage, ["a3.wav", "cut.mp4", "b3.wav", "c3.wav"]))
      expectOneLine(ending, exit: 76, saying: "cut")
      let plays = try await compare(
        stage, receiver,
        ["a3 finished", "cut failed", "b3 finished", "cut failed", "c3 finished"])
      let whole = plays.filter { $0["outcome"]?.string == "finished" }
      #expect(whole.map { $0["played_s"]?.number } == [3, 3, 3])
      #expect(receiver.requests.filter { $0 == "QUEUE_LOAD" || $0 == "LOAD" }.count == 1)
    }
  }

  @Test("'next' while an item buffers skips that item alone")
  func nextWhileBuffering() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1.4, "--fault", "stall=stuck.wav")
      try stage.add(device: "lobby", at: receiver.address)
      for name in ["a3.wav", "stuck.wav", "b3.wav", "c3.wav"] { try stage.tone(name, seconds: 3) }
      let run = try stage.start(["run", try list(stage, ["a3.wav", "stuck.wav", "b3.wav", "c3.wav"])])
      #expect(await receiver.log.index(from: 0) { $0.contains(#""playerState":"BUFFERING""#) } != nil)
      expectSilence(try await stage.castq("next"))
      #expect(await run.ended().exit == 0)
      let plays = try await compare(
        stage, receiver, ["a3 finished", "stuck skipped", "b3 finished", "c3 finished"])
      #expect(plays.suffix(2).map { $0["played_s"]?.number } == [3, 3])
    }
  }

  @Test("what ended unseen is not said to be half seen; what may not have been shown is shown again")
  func endUnseen() async throws {
    try await Stage.with { stage in
      // Gives a sender up after a second that it does not hear from it, so that the end reaches nobody.
      let receiver = try await Receiver(
        stage, speed: 1, "--heartbeat-interval", "200ms", "--silence-limit", "1s")
      try stage.add(device: "lobby", at: receiver.address)
      try stage.tone("a.wav", seconds: 10)
      try stage.tone("b.wav", seconds: 3)
      let run = try stage.start(["run", try list(stage, ["a.wav", "b.wav"])])
      // How long it is comes with its first picture.
      try await stage.awaitPlay { $0["duration_s"]?.number == 10 }
      try await receiver.control("drop 15s")
      _ = await run.ended()
      let plays = try await stage.history()
      let shown = Display(receiver.log.lines).showings
      // The first was known to be ten seconds long: it had time to end. Of the second nobody ever told the
      // length, so that it is shown again; the showing that nobody saw is claimed by nobody.
      #expect(shown.map(\.description) == ["1 finished", "2 finished", "2 finished"])
      #expect(plays.map { $0["title"]?.string } == ["a", "b"])
      #expect(plays.map { $0["outcome"]?.string } == ["unknown", "finished"])
      #expect(plays.map { $0["evidence"]?.string } == ["unobserved", "reported"])
    }
  }
}
