import Testing

@Suite("Ads", .timeLimit(.minutes(20)))
struct AdTests {
  /// A film with two ads before it, one in it and one behind it, in castq's own format.
  private static func list(_ stage: Stage, ad: Double, film: Double) throws -> String {
    try stage.tone("ad.wav", seconds: ad)
    try stage.tone("film.wav", seconds: film)
    return try stage.file(
      "list.yaml",
      """
      entries:
        - file: film.wav
          title: Film
          clips:
            - {id: soap, file: ad.wav, duration: \(ad), skippable_after: \(ad / 2)}
            - {id: tea, file: ad.wav, duration: \(ad)}
          breaks:
            - {id: before, position: start, clips: [soap, tea]}
            - {id: within, position: \(film / 2), clips: [tea]}
            - {id: behind, position: end, clips: [soap]}
        - {file: ad.wav, title: Last}
      """)
  }

  @Test("history tells the ads of a play clip by clip, and the play without them")
  func history() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 10)
      try stage.add(device: "lobby", at: receiver.address)
      expectSilence(try await stage.castq("run", try Self.list(stage, ad: 20, film: 40)))
      let plays = try await stage.history()
      #expect(plays.map { $0["title"]?.string } == ["Film", "Last"])
      #expect(plays.map { $0["outcome"]?.string } == ["finished", "finished"])
      #expect(plays.map { $0["evidence"]?.string } == ["reported", "reported"])
      #expect(plays.map { $0["ad_breaks"]?.elements.count } == [4, 0])
      let ads = plays.first?["ad_breaks"]?.elements ?? []
      #expect(
        ads.map { "\($0["break"]?.string ?? "")/\($0["clip"]?.string ?? "")" }
          == ["before/soap", "before/tea", "within/tea", "behind/soap"])
      #expect(ads.allSatisfy { $0["skipped"] == .bool(false) })
      #expect(ads.allSatisfy { $0.keys.isSuperset(of: ["break", "clip", "played_s", "skipped"]) })
      let table = try await stage.castq("history")
      #expect(table.stdout.contains("Film [4 ads]"))
    }
  }

  @Test("status tells where an ad is and when it may be skipped")
  func status() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      expectSilence(try await stage.castq("cast", try Self.list(stage, ad: 600, film: 60)))
      let status = try await stage.status()
      #expect(status["player_state"] == .string("PLAYING"))
      #expect(status["title"] == .string("Film"))
      let ad = status["ad"]
      #expect(ad?["break"] == .string("before"))
      #expect(ad?["clip"] == .string("soap"))
      #expect(ad?["number"] == .number(1) && ad?["count"] == .number(2))
      // Before it, in its middle, and behind it.
      #expect(status["ad_marks_s"]?.elements.compactMap(\.number) == [0, 30, 60])
      let position = try #require(ad?["position_s"]?.number)
      #expect((0..<100).contains(position))
      #expect(ad?["remaining_s"]?.number.map { abs($0 - (600 - position)) < 0.01 } == true)
      #expect(ad?["skippable_in_s"]?.number.map { abs($0 - (300 - position)) < 0.01 } == true)
      let words = try await stage.castq("status")
      #expect(
        words.stdout.contains(#/PLAYING  Film  0:00 .*  Ad 1/2, skippable in \d+ s/#), "\(words.stdout)")
    }
  }
}
