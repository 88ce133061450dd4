import CastProtocol
import Glibc

/// Files in a folder, one per image. The folder is private to the user (0700); several processes may use it, because files are
/// renamed into place and the file system is the only index.
struct ImageFolder: Sendable {
  let path: String

  private static let suffix = ".image"
  private static let temporarySuffix = ".part"
  /// A temporary file older than this was abandoned.
  private static let abandonedAfter: Int64 = 3_600_000

  /// A file in the folder.
  struct Entry: Hashable, Sendable {
    var name: String
    var bytes: Int
    /// Milliseconds since 1970.
    var usedAt: Int64
  }

  /// Reads a file and updates its time of use; nil when there is none.
  func read(_ key: String, limit: Int, at now: Int64) throws(CastError) -> [UInt8]? {
    let descriptor = open(file(key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ELOOP { return nil }
      throw failure("read")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("read") }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
    // The time only affects the order of eviction: it may fail.
    var times = Self.times(now)
    futimens(descriptor, &times)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read") }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    return nil
  }

  /// Writes a file atomically.
  func write(_ bytes: [UInt8], key: String, at now: Int64) throws(CastError) {
    try make()
    let temporary = "\(path)/\(key).\(UInt64.random(in: 0...UInt64.max))\(Self.temporarySuffix)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("write") }
    var reason = fill(descriptor, bytes, at: now) ? nil : failure("write")
    if close(descriptor) != 0, reason == nil { reason = failure("write") }
    if reason == nil, rename(temporary, file(key)) != 0 { reason = failure("write") }
    if let reason {
      unlink(temporary)
      throw reason
    }
  }

  private func fill(_ descriptor: Int32, _ bytes: [UInt8], at now: Int64) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    var times = Self.times(now)
    return futimens(descriptor, &times) == 0
  }

  func remove(_ key: String) throws(CastError) { try remove(name: key + Self.suffix) }

  /// Removes the least recently used files until the limits are met.
  func evict(to limits: ImageCacheLimits, at now: Int64) throws(CastError) {
    var entries = try entries()
    for entry in entries where entry.name.hasSuffix(Self.temporarySuffix) {
      if entry.usedAt < now - Self.abandonedAfter { try remove(name: entry.name) }
    }
    entries.removeAll { !$0.name.hasSuffix(Self.suffix) }
    entries.sort { ($0.usedAt, $0.name) < ($1.usedAt, $1.name) }
    var bytes = entries.reduce(0) { $0.adding(bounded: $1.bytes) }
    var count = entries.count
    for entry in entries where count > limits.images || bytes > limits.bytes {
      try remove(name: entry.name)
      count -= 1
      bytes -= entry.bytes
    }
  }

  /// Removes the files of this cache; other files in the folder remain.
  func removeAll() throws(CastError) {
    for entry in try entries() { try remove(name: entry.name) }
  }

  private func entries() throws(CastError) -> [Entry] {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return [] }
      throw failure("list")
    }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while let next = readdir(folder) {
      let name = withUnsafePointer(to: &next.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      var status = stat()
      guard Self.isOurs(name), lstat("\(path)/\(name)", &status) == 0 else { continue }
      let used = Int64(
        millisecondsOf: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
      entries.append(Entry(name: name, bytes: Int(status.st_size), usedAt: used))
    }
    return entries
  }

  /// Creates the folder and its parents; an existing one must not be accessible to others.
  private func make() throws(CastError) {
    var status = stat()
    if stat(path, &status) != 0 {
      guard errno == ENOENT else { throw failure("open") }
      for end in path.utf8.indices where path.utf8[end] == UInt8(ascii: "/") && end != path.startIndex {
        guard mkdir(String(path[..<end]), 0o700) == 0 || errno == EEXIST else { throw failure("make") }
      }
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make") }
      guard stat(path, &status) == 0 else { throw failure("open") }
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CastError(.invalidState, "\(path) is not a folder, so no image is cached there")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw CastError(
        .invalidState,
        "the folder \(path) is accessible to others, so no image is cached there; restrict it to yourself (0700)"
      )
    }
  }

  private func remove(name: String) throws(CastError) {
    guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else { throw failure("remove from") }
  }

  private func file(_ key: String) -> String { "\(path)/\(key)\(Self.suffix)" }

  /// Whether the name begins with a key: 64 hexadecimal digits.
  private static func isOurs(_ name: String) -> Bool {
    let key = name.utf8.prefix { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    return key.count == 64 && (name.hasSuffix(suffix) || name.hasSuffix(temporarySuffix))
  }

  private static func times(_ now: Int64) -> [timespec] {
    let (seconds, rest) = now.quotientAndRemainder(dividingBy: 1000)
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(max(rest, 0)) * 1_000_000)
    return [time, time]
  }

  private func failure(_ attempt: String) -> CastError {
    CastError(
      .invalidState, "cannot \(attempt) the image folder \(path)",
      underlying: String(cString: strerror(errno)))
  }
}
