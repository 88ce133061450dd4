import Synchronization

/// What became of forms, for the page that they lead to. Its address has a number: no link can put words into a page.
final class NoticeBook: Sendable {
  private struct State {
    var words: [String: String] = [:]
    /// The numbers, oldest first.
    var order: [String] = []
  }

  private let state = Mutex(State())
  /// Notices that are kept; the oldest goes.
  private static let most = 1000

  /// Keeps a notice.
  /// - Returns: its number.
  func keep(_ words: String) -> String {
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    state.withLock { state in
      state.words[number] = words
      state.order.append(number)
      if state.order.count > Self.most { state.words[state.order.removeFirst()] = nil }
    }
    return number
  }

  /// The words of a notice; nil for a number that nobody was given.
  func words(_ number: String) -> String? { state.withLock { $0.words[number] } }
}
