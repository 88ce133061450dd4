import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Foundation
import Testing

/// History against the receiver's own clock, whatever people, networks and ends do to it.
@Suite struct ShownClockStormTests {
  /// Seeds of each of ten blocks; `make endurance` makes ten thousand in all.
  private static let size =
    ProcessInfo.processInfo.environment["CASTQ_STORMS"].flatMap { Int($0) }.map { max($0, 1) } ?? 2

  @Test(
    "history has the seconds of the receiver's clock where it reported the end, and never more elsewhere",
    arguments: 0..<10)
  func agrees(_ block: Int) {
    for seed in (block * Self.size)..<(block * Self.size + Self.size) { Self.weather(seed) }
  }

  @Test(
    "so it has where the content ended before an ad after it, or in a silence, and where people sought often",
    arguments: [396, 772, 777, 979, 1016, 2003, 3216])
  func agreedNot(_ seed: Int) { Self.weather(seed) }

  private static func weather(_ seed: Int) {
    var storm = ClockStorm(seed: UInt64(seed))
    storm.run()
    #expect(storm.complaints.isEmpty, "seed \(seed): \(storm.complaints.joined(separator: "\n"))")
  }
}

/// A list of items, most of which end after a random part of their length.
private struct ClockStorm {
  private var dice: Dice
  private var feed: VirtualFeed
  /// What was done, and when.
  private var strikes: [(at: Double, what: String)] = []
  private static let rates = [0.5, 0.75, 1, 1.25, 1.5, 2]

  init(seed: UInt64) {
    var dice = Dice(seed: (seed &+ 1) &* 0xD134_2543_DE82_EF95)
    let lengths = (0..<25).map { _ in 5 + dice.fraction() * 85 }
    let names = lengths.map { length in
      let name = "\((length * 100).rounded() / 100)"
      return dice.chance(0.8) ? "\(name)-\((length * dice.fraction() * 100).rounded() / 100)" : name
    }
    var index = -1
    feed = EarlyEndTests.feed(names, seed: seed) { draft in
      index += 1
      draft.playbackRate = Self.rates[dice.number(0...Self.rates.count - 1)]
      if dice.chance(0.2) { Self.addBreaks(&draft, inside: lengths[index] * dice.fraction()) }
    }
    feed.logLimit = 40
    self.dice = dice
  }

  private static func addBreaks(_ draft: inout EntryDraft, inside place: Double) {
    draft.media.adBreaks = [
      AdBreakInfo(identifier: "pre", clipIdentifiers: ["a"], position: .at(0)),
      AdBreakInfo(
        identifier: "mid", clipIdentifiers: ["a"], position: .at(MediaTime(seconds: max(place, 1)))),
      AdBreakInfo(identifier: "post", clipIdentifiers: ["a"], position: .postroll),
    ]
    var clip = AdBreakClipInfo(identifier: "a")
    clip.contentID = "http://media/2.mp4"
    clip.contentType = "video/mp4"
    clip.duration = 2
    draft.media.adBreakClips = [clip]
  }

  mutating func run() {
    let limit = Tick(.seconds(2 * 3600))
    while feed.end == nil, feed.now < limit {
      wait(0.2 + dice.fraction() * 20)
      switch dice.number(0...9) {
      case 0, 1:
        ask(["type": "PAUSE"])
        wait(dice.fraction() * 20)
        ask(["type": "PLAY"])
      case 2, 3: ask(["type": "SEEK", "currentTime": .number(dice.fraction() * 90)])
      case 4, 5:
        ask(["type": "SET_PLAYBACK_RATE", "playbackRate": .number(Self.rates[dice.number(0...5)])])
      case 6:
        note("cut")
        feed.cutConnection()
      case 7:
        // A shorter silence cannot be told from none (`HeartbeatMachine`).
        note("drop")
        feed.control(.drop(for: .seconds(6 + dice.fraction() * 20), .silent))
        wait(26)
      default: break
      }
    }
  }

  private mutating func wait(_ seconds: Double) { feed.run(until: feed.now + .seconds(seconds)) }

  private mutating func ask(_ body: [String: JSONValue]) {
    var body = body
    body["requestId"] = .integer(Int64(dice.number(1...1_000_000)))
    note(JSONValue.object(body).text)
    feed.stranger(.object(body))
  }

  private mutating func note(_ what: String) { strikes.append((feed.now.sinceStart.seconds, what)) }

  /// Plays that say something else than the receiver showed.
  var complaints: [String] {
    var all = feed.end == nil ? ["did not end"] : []
    for fact in feed.rows.facts {
      guard case .ended(let turn, let play) = fact else { continue }
      let shown = feed.watch.contentSeconds(of: turn)
      let unseen = (play.unobserved ?? 0) * ShownClock.fastest
      let isShort = play.evidence == .reported && play.played < shown - ShownClock.tolerance - unseen
      guard play.played > shown + ShownClock.tolerance || isShort else { continue }
      let (begin, end) = (play.startedAt.map(moment) ?? 0, moment(play.at))
      let struck = strikes.filter { $0.at >= begin - 30 && $0.at <= end }.map { "\($0.at) \($0.what)" }
      all.append(
        """
        \(turn) \(begin)-\(end) \(play.outcome) \(play.evidence): \(play.played) s, the receiver showed \(shown) s \
        of \(play.duration?.seconds ?? 0), \(play.unobserved ?? 0) s unseen: \(struck.joined(separator: ", "))
        """)
    }
    return all
  }

  /// Seconds since the beginning.
  private func moment(_ wall: WallTime) -> Double { wall - WallTime(milliseconds: 1_000_000) }
}
