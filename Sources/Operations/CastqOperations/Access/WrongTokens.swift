import Synchronization

/// Counts wrong tokens by address, so that nobody guesses for long.
package final class WrongTokens: Sendable {
  private struct Window {
    var start: Int64
    var count: Int
  }

  /// Wrong tokens that an address has in a minute.
  private let limit: Int
  /// Seconds on any clock that only goes forward.
  private let now: @Sendable () -> Int64
  private let windows = Mutex<[String: Window]>([:])
  /// Addresses that are counted at a time; beyond them all are counted as one.
  private static let most = 4096

  package init(limit: Int, now: @escaping @Sendable () -> Int64) {
    self.limit = limit
    self.now = now
  }

  /// Counts a wrong token.
  /// - Returns: whether the address may go on.
  package func note(from peer: String) -> Bool {
    let moment = now()
    return windows.withLock { windows in
      if windows.count >= Self.most { windows = windows.filter { moment - $0.value.start < 60 } }
      let peer = windows[peer] == nil && windows.count >= Self.most ? "" : peer
      var window = windows[peer] ?? Window(start: moment, count: 0)
      if moment - window.start >= 60 { window = Window(start: moment, count: 0) }
      window.count = min(window.count + 1, limit + 1)
      windows[peer] = window
      return window.count <= limit
    }
  }
}
