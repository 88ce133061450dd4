import CastProtocol
import Testing
@testable import CastqFeeding
@testable import CastqPlaylists
@testable import CastqText

@Suite("A feeder takes every event in every phase")
struct FeederTotalityTests {
  private static let wall = WallTime(milliseconds: 1_000_000)
  private static let turn = EntryTurn(entry: EntryID(1), turn: 1)

  private static func place(_ entry: Int64 = 1) -> UpcomingEntry {
    let media = MediaInformation(
      contentID: "http://media/\(entry).mp4", contentType: "video/mp4", streamType: .buffered)
    return UpcomingEntry(
      entry: EntryID(entry), turn: 0, round: 0, attempts: 0, draft: EntryDraft(media: media))
  }

  private static let page = "http://site/menu.html"
  private static let echo = #"{"url":"\#(page)"}"#

  private static var pagePlace: UpcomingEntry {
    let media = MediaInformation(contentID: page, contentType: "text/html", streamType: .none)
    return UpcomingEntry(
      entry: EntryID(1), turn: 0, round: 0, attempts: 0, draft: EntryDraft(media: media))
  }

  /// The application for pages, which listens.
  private static var pageHost: ApplicationMetadata? {
    let json: JSONValue = [
      "appId": "84912283", "displayName": "DashCast", "sessionId": "s", "statusText": "Application ready",
      "namespaces": [["name": "urn:x-cast:es.offd.dashcast"]],
    ]
    return ReceiverStatus(json: ["applications": [json]]).applications.first
  }

  private static var awaited: UpcomingEntry {
    var place = place()
    place.awaitsFile = true
    return place
  }

  private static func linked(_ link: EntryLink) -> UpcomingEntry {
    var place = place(3)
    place.link = link
    return place
  }

  /// What a box with an older epoch displays, one second before its end.
  private static var endingOfOlderBox: MediaStatus? {
    let mark = EntryTag(queue: "q", turn: turn, epoch: 3).marking(nil)
    let json: JSONValue = [
      "mediaSessionId": 1, "playerState": "PLAYING", "currentTime": 29, "currentItemId": 1,
      "media": ["contentId": "http://media/1.mp4", "duration": 30],
      "items": [["itemId": 1, "customData": mark, "media": ["contentId": "http://media/1.mp4"]]],
    ]
    return MediaStatusUpdate(json: json).map { MediaStatusReducer.merge($0, into: nil) }
  }

  private static func status(
    _ state: String, item: Int? = 1, session: Int = 1, reason: String? = nil
  ) -> MediaStatus? {
    var json: JSONValue = [
      "mediaSessionId": .integer(Int64(session)), "playerState": .string(state), "currentTime": 1,
    ]
    if let item { json = json.keeping(["currentItemId": .integer(Int64(item))]) }
    if let reason { json = json.keeping(["idleReason": .string(reason)]) }
    let mark = EntryTag(queue: "q", turn: turn).marking(nil)
    json = json.keeping([
      "items": [["itemId": 1, "customData": mark, "media": ["contentId": "http://media/1.mp4"]]]
    ])
    return MediaStatusUpdate(json: json).map { MediaStatusReducer.merge($0, into: nil) }
  }

  /// A machine in each phase, by the shortest way there.
  enum Way: String, CaseIterable {
    case idle, adopting, relieving, resting, pausing, loading, ended, feeding, lost, page, shownPage, lostPage

    func machine() -> FeederMachine {
      var configuration = FeederConfiguration()
      if self == .relieving { configuration.epoch = 4 }
      var machine = FeederMachine(queue: "q", configuration: configuration)
      func tell(_ events: FeederMachine.Event...) {
        for event in events { _ = machine.handle(event, at: Tick(.seconds(1)), wall: wall) }
      }
      let load: [FeederMachine.Event] = [.begin(nil), .upcoming([place(), place(2)])]
      let loadPage: [FeederMachine.Event] = [.begin(nil, .pages), .upcoming([pagePlace])]
      switch self {
      case .idle: break
      case .adopting: tell(.begin(status("PLAYING")))
      case .relieving: tell(.begin(endingOfOlderBox))
      case .resting: tell(.begin(nil))
      case .loading: load.forEach { tell($0) }
      case .pausing:
        tell(.begin(nil))
        for _ in 0..<3 where !machine.phase.isPausing {
          tell(.upcoming([place(), place(2)]))
          if machine.phase.isPausing { break }
          tell(.edited(.failed(EditFailure(kind: .loadFailed, reason: PlayReason(note: "404")))))
        }
      case .feeding:
        load.forEach { tell($0) }
        tell(.mediaStatus(status("PLAYING")), .edited(.done))
      case .lost:
        load.forEach { tell($0) }
        tell(.mediaStatus(status("PLAYING")), .edited(.done), .lost("the network is gone"))
      case .page: loadPage.forEach { tell($0) }
      case .shownPage:
        loadPage.forEach { tell($0) }
        tell(.application(pageHost), .pageSaid(echo))
      case .lostPage:
        loadPage.forEach { tell($0) }
        tell(.application(pageHost), .pageSaid(echo), .lost("the network is gone"))
      case .ended: tell(.stop("by hand"))
      }
      return machine
    }

    /// Whether the way leads where it says.
    func leads(to phase: FeederMachine.Phase) -> Bool {
      let name = Mirror(reflecting: phase).children.first?.label ?? "\(phase)"
      switch self {
      case .lost, .lostPage: return name == "absent"
      case .shownPage: if case .page(let page, _) = phase { return page.isShown } else { return false }
      case .page: if case .page(let page, _) = phase { return !page.isShown } else { return false }
      case .idle, .adopting, .relieving, .resting, .pausing, .loading, .ended, .feeding:
        return name == rawValue
      }
    }
  }

  /// Events of every kind, plausible ones and those that come at the wrong time.
  static let events: [FeederMachine.Event] = plausible + timers + failures

  private static let ids = [MediaQueueItemID(1), MediaQueueItemID(2)]

  private static let plausible: [FeederMachine.Event] = [
    .begin(nil), .begin(status("PLAYING")), .begin(endingOfOlderBox), .mediaStatus(endingOfOlderBox),
    .begin(status("IDLE", reason: "FINISHED"), isSameApplication: true),
    .begin(nil, isSameApplication: true, .pages, hasAnswered: false), .application(nil), .pageSaid("{}"),
    .application(pageHost), .pageSaid(echo), .upcoming([pagePlace]),
    .pageSaid("no JSON"), .heldTurns([]), .recovered(nil),
    .recovered(ResumePoint(entry: EntryID(1), position: 3)),
    .upcoming([]), .upcoming([place(), place(2)]), .upcoming([], until: wall.adding(seconds: 60)),
    .upcoming([linked(.awaited), place(2)]), .upcoming([place(), linked(.expired), linked(.later)]),
    .upcoming([linked(.failed(LinkFailure("gone"))), place(2)]), .linksChanged, .mediaMoved,
    .upcoming([linked(.paused)]), .upcoming([awaited]), .rowsChanged,
    .mediaStatus(nil), .mediaStatus(status("PLAYING")), .mediaStatus(status("BUFFERING")),
    .mediaStatus(status("PLAYING", item: 7, session: 9)), .mediaStatus(status("IDLE", reason: "ERROR")),
    .mediaStatus(status("IDLE", item: nil, reason: "CANCELLED")),
    .mediaStatus(status("PLAYING"), seenUntil: .zero),
    .statusAnswered(.told), .statusAnswered(.nothingLoaded), .statusAnswered(.silence),
    .queueChange(.insert(ids, before: nil)), .queueChange(.remove(ids)),
    .queueChange(.update(ids.reversed())),
    .queueChange(.other), .itemError(MediaQueueItemID(1), PlayReason(note: "404")), .edited(.done),
    .edited(.itemIDs(ids)),
    .edited(.items([])), .skip, .restart(from: nil), .restart(from: EntryID(2)), .halt, .refused,
    .lost("the network is gone"), .lost("the network is gone", lastHeard: .zero), .stop("by hand"), .leave,
  ]

  private static let timers = FeederTimer.allCases.map { FeederMachine.Event.timerFired($0) }

  private static let kinds: [EditFailure.Kind] = [
    .loadFailed, .cancelled, .noMediaSession, .invalidState, .timeout, .sessionEnded, .refused,
  ]

  private static let failures = kinds.map { kind in
    FeederMachine.Event.edited(.failed(EditFailure(kind: kind, reason: PlayReason(note: "no"))))
  }

  @Test("each way leads to its phase", arguments: Way.allCases)
  func ways(_ way: Way) { #expect(way.leads(to: way.machine().phase), "\(way.machine().phase)") }

  @Test(
    "an event in any phase leaves a feeder that ends once, when it is stopped, and is silent then",
    arguments: Way.allCases)
  func total(_ way: Way) {
    // Every event comes first and comes second, in each way; in full all pairs.
    let share = scheduleRuns(7, 1)
    for (place, first) in Self.events.enumerated() {
      for (other, second) in Self.events.enumerated() where (place + other) % share == 0 {
        var machine = way.machine()
        var actions: [FeederMachine.Action] = []
        for (index, event) in [first, second, .stop("by hand")].enumerated() {
          actions += machine.handle(event, at: Tick(.seconds(Double(2 + index))), wall: Self.wall)
        }
        let ends = actions.count {
          switch $0 {
          case .ended, .waits: true
          case .readUpcoming, .readFallback, .readTurns, .recover, .adopted, .offer, .markQueued, .release,
            .record,
            .open, .tell, .requestApplication, .load, .insert, .remove, .fetchItemIDs, .fetchItems, .moveList,
            .next,
            .jump, .stopMedia, .stopApplication, .setPlaybackRate, .requestStatus, .reconnect, .startTimer,
            .cancelTimer:
            false
          }
        }
        #expect(ends == (way == .ended ? 0 : 1), "\(way): \(first), \(second)")
        #expect(machine.handle(.begin(nil), at: Tick(.seconds(9)), wall: Self.wall).isEmpty)
      }
    }
  }
}
