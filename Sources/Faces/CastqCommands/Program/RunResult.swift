import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText

/// The result of a run, for its exit code and `--json`.
struct RunResult: Sendable {
  /// Values of `ended` in the summary.
  enum Ended: String, Sendable {
    case drained, stopped, replaced, unreachable
    case takenOver = "taken_over"
    case timeOver = "time_over"
  }

  var ended: Ended
  /// The error to report; nil if the run succeeded.
  var failure: Failure?
  /// The exit status of the signal that ended it; nil if none did.
  var signal: ExitStatus?

  init(_ ended: Ended, failure: Failure? = nil, signal: ExitStatus? = nil) {
    self.ended = ended
    self.failure = failure
    self.signal = signal
  }

  /// The result of a failure of the feeder.
  init(_ failure: Failure) {
    let ended: Ended =
      switch failure.code {
      case Failure.replaced.code: .replaced
      case "taken_over": .takenOver
      case "entries_failed": .drained
      default: failure.exit == .unreachable || failure.exit == .timeout ? .unreachable : .stopped
      }
    self.init(ended, failure: failure)
  }
}

/// Counts of the plays of a run's list since it started.
struct RunTally: Sendable {
  private let workspace: Workspace
  private let device: KnownDevice
  private let before: Int64
  /// Whether entries waited when the run began.
  private let hadEntries: Bool

  /// - Parameter continues: whether the current play counts as part of the run; false for a list that replaces it.
  init(_ workspace: Workspace, _ device: KnownDevice, continues: Bool) throws(Failure) {
    self.workspace = workspace
    self.device = device
    before = try workspace.ask { (here) throws(StoreError) in
      try here.history.lastPlay(of: device.id, isOver: continues)
    }
    hadEntries = try workspace.ask { (here) throws(StoreError) in
      let counts = try here.queue.counts(for: device.id)
      return [.pending, .offered, .queued, .playing].contains { counts[$0] ?? 0 > 0 }
    }
  }

  /// Prints the summary of `castq run --json` and throws the exit code.
  /// - Parameter first: the first entry of the run's own list; nil where it plays what was queued.
  func finish(
    _ result: RunResult, of first: EntryID?, list: Failure?, _ global: CallOptions
  ) async throws {
    let exit = result.signal ?? result.failure?.exit ?? list?.exit
    guard global.isMachineReadable else {
      if let signal = result.signal { throw Silent(exit: signal) }
      if let failure = result.failure { throw failure }
      if result.ended == .drained, !global.quiet, let why = (try? whyNothingPlayed(first)) ?? nil {
        Console.say("castq: \(device.label): nothing was played: \(why)")
      }
      if let list { throw Silent(list) }
      return
    }
    let tally = try await tally(of: first, isReplaced: result.ended == .replaced)
    var document: [String: JSONValue] = [
      "device": .string(device.label), "finished": .integer(Int64(tally.finished)),
      "failed": .integer(Int64(tally.failed)), "skipped": .integer(Int64(tally.skipped)),
      "interrupted": .integer(Int64(tally.interrupted)),
      "unknown": .integer(Int64(tally.unknown + tally.open)), "ended": .string(result.ended.rawValue),
    ]
    if result.signal == nil, let error = result.failure?.document["error"] { document["error"] = error }
    Console.print(.object(document) as JSONValue)
    if let exit { throw Silent(exit: exit) }
  }

  /// Why nothing of the list has been on the screen; nil when something was, or nothing waited.
  private func whyNothingPlayed(_ first: EntryID?) throws(Failure) -> String? {
    guard first != nil || hadEntries, try count(first, false).isEmpty else { return nil }
    let entries = try workspace.ask { (here) throws(StoreError) in
      try here.queue.entries(for: device.id)
    }
    if entries.isEmpty { return "its queue was emptied" }
    return entries.allSatisfy { $0.state == .skipped }
      ? "the time of its entries is over" : "nothing of the list was due"
  }

  /// Time for the end of a play that is cut off to be heard and written.
  private static let patience = Duration.seconds(5)

  /// The counts, as soon as the end of what a list that took the place of this one cut off has been written: the daemon says first that
  /// the list is replaced. Of a play whose end does not come nobody knows how it ended.
  private func tally(of first: EntryID?, isReplaced: Bool) async throws(Failure) -> HistoryStore.Tally {
    // What is written after this moment is noticed.
    let changes = workspace.changes()
    guard isReplaced, try count(first, isReplaced).open > 0 else { return try count(first, isReplaced) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await TimeSource.continuous.sleep(Self.patience) }
      group.addTask {
        for await _ in changes where (try? count(first, isReplaced).open) == 0 { return }
      }
      await group.next()
      group.cancelAll()
    }
    return try count(first, isReplaced)
  }

  private func count(_ first: EntryID?, _ isReplaced: Bool) throws(Failure) -> HistoryStore.Tally {
    try workspace.ask { (here) throws(StoreError) in
      try here.history.tally(of: device.id, after: before, from: first, isReplaced: isReplaced)
    }
  }
}
