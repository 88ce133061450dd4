import NIOCore
import Synchronization

/// The open connections. When there are too many, the one that has been idle longest goes, and without one the newest.
final class ConnectionBook: Sendable {
  private struct Entry {
    let channel: any Channel
    /// When it became idle, as a number that grows; nil while a request is being answered.
    var idleSince: Int?
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var next = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// The number of open connections.
  var count: Int { state.withLock { $0.entries.count } }

  /// Adds a connection, which is idle at first.
  /// - Returns: its number.
  func add(_ channel: any Channel) -> Int {
    let (number, closing) = state.withLock { state -> (Int, (any Channel)?) in
      var closing: (any Channel)?
      if state.entries.count >= limit {
        let idle = state.entries.compactMap { number, entry in
          entry.idleSince.map { (since: $0, number: number) }
        }
        if let oldest = idle.min(by: { $0.since < $1.since }) {
          closing = state.entries.removeValue(forKey: oldest.number)?.channel
        } else {
          closing = channel
        }
      }
      state.next += 1
      state.entries[state.next] = Entry(channel: channel, idleSince: state.next)
      return (state.next, closing)
    }
    closing?.close(promise: nil)
    return number
  }

  func setIdle(_ number: Int, _ isIdle: Bool) {
    state.withLock { state in
      state.next += 1
      state.entries[number]?.idleSince = isIdle ? state.next : nil
    }
  }

  func remove(_ number: Int) {
    _ = state.withLock { $0.entries.removeValue(forKey: number) }
  }
}
