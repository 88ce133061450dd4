package import CastProtocol
import CastSender
import CastqDaemon
package import CastqFeeding
import CastqPlaylists
package import CastqStore
package import CastqText

/// Sends live commands to the device's feeder, or else to the device itself.
package struct LiveControl {
  package let global: CallOptions
  package let workspace: Workspace
  package let device: KnownDevice

  package init(global: CallOptions, workspace: Workspace, device: KnownDevice) {
    self.global = global
    self.workspace = workspace
    self.device = device
  }

  /// Opens the database and resolves the selected device. A device obeys also those who may only read the database.
  /// - Parameter writes: whether rows are changed, too.
  package init(_ global: CallOptions, writes: Bool = false) async throws(Failure) {
    let workspace = try Workspace(global, isReader: !writes)
    self.init(global: global, workspace: workspace, device: try await workspace.device(global))
  }

  /// Performs a command through the feeder, or else directly.
  /// - Parameter launching: whether to launch the named application if it is not running; a feeder never does.
  /// - Returns: the command's reply.
  @discardableResult
  package func ask(_ command: ControlCommand, launching: Bool = false) async throws(Failure) -> JSONValue {
    do throws(Failure) {
      if let reply = try await askFeeder(command) { return reply }
      // The daemon must not start the device by itself when a guest leaves or rows arrive.
      if case .perform(.stop) = command { try await holdInDaemon() }
    } catch {
      // The feeder ended during the request, so perform the command directly.
      guard error.code == Failure.feederGone else { throw error }
    }
    guard case .perform(.stop) = command else {
      return try await performDirectly(command, launching: launching)
    }
    do throws(Failure) {
      let reply = try await performDirectly(command, launching: launching)
      closeRows()
      return reply
    } catch {
      // Nothing plays.
      if error.exit == .no { closeRows() }
      throw error
    }
  }

  /// Nothing of what rows call playing is on the screen any more, and no feeder writes that. One that has begun meanwhile does, and where
  /// rows cannot be written the next one will.
  private func closeRows() {
    guard device.id != DeviceID(0),
      let lock = try? DatabaseLock(.feeder(device.id), of: workspace.database)
    else { return }
    defer { lock.release() }
    _ = try? workspace.queue.recover(device.id)
  }

  /// Sends a command to the feeder; nil if there is none or `--no-daemon` is given.
  func askFeeder(_ command: ControlCommand) async throws(Failure) -> JSONValue? {
    guard !global.noDaemon, device.id != DeviceID(0) else { return nil }
    do throws(Failure) {
      return try await ControlClient.ask(
        command, device: device.id, database: workspace.database,
        timeout: global.timeout ?? Self.patience(command))
    } catch {
      if error.code == Failure.notFeeding { return nil }
      throw Failure(error, device: device, global)
    }
  }

  /// Tells a daemon that does not feed the device now not to start it by itself.
  func holdInDaemon() async throws(Failure) {
    guard let daemon = try await FeederCall.daemon(workspace, device, global) else { return }
    do throws(Failure) {
      _ = try await daemon.ask(.perform(.stop(quits: false)), timeout: .seconds(10))
    } catch {
      guard error.code == Failure.notFeeding else { throw error }
    }
  }

  /// Connects, joins the running application, performs the command and disconnects.
  /// - Parameter queue: the queue whose media alone is meant; nil is whatever is there.
  func performDirectly(
    _ command: ControlCommand, launching: Bool = false, of queue: String? = nil
  ) async throws(Failure) -> JSONValue {
    do throws(Failure) {
      let control = DirectControl(
        global: global, workspace: workspace, device: device, isLaunching: launching, queue: queue)
      return try await control.perform(command)
    } catch {
      throw Failure(error, device: device, global)
    }
  }

  /// The default timeout for a feeder's reply; nil for commands that wait for media to load.
  private static func patience(_ command: ControlCommand) -> Duration? {
    switch command {
    case .perform(.play(.some)), .perform(.previous): nil
    case .perform(.stop): .seconds(30)
    case .send(let message): .bounded(seconds: message.wait ?? 0) + .seconds(10)
    case .perform, .readVolume, .readTracks, .feed, .poke, .status, .outlook, .fetches, .watch, .health,
      .metrics:
      .seconds(12)
    }
  }
}

/// One command over a session of its own.
struct DirectControl {
  let global: CallOptions
  let workspace: Workspace
  let device: KnownDevice
  var isLaunching = false
  /// The queue whose media alone is meant; nil is whatever is there.
  var queue: String?

  func perform(_ command: ControlCommand) async throws(Failure) -> JSONValue {
    let turn = try await volumeTurn(command)
    defer { turn?.release() }
    let call = DeviceCall(device, in: workspace, global)
    let options = options(for: command)
    let session = try call.session(options, isBounded: Self.isBounded(options.purpose))
    do throws(CastError) { try await session.start() } catch { throw Failure(error) }
    call.succeeded(session)
    if let queue, let media = session.mediaStatus, !media.isEnded,
      EntryTag(current: media, of: queue) == nil
    {
      await session.end(.leave)
      throw Failure.nothingPlays
    }
    if case .perform(.stop(quits: true)) = command {
      if let error = await session.end(.stopApplication) { throw Failure(error) }
      return [:]
    }
    let reply = await SessionControl(session).reply(to: command)
    await session.end(.leave)
    return try reply.get()
  }

  /// A step of the volume reads the level and sets another one. Of two at once one would be lost: where there is no feeder that
  /// performs them, one waits for the other.
  /// - Returns: nil for other commands, and where no lock can be had.
  private func volumeTurn(_ command: ControlCommand) async throws(Failure) -> DatabaseLock? {
    guard case .perform(.volume(.change)) = command, device.id != DeviceID(0) else { return nil }
    let time = TimeSource.continuous
    let end = time.now() + global.deviceTimeout
    while true {
      do throws(StoreError) { return try DatabaseLock(.volume(device.id), of: workspace.database) } catch {
        // A step that may be lost is better than none.
        guard case .busy = error, time.now() < end else { return nil }
      }
      do { try await time.sleep(.milliseconds(10)) } catch {
        throw Failure("interrupted", "interrupted", exit: .interrupted)
      }
    }
  }

  /// Whether the call may take no longer than a command waits by default: one that starts an application needs longer.
  private static func isBounded(_ purpose: SessionPurpose) -> Bool {
    if case .play = purpose { false } else { true }
  }

  private func options(for command: ControlCommand) -> SessionOptions {
    var options = SessionOptions(
      purpose: .join(applicationID: nil), loadTimeout: global.deviceTimeout, reconnection: nil)
    DeviceCall.limit(&options, global)
    switch command {
    case .readVolume: options.purpose = .device
    case .perform(let verb) where verb.reach == .device: options.purpose = .device
    // Any application, even one without media.
    case .perform(.stop(quits: true)): options.requiredNamespaces = []
    case .send(let message):
      // Sending the message itself reports whether the application supports the namespace.
      options.purpose = .join(applicationID: message.application)
      if isLaunching, let id = message.application { options.purpose = .play(applicationID: id) }
      options.requiredNamespaces = []
    case .perform, .readTracks, .feed, .poke, .status, .outlook, .fetches, .watch, .health, .metrics: break
    }
    if global.timeout == nil, Self.isBounded(options.purpose) { options.startTimeout = global.deviceTimeout }
    return options
  }
}
