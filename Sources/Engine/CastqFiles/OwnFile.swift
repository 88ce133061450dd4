package import Glibc

/// Opens the files that castq keeps for itself, beside its database and in its folders.
///
/// Another user who can write to such a folder could put something else in a file's place. So castq follows no symbolic link and waits for
/// no pipe. It opens a regular file only if that has one name, belongs to this user, and cannot be written by others. The superuser may use
/// any owner's file.
package enum OwnFile {
  /// What a file is opened for.
  package enum Use: Sendable {
    case reading
    /// Reading and writing; it is made, accessible to its owner only, when there is none.
    case keeping
    /// Reading and writing; it must be there.
    case changing

    fileprivate var flags: Int32 {
      switch self {
      case .reading: O_RDONLY
      case .keeping: O_RDWR | O_CREAT
      case .changing: O_RDWR
      }
    }
  }

  /// Opens a file.
  /// - Returns: a descriptor, which the caller closes.
  package static func open(_ path: String, for use: Use) throws(OwnFileError) -> Int32 {
    let descriptor = Glibc.open(path, use.flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw OwnFileError(path: path, problem: notOpened(path, errno)) }
    if let problem = problem(of: descriptor) {
      close(descriptor)
      throw OwnFileError(path: path, problem: problem)
    }
    return descriptor
  }

  /// Opens a file to read it; nil when there is none.
  package static func openIfThere(_ path: String) throws(OwnFileError) -> Int32? {
    do throws(OwnFileError) { return try open(path, for: .reading) } catch {
      if error.problem == .system(ENOENT) { return nil }
      throw error
    }
  }

  /// The contents of a file, as far as the limit; nil when there is none.
  package static func bytes(of path: String, limit: Int) throws(OwnFileError) -> [UInt8]? {
    guard let descriptor = try openIfThere(path) else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(limit, 65_536))
    while bytes.count < limit {
      let count = read(descriptor, &piece, min(piece.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw OwnFileError(path: path, problem: .system(errno)) }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Puts a file in the place of another one, whole or not at all, and what is in it is on the disk when this returns.
  package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws(OwnFileError)
  {
    let draft = "\(path).\(getpid())"
    // What a process of the same number left behind.
    unlink(draft)
    let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw OwnFileError(path: draft, problem: .system(errno)) }
    let isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
    var reason = errno
    close(descriptor)
    if isWritten {
      if rename(draft, path) == 0 { return }
      reason = errno
    }
    unlink(draft)
    throw OwnFileError(path: path, problem: .system(reason))
  }

  /// Writes all bytes; false with errno when it cannot.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Has the names of a folder on the disk: a file that was made, renamed or removed in it stays so when the power fails.
  package static func synchronizeFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// What is wrong with an open file; nil when it is one's own.
  package static func problem(of descriptor: Int32, user: uid_t = geteuid()) -> OwnFileError.Problem? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .system(errno) }
    if let kind = kind(of: status) { return .notAFile(kind) }
    guard status.st_uid == user || user == 0 else { return .foreign(status.st_uid) }
    if status.st_nlink > 1 { return .linkedTwice }
    // Removed since it was opened.
    if status.st_nlink == 0 { return .system(ENOENT) }
    return status.st_mode & 0o022 == 0 ? nil : .writableByOthers
  }

  /// What is at a path that could not be opened: the system's reason says it of a link, a folder or a pipe only by accident.
  private static func notOpened(_ path: String, _ reason: Int32) -> OwnFileError.Problem {
    var status = stat()
    guard [ELOOP, EISDIR, ENXIO, EACCES].contains(reason), lstat(path, &status) == 0 else {
      return .system(reason)
    }
    if status.st_mode & S_IFMT == S_IFLNK { return .link }
    if let kind = kind(of: status) { return .notAFile(kind) }
    return status.st_uid == geteuid() || geteuid() == 0 ? .system(reason) : .foreign(status.st_uid)
  }

  /// What it is instead of a regular file; nil when it is one.
  private static func kind(of status: stat) -> OwnFileError.Kind? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: .folder
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    default: .device
    }
  }
}
