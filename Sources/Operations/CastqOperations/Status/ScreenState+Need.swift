package import CastProtocol
import CastqSchedule
import CastqText

/// What a screen needs of a person now: one line in words, and the one thing to do about it.
package struct ScreenNeed: Sendable, Hashable {
  /// What a person would do.
  package enum Act: String, Sendable, Hashable, CaseIterable {
    /// Find out why the device does not answer.
    case examine
    /// Look at the list that cannot be taken up.
    case look
    /// Try entries again that failed, or remove them.
    case retry
    /// Put something into the queue.
    case fill
  }

  package let act: Act
  /// Words behind the name of the screen: `is not heard since 14:59`.
  package let text: String

  package var json: JSONValue { ["act": .string(act.rawValue), "text": .string(text)] }
}

extension ScreenState {
  /// Nil where all is as somebody wanted it: what plays, what a person stopped, quiet hours, a guest, and a screen that has nothing to do.
  package var need: ScreenNeed? {
    let waiting = waiting
    switch waiting.reason {
    case .unreachable where hasWork:
      return ScreenNeed(
        act: .examine,
        text: waiting.since.map { "is not heard since \(rows.clock.minute($0))" } ?? "does not answer")
    case .failed: return ScreenNeed(act: .retry, text: "shows nothing: nothing of its queue can be played")
    case .nothingDue where rows.finished > 0:
      return ScreenNeed(act: .fill, text: "shows nothing: its queue has ended")
    case .notYet:
      return waiting.until.map {
        ScreenNeed(act: .fill, text: "shows nothing until \(rows.clock.minute($0))")
      }
    default: break
    }
    if let list = listLines.first { return ScreenNeed(act: .look, text: TerminalText.sanitized(list)) }
    guard rows.failed > 0 else { return nil }
    return ScreenNeed(
      act: .retry,
      text: rows.failed == 1
        ? "could not play one entry of its queue"
        : "could not play \(rows.failed) entries of its queue")
  }

  /// Whether something is to be on the screen, now or later.
  private var hasWork: Bool { rows.pending + rows.queued > 0 || rows.entry != nil || rows.hasRules }
}
