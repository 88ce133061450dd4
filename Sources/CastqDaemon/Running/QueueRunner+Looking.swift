import CastSender
import CastqCore
import CastqStore
import Logging

/// What is wrong with media that the receiver could not load: told in history beside the receiver's own words.
extension QueueRunner {
  /// A look at an address, and when it began.
  struct Look {
    var at: Tick
    var words: Task<String?, Never>
  }

  /// How long what was found is good for.
  private static let memory = Duration.seconds(60)
  private static let mostLooks = 64

  /// Looks at the address of an entry that failed. The list goes on meanwhile.
  func look(into turn: EntryTurn, _ play: EndedPlay) {
    guard play.outcome == .failed, let address = try? historyStore.address(of: turn)
    else { return }
    let now = time.now()
    looks = looks.filter { now - $0.value.at < Self.memory }
    guard looks[address] != nil || looks.count < Self.mostLooks else { return }
    let look = looks[address] ?? Look(at: now, words: Task { await MediaLook.words(at: address) })
    looks[address] = look
    notes[turn] = Task { [historyStore, executor, logger, weak self] in
      if let words = await look.words.value {
        // What cannot be kept is a remark, and no play.
        do throws(StoreError) {
          try await executor.run { () throws(StoreError) in try historyStore.annotate(turn, words) }
        } catch {
          logger.debug("what is wrong with media was not kept", metadata: ["castq.error": "\(error)"])
        }
      }
      await self?.forgetNote(turn)
    }
  }

  private func forgetNote(_ turn: EntryTurn) { notes[turn] = nil }

  /// Waits for what is being looked at; each look is short. Somebody who ends the run does not wait for it.
  func finishLooks() async {
    switch outcome {
    case .stopped, .halted: for look in looks.values { look.words.cancel() }
    case nil, .drained, .takenOver, .stoppedElsewhere, .refused, .unreachable, .entryFailed, .failed, .busy:
      break
    }
    for note in notes.values { await note.value }
  }
}
