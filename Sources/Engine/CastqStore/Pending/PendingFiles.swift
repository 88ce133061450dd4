import CastqFeeding
import CastqFiles
import CastqPlaylists
import Glibc

extension Database {
  /// What somebody should know of what waits beside the database; nil when nothing does. Touches neither file nor database.
  package var pendingProblem: PendingNews? {
    for path in PendingFiles.all(of: path) {
      let bytes: [UInt8]?
      do throws(OwnFileError) { bytes = try OwnFile.bytes(of: path, limit: PendingContents.limit) } catch {
        return .refused(error)
      }
      let contents = PendingContents(bytes ?? [])
      if let words = contents.damage { return .damaged(path: path, words: words, copy: nil) }
      let writes = contents.batches.reduce(0) { $0 + $1.writes.count }
      if writes > 0 { return .kept(writes: writes, path: path) }
    }
    let copy = "\(PendingFiles.path(of: path, device: nil)).damaged-1"
    return access(copy, F_OK) == 0 ? .leftAside(copy: copy) : nil
  }
}

/// The files of a database in which writes wait: the daemon's, and one of each feeder that has no daemon.
enum PendingFiles {
  /// The file of a process.
  /// - Parameter device: the device that it feeds; nil is the daemon.
  static func path(of database: String, device: DeviceID?) -> String {
    "\(database).pending\(device.map { "-\($0.rawValue)" } ?? "")"
  }

  /// The files there are, the daemon's first.
  static func all(of database: String) -> [String] {
    let slash = database.lastIndex(of: "/")
    let folder = slash.map { String(database[...$0]) } ?? "./"
    let name = slash.map { String(database[database.index(after: $0)...]) } ?? database
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [(number: Int64, path: String)] = []
    while let entry = readdir(stream) {
      let other = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard other.hasPrefix("\(name).pending") else { continue }
      let rest = other.dropFirst(name.count + ".pending".count)
      if rest.isEmpty { found.append((-1, path(of: database, device: nil))) }
      if rest.first == "-", let number = Int64(rest.dropFirst()), number >= 0 {
        found.append((number, path(of: database, device: DeviceID(number))))
      }
    }
    return found.sorted { $0.number < $1.number }.map(\.path)
  }
}
