import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import UnixSignals

/// The daemon that feeds from the database, as a command for one device speaks to it.
struct DaemonCall {
  let workspace: Workspace
  let device: KnownDevice
  let global: GlobalOptions
  private let socket: String

  /// Nil when no daemon answers, none is to be asked, or another process feeds the device.
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
    // A daemon that was killed leaves its socket behind.
    guard try await ask(.poke, timeout: .seconds(10)) != nil else { return nil }
  }

  /// Refuses a choice of application, which the daemon's own configuration makes; to be asked before any row is changed.
  func checkApplication() throws(Failure) {
    guard let id = global.app else { return }
    throw Failure(
      "usage",
      "\(device.label): --app \(id) is not for a device that the daemon feeds; write receiver_application into its configuration, or use --no-daemon",
      exit: .usage)
  }

  /// Has it done; nil when nobody answers any more.
  func ask(_ command: ControlCommand, timeout: Duration?) async throws(Failure) -> JSONValue? {
    do throws(ControlFailure) {
      return try await ControlClient(socket: socket, device: device.id).ask(command, timeout: timeout)
    } catch {
      throw Failure(error, device: device, global)
    }
  }

  /// Has the queue fed. `--timeout` limits the wait for the first entry, and not that for the whole list.
  /// - Returns: what the daemon tells of the first entry; an empty object when all has been played.
  func feed(_ request: FeedRequest) async throws(Failure) -> JSONValue {
    let timeout = request.waits ? nil : global.timeout?.duration
    guard let told = try await ask(.feed(request), timeout: timeout) else {
      throw Failure(
        Failure.feederGone, "\(device.label): the daemon ended; start again", exit: .tryAgain)
    }
    return told
  }

  /// Has the queue fed and waits until it is drained, as `castq run` does: a signal or the end of the time stops the media.
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
    case .success(let told):
      guard told["halted"]?.bool == true else { return RunResult(.drained) }
      Feeding.sayStopped(device, global)
      return RunResult(.stopped)
    }
  }

  /// What cannot be stopped in time is told by nobody: the program is ending.
  private func stop() async { _ = try? await ask(.stop(quits: false), timeout: .seconds(2)) }

  private func follow(_ input: SourceOptions, _ list: SourceList) async {
    await workspace.follow(input, list, for: device, timeout: global.deviceTimeout) {
      // Without this it would be seen within a second.
      _ = try? await ask(.poke, timeout: .seconds(2))
    }
  }
}

extension DaemonCall {
  /// Tells whoever feeds the device, or would, that there are new rows. It finds them by itself within a second.
  static func poke(_ workspace: Workspace, _ device: KnownDevice, _ global: GlobalOptions) async {
    guard !global.noDaemon, let socket = workspace.controlSocket(for: device) else { return }
    _ = try? await ControlClient(socket: socket, device: device.id).ask(.poke, timeout: .seconds(2))
  }
}

extension Workspace {
  /// Where live commands for a device go: the socket of its feeder, else of the daemon; nil when neither runs.
  func controlSocket(for device: KnownDevice) -> String? {
    DatabaseLock.holder(.feeder(device.id), of: database)?.socket
      ?? DatabaseLock.holder(.daemon, of: database)?.socket
  }
}

extension Result where Failure: Sendable, Success: Sendable {
  /// What an asynchronous body returns or throws.
  static func catching(_ body: () async throws(Failure) -> Success) async -> Result {
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
  }
}
