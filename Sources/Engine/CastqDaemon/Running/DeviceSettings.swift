import CastGuard
package import CastProtocol
package import CastSender
package import CastqFeeding
package import CastqPlaylists
import CastqStore
import CastqText

/// How one device is fed.
package struct DeviceSettings: Sendable {
  /// What the machine of its runner decides by.
  package var runner = RunnerConfiguration()
  /// How its sessions are; what runs in them, and when they reconnect, is said by the rest.
  package var session = SessionOptions()
  /// Locates a device that is not at its known address; nil always calls the same address.
  package var resolver: (any DeviceResolver)?
  /// What the device must prove, looked up for each session; nil uses the session's options.
  package var trust: LedgerTrust?
  /// Until when anything may be sent to the device; nil is without end.
  package var lease: LeaseTerm?
  /// The media application; nil uses the session's options.
  package var receiverApplicationID: String?
  /// The application for web pages (protocol 15).
  package var pageApplicationID = "84912283"
  /// The address at which the device reaches local files; nil is that of the interface that leads to the device.
  package var advertised: AdvertisedAddress?
  /// The subtitles with which entries start that do not say it themselves.
  package var subtitles = SubtitleChoice.first
  /// How text looks in entries that do not say it themselves; nil leaves it to the receiver.
  package var subtitleStyle: MediaTextTrackStyle?
  /// What is sent in place of files that the device does not play; nil sends all as they are.
  var prepared: PreparedMedia?
  /// How programs are run that find out what is behind a page.
  var links = LinkPrograms()
  /// Places that may be asked whoever names them.
  var allowed = LocalPlaces()
  /// The rules that have the screen; nil feeds what people enqueue alone.
  var schedule: ScheduleDesk?

  /// The defaults.
  package init() {}

  /// Everything that is said of a device: by the program that feeds, by the configuration, and by its rows.
  /// - Parameters:
  ///   - rules: those of the device, by the configuration.
  ///   - isForEver: whether it is fed for ever, and called until it answers.
  ///   - ahead: converts while something plays; nil converts nothing.
  init(
    _ device: KnownDevice, _ options: FeedOptions, _ configuration: DaemonConfiguration, _ rules: DeviceRules,
    _ times: SiteTimes, isForEver: Bool, _ database: Database, ahead: PreparationAhead?
  ) {
    runner.times = times
    runner.resolvers = configuration.resolvers
    runner.feeder.epoch = options.epoch
    runner.feeder.onError = rules.onError
    if let gaps = try? HistoryStore(database).gaps(of: device.id) {
      runner.feeder.preloadTime = gaps.preloadTime(usually: runner.feeder.preloadTime)
    }
    session = options.session
    if device.hasTwoPlaces { session.connectTimeout /= 2 }
    if isForEver {
      runner.reconnect = RunnerConfiguration.eager
      session.connectTimeout = min(session.connectTimeout, Self.soon)
    }
    (resolver, trust, lease, links) = (options.resolver, options.trust, options.lease, options.links)
    receiverApplicationID = options.receiverApplicationID ?? rules.receiverApplication
    pageApplicationID = rules.pageApplication ?? pageApplicationID
    advertised = options.advertised ?? rules.advertised
    (subtitles, subtitleStyle) = (rules.subtitles, rules.subtitleStyle)
    prepared = PreparedMedia(device, configuration, database, ahead: ahead)
    allowed = LocalPlaces(configuration.allowedLocal)
  }

  /// Timeout of a connection attempt. A device that is off does not answer at all, and must be called soon after it returns.
  private static let soon = Duration.seconds(4)

  /// What the machine decides by, where rules may have the screen.
  var machine: RunnerConfiguration {
    var machine = runner
    machine.obeysSchedule = schedule != nil
    machine.jitterSeed = .random(in: 0...(.max))
    return machine
  }

  func sessionOptions(for application: FeedApplication) -> SessionOptions {
    var options = session
    options.reconnection = runner.reconnect
    if application == .pages {
      options.purpose = .play(applicationID: pageApplicationID)
      options.requiredNamespaces = []
    } else if let id = receiverApplicationID {
      options.purpose = .play(applicationID: id)
    }
    if runner.clearing != nil {
      // It launches nothing, and drives no guest away.
      options.purpose = .join(applicationID: options.purpose.applicationID)
      options.recovery = .end
    }
    return options
  }
}
