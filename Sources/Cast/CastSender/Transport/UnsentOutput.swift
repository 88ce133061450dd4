import CastProtocol
import Synchronization

/// Counts what a connection has accepted to send and the system has not taken yet.
///
/// The peer decides when that shrinks, and can make it grow, because each PING is answered. Answers are not
/// dropped: to a slow device that would look like a sender that vanished (protocol 4). Beyond the limit the
/// connection closes.
final class UnsentOutput: Sendable {
  /// Bytes; more than all open requests of a session can occupy. Only answers to a peer that does not read
  /// exceed it, or requests to one that has let many of them run into their time limits.
  static let limit = 20 << 20
  /// What a waiting message occupies beside its bytes, roughly.
  static let overhead = 512

  private let limit: Int
  private let count = Atomic<Int>(0)

  init(limit: Int = UnsentOutput.limit) { self.limit = limit }

  /// Counts a message with this number of bytes; false, and not counted, when it would exceed the limit.
  func add(_ bytes: Int) -> Bool {
    let cost = bytes + Self.overhead
    guard count.wrappingAdd(cost, ordering: .acquiringAndReleasing).newValue > limit else { return true }
    count.wrappingSubtract(cost, ordering: .acquiringAndReleasing)
    return false
  }

  /// The message was sent, or never will be.
  func remove(_ bytes: Int) {
    count.wrappingSubtract(bytes + Self.overhead, ordering: .acquiringAndReleasing)
  }
}

/// The peer has not read what it was sent.
struct UnreadOutput: Error {}
