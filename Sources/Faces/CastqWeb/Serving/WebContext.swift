import Hummingbird
import Logging
import NIOCore

/// What the server says of a request's connection.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the peer without its port; nil when the connection is gone.
  let peer: String?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    peer = source.channel.remoteAddress?.ipAddress
  }
}
