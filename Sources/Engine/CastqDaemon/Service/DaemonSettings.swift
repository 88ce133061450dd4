package import CastSender
package import CastqFeeding
package import CastqMetrics
package import CastqText
package import Logging

/// Settings of a daemon, from the program that runs it.
package struct DaemonSettings: Sendable {
  /// What the program says of every device.
  package var feeding: FeedOptions
  /// The logger of the daemon itself.
  package var logger = Session.silentLogger
  /// The logger of the runners.
  package var runnerLogger = Session.silentLogger
  /// The logger of what devices fetch.
  package var mediaLogger = Session.silentLogger
  /// The port of local files; nil is that of the configuration.
  package var mediaPort: Int?
  /// Finds the programs of the configuration; none unless set.
  package var programs: @Sendable (ProgramChoices) -> MediaPrograms = { _ in MediaPrograms() }
  /// The site's zone, where the configuration names none; nil is UTC.
  package var siteZone: @Sendable () -> ZoneName? = { nil }
  /// The offsets of a zone; nil for one that this system does not know.
  package var zones: @Sendable (ZoneName) -> TimeZoneRules? = { _ in nil }
  /// Reads the source of a programme, and reads it again after each edit, one on the web each time that the duration has passed. The
  /// first element comes soon.
  package var lists: @Sendable (String, Duration?) -> AsyncStream<ProgrammeList> = { _, _ in
    AsyncStream { $0.finish() }
  }
  /// Where pictures of local files are kept; nil makes none.
  package var pictureFolder: String?
  /// Reads the configuration; called at each reload.
  package var configuration: @Sendable () -> Result<DaemonConfiguration, Failure>
  /// The local offset from UTC at a point in time, in seconds.
  package var utcOffset: @Sendable (WallTime) -> Int
  /// A folder for the socket, such as `XDG_RUNTIME_DIR`; nil if there is none.
  package var runtimeFolder: String?
  /// Called with each report of a runner, on the runner's own thread.
  package var report: @Sendable (RunnerReport) -> Void = { _ in }
  /// What the daemon counts is added to it; nil counts nothing.
  package var metrics: MetricRegistry?
  /// The version of castq, for those who watch.
  package var version = "unknown"
  /// How much of the process its guests may use.
  package var shares = GuestShares.ofProcess
  /// Notifies the service manager.
  package var notice: ServiceNotice
  package var time: TimeSource

  package init(
    feeding: FeedOptions = FeedOptions(),
    configuration: @escaping @Sendable () -> Result<DaemonConfiguration, Failure> = {
      .success(DaemonConfiguration())
    },
    utcOffset: @escaping @Sendable (WallTime) -> Int = { _ in 0 }, runtimeFolder: String? = nil,
    notice: ServiceNotice = ServiceNotice(environment: { _ in nil }), time: TimeSource = .continuous
  ) {
    self.feeding = feeding
    self.configuration = configuration
    self.utcOffset = utcOffset
    self.runtimeFolder = runtimeFolder
    self.notice = notice
    self.time = time
  }

  /// Tells moments by the clocks of the site, as its plan does.
  func times(_ configuration: DaemonConfiguration) -> SiteTimes {
    guard let zone = configuration.siteZone ?? siteZone(), let rules = zones(zone) else { return .utc }
    return SiteTimes(zone, rules)
  }
}
