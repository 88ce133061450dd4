import CastMulticast
import CastProtocol
import NIOCore

/// Questions whose askers have more to say about what they know (RFC 6762, 7.2).
struct TruncatedQueries: Sendable {
  struct Held: Sendable {
    var query: DNSMessage
    var link: MulticastLink
    var source: SocketAddress
  }

  /// More askers than this at once are answered without waiting.
  private static let limit = 16
  /// Most records of one asker; what it knows beyond it hears once more.
  private static let recordLimit = 512

  private var held: [Int: Held] = [:]
  private var count = 0

  func number(of source: SocketAddress) -> Int? { held.first { $0.value.source == source }?.key }

  /// Keeps a query until the rest has come; nil when there are too many. An earlier one of the same asker gains its
  /// questions.
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

  /// Adds to what an asker knows; false when it has asked nothing.
  @discardableResult
  mutating func append(_ known: [DNSRecord], from source: SocketAddress) -> Bool {
    guard let number = number(of: source), let count = held[number]?.query.answers.count else { return false }
    held[number]?.query.answers += known.prefix(max(0, Self.recordLimit - count))
    return true
  }

  mutating func release(_ number: Int) -> Held? { held.removeValue(forKey: number) }

  /// Returns the numbers of those that were held.
  mutating func forgetAll() -> [Int] {
    defer { held = [:] }
    return held.keys.sorted()
  }
}
