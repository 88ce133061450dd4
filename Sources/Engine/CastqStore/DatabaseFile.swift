import CastqFiles
import CastqText
import Glibc

/// File-system operations on the database file.
package enum DatabaseFile {
  /// Creates the folders of a file if missing, accessible to the owner only.
  package static func makeFolders(for path: String) throws(StoreError) {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    var made = path.hasPrefix("/") ? "/" : ""
    for part in folder.split(separator: "/") {
      made += "\(part)/"
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        let words = String(cString: strerror(errno))
        guard access(made, F_OK) != 0 else { continue }
        throw .cannotCreate(path: path, words: words)
      }
    }
  }

  /// Creates the file and its folders if missing, accessible to the owner only.
  static func prepare(_ path: String) throws(StoreError) {
    try makeFolders(for: path)
    // Do not open the file here: closing any descriptor of it drops the POSIX locks of other connections in this process, and
    // two writers could then run at once.
    guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
      throw .cannotCreate(path: path, words: String(cString: strerror(errno)))
    }
    if isDirectory(path) { throw .cannotCreate(path: path, words: String(cString: strerror(EISDIR))) }
    guard faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) != 0 else { return }
    // A dangling symbolic link.
    if errno == ENOENT { throw .cannotCreate(path: path, words: String(cString: strerror(errno))) }
    throw .readOnly(path: path)
  }

  /// Creates an empty file, accessible to the owner only; throws if it exists.
  static func prepareNew(_ path: String) throws(StoreError) {
    guard mknod(path, S_IFREG | 0o600, 0) == 0 else {
      throw .cannotCreate(path: path, words: String(cString: strerror(errno)))
    }
  }

  /// Gives a complete file another name, in place of what has it, once its contents are on the disk.
  static func replace(_ path: String, with file: String) throws(StoreError) {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    let isWritten = descriptor >= 0 && fsync(descriptor) == 0
    if descriptor >= 0 { close(descriptor) }
    guard isWritten, rename(file, path) == 0 else {
      throw .cannotCreate(path: path, words: String(cString: strerror(errno)))
    }
  }

  static func remove(_ path: String) { unlink(path) }

  /// False where there is no file, and none behind a symbolic link; true also where a folder on the way may not be looked into.
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 || ![ENOENT, ENOTDIR].contains(errno)
  }

  /// Whether the file exists and is readable.
  static func isReadable(_ path: String) -> Bool {
    !isDirectory(path) && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
  }

  /// The schema version in the header of a copy that nobody works with; nil when it cannot be read.
  static func schemaVersion(_ path: String) -> SchemaVersion? {
    guard let descriptor = try? OwnFile.open(path, for: .reading) else { return nil }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 72)
    guard pread(descriptor, &header, header.count, 0) == header.count else { return nil }
    func number(_ place: Int) -> Int { header[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    return SchemaVersion(mark: number(68), number: number(60))
  }

  /// Checks that a file can be read, and has anything in it.
  static func checkContents(_ path: String) throws(StoreError) {
    var status = stat()
    guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0, stat(path, &status) == 0 else {
      throw .failed(path: path, words: String(cString: strerror(errno)))
    }
    if isDirectory(path) { throw .failed(path: path, words: String(cString: strerror(EISDIR))) }
    if status.st_size == 0 { throw .corrupt(path: path, words: "it is empty") }
  }

  /// Whether this user may write the file.
  static func isWritable(_ path: String) -> Bool { faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0 }

  /// Whether the file system has no room for the files beside the database that SQLite works with.
  static func hasNoRoom(_ path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    let isOutOfFiles = status.f_files > 0 && status.f_favail == 0
    return isOutOfFiles || UInt64(status.f_bavail) * UInt64(status.f_frsize) < Self.room
  }

  /// Bytes of SQLite's shared memory for a short log, and of a page of the log.
  private static let room: UInt64 = 64 << 10

  /// The path as a URI, which accepts SQLite's options.
  static func address(_ path: String) -> String {
    let whole = realpath(path, nil)
    defer { free(whole) }
    return FilePath.url(whole.map { String(cString: $0) } ?? path)
  }

  /// The file that a symbolic link leads to; the path itself when it is none, or leads nowhere.
  static func itself(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let whole = realpath(path, nil)
    else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Which file it is, whatever it is called.
  struct Identity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil if the file does not exist.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }

  /// State of the file; differs after a write.
  struct State: Equatable {
    private var inode: UInt64
    private var size: Int
    private var seconds: Int
    private var nanoseconds: Int
    /// Whether the write-ahead log has pages that are not checkpointed.
    let hasLog: Bool

    /// Nil if the file does not exist.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      inode = UInt64(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
      hasLog = stat(path + "-wal", &status) == 0 && status.st_size > 0
    }
  }
}
