package import CastProtocol
package import CastqPlaylists
package import CastqText

/// How a runner behaves, as far as its machine decides it.
package struct RunnerConfiguration: Sendable, Hashable {
  package var feeder: FeederConfiguration
  /// When a device that went away is called again, and when the run ends. A policy that never gives up also calls a device that
  /// has not answered yet.
  package var reconnect: ReconnectPolicy
  /// How the run begins.
  package var start = RunStart()
  /// Set for a run that only ends what an earlier feeder has left on the screen.
  package var clearing: Clearing?
  /// Whether rules have the screen, and not only the queue that people fill.
  package var obeysSchedule = false
  /// Which programs find out what is behind a page.
  package var resolvers = ResolverRules()
  /// Tells people when something is due.
  package var times = SiteTimes.utc
  /// What people call the device.
  var label = ""
  /// For the chance in waiting times.
  package var jitterSeed: UInt64 = 0

  /// How what was left on the screen is ended.
  package struct Clearing: Sendable, Hashable {
    /// What runs there, by the rows.
    package var application: FeedApplication
    /// Whether the application ends with its media.
    package var quits: Bool
    /// Why, for history.
    package var reason: PlayEnding

    package init(_ application: FeedApplication, quits: Bool, because reason: PlayEnding) {
      (self.application, self.quits, self.reason) = (application, quits, reason)
    }
  }

  package init(
    feeder: FeederConfiguration = FeederConfiguration(),
    reconnect: ReconnectPolicy = ReconnectPolicy(giveUpAfter: .seconds(300))
  ) {
    self.feeder = feeder
    self.reconnect = reconnect
  }

  /// When a device is called again that somebody waits for. The waits are short, so that a device which answers again has its
  /// content within ten seconds.
  package static let eager = ReconnectPolicy(
    waits: [0, 1, 2, 3].map { .seconds($0) }, jitter: 0.25, giveUpAfter: nil)
}
