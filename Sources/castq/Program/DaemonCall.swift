import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import UnixSignals

/// A command's connection to the daemon of the database, for one device.
struct DaemonCall {
  let workspace: Workspace
  let device: KnownDevice
  let global: GlobalOptions
  private let socket: String

  /// Nil if no daemon answers, `--no-daemon` is given, or another process feeds the device.
  init?(_ workspace: Workspace, _ device: KnownDevice, _ global: GlobalOptions) async throws(Failure) {
    guard !global.noDaemon, device.id != DeviceID(0),
      let holder = DatabaseLock.holder(.daemon, of: workspace.database), let socket = holder.socket
    else { return nil }
    if let feeder = DatabaseLock.holder(.feeder(device.id), of: workspace.database),
      feeder.process != holder.process, feeder.isAlive
    {
      return nil
    }
    self.workspace = workspace
    self.device = device
    self.global = global
    self.socket = socket
    // A killed daemon leaves its socket behind.
    guard try await ask(.poke, timeout: .seconds(10)) != nil else { return nil }
  }

  /// Refuses `--app`, because the daemon's configuration chooses the application. Call before changing any row.
  func checkApplication() throws(Failure) {
    guard let id = global.app else { return }
    throw Failure(
      "usage",
      "\(device.label): --app \(id) is unavailable while the daemon feeds the device; set receiver_application in its configuration, or use --no-daemon",
      exit: .usage)
  }

  /// Sends a command to the daemon; nil if it no longer answers.
  func ask(_ command: ControlCommand, timeout: Duration?) async throws(Failure) -> JSONValue? {
    do throws(ControlFailure) {
      return try await ControlClient(socket: socket, device: device.id).ask(command, timeout: timeout)
    } catch {
      throw Failure(error, device: device, global)
    }
  }

  /// Requests feeding of the queue. `--timeout` limits the wait for the first entry, not for the whole list.
  /// - Returns: the outcome of the first entry; an empty object once the list is drained.
  func feed(_ request: FeedRequest) async throws(Failure) -> JSONValue {
    let timeout = request.waits ? nil : global.timeout?.duration
    guard let outcome = try await ask(.feed(request), timeout: timeout) else {
      throw Failure(
        Failure.feederGone, "\(device.label): the daemon ended; start again", exit: .tryAgain)
    }
    return outcome
  }

  /// Requests feeding and waits until the queue is drained, as `castq run` does. A signal or the time limit stops the media.
  func run(
    _ request: FeedRequest, limit: Double?, following: (input: SourceOptions, list: SourceList)? = nil
  ) async -> RunResult {
    var request = request
    request.waits = true
    let feeding = Task { [request] in
      await Result.catching { () async throws(Failure) in try await feed(request) }
    }
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let caught = SignalMemory()
    let (result, hasRunOut) = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await signal in signals {
          caught.remember(signal == .sigint ? .interrupted : .terminated)
          await stop()
          feeding.cancel()
        }
        return false
      }
      if let following {
        group.addTask {
          await follow(following.input, following.list)
          return false
        }
      }
      if let limit {
        group.addTask {
          guard (try? await TimeSource.continuous.sleep(.bounded(seconds: limit))) != nil else {
            return false
          }
          await stop()
          return true
        }
      }
      let result = await feeding.value
      group.cancelAll()
      var hasRunOut = false
      for await isOut in group where isOut { hasRunOut = true }
      return (result, hasRunOut)
    }
    if let status = caught.status { return RunResult(.stopped, signal: status) }
    if hasRunOut { return RunResult(.timeOver) }
    switch result {
    case .failure(let failure): return RunResult(failure)
    case .success(let outcome):
      guard outcome["halted"]?.bool == true else { return RunResult(.drained) }
      Feeding.reportStopped(device, global)
      return RunResult(.stopped)
    }
  }

  /// Failures are ignored: the program is ending.
  private func stop() async { _ = try? await ask(.stop(quits: false), timeout: .seconds(2)) }

  private func follow(_ input: SourceOptions, _ list: SourceList) async {
    await workspace.follow(input, list, for: device, timeout: global.deviceTimeout) {
      // Without the poke, the daemon notices the change within a second.
      _ = try? await ask(.poke, timeout: .seconds(2))
    }
  }
}

extension DaemonCall {
  /// Notifies the feeder or the daemon of new rows, which it would otherwise find within a second.
  static func poke(_ workspace: Workspace, _ device: KnownDevice, _ global: GlobalOptions) async {
    guard !global.noDaemon, let socket = workspace.controlSocket(for: device) else { return }
    _ = try? await ControlClient(socket: socket, device: device.id).ask(.poke, timeout: .seconds(2))
  }
}

extension Workspace {
  /// The socket for live commands: the feeder's, else the daemon's; nil if neither runs.
  func controlSocket(for device: KnownDevice) -> String? {
    DatabaseLock.holder(.feeder(device.id), of: database)?.socket
      ?? DatabaseLock.holder(.daemon, of: database)?.socket
  }
}

extension Result where Failure: Sendable, Success: Sendable {
  /// The result of an asynchronous throwing body.
  static func catching(_ body: () async throws(Failure) -> Success) async -> Result {
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
  }
}
