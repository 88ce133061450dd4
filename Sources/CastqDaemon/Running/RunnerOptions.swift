package import CastProtocol
package import CastSender
package import CastqCore

/// How a runner behaves.
package struct RunnerOptions: Sendable {
  package var sessionOptions: SessionOptions
  package var configuration: FeederConfiguration
  /// When a device that went away is called again, and when the run gives up; by default after five minutes. A policy that
  /// never gives up also calls a device that has not answered yet.
  package var reconnect: ReconnectPolicy
  /// Says where the device is when it is not where it was; nil calls the same address again.
  package var resolver: (any DeviceResolver)?
  /// What the device has to prove, looked up for each session; nil goes by the session's options.
  package var trust: LedgerTrust?
  /// What plays media; nil goes by the session's options.
  package var receiverApplicationID: String?
  /// What shows web pages (protocol 15).
  package var pageApplicationID = "84912283"
  /// How loud the device is to be while it is fed, 0 to 1; nil leaves it as it is.
  package var volume: Double?
  /// Whether the runner looks for rows of other processes itself; else somebody pokes it.
  package var watchesRows = true
  /// An entry that was cut on another device, and where it goes on; nil goes on where the rows say that this one was cut.
  package var resume: ResumePoint?
  /// What the device still plays for this queue is replaced, not taken up.
  package var startsOver = false
  /// The list starts over at its end.
  package var loops = false
  /// How long a device is called that has not answered yet, before it is called unreachable.
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

  /// What of it the machine decides by.
  var machine: RunnerConfiguration {
    var machine = RunnerConfiguration(feeder: configuration, reconnect: reconnect)
    machine.devicePatience = devicePatience
    machine.volume = volume
    machine.resume = resume
    machine.startsOver = startsOver
    machine.jitterSeed = .random(in: 0...(.max))
    return machine
  }

  func sessionOptions(for application: FeedApplication) -> SessionOptions {
    var options = sessionOptions
    options.reconnection = reconnect
    guard application == .pages else {
      if let id = receiverApplicationID { options.purpose = .play(applicationID: id) }
      return options
    }
    options.purpose = .play(applicationID: pageApplicationID)
    options.requiredNamespaces = []
    return options
  }
}
