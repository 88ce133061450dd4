package import CastProtocol

/// An application that shows web pages, as DashCast does (protocol 15).
///
/// It is no media application: it is told `{"url":…,"force":…,"reload":…,"reload_time":…}` under a namespace of its own, and says
/// the message back. What arrives before it shows “Application ready” is lost. With `force` the page takes the place of the
/// application's own, and nobody listens any more until it is launched anew.
package struct DashCastApplication: Sendable {
  /// The one that most senders know.
  package static let publicID = "84912283"
  /// A build that says of itself that it must not be closed for want of activity.
  package static let keepAliveID = "5C517DAC"
  package static let publicNamespace: Namespace = "urn:x-cast:com.madmod.dashcast"
  package static let keepAliveNamespace: Namespace = "urn:x-cast:es.offd.dashcast"
  /// What it shows of itself once it listens.
  package static let readyText = "Application ready"

  static let profiles = [
    ReceiverConfiguration.Application(
      appID: publicID, displayName: "DashCast", namespaces: [publicNamespace.rawValue]),
    ReceiverConfiguration.Application(
      appID: keepAliveID, displayName: "DashCast", namespaces: [keepAliveNamespace.rawValue]),
  ]

  /// A page on the screen.
  package struct Page: Sendable, Hashable {
    package var url: String
    /// Whether it has taken the application's place.
    package var isForced: Bool
    /// Time after which it is loaded again; nil when it is not.
    package var reloadTime: Duration?
    package var since: Tick
  }

  /// Longest address: a hostile peer must not make us grow.
  private static let longestURL = 16_384

  package private(set) var page: Page?
  /// False before it is ready, and after a forced page.
  var isListening = false
  /// Whether it has already stood in the way of another application's launch.
  var hasCancelledLaunch = false
  /// Whether it is closed like any other when nothing happens.
  let idles: Bool

  init?(profile: ReceiverConfiguration.Application) {
    guard Self.profiles.contains(profile) else { return nil }
    idles = profile.appID == Self.publicID
  }

  /// Takes a message; returns the words that acknowledge it, nil for none.
  mutating func take(_ payload: CastMessage.Payload, at now: Tick) -> String? {
    guard isListening, case .string(let text) = payload, let json = try? JSONValue(parsing: text),
      let url = json["url"]?.string, url.utf8.count <= Self.longestURL
    else { return nil }
    let isForced = json["force"]?.bool == true
    let interval = json["reload"]?.bool == true ? json["reload_time"]?.double : nil
    page = Page(
      url: url, isForced: isForced,
      reloadTime: interval.flatMap { $0 > 0 ? .bounded(seconds: $0 / 1000) : nil }, since: now)
    guard isForced else { return text }
    isListening = false
    return nil
  }

  var report: JSONValue {
    .members([
      "url": JSONValue(page?.url), "forced": page.map { .bool($0.isForced) },
      "reload": JSONValue(page?.reloadTime?.seconds), "listening": .bool(isListening),
    ])
  }
}

extension ReceiverModel {
  /// The application for pages has been started: it is ready a moment later.
  mutating func beginPages() {
    guard platform.application?.pages != nil else { return }
    actions.append(.startTimer(.pages, after: configuration.pages.readyDelay))
  }

  mutating func pagesTimerFired() {
    guard let pages = platform.application?.pages else { return }
    if pages.isListening || pages.page != nil { return endApplication() }
    platform.application?.pages?.isListening = true
    platform.application?.statusText = DashCastApplication.readyText
    broadcastStatus()
    restartPagesClock()
  }

  /// A message for it.
  mutating func pageMessage(_ message: CastMessage, from connection: SimConnectionID) {
    guard let words = platform.application?.pages?.take(message.payload, at: now) else { return }
    restartPagesClock()
    say(.string(words), message.namespace, to: message.source, over: connection)
  }

  /// Smart displays close it some minutes after the last message (protocol 15).
  private mutating func restartPagesClock() {
    guard let idle = configuration.pages.idleTimeout, platform.application?.pages?.idles == true else {
      return
    }
    actions.append(.startTimer(.pages, after: idle))
  }

  /// True once, when a page stands in the way of another application (protocol 15).
  mutating func pageCancelsLaunch(of profile: ReceiverConfiguration.Application) -> Bool {
    guard configuration.pages.cancelsLaunch, let running = platform.application,
      running.universalID != profile.appID, running.pages?.hasCancelledLaunch == false
    else { return false }
    platform.application?.pages?.hasCancelledLaunch = true
    return true
  }
}
