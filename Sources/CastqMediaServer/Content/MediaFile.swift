import Glibc
import NIOCore

/// A regular file, open for reading, with the facts an answer is built from.
///
/// Opened anew for every request, so that a file replaced by an atomic rename is served anew. The owner must close it.
struct MediaFile {
  let handle: NIOFileHandle
  let version: MediaFileVersion

  /// Opens a canonical absolute path.
  ///
  /// No component may be a symbolic link: links were followed once, when the file was published, and whoever can put
  /// a link into a media folder later must not choose what is served. A FIFO or device is refused without opening it.
  static func open(canonicalPath path: String) throws(MediaFileError) -> MediaFile {
    let names = path.split(separator: "/").map(String.init)
    guard path.hasPrefix("/"), let name = names.last else { throw .notRegular }
    var folder = try Descriptor(opening: "/", below: AT_FDCWD, flags: Self.folderFlags)
    for step in names.dropLast() {
      folder = try Descriptor(opening: step, below: folder.number, flags: Self.folderFlags)
    }
    var before = stat()
    guard fstatat(folder.number, name, &before, AT_SYMLINK_NOFOLLOW) == 0 else { throw MediaFileError(errno) }
    guard before.isRegular else { throw .notRegular }
    // O_NONBLOCK: should the file become a FIFO after the look above, opening it still does not wait for a writer.
    let file = try Descriptor(
      opening: name, below: folder.number, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    var facts = stat()
    guard fstat(file.number, &facts) == 0 else { throw MediaFileError(errno) }
    guard facts.isRegular else { throw .notRegular }
    return MediaFile(
      handle: NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.release()),
      version: MediaFileVersion(facts))
  }

  /// The size now, in bytes; nil when it cannot be read any more.
  var currentSize: Int? {
    var facts = stat()
    do {
      return try handle.withUnsafeFileDescriptor { fstat($0, &facts) } == 0 ? Int(facts.st_size) : nil
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
      // Only a handle that is closed already, or that is being read on this very thread, refuses: both our mistakes.
      assertionFailure("closing a media file: \(error)")
    }
  }

  /// O_PATH, which Glibc's module lacks: it needs the right to pass through a folder, not to list it. The number is
  /// the same on x86-64 and arm64.
  private static let folderFlags: CInt = 0o10000000 | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
}

/// Why a file cannot be served.
enum MediaFileError: Error, Equatable {
  /// Nothing there, or a symbolic link where a file or folder was.
  case missing
  /// A folder, FIFO, socket or device.
  case notRegular
  /// castq has run out of descriptors: the file itself may be fine.
  case noDescriptors
  /// The system's own words.
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
    let opened = openat(folder, name, flags)
    guard opened >= 0 else { throw MediaFileError(errno) }
    number = opened
  }

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
