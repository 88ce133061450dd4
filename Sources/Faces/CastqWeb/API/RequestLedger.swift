import CastProtocol
import CastTLS
import Synchronization

/// The requests that were accepted, and the answers of those with an `Idempotency-Key`, so that one that is sent twice is done once.
///
/// Of a key and a request only digests are kept. A long answer is kept as the numbers of its entries.
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

    /// About what it takes, in bytes: two digests, their places, and the answer.
    var size: Int { 256 + (answer?.text.utf8.count ?? 0) }
  }

  private struct State {
    var rows: [String: Row] = [:]
    /// The keys whose requests are done, the oldest first.
    var done: [String] = []
    var size = 0
    var number: UInt64 = 0
    var running = 0
  }

  private let state = Mutex(State())
  private let epoch = String(UInt64.random(in: 0...UInt64.max), radix: 36)
  /// Bytes of all rows; the oldest go first.
  private let most: Int
  /// Bytes of an answer that is kept as it is.
  private static let longest = 4096

  /// Requests that were answered with 202 and are not done yet.
  private static let mostRunning = 256

  /// - Parameter most: bytes that are kept.
  init(most: Int = 1 << 20) { self.most = most }

  /// Bytes that are kept now.
  var size: Int { state.withLock { $0.size } }

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
  ///   - request: the method, the path and the body.
  func begin(_ key: String, _ request: String) -> Entry {
    let (key, request) = (Self.digest(key), Self.digest(request))
    return state.withLock { state in
      if let row = state.rows[key] {
        guard row.request == request else { return .other }
        return row.answer.map { .done(status: $0.status, text: $0.text) } ?? .running
      }
      let row = Row(request: request)
      state.rows[key] = row
      state.size += row.size
      return .new
    }
  }

  func finish(_ key: String, status: Int, text: String) {
    let (key, text) = (Self.digest(key), Self.short(text))
    state.withLock { state in
      guard var row = state.rows[key] else { return }
      state.size -= row.size
      row.answer = (status, text)
      state.size += row.size
      state.rows[key] = row
      state.done.append(key)
      while state.size > most, !state.done.isEmpty {
        state.size -= state.rows.removeValue(forKey: state.done.removeFirst())?.size ?? 0
      }
    }
  }

  /// A request that failed may be sent again.
  func forget(_ key: String) {
    let key = Self.digest(key)
    state.withLock { $0.size -= $0.rows.removeValue(forKey: key)?.size ?? 0 }
  }

  /// A build of OpenSSL that makes no digests has the text itself.
  private static func digest(_ text: String) -> String { (try? SHA256.text(of: text.utf8)) ?? text }

  /// An answer as it is, or the numbers of the entries that it names.
  private static func short(_ text: String) -> String {
    guard text.utf8.count > longest, let answer = try? JSONValue(parsing: text) else { return text }
    let added = (answer["added"]?.array ?? []).map { entry -> JSONValue in ["entry": entry["entry"] ?? .null]
    }
    let short: JSONValue = ["device": answer["device"] ?? .null, "added": .array(added), "skipped": []]
    return short.text
  }
}
