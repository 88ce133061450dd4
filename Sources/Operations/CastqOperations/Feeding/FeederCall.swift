package import CastProtocol
import CastSender
import CastqDaemon
package import CastqFeeding
import CastqPlaylists
package import CastqStore
package import CastqText

/// A command's connection to what feeds a device: the daemon, a process that feeds this device alone, or this process.
package struct FeederCall {
  package let workspace: Workspace
  package let device: KnownDevice
  package let global: CallOptions
  package let peer: Peer

  package enum Peer {
    /// The daemon of the database.
    case daemon(socket: String)
    /// A process that fed this device before the command.
    case feeder(socket: String)
    /// This process.
    case hosted(HostedDaemon)
  }

  /// The daemon of the database; nil if none answers, `--no-daemon` is given, or another process feeds the device.
  package static func daemon(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> FeederCall? {
    guard !global.noDaemon, device.id != DeviceID(0),
      let holder = DatabaseLock.holder(.daemon, of: workspace.database), let socket = holder.socket
    else { return nil }
    if let feeder = DatabaseLock.holder(.feeder(device.id), of: workspace.database),
      feeder.process != holder.process, feeder.isAlive
    {
      return nil
    }
    return try await FeederCall(workspace, device, global, .daemon(socket: socket)).answering()
  }

  /// The daemon or, if none runs, this process.
  /// - Throws: `busy` if another process feeds the device.
  package static func foreground(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> FeederCall {
    if let daemon = try await daemon(workspace, device, global) { return daemon }
    try checkCancellation(device)
    guard let host = global.host else { throw noDaemon(device) }
    return FeederCall(
      workspace, device, global, .hosted(try await host.foreground(workspace, device, global)))
  }

  /// The daemon, the process that feeds the device or, if none runs, this process, which outlives the command.
  /// - Throws: `busy` if another process feeds the device, and `--no-daemon` is given or that process takes no commands.
  package static func background(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> FeederCall {
    if let daemon = try await daemon(workspace, device, global) { return daemon }
    // A page that feeds would end with the page.
    guard !global.isServing, let host = global.host else {
      if let feeder = try await feeder(workspace, device, global) { return feeder }
      throw noDaemon(device)
    }
    for attempt in 1... {
      // Asked before another one is started in vain.
      if let feeder = try await feeder(workspace, device, global) { return feeder }
      // Another process may have kept the device from the daemon until now.
      if let daemon = try await daemon(workspace, device, global) { return daemon }
      try checkCancellation(device)
      do throws(Failure) {
        let left = try await host.leftBehind(workspace, device, global)
        return FeederCall(workspace, device, global, .hosted(left))
      } catch {
        guard error.code == Failure.busy, !global.noDaemon else { throw error }
        // A feeder that has just started has no socket yet, and one that is ending has none any more.
        guard attempt < attempts else { throw error }
        try? await TimeSource.continuous.sleep(.milliseconds(100))
      }
    }
    throw Self.gone(device)
  }

  private static let attempts = 50

  private static func noDaemon(_ device: KnownDevice) -> Failure {
    Failure(
      Failure("no_daemon", "no daemon feeds this database", hint: .startDaemon, exit: .tryAgain),
      device: device)
  }

  /// A question that was cancelled says nothing of who feeds the device: no other process is started for it.
  private static func checkCancellation(_ device: KnownDevice) throws(Failure) {
    if Task.isCancelled { throw gone(device) }
  }

  /// The process that feeds the device; nil if none answers or `--no-daemon` is given.
  package static func feeder(
    _ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions
  ) async throws(Failure) -> FeederCall? {
    guard !global.noDaemon, let socket = feederSocket(of: device, workspace) else { return nil }
    return try await FeederCall(workspace, device, global, .feeder(socket: socket)).answering()
  }

  private static func feederSocket(of device: KnownDevice, _ workspace: Workspace) -> String? {
    DatabaseLock.holder(.feeder(device.id), of: workspace.database)?.socket
  }

  private init(_ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions, _ peer: Peer) {
    self.workspace = workspace
    self.device = device
    self.global = global
    self.peer = peer
  }

  /// Time limit for a peer to answer at all.
  private static let patience = Duration.seconds(10)

  /// Itself if the peer answers: a killed process leaves its socket behind.
  private func answering() async throws(Failure) -> FeederCall? {
    do throws(Failure) {
      let timeout = min(global.timeout ?? Self.patience, Self.patience)
      return try await ask(.poke, timeout: timeout) == nil ? nil : self
    } catch {
      guard error.code == Failure.feederGone else { throw error }
      return nil
    }
  }

  /// Refuses options for which the daemon has its configuration. Call before changing any row.
  package func checkOptions() throws(Failure) {
    guard case .daemon = peer else { return }
    let given = [
      global.app.map { ("--app \($0)", "receiver_application") },
      global.advertise.map { ("--advertise \($0)", "advertise") },
      global.mediaPort.map { ("--media-port \($0)", "media_port") },
    ]
    guard let (option, key) = given.compactMap(\.self).first else { return }
    throw Failure(
      "usage",
      "\(device.label): \(option) is unavailable while the daemon feeds the device; set \(key) in its configuration, or use --no-daemon",
      exit: .usage)
  }

  /// Sends a command; nil if the peer no longer answers.
  package func ask(_ command: ControlCommand, timeout: Duration?) async throws(Failure) -> JSONValue? {
    do throws(Failure) {
      switch peer {
      case .daemon(let socket), .feeder(let socket):
        return try await ControlClient(socket: socket, device: device.id).ask(command, timeout: timeout)
      case .hosted(let host):
        return try await host.reply(
          to: ControlRequest(device: device.id, command: command), within: timeout
        ).get()
      }
    } catch {
      throw Failure(error, device: device, global)
    }
  }

  /// Requests feeding of the queue. `--timeout` limits the wait for the first entry, not for the whole list.
  /// - Returns: the outcome of the first entry; an empty object once the list is drained.
  @discardableResult
  package func feed(_ request: FeedRequest) async throws(Failure) -> JSONValue {
    let timeout: Duration? =
      switch peer {
      case .daemon, .feeder: request.waits ? nil : global.timeout
      // Its calls have the limit themselves, and say why they failed: they come first.
      case .hosted: request.waits ? nil : global.timeout.map { $0 + .seconds(1) }
      }
    guard let outcome = try await ask(.feed(request), timeout: timeout) else { throw Self.gone(device) }
    return outcome
  }

  /// Requests feeding and waits for the first entry. A feeder that ends in the same moment leaves the device free: another one is
  /// started.
  @discardableResult
  package func start(_ request: FeedRequest) async throws(Failure) -> JSONValue {
    do throws(Failure) { return try await feed(request) } catch {
      guard error.code == Failure.feederGone else { throw error }
      return try await Self.background(workspace, device, global).feed(request)
    }
  }

  private static func gone(_ device: KnownDevice) -> Failure {
    Failure(Failure(Failure.feederGone, "the feeder ended; start again", exit: .tryAgain), device: device)
  }
}

// MARK: - Without waiting

extension FeederCall {
  /// Notifies the feeder or the daemon of new rows, which it would otherwise find within a second.
  package static func poke(_ workspace: Workspace, _ device: KnownDevice, _ global: CallOptions) async {
    guard !global.noDaemon, let socket = workspace.controlSocket(for: device) else { return }
    _ = try? await ControlClient(socket: socket, device: device.id).ask(.poke, timeout: .seconds(2))
  }
}

extension Workspace {
  /// Whether a daemon runs for the database.
  package var hasDaemon: Bool { DatabaseLock.holder(.daemon, of: database)?.isAlive == true }

  /// The socket for live commands: the feeder's, else the daemon's; nil if neither runs.
  func controlSocket(for device: KnownDevice) -> String? {
    DatabaseLock.holder(.feeder(device.id), of: database)?.socket
      ?? DatabaseLock.holder(.daemon, of: database)?.socket
  }
}
