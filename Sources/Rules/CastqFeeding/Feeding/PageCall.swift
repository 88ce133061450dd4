import CastProtocol

/// One page: the message to the application for pages, and its progress (protocol 15).
struct PageCall: Sendable, Hashable {
  /// As the application receives it, and echoes it.
  let message: JSONValue
  /// Whether the page replaces the application, which then neither receives nor sends.
  let isForced: Bool
  /// It was sent and is not confirmed yet.
  var isAsked = false
  /// Its time is over; the device has not confirmed yet that it was displayed.
  var isOver = false
  /// The device was asked whether it still stands there, so that this can be written down.
  var isWatched = false
  /// When the device last reported that its application runs.
  var seenAt = Tick.zero
  /// The application has had its time to report that it listens.
  var isOverdue = false

  /// - Parameter media: the page; `force`, `reload` and `reload_time` (milliseconds) among its custom data are the application's.
  init(_ media: MediaInformation) {
    let wishes = media.customData
    isForced = wishes?["force"]?.bool == true
    var message: [String: JSONValue] = [
      "url": .string(media.contentURL ?? media.contentID), "force": .bool(isForced),
      "reload": .bool(false),
    ]
    // A forced page is never reloaded: nothing is left to do it.
    if !isForced, let time = wishes?["reload_time"]?.number(.reloadTime), time > 0 {
      message["reload"] = .bool(wishes?["reload"]?.bool ?? true)
      message["reload_time"] = .number(time)
    }
    self.message = .object(message)
  }

  /// Whether this text is the application's acknowledgement: an echo of the message.
  func isConfirmed(by text: String) -> Bool {
    guard isAsked, let echo = try? JSONValue(parsing: text) else { return false }
    return echo["url"]?.string != nil && echo["url"]?.string == message["url"]?.string
  }
}

/// The application for pages, as its device reports it.
struct PageHost: Sendable, Hashable {
  /// Its status text once it listens; messages before that are lost.
  static let readyText = "Application ready"

  /// Where it listens: builds of it differ (protocol 15).
  var namespace: String?
  var isReady: Bool

  init(_ application: ApplicationMetadata?) {
    namespace = application?.namespaces.sorted().first { ChannelNamespace.problem(with: $0) == nil }
    isReady = application?.statusText == Self.readyText
  }
}
