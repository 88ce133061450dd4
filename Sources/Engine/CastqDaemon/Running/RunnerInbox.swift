import CastProtocol
package import CastSender
package import CastqFeeding
package import CastqStore

/// The runner's inputs, in order of occurrence. Indirect, so that the queue of each device keeps the room of some pointers, and not of
/// the largest events that there are.
indirect enum RunnerEvent: Sendable {
  case machine(RunnerMachine.Event)
  case session(SessionNumber, StampedSessionEvent)
  /// A live command.
  case control(ControlCommand, ControlTicket)
  /// The earliest timer may be due.
  case timersDue
}

/// The runner's queue of events, each with the moment it happened, because the disk may delay the runner.
package struct RunnerInbox: Sendable {
  struct Arrival: Sendable {
    let event: RunnerEvent
    let moment: Tick
  }

  let arrivals: AsyncStream<Arrival>
  private let continuation: AsyncStream<Arrival>.Continuation
  let time: TimeSource
  /// Nil if the caller reports writes of other processes.
  private let watcher: StoreWatcher?
  private let noticed: @Sendable () -> Void

  /// - Parameters:
  ///   - database: what other processes write to it is noticed; nil if the caller reports that.
  ///   - noticed: called after each event of a session has been added; from any thread.
  package init(
    time: TimeSource, watching database: Database?, noticed: @escaping @Sendable () -> Void = {}
  ) {
    (self.time, self.noticed) = (time, noticed)
    watcher = database.map { StoreWatcher(database: $0, time: time) }
    (arrivals, continuation) = AsyncStream.makeStream(of: Arrival.self)
    // Must be the first event.
    yield(.begin)
  }

  /// Adds an event without blocking. Safe from anywhere.
  func yield(_ event: RunnerEvent) {
    guard case .session(_, let stamped) = event else {
      continuation.yield(Arrival(event: event, moment: time.now()))
      return
    }
    continuation.yield(Arrival(event: event, moment: stamped.heardAt))
    noticed()
  }

  /// Adds an event of the machine.
  package func yield(_ event: RunnerMachine.Event) { yield(.machine(event)) }

  /// Adds an event whenever another process has written, until the task is cancelled.
  func watch() async { await watcher?.watch { yield(.rowsChanged) } }

  /// Closes the inbox, and releases what is left in it.
  func close() async {
    continuation.finish()
    for await _ in arrivals {}
  }
}
