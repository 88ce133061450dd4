import CastProtocol
import CastqPlaylists

/// Which kind of application the receiver has to run for an entry.
package enum FeedApplication: Sendable, Hashable {
  /// A media receiver with a queue.
  case media
  /// One that shows web pages, as DashCast does (protocol 15).
  case pages
}
