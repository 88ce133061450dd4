import CastProtocol
import CastqCore
import Glibc

/// The file beside the database in which versions up to 10 kept what queues have got of the lists in the configuration. It is in their rows now.
struct OldListFile: Sendable {
  let path: String

  /// The most bytes of the file.
  private static let limit = 4 << 20

  init(besides database: String) { path = "\(database).lists" }

  var isThere: Bool { access(path, F_OK) == 0 }

  /// By the identities of queues; nil without a file, or where it cannot be read.
  var lists: [String: ConfiguredList]? {
    text.flatMap { (try? JSONValue(parsing: $0))?.object }?.compactMapValues(ConfiguredList.init(json:))
  }

  func remove() { unlink(path) }

  private var text: String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= Self.limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      if count < 0 { return nil }
      bytes += chunk[..<count]
    }
    return nil
  }
}
