import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import Testing

extension ScheduledRunTests {
  @Test(
    "a film that a person has paused comes back paused behind an announcement, at its second and its speed")
  func pausedFilm() {
    var feed = Self.feed(["v90.mp4"], [Self.announcement(1, "call", at: 30)], ["call": ["v5.mp4"]])
    feed.run(until: Tick(.seconds(15)))
    feed.stranger(["type": "SET_PLAYBACK_RATE", "requestId": 901, "playbackRate": .number(1.5)])
    feed.run(until: Tick(.seconds(20)))
    feed.stranger(["type": "PAUSE", "requestId": 902])
    feed.run(until: Tick(.seconds(100)))
    let story = feed.log.joined(separator: "\n")
    #expect(feed.rows.decisions.map { $0.onAir?.programme } == [nil, "call", nil], "\(story)")
    #expect(feed.rows.entries(.finished) == [2], "\(story)")
    let starts = feed.rows.facts.compactMap { fact -> Double? in
      guard case .started(let turn, let play) = fact, turn.entry == EntryID(1) else { return nil }
      return play.position.seconds
    }
    #expect(starts.count == 2 && abs(starts[1] - 21.5) < 1.5, "\(starts)")
    // What is left takes 46 seconds at its speed, and 69 at the usual one.
    feed.stranger(["type": "PLAY", "requestId": 903])
    feed.run(until: Tick(.seconds(156)))
    #expect(feed.rows.entries(.finished) == [2, 1], "\(feed.log.joined(separator: "\n"))")
  }

  @Test("an announcement ends before a film that a person has paused, also when its feeder is killed in it")
  func pausedFilmAndKilledFeeder() {
    var feed = Self.feed(["v90.mp4"], [Self.announcement(1, "call", at: 30)], ["call": ["v10.mp4"]])
    feed.run(until: Tick(.seconds(20)))
    feed.stranger(["type": "PAUSE", "requestId": 901])
    feed.run(until: Tick(.seconds(34)))
    feed.killFeeder()
    feed.run(until: Tick(.seconds(100)))
    let story = feed.log.joined(separator: "\n")
    #expect(feed.rows.decisions.map { $0.onAir?.programme } == [nil, "call", nil], "\(story)")
    #expect(feed.rows.entries(.finished) == [2], "\(story)")
    let starts = feed.rows.facts.count { fact in
      if case .started(let turn, _) = fact { turn.entry == EntryID(1) } else { false }
    }
    #expect(starts == 2, "\(story)")
    feed.stranger(["type": "PLAY", "requestId": 902])
    feed.run(until: Tick(.seconds(180)))
    #expect(feed.rows.entries(.finished) == [2, 1], "\(feed.log.joined(separator: "\n"))")
  }
}
