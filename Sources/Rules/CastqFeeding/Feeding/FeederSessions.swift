import CastProtocol

/// Which media sessions of the receiver are ours.
struct FeederSessions: Sendable, Hashable {
  /// Ours; nil before the first status of a load.
  var own: MediaSessionID?
  /// Addresses of a load whose media session is still unknown.
  var awaited: Set<String> = []
  /// The one before ours; its statuses are ignored.
  var foreign: MediaSessionID?
}
