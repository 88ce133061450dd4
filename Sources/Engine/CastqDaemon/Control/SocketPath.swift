package import CastqPlaylists
import Glibc

/// The socket path of a feeder or a daemon: beside the database if that folder is private and the path is short enough, else in
/// another private folder, under a hash of the database's path.
package enum SocketPath {
  /// Most bytes of a path: `sun_path` has 108, with the terminator.
  package static let limit = 107

  /// The socket path of a device's feeder or of the daemon.
  /// - Parameters:
  ///   - database: the database file.
  ///   - device: the device; nil for the daemon.
  ///   - runtime: the runtime folder, such as `XDG_RUNTIME_DIR`; nil if there is none.
  ///   - temporary: where to create a private folder as a last resort.
  package static func choose(
    database: String, device: DeviceID?, runtime: String?, temporary: String = "/tmp"
  ) throws(ControlSocketError) -> String {
    let file = absolute(database)
    let beside = "\(file).\(device.map { "feeder-\($0.rawValue)" } ?? "daemon").sock"
    let folder = String(beside.prefix(upTo: beside.lastIndex(of: "/") ?? beside.startIndex))
    if fits(beside), isPrivate(folder) { return beside }
    let name = "\(hash(file))-\(device.map { "\($0.rawValue)" } ?? "daemon").sock"
    if let runtime, runtime.hasPrefix("/"), isPrivate(runtime) {
      let path = "\(runtime)/castq/\(name)"
      if fits(path), makePrivate("\(runtime)/castq") { return path }
    }
    let ours = "\(temporary)/castq-\(geteuid())"
    guard makePrivate(ours) else { throw .folderIsNotOurs(ours) }
    let path = "\(ours)/\(name)"
    guard fits(path) else { throw .pathTooLong(path) }
    return path
  }

  private static func fits(_ path: String) -> Bool { path.utf8.count <= limit && !path.contains("\n") }

  /// The path with links resolved, so that clients in other working directories derive the same socket.
  private static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether a folder belongs to this user with mode 0700; a symbolic link does not count.
  private static func isPrivate(_ folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  private static func makePrivate(_ folder: String) -> Bool {
    mkdir(folder, 0o700)
    return isPrivate(folder)
  }

  /// FNV-1a. Two databases of one user with the same hash would share a socket path; the listener refuses a path in use.
  private static func hash(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Why a control socket cannot be served.
package enum ControlSocketError: Error, Sendable, Hashable, CustomStringConvertible {
  case folderIsNotOurs(String)
  case pathTooLong(String)
  /// The path exists and is not a socket of this user; it is not removed.
  case notASocket(String)
  /// A running process answers there.
  case taken(String)
  case failed(String, words: String)

  package var description: String {
    switch self {
    case .folderIsNotOurs(let folder):
      "\(folder) must belong to this user alone (mode 0700): remove it, or set XDG_RUNTIME_DIR"
    case .pathTooLong(let path): "the path \(path) is longer than \(SocketPath.limit) bytes"
    case .notASocket(let path): "\(path) is not a socket of this user: remove it"
    case .taken(let path): "another process answers at \(path)"
    case .failed(let path, let words): "\(path): \(words)"
    }
  }
}
