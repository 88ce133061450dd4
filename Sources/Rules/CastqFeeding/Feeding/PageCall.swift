import CastProtocol

/// The message to the application for pages (protocol 15).
struct PageCall: Sendable, Hashable {
  /// As the application receives it, and echoes it.
  let message: JSONValue
  /// Whether the page replaces the application, which then neither receives nor sends.
  let isForced: Bool

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
  func isEchoed(by text: String) -> Bool {
    guard let echo = try? JSONValue(parsing: text) else { return false }
    return echo["url"]?.string != nil && echo["url"]?.string == message["url"]?.string
  }
}

/// The application for pages, as its device reports it.
struct PageHost: Sendable, Hashable {
  /// Its status text once it listens; messages before that are lost.
  static let readyText = "Application ready"

  /// Where it listens: builds of it differ (protocol 15). Nil before its device has reported that.
  private(set) var namespace: String?
  /// Whether it listens; nil before its device has reported it.
  private(set) var isReady: Bool?
  /// A forced page has taken its place: it has to be launched again for the next page.
  var isDeaf = false

  /// The device says what runs.
  mutating func learn(_ application: ApplicationMetadata?) {
    namespace = application?.namespaces.sorted().first { ChannelNamespace.problem(with: $0) == nil }
    isReady = application?.statusText == Self.readyText
  }

  /// Another one is launched.
  mutating func forget() { (namespace, isReady) = (nil, nil) }
}
