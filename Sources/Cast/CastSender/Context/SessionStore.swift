import CastProtocol
import Glibc
import Logging

/// Stores a session beyond the life of a process.
public protocol SessionStore: Sendable {
  /// The stored session; nil when there is none, or when it cannot be read.
  func load() -> SavedSession?
  /// Stores a session; nil deletes the stored one. Called at each change, from any thread, and must not fail: a session continues
  /// without being stored.
  func save(_ session: SavedSession?)
}

/// Stores a session in a file that only its owner can read.
public struct FileSessionStore: SessionStore {
  private let path: String
  private let logger = CastLogger.shared.logger(for: .fileSessionStore)

  /// A store in a file, whose folder must exist.
  public init(path: String) { self.path = path }

  /// The contents of the file; nil without a file, or if it is not a session file.
  public func load() -> SavedSession? {
    guard let text = contents(), let json = try? JSONValue(parsing: text) else { return nil }
    return SavedSession(json: json)
  }

  /// Writes a new file and renames it over the old one, so that a crash leaves one of the two.
  public func save(_ session: SavedSession?) {
    guard let session else {
      if unlink(path) != 0, errno != ENOENT { complain("forget") }
      return
    }
    let fresh = path + ".new"
    let file = Glibc.open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return complain("write") }
    let bytes = Array(session.json.text.utf8)
    let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    let isSafe = written == bytes.count && fsync(file) == 0
    close(file)
    guard isSafe, rename(fresh, path) == 0 else { return complain("write") }
  }

  /// A session takes a few hundred bytes; a longer file is not a session file.
  private static let limit = 65_536

  private func contents() -> String? {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.limit)
    let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    guard count > 0, count < Self.limit else { return nil }
    return String(validating: bytes.prefix(count), as: UTF8.self)
  }

  private func complain(_ deed: String) {
    logger.warning(
      "cannot \(deed) the saved session",
      metadata: ["cast.file": "\(path)", "cast.error": "\(String(cString: strerror(errno)))"])
  }
}

extension SavedSession {
  fileprivate var json: JSONValue {
    .members([
      "host": .string(device.endpoint.host), "port": JSONValue(device.endpoint.port),
      "name": JSONValue(device.friendlyName), "id": JSONValue(device.uniqueID),
      "model": JSONValue(device.modelName),
      // As text: a number of JSON does not hold all 64 bits.
      "capabilities": JSONValue(device.capabilities.map { String($0.rawValue) }),
      "application": .string(applicationID), "session": .string(applicationSessionID),
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard let host = json["host"]?.string, let port = json["port"]?.int, (1...65_535).contains(port),
      let application = json["application"]?.string, let session = json["session"]?.string
    else { return nil }
    // Older files have none.
    let capabilities = json["capabilities"]?.string.flatMap { UInt64($0) }
    self.init(
      device: Device(
        endpoint: DeviceEndpoint(host: host, port: port), friendlyName: json["name"]?.string,
        uniqueID: json["id"]?.string, modelName: json["model"]?.string,
        capabilities: capabilities.map { DeviceCapabilities(rawValue: $0) }),
      applicationID: application, applicationSessionID: session)
  }
}
