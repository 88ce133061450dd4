import Glibc

/// The listening socket of a feeder, created so that other users can never connect.
package struct ControlListener {
  package let descriptor: Int32
  package let path: String

  /// Binds and listens. Replaces the socket of a dead feeder.
  package init(path: String) throws(ControlSocketError) {
    self.path = path
    guard var address = Self.address(path) else { throw .pathTooLong(path) }
    try Self.removeDead(path, &address)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure(path) }
    self.descriptor = descriptor
    // bind(2) gives the file the socket's mode, so there is no moment in which others may connect.
    guard fchmod(descriptor, 0o600) == 0, Self.call(&address, { bind(descriptor, $0, $1) }) == 0,
      chmod(path, 0o600) == 0, listen(descriptor, 128) == 0
    else {
      let failure = Self.failure(path)
      close(descriptor)
      throw failure
    }
  }

  /// Removes a stale socket. The caller holds the device's lock, so a socket that does not answer is stale.
  private static func removeDead(_ path: String, _ address: inout sockaddr_un) throws(ControlSocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else { throw .notASocket(path) }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { throw failure(path) }
    defer { close(probe) }
    guard call(&address, { connect(probe, $0, $1) }) != 0 else { throw .taken(path) }
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
  }

  private static func address(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count <= SocketPath.limit, !bytes.isEmpty, !bytes.contains(0) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return address
  }

  private static func call(
    _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func failure(_ path: String) -> ControlSocketError {
    .failed(path, words: String(cString: strerror(errno)))
  }
}

extension ControlListener {
  /// Removes a socket that is served no more.
  package static func remove(_ path: String) { unlink(path) }
}
