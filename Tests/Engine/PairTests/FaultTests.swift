import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

/// Seeded bad days: whatever happens, no entry is lost, none plays twice unasked, and the order is kept.
struct FaultTests {
  /// What may go wrong at random moments.
  enum Trouble: CaseIterable {
    case cut, kill, pause, seek, skip, append, foreignInsert, foreignRemove, reorder
  }

  @Test("no entry is lost, none finishes twice, and the order is kept", arguments: 1...120)
  func badDay(seed: Int) {
    var dice = Dice(seed: UInt64(seed))
    let names = (0..<dice.number(4...14)).map { index in
      dice.chance(0.12) ? "dead\(index).mp4" : "v\(dice.number(1...9)).mp4"
    }
    var faults: [Fault] = []
    for text in [
      "duplicate-broadcasts", "response-type", "web-transport", "media-null", "drop-custom-data",
      "no-queue-requests",
      "refuse-large-queue=3", "renumber-session", "swallow-reply=QUEUE_INSERT#1", "delay-replies=200ms",
    ] where dice.chance(0.12) {
      if let fault = try? Fault(parsing: text) { faults.append(fault) }
    }
    var configuration = FeederConfiguration()
    configuration.itemsAhead = dice.number(1...8)
    configuration.lowWater = max(configuration.itemsAhead / 2, 1)
    configuration.itemsBehind = dice.number(0...3)
    var feed = FeedFixture.feed(names, faults: faults, seed: UInt64(seed), configuration: configuration)

    var clock = 0.0
    for _ in 0..<dice.number(0...8) {
      clock += dice.fraction() * 12
      feed.run(until: Tick(.seconds(clock)))
      if feed.end != nil { break }
      make(Trouble.allCases[dice.number(0...Trouble.allCases.count - 1)], in: &feed, &dice)
    }
    feed.run(until: Tick(.seconds(clock + 900)))
    let story =
      "seed \(seed) faults \(faults.map(\.kind.rawValue)) names \(names)\n" + feed.log.joined(separator: "\n")
    check(feed, names: names, story)
  }

  @Test("next and prev are refused while the device is away, as pause is")
  func passedOverWhileAway() {
    var feed = FeedFixture.feed(["v90.mp4", "v60.mp4"])
    feed.run(until: Tick(.seconds(20)))
    feed.control(.reboot(downFor: .seconds(600)))
    for wait in [5, 60] {
      feed.run(until: feed.now + .seconds(wait))
      for command in [PlaybackVerb.pause, .next, .previous].map(ControlCommand.perform) {
        let ticket = feed.ask(command)
        feed.run(until: feed.now + .seconds(11))
        guard case .failed(let failure)? = feed.answers[ticket] else {
          Issue.record("\(command): \(String(describing: feed.answers[ticket]))")
          continue
        }
        #expect(failure.code == "device_away" && failure.exit == .unreachable, "\(command): \(failure)")
      }
    }
  }

  private func make(_ trouble: Trouble, in feed: inout VirtualFeed, _ dice: inout Dice) {
    switch trouble {
    case .cut: feed.cutConnection()
    case .kill: feed.killFeeder()
    case .pause:
      feed.stranger(["type": "PAUSE", "requestId": 901])
      feed.run(until: feed.now + .seconds(2))
      feed.stranger(["type": "PLAY", "requestId": 902])
    case .seek:
      feed.stranger(["type": "SEEK", "requestId": 903, "currentTime": .integer(Int64(dice.number(0...3)))])
    case .skip: feed.stranger(["type": "QUEUE_UPDATE", "requestId": 904, "jump": 1])
    case .append:
      feed.rows.append(FeedFixture.draft("v2.mp4"))
      feed.poke()
    case .foreignInsert:
      feed.stranger([
        "type": "QUEUE_INSERT", "requestId": 905,
        "items": [["media": ["contentId": "http://media/v3.mp4", "contentType": "video/mp4"]]],
      ])
    case .foreignRemove:
      feed.stranger([
        "type": "QUEUE_REMOVE", "requestId": 906, "itemIds": [.integer(Int64(dice.number(1...12)))],
      ])
    case .reorder:
      feed.stranger([
        "type": "QUEUE_REORDER", "requestId": 907, "itemIds": [.integer(Int64(dice.number(1...12)))],
      ])
    }
  }

  private func check(_ feed: VirtualFeed, names: [String], _ story: String) {
    guard case .drained? = feed.end else {
      Issue.record("did not end: \(String(describing: feed.end))\n\(story)")
      return
    }
    #expect(feed.largestFrame <= 65_536)
    for row in feed.rows.rows {
      let ends = feed.rows.ends(of: row.id.rawValue)
      let finished = ends.filter { $0.outcome == .finished }.count
      // Nobody saw what became of it: that is said, and it is not shown again for it.
      let isUnseen =
        row.state == .interrupted
        && ends.last.map { ($0.outcome, $0.evidence) } ?? (.failed, .reported) == (.unknown, .unobserved)
      let isDead = row.draft.media.url.contains("dead")
      #expect(row.state.isEnded, "entry \(row.id) is \(row.state)\n\(story)")
      #expect(finished <= 1, "entry \(row.id) finished \(finished) times\n\(story)")
      if isDead {
        #expect(
          row.state == .failed || row.state == .skipped || isUnseen,
          "dead entry \(row.id) is \(row.state)\n\(story)")
      } else {
        #expect(
          finished == 1 || isUnseen || ends.contains { $0.outcome == .skipped || $0.outcome == .failed },
          "\(row.id) lost\n\(story)")
      }
    }
  }
}

/// Random numbers that are the same for the same seed.
struct Dice {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15) }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(generator.next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  mutating func fraction() -> Double { Double(generator.next() >> 11) / Double(1 << 53) }

  mutating func chance(_ probability: Double) -> Bool { fraction() < probability }
}
