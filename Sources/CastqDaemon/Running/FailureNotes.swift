import CastProtocol
import CastSender
import CastqCore
import CastqStore
import Logging

/// Why media that a receiver could not load failed, kept in history beside the receiver's own words.
struct FailureNotes {
  /// A look at an address, and when it began.
  private struct Look {
    var at: Tick
    var words: Task<String?, Never>
  }

  /// How long what was found is good for. A look takes a few seconds, so that a note of a minute ago is written.
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

  /// Looks at the address of a play that failed. The list continues meanwhile.
  mutating func explain(_ turn: EntryTurn, at now: Tick) {
    guard let address = try? history.address(of: turn) else { return }
    looks = looks.filter { now - $0.value.at < Self.memory }
    notes.removeAll { now - $0.at >= Self.memory }
    guard looks[address] != nil || looks.count < Self.mostLooks else { return }
    let look = looks[address] ?? Look(at: now, words: Task { await MediaLook.words(at: address) })
    looks[address] = look
    let note = Task { [history, executor, logger] in
      guard let words = await look.words.value else { return }
      // What cannot be kept is a remark, and no play.
      do throws(StoreError) {
        try await executor.run { () throws(StoreError) in try history.annotate(turn, words) }
      } catch {
        logger.debug("what is wrong with media was not kept", metadata: ["castq.error": "\(error)"])
      }
    }
    notes.append((now, note))
  }

  /// Waits for what is being looked at; each look is short. Who ends the run does not wait for it.
  func finish(after end: RunEnd?) async {
    switch end {
    case .stopped, .halted: for look in looks.values { look.words.cancel() }
    case nil, .drained, .takenOver, .stoppedElsewhere, .refused, .unreachable, .entryFailed, .failed, .busy:
      break
    }
    for note in notes { await note.task.value }
  }
}
