import CastProtocol
import CastqCore
import Glibc

/// What the queues have got of the lists in the configuration, by the identities of the queues. A daemon that starts again leaves what
/// a person has set since as it is, and a list that has left the configuration takes its entries with it.
///
/// Stored in a private file beside the database. Without the file, lists are taken up as for the first time.
struct ListMemory: Sendable {
  private(set) var lists: [String: ConfiguredList] = [:]
  private let path: String?

  /// The most bytes of the file.
  private static let limit = 4 << 20

  /// - Parameter path: the file; nil stores nothing.
  init(path: String?) {
    self.path = path
    guard let text = path.flatMap(Self.text), let members = (try? JSONValue(parsing: text))?.object else {
      return
    }
    lists = members.compactMapValues(ConfiguredList.init(json:))
  }

  /// Keeps what a queue has got; nil forgets it.
  /// - Returns: whether the next process will find it.
  @discardableResult
  mutating func keep(_ list: ConfiguredList?, of queue: String) -> Bool {
    guard lists[queue] != list else { return true }
    lists[queue] = list
    guard let path else { return true }
    let bytes = Array(JSONValue.object(lists.mapValues(\.json)).text.utf8)
    guard bytes.count <= Self.limit else { return false }
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    let written = write(descriptor, bytes, bytes.count)
    close(descriptor)
    if written == bytes.count, rename(draft, path) == 0 { return true }
    unlink(draft)
    return false
  }

  private static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      if count < 0 { return nil }
      bytes += chunk[..<count]
    }
    return nil
  }
}
