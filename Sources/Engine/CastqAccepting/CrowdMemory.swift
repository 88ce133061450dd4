import CAllocator

/// Gives memory back to the system when a crowd has left: glibc keeps what was freed between blocks that are in use, which after
/// thousands of connections is tens of MiB for good.
package struct CrowdMemory: Sendable {
  /// Connections that make a crowd; those of fewer are some 2 MiB.
  static let crowd = 512

  private var most = 0

  package init() {}

  /// Counts connections.
  /// - Parameter open: how many are open now.
  /// - Returns: whether there was a crowd, and it has left.
  package mutating func hasLeft(_ open: Int) -> Bool {
    most = max(most, open)
    guard most >= Self.crowd, open <= most / 8 else { return false }
    most = 0
    return true
  }

  /// Takes some milliseconds.
  package static func giveBack() { malloc_trim(0) }
}
