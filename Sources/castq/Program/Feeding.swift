import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import UnixSignals

/// Feeds in the foreground: lock, signals, progress line and exit code.
struct Feeding {
  private let workspace: Workspace
  private let device: KnownDevice
  private let global: GlobalOptions
  private let feeder: DeviceFeeder

  /// Acquires the device's lock; throws `tryAgain` if another feeder holds it.
  init(workspace: Workspace, device: KnownDevice, global: GlobalOptions) throws(Failure) {
    self.workspace = workspace
    self.device = device
    self.global = global
    do throws(StoreError) {
      feeder = try DeviceFeeder(
        device: device, database: workspace.database,
        logger: CastLogger.shared.logger(for: "QueueRunner"))
    } catch {
      var failure = Failure(error)
      if failure.code == Failure.busy { failure.message = "\(device.label): \(failure.message)" }
      throw failure
    }
  }

  /// Releases the lock of a feeder that was never started.
  func release() { feeder.release() }

  /// Feeds until the queue is drained, the time is up or a signal comes.
  /// - Parameters:
  ///   - limit: seconds until the run stops; nil means no limit.
  ///   - resume: the entry and position to resume at, from another device; nil uses this device's own resume position.
  ///   - startsOver: whether to replace what the device still plays for this queue instead of adopting it.
  ///   - loops: whether the list restarts at its end.
  ///   - patience: how long to keep calling an unreachable device.
  func run(
    limit: Double?, announcer: Announcer? = nil, following: (input: SourceOptions, list: SourceList)? = nil,
    resume: ResumePoint? = nil, startsOver: Bool = false, loops: Bool = false, patience: Duration = .zero
  ) async -> RunResult {
    let progress = ProgressLine(isShown: Console.talksToTerminal && !global.quiet)
    let failures = FailureMemory()
    var options = RunnerOptions()
    options.resume = resume
    options.startsOver = startsOver
    options.loops = loops
    options.devicePatience = patience
    options.configuration.preloadTime = workspace.preloadTime(of: device)
    options.trust = DeviceCall.trust(workspace, isFeeder: true)
    options.resolver = DeviceCall.resolver(workspace)
    do throws(Failure) {
      options.receiverApplicationID = try global.receiverApplication(for: device)
    } catch {
      feeder.release()
      return RunResult(error)
    }
    DeviceCall.limit(&options.sessionOptions, global)
    options.sessionOptions.connectTimeout = DeviceCall.connectTimeout(
      options.sessionOptions.connectTimeout, device)
    // Old devices are slow to start an application, so only a given --timeout limits the start.
    if global.timeout == nil { options.sessionOptions.startTimeout = nil }
    let run = feeder.start(options: options) { report in
      progress.show(report)
      announcer?.announce(report)
      failures.remember(report)
      Self.printStoreError(report)
    }
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let hasRunOut = SignalMemory()
    let (outcome, signal) = await withTaskGroup(of: Void.self) { group in
      let caught = SignalMemory()
      group.addTask {
        for await signal in signals {
          caught.remember(signal == .sigint ? .interrupted : .terminated)
          run.stop("castq was stopped by a signal")
        }
      }
      if let following {
        group.addTask { await follow(following.input, following.list, in: run) }
      }
      group.addTask { await progress.run() }
      if let limit {
        group.addTask {
          guard (try? await TimeSource.continuous.sleep(.bounded(seconds: limit))) != nil else {
            return
          }
          hasRunOut.remember(.done)
          run.stop("the time limit of castq was reached")
        }
      }
      let outcome = await run.outcome()
      group.cancelAll()
      return (outcome, caught.status)
    }
    progress.clear()
    announcer?.announce(outcome)
    return judge(outcome, signal: signal, isOver: hasRunOut.status != nil, failures: failures)
  }

  /// Prints database errors, even with `--quiet`.
  private static func printStoreError(_ report: RunnerReport) {
    switch report {
    case .storeFailed(let error):
      Console.say("castq: \(error.message); \(StoreCatchUp.failure)")
    case .storeCaughtUp(let catchUp): Console.say("castq: \(catchUp)")
    case .connecting, .retrying, .connected, .waiting, .replaced, .sentTo, .started, .status, .ended: break
    }
  }

  /// Applies edits of the playlist files from the next entry on.
  private func follow(_ input: SourceOptions, _ list: SourceList, in run: DeviceFeeder.Run) async {
    await workspace.follow(input, list, for: device, timeout: global.deviceTimeout) { run.poke() }
  }

  private func judge(
    _ outcome: RunEnd, signal: ExitStatus?, isOver: Bool, failures: FailureMemory
  ) -> RunResult {
    if let signal { return RunResult(.stopped, signal: signal) }
    if failures.isReplaced { return RunResult(Failure(.replaced, device: device)) }
    switch outcome {
    case .halted:
      Self.reportStopped(device, global)
      return RunResult(.stopped)
    case .drained(let failed) where failed > 0:
      let last =
        failures.last(in: workspace.history).map { failed == 1 ? ": \($0)" : "; the last was \($0)" } ?? ""
      return RunResult(
        Failure(
          "entries_failed",
          "\(device.label): \(failed) \(failed == 1 ? "entry" : "entries") could not be played\(last); "
            + "'castq history --outcome failed' lists all", exit: .refused, receiver: failures.receiver))
    case .failed(let failure): return RunResult(Failure(failure))
    case .drained: return RunResult(.drained)
    case .stopped: return RunResult(isOver ? .timeOver : .stopped)
    case .takenOver, .stoppedElsewhere, .refused, .entryFailed, .unreachable, .busy:
      return outcome.failure.map { RunResult(Failure($0, device: device, global)) } ?? RunResult(.stopped)
    }
  }

  static func reportStopped(_ device: KnownDevice, _ global: GlobalOptions) {
    guard !global.quiet else { return }
    Console.say(
      "castq: \(device.label): stopped by 'castq stop'; the queue is kept, 'castq play' resumes it")
  }
}
