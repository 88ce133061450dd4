import Glibc

/// How long a box may feed, as `castq-link standby` writes it to the program that it runs: a datagram of text for each answer of the
/// centre, `until` and milliseconds of the system's clock since its start, or `until` and `ever`.
///
/// That clock is never set, counts while the computer sleeps, and is the same for both processes, however late a datagram is read.
package enum LeaseLine: Sendable, Hashable {
  case until(milliseconds: Int64)
  /// As long as the other side lives: there is no centre that could let another box feed.
  case ever

  /// The variable that has the number of the descriptor.
  package static let variable = "CASTQ_LEASE_FD"

  /// Bytes of the longest one.
  static let longest = 64

  /// Nil for what is none.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0] == "until" else { return nil }
    if words[1] == "ever" {
      self = .ever
    } else if let milliseconds = Int64(words[1]), milliseconds >= 0 {
      self = .until(milliseconds: milliseconds)
    } else {
      return nil
    }
  }

  package var text: String {
    switch self {
    case .until(let milliseconds): "until \(milliseconds)"
    case .ever: "until ever"
    }
  }

  /// Whether it has ended.
  package func isOver(at milliseconds: Int64) -> Bool {
    switch self {
    case .until(let end): milliseconds >= end
    case .ever: false
    }
  }

  /// Milliseconds since the system's start.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
