package import CastProtocol

/// What people in front of a device see.
package enum SimScreen: Sendable, Hashable {
  /// Nothing but a clock or photographs: no application, or one with nothing to show.
  case idle
  /// An application that is starting, or a medium that is not there yet.
  case loading
  /// A medium, playing or standing, and the item's own data.
  case media(url: String, customData: JSONValue?)
  case page(url: String)
}

extension ReceiverModel {
  /// What the screen shows; of a device off the network, too.
  package func screen(at tick: Tick) -> SimScreen {
    let tick = max(tick, now)
    guard reach.isPowered else { return .idle }
    if platform.launch != nil, platform.application == nil { return .loading }
    guard let application = platform.application else { return .idle }
    if let pages = application.pages { return pages.page.map { .page(url: $0.url) } ?? .loading }
    guard let media = application.media else { return .idle }
    guard let session = media.session else { return .idle }
    let item = session.queue.current
    guard media.transition == nil, let url = item.flatMap({ MediaApplication.url(of: $0.body) }),
      session.clock.startedAt.map({ $0 <= tick }) ?? true
    else { return .loading }
    return .media(url: url, customData: item?.body["customData"])
  }
}
