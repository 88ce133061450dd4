import CastProtocol
import CastReceiverSim
import CastTestKit

/// What a list is made of.
enum ListKind: String, CaseIterable, Sendable {
  case video, image, mixed, pages, withPages

  var names: [String] {
    switch self {
    case .video: ["v6.mp4", "v8.mp4", "v5.mp4", "v7.mp4"]
    case .image: ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
    case .mixed: ["v6.mp4", "a.jpg", "v8.mp4", "b.jpg", "v5.mp4"]
    case .pages: ["a.html", "b.html", "c.html", "d.html"]
    case .withPages: ["v6.mp4", "a.html", "b.html", "c.jpg", "v5.mp4", "d.html"]
    }
  }

  /// Of a picture or a page, in seconds.
  static let imageDuration = 6.0
}

/// One thing that goes wrong once.
enum Mishap: Sendable, Hashable, CustomStringConvertible {
  case reboot(Int)
  case powerCut(Int)
  case loss(Int, SimAbsence)
  case cut, exit, crash
  /// The feeder's process dies and is started again after so many milliseconds.
  case kill(Int)
  case takeover, foreignLoad
  case foreignRemove, foreignInsert, foreignReorder, foreignJump
  case emptyStatus, repeatStatus, partialStatus
  /// A status of a media session that is not there.
  case strayStatus
  /// The application says nothing by itself for so many seconds.
  case hush(Int)
  /// It says nothing of media at all, whatever it is asked, for so many seconds.
  case mute(Int)
  case clock(Int)
  /// Device and feeder go at the same time.
  case blackout(Int)
  /// The feeder's database can be neither read nor written for so many seconds.
  case outage(Int)

  static let all: [Mishap] = [
    .reboot(2), .reboot(45), .powerCut(20), .loss(1, .silent), .loss(6, .silent), .loss(30, .silent),
    .loss(600, .silent), .loss(1, .refuse), .loss(30, .refuse), .cut, .exit, .crash, .kill(500),
    .kill(20_000), .takeover, .foreignLoad, .foreignRemove, .foreignInsert, .foreignReorder,
    .foreignJump, .emptyStatus, .repeatStatus, .partialStatus, .strayStatus, .clock(3600), .clock(-3600),
    .blackout(5), .blackout(30), .hush(20), .mute(3), .mute(20),
  ]

  /// Besides, what a run alone survives: one that begins meanwhile knows nothing of its rows.
  static let withOutages = all + [.outage(1), .outage(3)]
  /// Mishaps in which one run goes on.
  static let withinRun = withOutages.filter {
    switch $0 {
    case .kill, .blackout, .takeover, .foreignLoad: false
    case .reboot, .powerCut, .loss, .cut, .exit, .crash, .foreignRemove, .foreignInsert, .foreignReorder,
      .foreignJump, .emptyStatus, .repeatStatus, .partialStatus, .strayStatus, .clock, .hush, .mute,
      .outage:
      true
    }
  }

  var description: String {
    switch self {
    case .reboot(let seconds): "reboot \(seconds)"
    case .powerCut(let seconds): "power cut \(seconds)"
    case .loss(let seconds, let kind): "loss \(seconds) \(kind.rawValue)"
    case .cut: "cut"
    case .exit: "exit"
    case .crash: "crash"
    case .kill(let milliseconds): "kill \(milliseconds) ms"
    case .takeover: "takeover"
    case .foreignLoad: "foreign load"
    case .foreignRemove: "foreign remove"
    case .foreignInsert: "foreign insert"
    case .foreignReorder: "foreign reorder"
    case .foreignJump: "foreign jump"
    case .emptyStatus: "empty status"
    case .repeatStatus: "repeated status"
    case .partialStatus: "partial status"
    case .strayStatus: "stray status"
    case .hush(let seconds): "hush \(seconds)"
    case .mute(let seconds): "mute \(seconds)"
    case .clock(let seconds): "clock \(seconds)"
    case .blackout(let seconds): "blackout \(seconds)"
    case .outage(let seconds): "outage \(seconds)"
    }
  }

  var excuses: FeedVerdict.Excuses {
    switch self {
    case .foreignJump, .foreignReorder, .foreignRemove, .foreignInsert: .strangersSkip
    case .hush, .mute: .silence
    case .reboot, .powerCut, .loss, .cut, .exit, .crash, .kill, .takeover, .foreignLoad, .emptyStatus,
      .repeatStatus, .partialStatus, .strayStatus, .clock, .blackout, .outage:
      []
    }
  }

  /// Lets it happen now. Items are named by their place behind the current one, as a person with a phone would.
  func strike(_ feed: inout VirtualFeed) {
    switch self {
    case .reboot(let seconds): feed.control(.reboot(downFor: .seconds(seconds)))
    case .powerCut(let seconds): feed.cutPower(for: .seconds(seconds))
    case .loss(let seconds, let kind): feed.control(.drop(for: .seconds(seconds), kind))
    case .cut: feed.cutConnection()
    case .exit: feed.control(.exit)
    case .crash: feed.control(.crash)
    case .kill(let milliseconds): feed.killFeeder(restartAfter: .milliseconds(milliseconds))
    case .takeover: feed.control(.takeover(appID: EchoApplication.plainID))
    case .foreignLoad: feed.control(.foreignLoad(url: "http://media/v90.mp4", contentType: "video/mp4"))
    case .foreignRemove: feed.askStranger("QUEUE_REMOVE", ["itemIds": .array(feed.itemsAhead(1))])
    case .foreignInsert:
      let media: JSONValue = ["contentId": "http://media/v3.mp4", "contentType": "video/mp4"]
      feed.askStranger(
        "QUEUE_INSERT",
        .members(["items": [["media": media]], "insertBefore": feed.itemsAhead(1).first]))
    case .foreignReorder:
      let ahead = feed.itemsAhead(3)
      guard ahead.count > 1 else { return }
      feed.askStranger("QUEUE_REORDER", ["itemIds": [ahead[ahead.count - 1]], "insertBefore": ahead[0]])
    case .foreignJump:
      guard let last = feed.itemsAhead(2).last else { return }
      feed.askStranger("QUEUE_UPDATE", ["currentItemId": last])
    case .emptyStatus: feed.control(.emptyStatus)
    case .repeatStatus: feed.control(.repeatStatus)
    case .partialStatus: feed.control(.partialStatus)
    case .strayStatus: feed.control(.strayStatus(SimStray(url: "http://media/theirs.mp4")))
    case .hush(let seconds): feed.control(.hush(SimHush(.own, for: .seconds(seconds))))
    case .mute(let seconds):
      feed.control(.hush(SimHush(.all, for: .seconds(seconds))))
      // Who says nothing cannot be helped before.
      feed.watch.excuse(until: feed.now + .seconds(seconds))
    case .clock(let seconds): feed.jumpClock(by: .seconds(seconds))
    case .blackout(let seconds):
      feed.control(.reboot(downFor: .seconds(seconds)))
      feed.killFeeder(restartAfter: .milliseconds(500))
    case .outage(let seconds): feed.failRows(for: .seconds(seconds))
    }
  }
}

extension VirtualFeed {
  /// The numbers of the items that wait on the receiver.
  func itemsAhead(_ count: Int) -> [JSONValue] {
    let media = receiver.model.report(at: now)["application"]?["media"]
    let ids = media?["items"]?.array ?? []
    guard let place = ids.firstIndex(where: { $0 == media?["itemId"] }) else { return [] }
    return Array(ids.dropFirst(place + 1).prefix(count))
  }

  mutating func askStranger(_ type: String, _ body: JSONValue) {
    guard case .object(var members) = body else { return }
    members["type"] = .string(type)
    control(.foreignRequest(.object(members)))
  }
}
