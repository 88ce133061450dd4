import CastProtocol
import CastqFeeding
import CastqFiles
import Glibc

/// The file beside the database in which versions up to 10 kept what queues have got of the lists in the configuration. It is in their rows now.
struct OldListFile: Sendable {
  let path: String

  /// The most bytes of the file.
  private static let limit = 4 << 20

  init(besides database: String) { path = "\(database).lists" }

  /// Whether anything is there.
  var isThere: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// By the identities of queues; nil without a file, or where it has something else.
  func lists() throws(OwnFileError) -> [String: ConfiguredList]? {
    guard let bytes = try OwnFile.bytes(of: path, limit: Self.limit) else { return nil }
    return (try? JSONValue(parsing: bytes))?.object?.compactMapValues(ConfiguredList.init(json:))
  }

  func remove() { unlink(path) }
}
