package import CastqPlaylists
package import CastqSchedule

/// What castq may convert, and where it keeps the results.
package struct PreparationRules: Sendable, Hashable {
  /// How far conversions may go.
  package enum Allowance: String, Sendable, Hashable, CaseIterable {
    case off, remux, audio, video

    /// Whether a decision may be carried out.
    package func permits(_ way: PlayDecision.Way) -> Bool {
      switch (self, way) {
      case (_, .direct): true
      case (_, .impossible), (.off, _): false
      case (.remux, .remux), (.audio, .remux), (.audio, .audio): true
      case (.remux, .audio), (.remux, .video), (.audio, .video): false
      case (.video, .remux), (.video, .audio), (.video, .video): true
      }
    }
  }

  package var allow = Allowance.video
  /// How far conversions may go for entries that come next, while others play.
  package var onDemand = Allowance.off
  /// Whether what a device has refused is converted while it plays, as far as `allow` permits.
  package var isLive = true
  /// Bytes of all results together.
  package var budget = 20_000_000_000
  /// An absolute path; nil is a folder beside the database.
  package var folder: String?
  /// When the daemon prepares by itself; empty is the quiet hours of its devices.
  package var hours: [QuietHours] = []

  /// The defaults.
  package init() {}
}
