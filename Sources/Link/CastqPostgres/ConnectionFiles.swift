import CLibPQ
import Glibc

/// The files that the address of a server names. libpq goes on without a certificate or a key that is not there, and then the server's
/// refusal names no file.
enum ConnectionFiles {
  private static let keys: Set<String> = ["sslrootcert", "sslcert", "sslkey", "sslcrl"]

  /// The reason of a failed call, followed by the named files that cannot be read and that it does not mention.
  static func explained(_ words: String, of handle: OpaquePointer) -> String {
    unreadable(of: handle).filter { !words.contains($0.path) }.reduce(words) { words, file in
      "\(words); \(file.key) is \(file.path), which cannot be read: \(file.reason)"
    }
  }

  private static func unreadable(of handle: OpaquePointer) -> [(key: String, path: String, reason: String)] {
    guard let options = PQconninfo(handle) else { return [] }
    defer { PQconninfoFree(options) }
    var found: [(key: String, path: String, reason: String)] = []
    var next = options
    while let keyword = next.pointee.keyword {
      defer { next += 1 }
      let key = String(cString: keyword)
      // `system` is no file: the authorities of this computer.
      guard keys.contains(key), let value = next.pointee.val, value.pointee != 0,
        case let path = String(cString: value), path != "system", access(path, R_OK) != 0
      else { continue }
      found.append((key, path, String(cString: strerror(errno))))
    }
    return found
  }
}
