import Glibc

/// Ends the wait for a server from another thread: a program that is to end must not wait for one that stands still.
package final class PostgresInterrupt: Sendable {
  /// Readable once it was raised; -1 where the system has no descriptors left, and then nothing is interrupted.
  let descriptor: Int32
  private let other: Int32

  package init() {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    _ = socketpair(AF_UNIX, kind, 0, &pair)
    (descriptor, other) = (pair[0], pair[1])
  }

  deinit { for end in [descriptor, other] where end >= 0 { close(end) } }

  /// Ends the wait of every connection that it was given to, from now on. Safe from anywhere.
  package func raise() { shutdown(other, Int32(SHUT_RDWR)) }
}
