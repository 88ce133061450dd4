/// Where clients connect.
package struct MPDDoor: Sendable {
  package enum Place: Sendable, Hashable {
    /// A port of 0 is any free one.
    case address(host: String, port: Int)
    /// A listening socket in the file system.
    case socket(descriptor: CInt, path: String)
  }

  package var place: Place
  /// The partition in which clients begin; nil is that of the default device.
  package var partition: String?
  /// What clients may do that have sent no password.
  package var permissions: MPDPermissions

  package init(_ place: Place, partition: String?, permissions: MPDPermissions) {
    self.place = place
    self.partition = partition
    self.permissions = permissions
  }
}

/// Who a password lets in.
package protocol MPDGate: Sendable {
  /// - Parameter peer: the address of the client; nil for one of this computer's own sockets.
  /// - Returns: what its holder may do; nil for a wrong one.
  /// - Throws: `permission` when too many wrong ones came from there.
  func permissions(password: String, peer: String?) throws(MPDFailure) -> MPDPermissions?
  /// What the holder of a password that was right may do now; nil when it opens nothing any more.
  func permissions(stillOf password: String) -> MPDPermissions?
}
