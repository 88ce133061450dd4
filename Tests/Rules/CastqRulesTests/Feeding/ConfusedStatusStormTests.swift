import CastProtocol
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Foundation
import Testing

/// A receiver that says anything at all, believable and not, in any order: the feeder may be led astray, but it neither ends
/// the process, nor storms, nor grows, nor writes down numbers that cannot be.
struct ConfusedStatusStormTests {
  @Test("any sequence of statuses leaves a feeder that is bounded in all it does", arguments: 0..<10)
  func walk(_ block: Int) {
    for seed in 0..<Self.walks { walk(seed: UInt64(block * 100_000 + seed)) }
  }

  /// Walks for each of ten blocks, of 400 steps each: a thousand storms are two hundred of these.
  private static let walks = max(
    (ProcessInfo.processInfo.environment["CASTQ_STORMS"].flatMap { Int($0) } ?? 150) / 50, 1)

  private func walk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let drafts = (0..<5).map { index -> EntryDraft in
      if index % 3 == 1 { return picture("p\(index)") }
      var draft = video("v\(index)")
      if index == 2 { draft.playbackDuration = 20 }
      return draft
    }
    let bench = FeederBench(drafts) { $0.imageDuration = 5 }
    bench.rows.repeatMode = .all
    bench.begin()
    var speech = ConfusedSpeech()
    for step in 0..<400 where bench.end == nil {
      let actions = bench.actions.count
      speech.act(on: bench, &random)
      let news = bench.actions[actions...]
      #expect(news.count < 300, "seed \(seed), step \(step): \(news.count) actions")
      for case .startTimer(let timer, let after) in news {
        #expect(after >= .zero && after <= .seconds(86_400), "seed \(seed), step \(step): \(timer) \(after)")
      }
      for case .load(_, let start?, _) in news {
        #expect((0..<2e10).contains(start.seconds), "seed \(seed), step \(step): loads from \(start)")
      }
    }
    #expect(bench.mostSteps < 200, "seed \(seed): \(bench.mostSteps) steps without the clock moving")
    for number in bench.facts.flatMap(\.seconds) {
      #expect((0..<2e10).contains(number), "seed \(seed): history has \(number)")
    }
    let size = String(reflecting: bench.machine).utf8.count
    #expect(size < 400_000, "seed \(seed): the feeder has grown to \(size)")
  }
}

/// What a receiver without sense says and does next.
private struct ConfusedSpeech {
  private var status: MediaStatus?

  mutating func act(on bench: FeederBench, _ random: inout SeededGenerator) {
    switch Int.random(in: 0...19, using: &random) {
    case 0...9:
      let json = statusJSON(bench, &random)
      guard let update = MediaStatusUpdate(json: json) else { return }
      status = MediaStatusReducer.merge(update, into: status)
      let since = bench.now.sinceStart - .milliseconds(Int.random(in: 0...40_000, using: &random))
      let seen = Bool.random(using: &random) ? Tick(max(since, .zero)) : nil
      bench.send(.mediaStatus(status, seenUntil: seen))
    case 10:
      status = nil
      bench.send(.mediaStatus(nil))
    case 11...14: bench.run(seconds: Double.random(in: 0...30, using: &random))
    case 15: bench.send(.itemError(item(bench, &random), PlayReason(note: "x")))
    case 16:
      let ids = (0..<Int.random(in: 0...3, using: &random)).map { _ in item(bench, &random) }
      bench.send(
        .queueChange(
          [.insert(ids, before: nil), .remove(ids), .update(ids), .other].randomElement(using: &random)
            ?? .other))
    case 17:
      bench.send(.lost("the network", lastHeard: Bool.random(using: &random) ? bench.now : nil))
      bench.run(seconds: Double.random(in: 0...60, using: &random))
      bench.send(.begin(status, isSameApplication: Bool.random(using: &random)))
    case 18:
      bench.send(
        [.rowsChanged, .skip, .refused, .restart(from: nil)].randomElement(using: &random) ?? .refused)
    default:
      let answers: [StatusAnswer] = [.told, .nothingLoaded, .silence]
      bench.send(.statusAnswered(answers.randomElement(using: &random) ?? .told))
    }
  }

  private func item(_ bench: FeederBench, _ random: inout SeededGenerator) -> MediaQueueItemID {
    bench.receiver.items.compactMap(\.itemID).randomElement(using: &random)
      ?? MediaQueueItemID(Int.random(in: -1...12, using: &random))
  }

  private func statusJSON(_ bench: FeederBench, _ random: inout SeededGenerator) -> JSONValue {
    var members: [String: JSONValue] = [:]
    func maybe(_ share: Double, _ key: String, _ value: JSONValue) {
      if Double.random(in: 0..<1, using: &random) < share { members[key] = value }
    }
    members["mediaSessionId"] =
      Int.random(in: 0...9, using: &random) == 0
      ? number(&random) : .integer(Int64(max(bench.receiver.session, 1)))
    maybe(
      0.9, "playerState", .string(word(["IDLE", "PLAYING", "PAUSED", "BUFFERING", "LOADING", "?"], &random)))
    maybe(0.3, "idleReason", .string(word(["FINISHED", "CANCELLED", "INTERRUPTED", "ERROR"], &random)))
    let ids = bench.receiver.items.compactMap(\.itemID).map { JSONValue.integer(Int64($0.rawValue)) }
    func id() -> JSONValue {
      Int.random(in: 0...3, using: &random) == 0 ? number(&random) : ids.randomElement(using: &random) ?? 1
    }
    maybe(0.8, "currentItemId", id())
    maybe(0.2, "loadingItemId", id())
    maybe(0.1, "preloadedItemId", id())
    maybe(0.8, "currentTime", number(&random))
    maybe(0.5, "playbackRate", number(&random))
    maybe(0.2, "extendedStatus", ["playerState": "LOADING"])
    maybe(
      0.2, "breakStatus",
      [
        "breakId": "a", "breakClipId": "b", "currentBreakTime": number(&random),
        "currentBreakClipTime": number(&random), "whenSkippable": number(&random),
      ])
    maybe(0.1, "liveSeekableRange", ["start": number(&random), "end": number(&random)])
    maybe(0.3, "media", media(bench, &random))
    if Int.random(in: 0...1, using: &random) == 0 {
      members["items"] = .array(
        bench.receiver.items.map { item in
          .members([
            "itemId": item.itemID.map { .integer(Int64($0.rawValue)) }, "customData": item.customData,
            "playbackDuration": number(&random),
          ])
        })
    }
    return .object(members)
  }

  private func media(_ bench: FeederBench, _ random: inout SeededGenerator) -> JSONValue {
    let type = word(["video/mp4", "image/png", "text/html"], &random)
    return [
      "contentId": .string(word(["v0", "p1", "v2", "x"], &random)), "contentType": .string(type),
      "duration": number(&random), "streamType": .string(word(["BUFFERED", "LIVE", "NONE"], &random)),
      "breaks": [
        ["id": "a", "breakClipIds": ["b"], "position": number(&random), "duration": number(&random)]
      ],
      "breakClips": [["id": "b", "duration": number(&random), "whenSkippable": number(&random)]],
    ]
  }

  private func word(_ words: [String], _ random: inout SeededGenerator) -> String {
    words.randomElement(using: &random) ?? ""
  }

  private static let extremes: [JSONValue] = [
    .number(1.7e308), .number(-1.7e308), .number(.nan), .number(.infinity), .integer(.max), .integer(.min),
    .number(0x1p63), -1, 0, .number(.leastNonzeroMagnitude), .number(1e9), .string("1"), .null, .bool(true),
  ]

  private func number(_ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0...3, using: &random) {
    case 0: Self.extremes.randomElement(using: &random) ?? 0
    case 1: .number(Double.random(in: -5...200, using: &random))
    default: .number(Double.random(in: 0...40, using: &random))
    }
  }
}
