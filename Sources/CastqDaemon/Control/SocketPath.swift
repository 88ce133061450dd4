package import CastqCore
import Glibc

/// Where the socket of a feeder or of a daemon is: beside the database when that folder is its owner's alone and the path is short enough, else
/// under a name made from the database's in a folder that is.
package enum SocketPath {
  /// Most bytes of a path that fits `sun_path`, its end included in the 108 there.
  package static let limit = 107

  /// The best place for the socket of a device, or of the daemon.
  /// - Parameters:
  ///   - database: the file.
  ///   - device: nil is the daemon.
  ///   - runtime: the folder for such things, as `XDG_RUNTIME_DIR` names it; nil when there is none.
  ///   - temporary: where a folder of ours is made when there is no other.
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

  /// A database may be named from where its user stands; a client may stand elsewhere.
  private static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether only its owner, who is us, can look into a folder; a link to one does not count.
  private static func isPrivate(_ folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  private static func makePrivate(_ folder: String) -> Bool {
    mkdir(folder, 0o700)
    return isPrivate(folder)
  }

  /// FNV-1a; two databases of one user that share it would share a socket, so the holder of the lock decides who serves it.
  private static func hash(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Why a socket cannot be served.
package enum ControlSocketError: Error, Sendable, Hashable, CustomStringConvertible {
  case folderIsNotOurs(String)
  case pathTooLong(String)
  /// Something that is no socket stands there; it is not removed.
  case notASocket(String)
  /// A living process answers there.
  case taken(String)
  case failed(String, words: String)

  package var description: String {
    switch self {
    case .folderIsNotOurs(let folder):
      "\(folder) must belong to this user alone (mode 0700): remove it, or set XDG_RUNTIME_DIR"
    case .pathTooLong(let path): "the path \(path) is longer than \(SocketPath.limit) bytes"
    case .notASocket(let path): "\(path) is no socket: remove it"
    case .taken(let path): "another process answers at \(path)"
    case .failed(let path, let words): "\(path): \(words)"
    }
  }
}
