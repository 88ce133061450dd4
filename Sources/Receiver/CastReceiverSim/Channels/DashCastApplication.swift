package import CastProtocol

/// An application that shows web pages, as DashCast does (protocol 15).
///
/// It is no media application: it receives `{"url":…,"force":…,"reload":…,"reload_time":…}` in a namespace of its own, and echoes
/// the message. Messages before the status text “Application ready” are lost. With `force` the page replaces the application's own,
/// which then receives nothing until it is relaunched.
package struct DashCastApplication: Sendable {
  /// The id that most senders use.
  package static let publicID = "84912283"
  /// A build that asks not to be closed for inactivity.
  package static let keepAliveID = "5C517DAC"
  package static let publicNamespace: Namespace = "urn:x-cast:com.madmod.dashcast"
  package static let keepAliveNamespace: Namespace = "urn:x-cast:es.offd.dashcast"
  /// Its status text once it listens.
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
    /// Whether it has replaced the application's own page.
    package var isForced: Bool
    /// Time after which it is reloaded; nil for never.
    package var reloadTime: Duration?
    package var since: Tick
  }

  /// Longest address, in bytes: a hostile peer must not exhaust memory.
  private static let longestURL = 16_384

  package private(set) var page: Page?
  /// False before it is ready, and after a forced page.
  var isListening = false
  /// Whether it has already cancelled the launch of another application.
  var hasCancelledLaunch = false
  /// Whether it is closed for inactivity.
  let idles: Bool

  init?(profile: ReceiverConfiguration.Application) {
    guard Self.profiles.contains(profile) else { return nil }
    idles = profile.appID == Self.publicID
  }

  /// Handles a message; returns the text that acknowledges it, nil for none.
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
  /// Starts the time until a launched page application is ready.
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

  /// Handles a message for the page application.
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

  /// Whether a page cancels the launch of another application; true only once (protocol 15).
  mutating func pageCancelsLaunch(of profile: ReceiverConfiguration.Application) -> Bool {
    guard configuration.pages.cancelsLaunch, let running = platform.application,
      running.universalID != profile.appID, running.pages?.hasCancelledLaunch == false
    else { return false }
    platform.application?.pages?.hasCancelledLaunch = true
    return true
  }
}
