import CastProtocol
package import CastSender
package import CastqFeeding
import CastqMediaServer
package import CastqStore
import CastqText
package import Logging

/// Feeds one device in this process: holds its lock, and wires the runner and its share of the media server.
package final class DeviceFeeder: Sendable {
  package let device: KnownDevice
  private let database: Database
  private let lock: DatabaseLock
  private let logger: Logger

  /// Acquires the device's lock; throws `StoreError.busy` if another feeder holds it.
  package init(device: KnownDevice, database: Database, logger: Logger) throws(StoreError) {
    self.device = device
    self.database = database
    self.logger = logger
    lock = try DatabaseLock(.feeder(device.id), of: database)
  }

  /// Whether the device's lock is held, and nobody has removed its file.
  var holdsLock: Bool { lock.isHeld }

  /// Publishes the control socket at which the feeder is asked.
  func announce(socket: String) { lock.announce(socket: socket) }

  /// Releases the lock of a feeder that was never started; does nothing after a run.
  package func release() { lock.release() }

  /// A run in progress: an inbox, and what becomes of it.
  package struct Run: Sendable {
    fileprivate let task: Task<RunEnd, Never>
    fileprivate let inbox: RunnerInbox

    /// Tells the runner what has happened, in order with everything else. Safe from anywhere.
    package func tell(_ event: RunnerMachine.Event) { inbox.yield(event) }

    /// Has the runner perform a live command and answer its ticket, even after the run has ended.
    func perform(_ command: ControlCommand, for ticket: ControlTicket) {
      inbox.yield(.control(command, ticket))
    }

    /// Performs a live command and returns its reply.
    package func control(_ command: ControlCommand) async -> ControlReply {
      await withCheckedContinuation { perform(command, for: ControlTicket($0)) }
    }

    /// Waits for the end of the run.
    package func outcome() async -> RunEnd { await task.value }
  }

  /// Starts feeding, after recovering what an earlier feeder left behind.
  /// - Parameters:
  ///   - host: what the feeders of this process share.
  ///   - watchesRows: whether it notices itself what other processes write; otherwise the caller must tell.
  ///   - noticed: called after each event of a session has reached the runner; from any thread.
  package func start(
    on host: FeederHost, _ settings: DeviceSettings, time: TimeSource = .continuous, watchesRows: Bool = true,
    noticed: @escaping @Sendable () -> Void = {}, report: @escaping @Sendable (RunnerReport) -> Void
  ) -> Run {
    let inbox = RunnerInbox(time: time, watching: watchesRows ? database : nil, noticed: noticed)
    // The tasks live as long as the device is fed, and so does each copy of the settings in their frames.
    let settings = Boxed(settings)
    let task = Task {
      let outcome = await self.run(on: host, settings, time: time, inbox: inbox, report: report)
      // Releasing the tickets fails commands that arrived too late.
      await inbox.close()
      return outcome
    }
    return Run(task: task, inbox: inbox)
  }

  private func run(
    on host: FeederHost, _ settings: Boxed<DeviceSettings>, time: TimeSource, inbox: RunnerInbox,
    report: @escaping @Sendable (RunnerReport) -> Void
  ) async -> RunEnd {
    let outcome: RunEnd
    var runner: QueueRunner?
    let media = LocalMedia(device.endpoint.host, on: host, advertised: settings.value.advertised)
    let problem = await media.find()
    do throws(StoreError) {
      let made = try await database.executor.run { () throws(StoreError) in
        try self.runner(on: host, settings, MediaResolver(media), inbox, report)
      }
      runner = made
      let search = problem.map { self.search(for: media, since: $0, time, inbox) }
      if let socket = host.socket { announce(socket: socket) }
      outcome = await made.run()
      search?.cancel()
      await search?.value
    } catch {
      outcome = .failed(Failure(error))
    }
    media.end()
    // A client may start the next feeder as soon as its stop command is answered, so release everything before that.
    await host.endsWithRun?.stopListening()
    if host.endsItsProcess {
      let news = await database.executor.run { [database] in database.closePending() }
      if let news { logger.log(news) }
    }
    lock.release()
    await runner?.answerLast()
    return outcome
  }

  /// Makes the runner. Not inlined, so that the settings stay out of the task's frame.
  @inline(never)
  private func runner(
    on host: FeederHost, _ settings: Boxed<DeviceSettings>, _ media: MediaResolver, _ inbox: RunnerInbox,
    _ report: @escaping @Sendable (RunnerReport) -> Void
  ) throws(StoreError) -> QueueRunner {
    var log = logger
    log[metadataKey: "castq.device"] = "\(device.label)"
    return try QueueRunner(
      device: device, database: database, media: media.noting(SubtitleNotes(log)), host: host,
      settings: settings.value, logger: logger, inbox: inbox, report: report)
  }

  /// Looks for a media server that is missing; the runner looks at its list again when there is one.
  private func search(
    for media: LocalMedia, since problem: MediaServerError, _ time: TimeSource, _ inbox: RunnerInbox
  ) -> Task<Void, Never> {
    let words: Logger.Metadata = ["castq.device": "\(device.label)"]
    logger.warning(
      "local files cannot be served", metadata: words.merging(["castq.problem": "\(problem)"]) { $1 })
    return Task {
      guard await media.findAgain(time) else { return }
      logger.notice("local files are served", metadata: words)
      inbox.yield(.rowsChanged)
    }
  }
}
