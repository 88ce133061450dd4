import CastqCore
import Glibc

/// The file itself, as the operating system sees it.
enum DatabaseFile {
  /// The path of a file and of its folders, made readable for the owner alone.
  static func prepare(_ path: String) throws(StoreError) {
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
    // Never opened here: closing any descriptor of the file would drop the locks that another connection of this process
    // holds on it, and two writers would then be at it at once.
    guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
      throw .cannotCreate(path: path, words: String(cString: strerror(errno)))
    }
    if isDirectory(path) { throw .cannotCreate(path: path, words: String(cString: strerror(EISDIR))) }
    guard faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) != 0 else { return }
    // A link to nothing is there, and is not.
    if errno == ENOENT { throw .cannotCreate(path: path, words: String(cString: strerror(errno))) }
    throw .readOnly(path: path)
  }

  /// A new, empty file for the owner alone; what is there already stays.
  static func prepareNew(_ path: String) throws(StoreError) {
    guard mknod(path, S_IFREG | 0o600, 0) == 0 else {
      throw .cannotCreate(path: path, words: String(cString: strerror(errno)))
    }
  }

  static func remove(_ path: String) { unlink(path) }

  /// Whether there is a file that may at least be read.
  static func isReadable(_ path: String) -> Bool {
    !isDirectory(path) && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
  }

  /// The path as SQLite takes it with options behind it.
  static func address(_ path: String) -> String {
    let whole = realpath(path, nil)
    defer { free(whole) }
    return FilePath.url(whole.map { String(cString: $0) } ?? path)
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What shows that somebody has written between two looks.
  struct State: Equatable {
    private var inode: UInt64
    private var size: Int
    private var seconds: Int
    private var nanoseconds: Int
    /// Whether something was written that is not in the file itself yet.
    let hasLog: Bool

    /// Nil when there is no file.
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
