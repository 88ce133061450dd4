import Testing

@Suite("Times of other systems", .timeLimit(.minutes(20)))
struct ForeignTimeTests {
  @Test("times without seconds are moments")
  func moments() async throws {
    try await QueueTests.with { stage in
      // HTML, 2.4.5.7: "global dates and times".
      for time in ["2027-01-11T09:00+01:00", "2027-01-11T08:00Z", "2027-01-11 09:00+0100"] {
        let why = try await stage.castq("why", time, "-d", "lobby")
        #expect(why.exit != 64, "\(why.stderr)")
      }
      expectOneLine(
        try await stage.castq("history", "--since", "09:00Z"), exit: 64, saying: "write 14:00")
    }
  }
}
