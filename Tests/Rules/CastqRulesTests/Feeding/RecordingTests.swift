import CastProtocol
import CastqFeeding
import CastqPlaylists
import Testing

/// What the genuine framework says, and what history makes of it (protocol 21.22–21.26).
@Suite struct RecordingTests {
  @Test(
    "after a decode error the item has failed that the status names, not the one that the second error names")
  func decodeError() throws {
    let feed = try RecordedFeed("decode_error")
    feed.run()
    #expect(feed.outcomes == ["e1.1 finished", "e2.1 failed", "e3.1 finished", "e4.1 finished"])
    let failed = try #require(feed.plays.first { $0.outcome == .failed })
    #expect(failed.reason?.detailedCode == 102 && failed.evidence == .reported)
    #expect((0.05...0.2).contains(failed.played), "\(failed.played)")
    #expect(feed.end == .drained(failed: 1))
  }

  @Test("a list stops at the item that failed, and not at the next one", arguments: [2, 3])
  func stops(at number: Int) throws {
    var policies: [EntryErrorPolicy?] = Array(repeating: .skip, count: 4)
    policies[number - 1] = .stop
    let feed = try RecordedFeed("decode_error", policies: policies)
    feed.run()
    let isStopped = if case .entryFailed? = feed.end { true } else { false }
    #expect(isStopped == (number == 2))
    #expect(feed.outcomes.contains("e4.1 finished") == (number == 3))
  }

  @Test("an ad clip that is missing is no failure of its film")
  func missingAd() throws {
    let feed = try RecordedFeed("ad_404")
    feed.run()
    #expect(feed.outcomes == ["e1.1 finished", "e2.1 finished"])
    #expect(feed.plays.allSatisfy { $0.reason == nil })
    #expect(feed.end == .drained(failed: 0))
  }

  @Test("an item that begins after a jump out of a buffering one is played once, to its end")
  func nextWhileBuffering() throws {
    let feed = try RecordedFeed("next_while_buffering")
    feed.run(until: 6.281)
    feed.tell(.skip)
    feed.run()
    #expect(feed.outcomes == ["e1.1 finished", "e2.1 skipped", "e3.1 finished"])
    #expect(feed.plays.last.map { abs($0.played - 3) < 0.2 } == true)
    #expect(feed.end == .drained(failed: 0))
  }

  @Test("a load is asked about after two seconds, and one that never ends makes way for the rest of the list")
  func neverAnswers() throws {
    let feed = try RecordedFeed("never_answers")
    feed.run(until: 12)
    let question = try #require(feed.questions.first { $0 > 3.4 })
    #expect((5.2...5.5).contains(question))
    #expect(feed.outcomes == ["e1.1 finished"])
    feed.tell(.timerFired(.load))
    #expect(feed.outcomes == ["e1.1 finished", "e2.1 failed"])
    let loads = feed.actions.compactMap { _, action in
      if case .load(let items, _, interrupts: true) = action { items } else { nil }
    }
    #expect(
      loads.first?.compactMap { $0.mediaInformation?.contentID.split(separator: "/").last } == ["c3.mp4"])
  }
}
