import CastqDaemon
import Glibc

/// Tells a program that this one runs how long it may feed: a pair of sockets, of which the program inherits one.
final class LeaseWriter: Sendable {
  private let own: Int32
  private let other: Int32

  /// - Returns: nil where the system has no descriptors left.
  init?() {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
    (own, other) = (pair[0], pair[1])
  }

  /// The end that the program inherits, until `start` has returned.
  var inherited: Int32 { other }

  /// Writes without waiting: a program that reads nothing is out of time anyway.
  func write(_ line: LeaseLine) {
    let bytes = Array(line.text.utf8)
    _ = send(own, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }

  deinit {
    close(own)
    close(other)
  }
}
