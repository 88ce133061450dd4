import CastProtocol
import CastReceiverSim
import CastTestKit
import CastqFeeding
import CastqPlaylists
import Foundation
import Testing

/// A receiver that writes numbers that cannot be, into any field of anything it says, while it is being fed.
struct HostileNumberStormTests {
  /// What is on the screen meanwhile.
  enum Scene: String, CaseIterable, Sendable {
    case video, live, picture, page, ad, dead
  }

  @Test(
    "no number of a receiver ends the feeder, storms, or reaches history", arguments: Scene.allCases)
  func numbers(_ scene: Scene) throws {
    let trials = try trials(of: scene)
    let all = trials.flatMap { trial in
      trial.tamperings.flatMap { tampering in NumberTampering.words.map { (trial, tampering, $0) } }
    }
    // Every field is tried each day, with words that differ from field to field; `make endurance` tries all with all.
    let share = Self.isThorough ? 1 : 11
    var tried: Set<String> = []
    for (index, (trial, tampering, word)) in all.enumerated() where index % share == 0 {
      tried.insert("\(tampering)")
      let problems = trial.problems(tampering.text(word))
      #expect(problems.isEmpty, "\(scene) \(trial.type) \(tampering) \(word): \(problems)")
    }
    #expect(Self.expected(scene).isSubset(of: tried), "\(tried.sorted())")
  }

  private static let isThorough = ProcessInfo.processInfo.environment["CASTQ_STORMS"] != nil

  /// Fields that each scene cannot do without: proof that the walk goes where the numbers are.
  private static func expected(_ scene: Scene) -> Set<String> {
    let always: Set = [
      ".status.volume.level", ".status.volume.stepInterval", ".requestId", ".launchRequestId",
      ".detailedErrorCode", ".itemId", ".sequenceNumber", ".device.capabilities",
      ".status.devices[].volume.level", ".itemIds[]", ".items[].itemId",
    ]
    let media: Set = [
      ".status[].mediaSessionId", ".status[].currentTime", ".status[].playbackRate",
      ".status[].currentItemId", ".status[].supportedMediaCommands", ".status[].items[].itemId",
    ]
    switch scene {
    case .page: return always.union([".reload_time"])
    case .live: return always.union(media).union([".status[].liveSeekableRange.end"])
    case .ad: return always.union(media).union([".status[].breakStatus.currentBreakClipTime"])
    case .video, .picture, .dead: return always.union(media)
    }
  }

  // MARK: - The scenes

  private func feed(_ scene: Scene) -> VirtualFeed {
    var configuration = FeederConfiguration()
    configuration.imageDuration = 8
    configuration.pageDuration = 8
    configuration.statusInterval = .seconds(3)
    var feed = FeedFixture.feed([], configuration: configuration)
    for draft in drafts(scene) { feed.rows.append(draft) }
    return feed
  }

  private func drafts(_ scene: Scene) -> [EntryDraft] {
    switch scene {
    case .video:
      return [FeedFixture.draft("v8.mp4"), FeedFixture.draft("v4.mp4"), FeedFixture.draft("v9.mp4")]
    case .picture: return ["a.jpg", "b.jpg", "v4.mp4"].map { FeedFixture.draft($0) }
    case .dead: return ["v4.mp4", "dead.mp4", "v5.mp4"].map { FeedFixture.draft($0) }
    case .live:
      var draft = FeedFixture.draft("v90.m3u8")
      draft.media.contentType = "application/x-mpegurl"
      draft.media.streamType = .live
      draft.playbackDuration = 12
      return [draft, FeedFixture.draft("v4.mp4")]
    case .page:
      var draft = FeedFixture.draft("a.html")
      draft.media.customData = ["reload_time": 30_000]
      return [draft, FeedFixture.draft("v4.mp4")]
    case .ad:
      var draft = FeedFixture.draft("v6.mp4")
      draft.media.adBreaks = [
        AdBreakInfo(identifier: "pre", clipIdentifiers: ["a"], position: .at(0)),
        AdBreakInfo(identifier: "post", clipIdentifiers: ["a"], position: .postroll),
      ]
      draft.media.adBreakClips = [
        AdBreakClipInfo(
          identifier: "a", contentURL: "http://media/v3.mp4", contentType: "video/mp4", duration: 3,
          whenSkippable: 1)
      ]
      return [draft, FeedFixture.draft("v4.mp4")]
    }
  }

  /// The first message of each shape that a receiver sends by itself, and every answer of the catalogue in mid-play.
  private func trials(of scene: Scene) throws -> [HostileTrial] {
    var feed = feed(scene)
    var shapes: Set<String> = []
    var trials: [HostileTrial] = []
    var middle: VirtualFeed?
    let limit = Tick(.seconds(25))
    repeat {
      if middle == nil, feed.now >= Tick(.seconds(6)) { middle = feed }
      guard let message = feed.approaching, case .string(let text) = message.payload,
        let json = try? JSONValue(parsing: text)
      else { continue }
      let trial = HostileTrial(feed: feed, message: message, json: json, isInPlace: true)
      if shapes.insert(trial.shape).inserted { trials.append(trial) }
    } while feed.runOne(until: limit)
    let answers = try GoldenMessages.all().filter { $0.direction == .reply && $0.namespace != "custom" }
    let session = trials.compactMap { $0.json["status"]?.array?.first?["mediaSessionId"] }.last
    for answer in answers {
      let namespace: Namespace =
        switch answer.namespace {
        case "receiver": .receiver
        case "multizone": .multizone
        case "discovery": .discovery
        case "setup": .setup
        default: .media
        }
      let source: EndpointID = namespace == .media ? middle?.mediaEndpoint ?? "web-0" : .receiver
      let json = session.map { answer.json.replacingMembers("mediaSessionId", with: $0) } ?? answer.json
      trials.append(
        HostileTrial(
          feed: try #require(middle),
          message: CastMessage(source: source, destination: .broadcast, namespace: namespace, json: json),
          json: json, isInPlace: false))
    }
    return trials
  }
}

/// One moment of a scene, and the message that is tampered with there.
struct HostileTrial {
  let feed: VirtualFeed
  let message: CastMessage
  let json: JSONValue
  /// Whether the message takes the place of the one that is on its way.
  let isInPlace: Bool

  var type: String { json["type"]?.string ?? json["responseType"]?.string ?? "?" }

  var tamperings: [NumberTampering] { NumberTampering.all(in: json) }

  /// Messages of one shape have numbers in the same fields.
  var shape: String {
    let state = json["status"]?.array?.first?["playerState"]?.string ?? ""
    return "\(message.namespace) \(type) \(state) \(Set(tamperings.map(\.description)).sorted())"
  }

  /// What goes wrong when the receiver says this, and the same again 1.1 s later.
  func problems(_ text: String) -> [String] {
    var feed = feed
    var hostile = message
    hostile.payload = .string(text)
    if isInPlace { feed.intercept() }
    let began = feed.now
    var steps = 0
    for pause in [1.1, 5] {
      feed.receive(hostile)
      let limit = feed.now + .bounded(seconds: pause)
      while feed.runOne(until: limit), steps < 3_000 { steps += 1 }
    }
    var problems: [String] = []
    if steps >= 3_000 { problems.append("a storm") }
    if feed.now - began > .seconds(60) { problems.append("time runs away") }
    for (timer, at) in feed.wakeUps where at - feed.now > .seconds(86_400) {
      problems.append("\(timer) is due in \(at - feed.now)")
    }
    problems += feed.rows.facts.flatMap(\.seconds).filter { !($0 >= 0 && $0 < 2e10) }
      .map { "history has \($0)" }
    return problems
  }
}

extension JSONValue {
  /// The same with another value for every member of that name.
  fileprivate func replacingMembers(_ name: String, with value: JSONValue) -> JSONValue {
    switch self {
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map {
            ($0, $0 == name ? value : $1.replacingMembers(name, with: value))
          }))
    case .array(let elements): .array(elements.map { $0.replacingMembers(name, with: value) })
    default: self
    }
  }
}
