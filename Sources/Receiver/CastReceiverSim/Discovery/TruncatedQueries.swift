import CastMulticast
import CastProtocol
import NIOCore

/// Queries whose known answers continue in further datagrams (RFC 6762, 7.2).
struct TruncatedQueries: Sendable {
  struct Held: Sendable {
    var query: DNSMessage
    var link: MulticastLink
    var source: SocketAddress
  }

  /// Most queriers at once; further ones are answered without waiting.
  private static let limit = 16
  /// Most records of one querier; what it knows beyond them is sent to it again.
  private static let recordLimit = 512

  private var held: [Int: Held] = [:]
  private var count = 0

  func number(of source: SocketAddress) -> Int? { held.first { $0.value.source == source }?.key }

  /// Holds a query until the rest has arrived; nil when there are too many. Its questions are added to an earlier query of the same
  /// querier.
  mutating func hold(_ query: DNSMessage, on link: MulticastLink, from source: SocketAddress) -> Int? {
    if let number = number(of: source) {
      guard let earlier = held[number],
        earlier.query.questions.count + query.questions.count <= Self.recordLimit
      else { return nil }
      held[number]?.query.questions += query.questions
      append(query.answers, from: source)
      return number
    }
    guard held.count < Self.limit else { return nil }
    count += 1
    held[count] = Held(query: query, link: link, source: source)
    return count
  }

  /// Adds known answers of a querier; false when no query of it is held.
  @discardableResult
  mutating func append(_ known: [DNSRecord], from source: SocketAddress) -> Bool {
    guard let number = number(of: source), let count = held[number]?.query.answers.count else { return false }
    held[number]?.query.answers += known.prefix(max(0, Self.recordLimit - count))
    return true
  }

  mutating func release(_ number: Int) -> Held? { held.removeValue(forKey: number) }

  /// Discards all queries; returns their numbers.
  mutating func forgetAll() -> [Int] {
    defer { held = [:] }
    return held.keys.sorted()
  }
}
