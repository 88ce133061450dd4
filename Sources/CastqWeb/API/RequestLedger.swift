import CastProtocol
import Synchronization

/// The requests that were accepted, and the answers of those with an `Idempotency-Key`, so that one that is sent twice is done once.
final class RequestLedger: Sendable {
  enum Entry: Sendable {
    /// The first of its kind.
    case new
    /// It is being done.
    case running
    /// It was done, for the same body.
    case done(status: Int, text: String)
    /// The key was used for another request.
    case other
  }

  private struct Row {
    var request: String
    var answer: (status: Int, text: String)?
  }

  private struct State {
    var rows: [String: Row] = [:]
    var order: [String] = []
    var number: UInt64 = 0
    var running = 0
  }

  private let state = Mutex(State())
  private let epoch = String(UInt64.random(in: 0...UInt64.max), radix: 36)
  /// Keys that are kept; the oldest go first.
  private static let most = 4096

  /// Requests that were answered with 202 and are not done yet.
  private static let mostRunning = 256

  /// A name for a request that is answered before it is done; nil when too many are under way.
  func number() -> String? {
    state.withLock { state in
      guard state.running < Self.mostRunning else { return nil }
      state.running += 1
      state.number += 1
      return "\(epoch)-\(state.number)"
    }
  }

  /// A request with a name is done.
  func end() { state.withLock { $0.running -= 1 } }

  /// - Parameters:
  ///   - key: with the name of who asks.
  ///   - request: the method, the path and a digest of the body.
  func begin(_ key: String, _ request: String) -> Entry {
    state.withLock { state in
      if let row = state.rows[key] {
        guard row.request == request else { return .other }
        return row.answer.map { .done(status: $0.status, text: $0.text) } ?? .running
      }
      if state.order.count >= Self.most { state.rows[state.order.removeFirst()] = nil }
      state.order.append(key)
      state.rows[key] = Row(request: request)
      return .new
    }
  }

  func finish(_ key: String, status: Int, text: String) {
    state.withLock { $0.rows[key]?.answer = (status, text) }
  }

  /// A request that failed may be sent again.
  func forget(_ key: String) {
    state.withLock { state in
      state.rows[key] = nil
      state.order.removeAll { $0 == key }
    }
  }
}
