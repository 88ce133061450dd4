import Glibc
package import NIOCore
import NIOPosix

/// A Unix socket that receives control lines, one at a time for each connection, and answers each when it is done.
package struct ControlSocket: Sendable {
  package typealias Answer = @Sendable (String) async -> String

  package let path: String
  private let listener: any Channel

  /// Listens at a path that only this user may open; replaces the socket of a simulator that has died.
  ///
  /// - Throws: `SimControlError` when the path is in use or unavailable.
  package static func open(
    path: String, on group: any EventLoopGroup, answer: @escaping Answer
  ) async throws -> ControlSocket {
    let descriptor = try bound(path)
    do {
      let listener = try await ServerBootstrap(group: group)
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ControlLineHandler(answer: answer))
          }
        }
        .withBoundSocket(descriptor).get()
      return ControlSocket(path: path, listener: listener)
    } catch {
      Glibc.close(descriptor)
      unlink(path)
      throw SimControlError(description: "cannot listen at \(path): \(error)")
    }
  }

  /// Stops accepting connections and removes the file.
  package func stop() async {
    unlink(path)
    // A listener that is closed already is no error.
    try? await listener.close()
  }

  private static func bound(_ path: String) throws(SimControlError) -> Int32 {
    func failure(_ words: String? = nil) -> SimControlError {
      SimControlError(
        description: "cannot listen at \(path): \(words ?? String(cString: strerror(errno)))")
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout.size(ofValue: address.sun_path)
    else {
      throw failure("the path must have 1 to 107 bytes")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else { throw failure("something else has this name") }
      let probe = socket(AF_UNIX, kind, 0)
      let isServed = call(&address) { connect(probe, $0, $1) } == 0
      Glibc.close(probe)
      guard !isServed else { throw failure("another simulator listens there") }
      guard unlink(path) == 0 else { throw failure() }
    }
    let descriptor = socket(AF_UNIX, kind, 0)
    // The mode of an unbound socket becomes the file's: others can connect at no time.
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0, call(&address, { bind(descriptor, $0, $1) }) == 0
    else {
      let failure = failure()
      if descriptor >= 0 { Glibc.close(descriptor) }
      throw failure
    }
    return descriptor
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
}
