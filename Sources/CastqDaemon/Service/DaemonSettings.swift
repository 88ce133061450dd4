package import CastSender
package import CastqCore
package import CastqStore
package import Logging

/// What a daemon is given by the program around it.
package struct DaemonSettings: Sendable {
  /// How the runner of a device behaves; the daemon adds what the configuration says.
  package var runner: @Sendable (KnownDevice) -> RunnerOptions
  /// For what runners have to say.
  package var runnerLogger = Session.silentLogger
  /// Reads the configuration; asked at the beginning of a re-reading.
  package var configuration: @Sendable () -> Result<DaemonConfiguration, ControlFailure>
  /// Seconds that the clock on the wall is ahead of UTC at a moment.
  package var utcOffset: @Sendable (WallTime) -> Int
  /// A folder for the socket, as `XDG_RUNTIME_DIR` names it; nil when there is none.
  package var runtimeFolder: String?
  /// Who started the daemon and wants to hear of it.
  package var notice: ServiceNotice
  package var time: TimeSource

  package init(
    runner: @escaping @Sendable (KnownDevice) -> RunnerOptions = { _ in RunnerOptions() },
    configuration: @escaping @Sendable () -> Result<DaemonConfiguration, ControlFailure> = {
      .success(DaemonConfiguration())
    },
    utcOffset: @escaping @Sendable (WallTime) -> Int = { _ in 0 }, runtimeFolder: String? = nil,
    notice: ServiceNotice = ServiceNotice(environment: { _ in nil }), time: TimeSource = .continuous
  ) {
    self.runner = runner
    self.configuration = configuration
    self.utcOffset = utcOffset
    self.runtimeFolder = runtimeFolder
    self.notice = notice
    self.time = time
  }

  /// How long a device may take to answer a call. One that is switched off swallows calls without a word, and is to be called
  /// anew soon after it has come back.
  package static let connectTimeout = Duration.seconds(4)
}
