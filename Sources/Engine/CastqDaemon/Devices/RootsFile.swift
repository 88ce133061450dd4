import CastProtocol
package import CastSender
import Glibc

/// A file of trusted root certificates: PEM with any number of them, or one in DER.
package enum RootsFile {
  /// Maximum size of the file, in bytes.
  private static let limit = 1 << 20

  /// The certificates of a file.
  package static func roots(_ path: String) throws(TrustFileError) -> DeviceRoots {
    let bytes = try read(path)
    do throws(CastError) {
      return try DeviceRoots(bytes)
    } catch {
      throw TrustFileError(isMissing: false, description: "\(path): \(error)")
    }
  }

  private static func read(_ path: String) throws(TrustFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
    throw TrustFileError(isMissing: false, description: "\(path) is too large for a list of certificates")
  }
}

/// An error of a certificate file.
package struct TrustFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whether the file cannot be read.
  package var isMissing: Bool
  /// The file and the problem.
  package var description: String

  fileprivate static func unreadable(_ path: String) -> TrustFileError {
    TrustFileError(isMissing: true, description: "cannot read \(path): \(String(cString: strerror(errno)))")
  }
}
