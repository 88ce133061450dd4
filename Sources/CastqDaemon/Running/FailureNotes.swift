import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// Finds out why a receiver could not load media, and adds it to the reason in history.
struct FailureNotes {
  /// A probe of an address.
  private struct Look {
    var at: Tick
    var words: Task<String?, Never>
  }

  /// How long a result is reused. A probe takes a few seconds, so a note of a minute ago has been written.
  private static let memory = Duration.seconds(60)
  private static let mostLooks = 64

  private let history: HistoryStore
  private let executor: StoreExecutor
  private let logger: Logger
  private var looks: [String: Look] = [:]
  private var notes: [(at: Tick, task: Task<Void, Never>)] = []

  init(_ database: Database, logger: Logger) {
    history = HistoryStore(database)
    executor = database.executor
    self.logger = logger
  }

  /// Probes the address of a failed play, while the list continues.
  mutating func explain(_ turn: EntryTurn, at now: Tick) {
    guard let address = try? history.address(of: turn) else { return }
    looks = looks.filter { now - $0.value.at < Self.memory }
    notes.removeAll { now - $0.at >= Self.memory }
    guard looks[address] != nil || looks.count < Self.mostLooks else { return }
    let look = looks[address] ?? Look(at: now, words: Task { await MediaLook.words(at: address) })
    looks[address] = look
    let note = Task { [history, executor, logger] in
      guard let words = await look.words.value else { return }
      // A store error loses the note only, not the play.
      do throws(StoreError) {
        try await executor.run { () throws(StoreError) in try history.annotate(turn, words) }
      } catch {
        logger.debug("note about failed media was not saved", metadata: ["castq.error": "\(error)"])
      }
    }
    notes.append((now, note))
  }

  /// Waits for pending probes, which are short; cancels them if the run was stopped.
  func finish(after end: RunEnd?) async {
    switch end {
    case .stopped, .halted: for look in looks.values { look.words.cancel() }
    case nil, .drained, .takenOver, .stoppedElsewhere, .refused, .unreachable, .entryFailed, .failed, .busy:
      break
    }
    for note in notes { await note.task.value }
  }
}
