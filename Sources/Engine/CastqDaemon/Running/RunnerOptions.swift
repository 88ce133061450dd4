package import CastGuard
package import CastProtocol
package import CastSender
package import CastqFeeding
package import CastqPlaylists
package import CastqText

/// Options of a runner.
package struct RunnerOptions: Sendable {
  package var sessionOptions: SessionOptions
  package var configuration: FeederConfiguration
  /// When to call a lost device again, and when to end the run; by default after five minutes. A policy without an end also
  /// keeps calling a device that has not answered yet.
  package var reconnect: ReconnectPolicy
  /// Locates a device that is not at its known address; nil always calls the same address.
  package var resolver: (any DeviceResolver)?
  /// What the device must prove, looked up for each session; nil uses the session's options.
  package var trust: LedgerTrust?
  /// The media application; nil uses the session's options.
  package var receiverApplicationID: String?
  /// The application for web pages (protocol 15).
  package var pageApplicationID = "84912283"
  /// The address at which the device reaches local files; nil is that of the interface that leads to the device.
  package var advertised: AdvertisedAddress?
  /// Until when anything may be sent to the device; nil is without end.
  package var lease: LeaseTerm?
  /// The volume while feeding, 0 to 1; nil leaves it unchanged.
  package var volume: Double?
  /// Whether the runner watches for writes of other processes itself; otherwise the caller must call `poke()`.
  package var watchesRows = true
  /// The entry and position to resume at, from another device; nil uses the resume position in the rows.
  package var resume: ResumePoint?
  /// Whether to replace what the device still plays for this queue instead of adopting it.
  package var startsOver = false
  /// The subtitles with which entries start that do not say it themselves.
  package var subtitles = SubtitleChoice.first
  /// How text looks in entries that do not say it themselves; nil leaves it to the receiver.
  package var subtitleStyle: MediaTextTrackStyle?
  /// What is sent in place of files that the device does not play; nil sends all as they are.
  package var prepared: PreparedMedia?
  /// Reads what devices fetched of local files, as the command `fetches` does; nothing by default.
  package var accessLog: @Sendable () async -> JSONValue = { .null }
  /// Called after each event of a session has reached the runner; from any thread.
  package var noticed: @Sendable () -> Void = {}
  /// Which programs find out what is behind a page.
  package var resolvers = ResolverRules()
  /// How those are run; shared by the runners of a process.
  package var links = LinkPrograms()
  /// Places that may be asked whoever names them.
  package var allowed = LocalPlaces()
  /// Set for a run that only ends what an earlier feeder has left on the screen.
  package var clearing: RunnerConfiguration.Clearing?
  /// The rules that have the screen; nil feeds what people enqueue alone.
  package var schedule: ScheduleDesk?
  /// Whether the list restarts at its end.
  package var loops = false
  /// Tells people when something is due.
  package var times = SiteTimes.utc
  /// How long to call a device that has not answered yet before it counts as unreachable.
  package var devicePatience: Duration = .zero

  package init(
    sessionOptions: SessionOptions = SessionOptions(),
    configuration: FeederConfiguration = FeederConfiguration(),
    reconnect: ReconnectPolicy = ReconnectPolicy(giveUpAfter: .seconds(300)),
    resolver: (any DeviceResolver)? = nil
  ) {
    self.sessionOptions = sessionOptions
    self.configuration = configuration
    self.reconnect = reconnect
    self.resolver = resolver
  }

  /// The part of the options that the machine uses.
  var machine: RunnerConfiguration {
    var machine = RunnerConfiguration(feeder: configuration, reconnect: reconnect)
    machine.devicePatience = devicePatience
    machine.volume = volume
    machine.resolvers = resolvers
    machine.resume = resume
    machine.startsOver = startsOver
    machine.obeysSchedule = schedule != nil
    machine.times = times
    machine.clearing = clearing
    machine.jitterSeed = .random(in: 0...(.max))
    return machine
  }

  func sessionOptions(for application: FeedApplication) -> SessionOptions {
    var options = sessionOptions
    options.reconnection = reconnect
    if application == .pages {
      options.purpose = .play(applicationID: pageApplicationID)
      options.requiredNamespaces = []
    } else if let id = receiverApplicationID {
      options.purpose = .play(applicationID: id)
    }
    if clearing != nil {
      // It launches nothing, and drives no guest away.
      options.purpose = .join(applicationID: options.purpose.applicationID)
      options.recovery = .end
    }
    return options
  }
}
