import CFileOpening
import CastqPaths
import Glibc
import NIOCore

/// A regular file, open for reading, with the metadata of a response.
///
/// Each request opens the file, so that a file replaced by an atomic rename is served at once. The owner must close it.
struct MediaFile {
  let handle: NIOFileHandle
  let version: MediaFileVersion
  /// When it was written to last, as of `version`.
  let modified: MediaFileStamp.Moment

  /// Opens a canonical absolute path.
  ///
  /// No component may be a symbolic link: links were followed once, when the file was published, so a link that is put into a
  /// media folder later cannot change what is served. A FIFO or device is refused without opening it.
  static func open(canonicalPath path: String) throws(MediaFileError) -> MediaFile {
    guard path.utf8.first == UInt8(ascii: "/") else { throw .notRegular }
    let name = PathText.system(path)
    var before = stat()
    guard lstat(name, &before) == 0 else { throw MediaFileError(errno) }
    guard before.isRegular else { throw .notRegular }
    let opened = castq_open_without_links(name, fileFlags)
    if opened >= 0 { return try MediaFile(Descriptor(opened)) }
    // A kernel before 5.6, or a filter of system calls that does not know this one.
    guard errno == ENOSYS || errno == EPERM else { throw MediaFileError(errno) }
    return try open(stepByStep: path)
  }

  /// The same by system calls that every kernel has, three for each folder on the way.
  static func open(stepByStep path: String) throws(MediaFileError) -> MediaFile {
    let names = path.split(separator: "/").map(String.init)
    guard path.hasPrefix("/"), let name = names.last else { throw .notRegular }
    var folder = try Descriptor(opening: "/", below: AT_FDCWD, flags: Self.folderFlags)
    for step in names.dropLast() {
      folder = try Descriptor(opening: step, below: folder.number, flags: Self.folderFlags)
    }
    var before = stat()
    guard fstatat(folder.number, PathText.system(name), &before, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw MediaFileError(errno)
    }
    guard before.isRegular else { throw .notRegular }
    return try MediaFile(Descriptor(opening: name, below: folder.number, flags: fileFlags))
  }

  private init(_ file: consuming Descriptor) throws(MediaFileError) {
    var facts = stat()
    guard fstat(file.number, &facts) == 0 else { throw MediaFileError(errno) }
    guard facts.isRegular else { throw .notRegular }
    handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.release())
    version = MediaFileVersion(facts)
    modified = MediaFileStamp(facts).modified
  }

  /// The present size and time; nil when they cannot be read.
  var stamp: MediaFileStamp? {
    var facts = stat()
    do {
      return try handle.withUnsafeFileDescriptor { fstat($0, &facts) } == 0 ? MediaFileStamp(facts) : nil
    } catch {
      return nil
    }
  }

  /// These bytes; nil when they cannot be read in full.
  func bytes(_ range: Range<Int>) -> [UInt8]? {
    do {
      let bytes = try handle.withUnsafeFileDescriptor { descriptor in
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
          count = max(0, pread(descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound)))
        }
      }
      return bytes.count == range.count ? bytes : nil
    } catch {
      return nil
    }
  }

  /// At most `count` bytes from the start of the file.
  func prefix(_ count: Int) throws(MediaFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read: Int
    do {
      read = try handle.withUnsafeFileDescriptor { pread($0, &bytes, count, 0) }
    } catch {
      throw .unreadable(String(describing: error))
    }
    guard read >= 0 else { throw MediaFileError(errno) }
    return Array(bytes.prefix(read))
  }

  func close() {
    do {
      try handle.close()
    } catch {
      // The only handles that refuse are closed already, or read on this very thread: both are bugs.
      assertionFailure("closing a media file: \(error)")
    }
  }

  /// With O_NONBLOCK, opening does not wait for a writer if the file has become a FIFO since it was looked at.
  private static let fileFlags: CInt = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

  /// O_PATH, which Glibc's module lacks: it needs permission to pass through a folder, not to list it. The value is the same on
  /// x86-64 and arm64.
  private static let folderFlags: CInt = 0o10000000 | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
}

/// Why a file cannot be served.
enum MediaFileError: Error, Equatable {
  /// The file is missing, or a component of its path is a symbolic link.
  case missing
  /// A folder, FIFO, socket or device.
  case notRegular
  /// castq has run out of descriptors; the file itself may be fine.
  case noDescriptors
  /// The system's error message.
  case unreadable(String)

  init(_ code: CInt) {
    switch code {
    case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: self = .missing
    case EMFILE, ENFILE, ENOMEM: self = .noDescriptors
    case ENXIO: self = .notRegular
    default: self = .unreadable(String(cString: strerror(code)))
    }
  }
}

/// A descriptor that closes itself.
private struct Descriptor: ~Copyable {
  let number: CInt

  init(opening name: String, below folder: CInt, flags: CInt) throws(MediaFileError) {
    let opened = openat(folder, PathText.system(name), flags)
    guard opened >= 0 else { throw MediaFileError(errno) }
    number = opened
  }

  init(_ number: CInt) { self.number = number }

  consuming func release() -> CInt {
    let number = number
    discard self
    return number
  }

  deinit { Glibc.close(number) }
}

extension stat {
  fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}

extension MediaFileStamp {
  fileprivate init(_ facts: stat) {
    size = Int(facts.st_size)
    modified = Moment(seconds: Int(facts.st_mtim.tv_sec), nanoseconds: Int(facts.st_mtim.tv_nsec))
  }
}
