package import CastProtocol

/// What people in front of a device see.
package enum SimScreen: Sendable, Hashable {
  /// Nothing but a clock or photographs: no application, or one with nothing to show.
  case idle
  /// An application that is starting, or a medium that loads.
  case loading
  /// A medium, playing or paused, the item's own data, and the position in seconds.
  case media(url: String, customData: JSONValue?, position: Double)
  case page(url: String)
  /// An application of another kind.
  case application(String)
}

extension ReceiverModel {
  /// What the screen shows; also off the network.
  package func screen(at tick: Tick) -> SimScreen {
    let tick = max(tick, now)
    guard reach.isPowered else { return .idle }
    if platform.launch != nil, platform.application == nil { return .loading }
    guard let application = platform.application else { return .idle }
    if let pages = application.pages { return pages.page.map { .page(url: $0.url) } ?? .loading }
    guard let media = application.media else { return .application(application.displayName) }
    guard let session = media.session else { return .idle }
    let item = session.queue.current
    guard media.transition == nil, let url = item.flatMap({ MediaApplication.url(of: $0.body) }),
      session.clock.startedAt.map({ $0 <= tick }) ?? true
    else { return .loading }
    return .media(
      url: url, customData: item?.body["customData"],
      position: session.isImage ? 0 : session.position(at: tick))
  }

  /// How fast the content on the screen moves, and since when; nil while it does not, as in ads, pauses and stalls.
  package var contentPace: (since: Tick, rate: Double)? {
    guard reach.isPowered, let media = platform.application?.media, media.transition == nil,
      let session = media.session, session.breakRun == nil, let start = session.clock.startedAt
    else { return nil }
    return (start, session.clock.rate)
  }

  /// When a loaded medium will show its first frame; nil when none is pending.
  package func firstFrame(after tick: Tick) -> Tick? {
    guard reach.isPowered, let media = platform.application?.media, media.transition == nil,
      let start = media.session?.clock.startedAt, start > tick
    else { return nil }
    return start
  }
}
