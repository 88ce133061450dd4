import CastSender
import CastqFeeding

/// The daemon's inputs, in order of occurrence. Indirect as those of runners are.
indirect enum DaemonEvent: Sendable {
  case site(SiteMachine.Event)
  case control(ControlRequest, ControlTicket)
  /// The earliest timer may be due.
  case timersDue
  case reload
}

/// The daemon's queue of events. Everything may be added from anywhere, and nothing blocks.
struct SiteInbox: Sendable {
  let events: AsyncStream<DaemonEvent>
  private let continuation: AsyncStream<DaemonEvent>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream(of: DaemonEvent.self) }

  func yield(_ event: DaemonEvent) { continuation.yield(event) }

  /// Adds an event of the machine.
  func yield(_ event: SiteMachine.Event) { yield(.site(event)) }

  /// Has a request answered, in order with everything else.
  func reply(to request: ControlRequest) async -> ControlReply {
    await withCheckedContinuation { yield(.control(request, ControlTicket($0))) }
  }

  /// Adds an event whenever another process has written, or somebody has set the system's clock, until the group is cancelled.
  func watch(_ rows: StoreWatcher, in group: inout DiscardingTaskGroup) {
    group.addTask { await rows.watch { yield(.rowsChanged) } }
    group.addTask { for await _ in ClockWatch.changes() { yield(.clockSet) } }
  }

  /// Closes the inbox, and releases what is left in it.
  func close() async {
    continuation.finish()
    for await _ in events {}
  }
}
